import CircuitModel
import ExamStore
import GRDB
import Timer

/// Loads a rota: a CSV file whose rows are candidates and whose columns are stations, each cell the time at which that
/// round starts, or its number. All of it is followed, or nothing.
public enum RotaImport {
  /// What came of it.
  public struct Outcome: Sendable {
    /// For each session that the rota is about, how many places another candidate has than before; nil if any problem is
    /// an error, and then nothing was changed.
    public var changed: [(session: String, places: Int)]?
    /// Every error and warning.
    public var problems: [Problem]
  }

  private struct Refused: Error {}

  /// - Throws: `StoreError` if the store refuses; nothing is changed then.
  public static func load(_ path: String, into store: ExamStore, by author: Author = .program) throws -> Outcome {
    let list = ProblemList()
    guard let source = SourceFile(path: path, name: path, problems: list) else {
      return Outcome(changed: nil, problems: list.problems)
    }
    let rows = CSVReader.read(source, problems: list)
    do {
      let changed = try store.write(author) { transaction in
        let changed = try RotaReader(rows, file: path, problems: list, transaction.db).follow(transaction)
        if list.problems.hasErrors { throw Refused() }
        return changed
      }
      return Outcome(changed: changed, problems: list.problems)
    } catch is Refused {
      return Outcome(changed: nil, problems: list.problems.inFileOrder())
    }
  }
}

/// Finds the places that a rota names among the sessions of a store.
private struct RotaReader {
  private let file: String
  private let problems: ProblemList
  private let headings: [String]
  private let rows: [CSVRow]
  private let boards: [Board]
  private let withdrawn: [WithdrawnStation]

  /// Where a place is written.
  private struct Cell {
    let line: Int
    let column: Int
  }

  /// A session with the times at which its rounds start.
  private struct Board {
    let circuit: String
    let board: HallBoard
    let starts: [String: Int]

    func timetable(_ code: String) -> Int? {
      board.stations.first { $0.stationCode.lowercased() == code.lowercased() }?.timetable
    }

    func round(_ cell: String) -> Int? {
      if let number = Int(cell) { return 1...max(1, board.rounds) ~= number ? number : nil }
      return starts[RotaReader.minute(cell)]
    }
  }

  init(_ rows: [CSVRow], file: String, problems: ProblemList, _ db: Database) throws {
    (self.file, self.problems) = (file, problems)
    headings = rows.first?.cells ?? []
    self.rows = Array(rows.dropFirst())
    var seen: Set<Session> = []
    let places = try StationSession.all(in: db).filter { seen.insert($0.session).inserted }
    withdrawn = try WithdrawnStation.all(in: db)
    boards = try places.map { place in
      Board(
        circuit: place.circuit.name, board: try HallBoard.read(place.session, in: db),
        starts: try RotaReader.starts(place.session, in: db))
    }
  }

  /// Excel writes 9:12 or 09:12:00 for 09:12.
  private static func minute(_ cell: String) -> String {
    let parts = cell.split(separator: ":", omittingEmptySubsequences: false)
    let hoursAndMinutes = parts.count == 3 && parts[2] == "00" ? parts.prefix(2).joined(separator: ":") : cell
    return WrittenTime.time(hoursAndMinutes) ?? cell
  }

  /// The rounds by the minute at which the doors open: that of the rotation, as `osce plan` has it, and that of the reading
  /// before it.
  private static func starts(_ session: Session, in db: Database) throws -> [String: Int] {
    guard let start = session.plannedStart else { return [:] }
    let phases = try StartPlan.made(for: session, in: db).list
    var starts: [String: Int] = [:]
    let last = phases.plannedRotations.last?.lowerBound ?? 0
    for (index, phase) in phases.enumerated() where phase.type == .rotation || phase.type == .reading {
      let offset = phases.plannedOffsetMs(ofPhase: index + 1)
      // After a reading that no rotation follows nobody enters.
      guard offset <= last else { break }
      let opens = start + offset
      starts[LocalTime.reading(of: opens).minute] = phases.round(ofPhase: index + 1)
    }
    return starts
  }

  func follow(_ transaction: JournalTransaction) throws -> [(session: String, places: Int)] {
    guard checkHeadings() else { return [] }
    var found: [Int: [Rota.Place: Cell]] = [:]
    var order: [Int: [Rota.Place]] = [:]
    var lines: [String: Int] = [:]
    for row in rows {
      let number = row.cells[0]
      if let first = lines.updateValue(row.line, forKey: number) {
        error(row, 0, "duplicate candidate \(Visible.quoted(number)) (first on line \(first))")
      } else if let (index, candidate) = session(of: row) {
        for (column, place) in places(row, candidate, boards[index]) {
          if found[index]?[place] == nil { order[index, default: []].append(place) }
          found[index, default: [:]][place] = Cell(line: row.line, column: column)
        }
      }
    }
    if problems.problems.hasErrors { return [] }
    return try found.keys.sorted().compactMap { index in
      var rota = Rota(order[index] ?? [], on: boards[index].board)
      let changed = try rota.follow(transaction)
      for fault in rota.faults { report(fault, boards[index], found[index] ?? [:]) }
      return changed.map { ("\(boards[index].circuit), \(boards[index].board.session.name)", $0) }
    }
  }

