import CircuitModel
import ExamStore
import GRDB
import Journal
import Standards
import Timer

/// Candidates by stations of one session: how far each sheet is, and what somebody has to be called for.
public struct LeadGrid: Sendable {
  /// A station session.
  public struct Column: Sendable {
    /// The station session.
    public let place: StationSession
    /// Minutes from the first mark to the last on a sheet, the mean of all that have both; nil: none has.
    public var pace: Double?
    /// When the last mark was given.
    public var lastMark: Instant?
  }

  /// How far the sheets of one candidate at one station are.
  public enum State: Equatable, Sendable {
    /// The candidate does not come here.
    case none
    /// Nothing is marked yet.
    case notYet
    /// The rotation is over, and nothing was marked: nobody has said why.
    case notSeen
    /// The rotation is over, and nothing was marked of somebody who is recorded present.
    case unmarked
    /// The exam or the lead has ruled that nothing is due here.
    case excused
    /// So many items of so many are answered, and it is not signed.
    case begun(answered: Int, of: Int)
    /// One of two assessors has signed.
    case oneAssessor
    /// Required items are blank though somebody signed, or the candidate has left.
    case blank(Int)
    /// Every assessor has signed.
    case signed
    /// The candidate is recorded absent, and no re-run is to come.
    case absent
  }

  /// A candidate at a station.
  public struct Cell: Sendable {
    /// How far it is.
    public internal(set) var state = State.none
    /// The roster entry; nil where the candidate does not come.
    public internal(set) var entry: String?
    /// The round in which the candidate comes.
    public internal(set) var round: Int?
    /// The round of the re-run for which it is queued; nil where every sheet is signed by now, where that round was
    /// held and left marks, and where nothing is due.
    public internal(set) var rerun: Int?
    /// Whether that round of the re-run was held.
    fileprivate var wasRerunHeld = false
    /// The sheets that were begun, in the order of seats.
    public internal(set) var sheets: [String] = []
    /// Whether somebody raised a concern that nobody has answered.
    public internal(set) var hasConcern = false
    /// Whether two values of a field stand here, of which the lead has to say which is right.
    public internal(set) var hasConflict = false
    /// Whether the candidate is in the room by the clock.
    public internal(set) var isHere = false
    /// Whether what is begun should be finished by now: the rotation is over, with the extra time; without a round, the
    /// session is; or nobody runs the clock.
    fileprivate var isLate = false
    /// Whether the candidate is recorded present; nil: nothing is recorded.
    fileprivate var isPresent: Bool?
    /// Seconds that the candidate has beyond everybody's.
    fileprivate var extraSeconds = 0
    /// Who is to be called about it: the first assessor whose sheet is not finished, else who leads here.
    public internal(set) var assessor: StationSession.Assessor?
    /// The candidate's other visits here: a swap may bring somebody twice, and this is the one that needs most.
    public internal(set) var others: [Cell] = []

    /// Each time that the candidate comes here.
    public var visits: [Cell] { [self] + others }

    /// Whether somebody has to be called for it.
    public var isToChase: Bool {
      switch state {
      case .blank, .oneAssessor, .notSeen, .unmarked: true
      case .begun: isLate || rerun != nil
      case .none, .notYet, .signed, .absent: rerun != nil
      case .excused: false
      }
    }
  }

  /// A candidate.
  public struct Row: Sendable {
    /// The slot with which the candidate goes round the ring, from 1; 0 where no round is planned.
    public let slot: Int
    /// The candidate's number.
    public let number: String
    /// The candidate's name.
    public let name: String
    /// One for each station.
    public internal(set) var cells: [Cell]

    /// How many of the sheets are neither signed nor not to be had.
    public var due: Int {
      visits.count {
        switch $0.state {
        case .none, .signed, .absent, .excused: false
        case .notYet, .notSeen, .unmarked, .begun, .oneAssessor, .blank: true
        }
      }
    }

    /// Whether the candidate is recorded absent wherever something is expected of them.
    public var isAbsent: Bool {
      let states = visits.map(\.state)
      return states.contains(.absent) && states.allSatisfy { [.none, .absent, .excused].contains($0) }
    }

    /// The round of the re-run for which the candidate is queued first.
    public var rerun: Int? { visits.compactMap(\.rerun).min() }