  private func checkHeadings() -> Bool {
    let start = Place(file: file, line: 1)
    guard let first = headings.first, headings.count > 1, ["candidate", "number"].contains(first.lowercased()) else {
      problems.error(
        start, "a rota's first line is 'candidate' and the codes of stations, such as: candidate,CHEST,ABDO")
      return false
    }
    let codes = Set(boards.flatMap { $0.board.stations.map(\.stationCode) })
    var seen: Set<String> = []
    for (column, code) in headings.enumerated().dropFirst() {
      let (place, folded) = ("column \(RotaReader.letters(column)): ", code.lowercased())
      let isHeld = codes.contains { $0.lowercased() == folded }
      if !isHeld, let station = withdrawn.first(where: { $0.code.lowercased() == folded }) {
        let reason = station.reason.map { ": \(Visible.text($0))" } ?? ""
        problems.error(
          start, place + "station \(Visible.quoted(code)) is withdrawn\(reason); leave its column out")
      } else if !isHeld {
        problems.error(
          start,
          place + "station \(Visible.quoted(code)) is in no session"
            + NearestName.hint(for: code, among: codes.sorted()))
      } else if !seen.insert(folded).inserted {
        problems.error(start, place + "duplicate station \(Visible.quoted(code))")
      }
    }
    if rows.isEmpty { problems.error(start, "there is no candidate below the heading") }
    return !problems.problems.hasErrors
  }

  /// The one session of a row's candidate in which its times and stations are.
  private func session(of row: CSVRow) -> (board: Int, candidate: Int)? {
    if row.cells.count > headings.count {
      problems.error(
        Place(file: file, line: row.line), "\(row.cells.count) cells, but the heading has \(headings.count)")
      return nil
    }
    let own = boards.indices.compactMap { index in
      boards[index].board.candidates.first { $0.candidate.number == row.cells[0] }.map { (index, $0.candidate.id) }
    }
    if own.isEmpty {
      error(row, 0, "candidate \(Visible.quoted(row.cells[0])) is in no session")
      return nil
    }
    let fitting = own.filter { index, _ in
      cells(row).allSatisfy { boards[index].timetable($0.code) != nil && boards[index].round($0.text) != nil }
    }
    if fitting.count == 1 { return fitting[0] }
    if fitting.count > 1 {
      error(
        row, 0, "candidate \(Visible.quoted(row.cells[0])) is in \(fitting.count) sessions; write times, not rounds")
      return nil
    }
    let nearest = boards[own[0].0]
    for cell in cells(row) {
      if nearest.timetable(cell.code) == nil {
        error(row, cell.column, "station \(Visible.quoted(cell.code)) is not in \(nearest.circuit)")
      } else if nearest.round(cell.text) == nil {
        let times = nearest.starts.keys.sorted()
        error(
          row, cell.column,
          "\(Visible.quoted(cell.text)) is the start of no round; rounds start from \(times.first ?? "?") to "
            + "\(times.last ?? "?"), or write their numbers, 1 to \(nearest.board.rounds)")
      }
    }
    return nil
  }

  private func cells(_ row: CSVRow) -> [(column: Int, code: String, text: String)] {
    zip(headings, row.cells).enumerated().dropFirst().compactMap { column, pair in
      pair.1.isEmpty ? nil : (column, pair.0, pair.1)
    }
  }

  private func places(_ row: CSVRow, _ candidate: Int, _ board: Board) -> [(column: Int, place: Rota.Place)] {
    cells(row).compactMap { cell in
      guard let timetable = board.timetable(cell.code), let round = board.round(cell.text) else { return nil }
      return (cell.column, Rota.Place(candidate: candidate, timetable: timetable, round: round))
    }
  }

  private func report(_ fault: Rota.Fault, _ board: Board, _ found: [Rota.Place: Cell]) {
    func name(_ candidate: Int) -> String {
      Visible.quoted(board.board.candidates.first { $0.candidate.id == candidate }?.candidate.number ?? "?")
    }
    func code(_ place: Rota.Place) -> String { headings.first { board.timetable($0) == place.timetable } ?? "a rest" }
    func at(_ place: Rota.Place, _ message: String) {
      let column = found[place].map { "column \(RotaReader.letters($0.column)): " } ?? ""
      problems.error(Place(file: file, line: found[place]?.line ?? 1), column + message)
    }
    switch fault {
    case .emptySlot(let place):
      at(place, "nobody is planned at \(code(place)) in round \(place.round): an empty slot stays empty")
    case .notInRound(let place):
      at(place, "candidate \(name(place.candidate)) is planned nowhere in round \(place.round)")
    case .twoStations(let place, let other):
      at(place, "candidate \(name(place.candidate)) is at \(code(other)) in the same round, \(place.round)")
    case .twoCandidates(let place, let other):
      at(place, "candidate \(name(other.candidate)) is at \(code(place)) in the same round, \(place.round)")
    case .recorded(let place, let candidate):
      at(
        place,
        "something is recorded for \(name(candidate)) at \(code(place)) in round \(place.round): "
          + "nobody else can come there")
    case .withoutPlace(let candidate, let round):
      problems.error(
        Place(file: file, line: rows.first { Visible.quoted($0.cells[0]) == name(candidate) }?.line ?? 1),
        "candidate \(name(candidate)) has no place in round \(round): another has the planned one")
    }
  }

  private func error(_ row: CSVRow, _ column: Int, _ message: String) {
    problems.error(
      Place(file: file, line: row.line), (column == 0 ? "" : "column \(RotaReader.letters(column)): ") + message)
  }

  /// A column as spreadsheets name it: A, B … Z, AA.
  private static func letters(_ column: Int) -> String {
    var (rest, name) = (column + 1, "")
    while rest > 0 {
      name = String(UnicodeScalar(UInt8(0x41 + (rest - 1) % 26))) + name
      rest = (rest - 1) / 26
    }
    return name
  }
}