    /// Each time that the candidate comes to any station.
    public var visits: [Cell] { cells.flatMap(\.visits) }
  }

  /// The stations that are marked, in the order of the ring.
  public private(set) var columns: [Column]
  /// The candidates by their places.
  public private(set) var rows: [Row] = []
  /// Sheets that are to be signed.
  public private(set) var expected = 0
  /// Of these, those that are signed.
  public private(set) var signed = 0
  /// Concerns of this session that nobody has answered.
  public private(set) var concerns: [Concern] = []
  /// How many rows of this session have a field of which two values stand.
  public private(set) var conflicts = 0
  /// What keeps this session as it is, or its last amendment; nil: it is open.
  public private(set) var lock: ExamLock?
  /// Who sits at which terminal of this machine.
  public private(set) var terminals: [OpenTerminal] = []

  /// When the first of those who are in the room after the bell has used up their extra time; nil: nobody is.
  public private(set) var leavesAt: Instant?

  /// Reads a session as it is at an instant.
  public static func read(_ session: Session, at now: Instant, in db: Database) throws -> LeadGrid {
    let places = try StationSession.all(of: session, in: db)
    var grid = LeadGrid(columns: places.map { Column(place: $0) })
    let rulings = try ExamRuling.all(in: db)
    let answered = RulingsInForce(rulings).answered
    grid.concerns = try Concern.all(in: db).filter {
      $0.circuit == places.first?.circuit.name && $0.session == session.name && !answered.contains($0.key)
    }
    grid.terminals = try OpenTerminal.all(in: db)
    grid.lock = try ExamLock.covering(places.first.map { [($0.circuit.name, session.name)] } ?? [], in: db)
    try grid.readRoster(
      places, ring: HallBoard.ring(of: session, in: db), HeldReruns(session, at: now, in: db), in: db)
    try grid.readSheets(places, Clock(session, at: now, in: db), Excuses(rulings, in: db), in: db)
    if let place = places.first { try grid.readConflicts(of: place, in: db) }
    for index in places.indices { try grid.readPace(index, in: db) }
    return grid
  }

  private init(columns: [Column]) { self.columns = columns }

  /// What the session's clock says of its rounds.
  private struct Clock {
    /// The round whose candidates are in the rooms; nil outside a rotation, and in a re-run, whose rounds are others.
    let inRoom: Int?
    let moment: SessionStage
    /// Whether the session has been run by the clock at all.
    let isRun: Bool
    private let now: Instant
    /// What the session's own clock did; nil in a re-run.
    private let fold: Fold?

    init(_ session: Session, at now: Instant, in db: Database) throws {
      let runs = try Run.all(of: session, in: db)
      (moment, isRun) = (SessionStage(of: runs, at: now), !runs.isEmpty)
      let run = Run.current(of: runs, at: now)
      fold = run.flatMap { $0.isRerun ? nil : Rotation.fold($0.events, until: now) }
      self.now = now
      let state = fold?.state(at: now)
      let isRotation = state?.phaseIndex.flatMap { state?.phases.phase($0)?.type } == .rotation
      if case .on(let round, _) = moment, isRotation { inRoom = round } else { inRoom = nil }
    }

    /// Whether the rotation of a round is over; of somebody who was added without one, whether the session is.
    /// - Parameter rounds: how many the session's rosters have.
    func isOver(_ round: Int?, of rounds: Int) -> Bool {
      if let round { return round <= moment.lastOver(of: rounds) }
      return switch moment {
      case .before, .on: false
      case .over, .rerun: true
      }
    }

    /// When the extra time of somebody ends who is still in the room after the bell.
    func end(ofExtraTimeIn round: Int?, seconds: Int) -> Instant? {
      round.flatMap { fold?.leftAfterBell(round: $0, extraSeconds: seconds, at: now) }.map { now + $0 }
    }
  }

  private mutating func readRoster(
    _ places: [StationSession], ring: [Int], _ held: HeldReruns, in db: Database
  ) throws {
    var indices: [String: Int] = [:]
    for (column, place) in places.enumerated() where !place.isRest {
      let queued = try ReadRow.fetchAll(
        db.cachedStatement(
          sql: """
            SELECT r.attendanceLogID, r.place, r.time FROM rerunEntry r
              JOIN timetableAttendanceLog e ON e.uuid = r.attendanceLogID
            WHERE e.timetableID = ? AND r.status = 'queued' AND r.dsDeleted = 0
            """), arguments: [place.timetable])
      let reruns = Dictionary(queued.map { ($0[0] as String, $0[1] as Int) }, uniquingKeysWith: min)
      let heldReruns = Set(
        queued.filter { held.wasHeld($0[1], since: ($0[2] as Int64?).map { Instant(stored: $0) }) }
          .map { $0[0] as String })
      for entry in try RosterPlan.entries(timetable: place.timetable, in: db) {
        let index = indices[entry.number] ?? rows.count
        if index == rows.count {
          indices[entry.number] = index
          rows.append(
            Row(
              slot: entry.round.map { HallBoard.slot(of: place.timetable, round: $0, in: ring) } ?? 0,
              number: entry.number, name: entry.name,
              cells: Array(repeating: Cell(), count: places.count)))
        }
        var cell = Cell()
        cell.state = entry.isPresent == false ? .absent : .notYet
        (cell.entry, cell.round, cell.rerun) = (entry.key, entry.round, reruns[entry.key])
        (cell.isPresent, cell.extraSeconds) = (entry.isPresent, entry.extraStationSeconds)
        cell.wasRerunHeld = heldReruns.contains(entry.key)
        cell.assessor = place.lead
        cell.hasConcern = concerns.contains { $0.candidate == entry.number && $0.station == place.stationCode }
        if rows[index].cells[column].entry == nil {
          rows[index].cells[column] = cell
        } else {
          rows[index].cells[column].others.append(cell)
        }
      }
    }
    // Who was added without a round comes last.
    rows.sort { ($0.slot == 0 ? .max : $0.slot, $0.number) < ($1.slot == 0 ? .max : $1.slot, $1.number) }
  }

  private mutating func readSheets(
    _ places: [StationSession], _ clock: Clock, _ excuses: Excuses, in db: Database
  ) throws {
    let rounds = rows.flatMap(\.visits).compactMap(\.round).max() ?? 0
    var found: [String: [PlannedSheet]] = [:]
    try SheetWalk.forEach(.tally, at: places, in: db) { found[$0.entry.key, default: []].append($0) }
    for row in rows.indices {
      for column in rows[row].cells.indices {
        var visits = rows[row].cells[column].visits
        for index in visits.indices {
          guard let entry = visits[index].entry else { continue }
          let planned = (found[entry] ?? []).filter(\.isExpected)
          // A sheet that the lead has ruled out is one that nobody has to finish.
          let sheets = planned.filter { !excuses.isRuledOut($0) }
          let isExcused = excuses.isExcused(rows[row].number, at: places[column])
          let isDue = !isExcused && sheets.isEmpty == planned.isEmpty
          let (round, seconds) = (visits[index].round, visits[index].extraSeconds)
          let end = clock.end(ofExtraTimeIn: round, seconds: seconds)
          if let end { leavesAt = min(leavesAt ?? end, end) }
          let isHere = end != nil || clock.inRoom != nil && round == clock.inRoom
          let hasLeft = !isHere && clock.isOver(round, of: rounds)
          // Sheets typed from paper may be of a session whose clock nobody starts.
          visits[index].take(
            sheets, isDue: isDue, isHere: isHere, hasLeft: hasLeft, isLate: hasLeft || !clock.isRun)
          if visits[index].state == .excused { continue }
          expected += sheets.count
          signed += sheets.count { $0.held?.signedAt != nil }
        }
        rows[row].cells[column] = Cell.joined(visits)
      }
    }
  }

  /// - Parameter isLate: whether an assessor is late with what is blank though nobody has signed.
  fileprivate static func state(_ sheets: [PlannedSheet], isLate: Bool) -> State {
    let held = sheets.compactMap(\.held)
    let signed = held.count { $0.signedAt != nil }
    let blank = held.filter { $0.signedAt != nil || isLate && $0.tally.answered > 0 }.reduce(0) {
      $0 + $1.tally.blanks
    }
    let answered = held.reduce(0) { $0 + $1.tally.answered }
    if blank > 0 { return .blank(blank) }
    if signed == sheets.count && signed > 0 { return .signed }
    if signed > 0 { return .oneAssessor }
    return answered > 0 ? .begun(answered: answered, of: held.reduce(0) { $0 + $1.tally.items }) : .notYet
  }

  /// Finds the cells of rows of which two values stand.
  private mutating func readConflicts(of session: StationSession, in db: Database) throws {
    let found = try ReadRow.fetchAll(db, sql: "SELECT DISTINCT entity, entityID FROM fork")
    if found.isEmpty { return }
    var changes = try ChangePlaces(db)
    for row in found {
      let place = try changes.place(of: RowKey(entity: row[0] ?? "?", id: row[1] ?? "?"))
      guard place.circuit == session.circuit.name, place.session == session.session.name else { continue }
      conflicts += 1
      guard let column = columns.firstIndex(where: { $0.place.stationCode == place.station }),
        let row = rows.firstIndex(where: { $0.number == place.candidate })
      else { continue }
      rows[row].cells[column].hasConflict = true
    }
  }

  private mutating func readPace(_ index: Int, in db: Database) throws {
    let row = try ReadRow.fetchOne(
      db.cachedStatement(
        sql: """
          SELECT max(last), avg(CASE WHEN last > first THEN last - first END) FROM (
            SELECT min(q.markedAt) AS first, max(q.markedAt) AS last FROM timetableAttendanceLog e
              CROSS JOIN dataForm f ON f.attendanceLogID = e.uuid CROSS JOIN dataSection s ON s.dataFormID = f.uuid
              CROSS JOIN dataQuestion q ON q.dataSectionID = s.uuid
            WHERE e.timetableID = ? AND e.practice = 0 AND e.dsDeleted = 0 AND f.dsDeleted = 0 GROUP BY f.uuid)
          """), arguments: [columns[index].place.timetable])
    columns[index].lastMark = (row?[0] as Int64?).map { Instant(stored: $0) }
    columns[index].pace = (row?[1] as Double?).map { $0 / 60_000 }
  }
}

extension LeadGrid.Cell {
  /// The visit that needs most, with the others and the sheets of all.
  fileprivate static func joined(_ visits: [LeadGrid.Cell]) -> LeadGrid.Cell {
    let worst = visits.indices.max { visits[$0].urgency < visits[$1].urgency } ?? 0
    var cell = visits[worst]
    cell.others = visits.indices.filter { $0 != worst }.map { visits[$0] }
    // A concern is about the candidate at the station, however often they come: it is said once.
    for index in cell.others.indices { (cell.others[index].hasConcern, cell.others[index].others) = (false, []) }
    cell.sheets = visits.flatMap(\.sheets)
    return cell
  }

  /// How much it needs somebody: what is to be chased first, then what is not finished.
  private var urgency: Int {
    let rank =
      switch state {
      case .none: 0
      case .excused: 1
      case .signed: 2
      case .absent: 3
      case .notYet: isHere ? 5 : 4
      case .begun: 6
      case .oneAssessor: 7
      case .blank: 8
      case .unmarked: 9
      case .notSeen: 10
      }
    return isToChase ? rank + 20 : rank
  }

  /// Takes what is held of the candidate here.
  /// - Parameters:
  ///   - isHere: whether the candidate is in the room, until the extra time is over.
  ///   - hasLeft: whether the candidate's rotation is over.
  ///   - isLate: whether what is begun should be finished by now.
  fileprivate mutating func take(
    _ held: [PlannedSheet], isDue: Bool, isHere: Bool, hasLeft: Bool, isLate: Bool
  ) {
    sheets = held.compactMap(\.held?.key)
    if !isDue { return (state, rerun) = (.excused, nil) }
    if !held.isEmpty, held.allSatisfy({ $0.held?.signedAt != nil }) { rerun = nil }
    if wasRerunHeld, held.contains(where: { ($0.held?.tally.answered ?? 0) > 0 }) { rerun = nil }
    // What is queued is owed by the re-run alone: nobody is in the room for its own round, nor late with it.
    (self.isHere, self.isLate) = (isHere && rerun == nil, isLate && rerun == nil)
    if let open = held.first(where: { $0.held?.signedAt == nil || ($0.held?.tally.blanks ?? 0) > 0 }) {
      assessor = open.assessor
    }
    if state == .absent {
      if rerun != nil { state = .notYet }
      return
    }
    state = LeadGrid.state(held, isLate: self.isLate)
    if state == .notYet, hasLeft, rerun == nil, round != nil, !held.isEmpty {
      state = isPresent == true ? .unmarked : .notSeen
    }
  }
}
