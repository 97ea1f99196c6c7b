import ExamStore
import Foundation
import GRDB
import Journal

/// Who comes where another candidate was planned, after changes of slots.
public enum SlotChanges {
  /// SQL for the candidate who comes with the roster entry `e`: the planned one, unless the session's slot table says
  /// otherwise from this round or an earlier one on. A slot table that cannot be read changes nothing.
  package static let candidate: String = {
    // An entry of the list that is no object has none of these members.
    let change = "CASE change.type WHEN 'object' THEN change.value ELSE '{}' END"
    return """
      coalesce((
        SELECT json_extract(\(change), '$.comes')
        FROM timetable ct JOIN activityType ca ON ca.dsid = ct.activityTypeID
          JOIN slotTable cs ON cs.circuitID = ca.clinicGroupID AND cs.date = ct.date AND cs.startTime = ct.startTime
          JOIN json_each(CASE WHEN json_valid(cs.places) THEN cs.places ELSE '[]' END) change
        WHERE ct.dsid = e.timetableID AND json_extract(\(change), '$.planned') = e.studentID
          AND json_extract(\(change), '$.round') <= e."order" AND json_type(\(change), '$.comes') = 'integer'
        ORDER BY json_extract(\(change), '$.round') DESC LIMIT 1
      ), e.studentID)
      """
  }()

  /// Lets two candidates change places from a round on: wherever the one would have come, the other comes. Earlier
  /// rounds stay as they are, and so does every mark; what is recorded of their attendance goes with the person.
  /// - Throws: as `preview`.
  /// - Returns: what each of them meets twice and misses then.
  @discardableResult public static func swap(
    _ first: Int, _ second: Int, from round: Int, in session: Session, _ transaction: JournalTransaction
  ) throws -> SlotSwap {
    let board = try HallBoard.read(session, in: transaction.db)
    let swap = try check(first, second, from: round, on: board, in: transaction.db)
    let changes = SlotChange.adding(
      swapOf: first, and: second, from: round, to: try stored(session, in: transaction.db))
    try write(changes, of: session, transaction)
    try moveAttendance(first, second, from: round, on: board, transaction)
    return swap
  }

  /// Makes a session's slot table, or gives it other lines.
  static func write(_ changes: [SlotChange], of session: Session, _ transaction: JournalTransaction) throws {
    let key = DerivedKeys.slotTable(circuit: session.circuit, date: session.date, startTime: session.startTime)
    let places = SlotChange.json(changes)
    let created = try transaction.create(
      Stored.SlotTable.self, key,
      [.circuit(session.circuit), .date(session.date), .startTime(session.startTime), .places(places)])
    if created == nil { try transaction.set(Stored.SlotTable.self, key, [.places(places)]) }
  }

  /// What a swap would do, for the line that asks for it.
  /// - Throws: `SlotSwapRefusal` where the swap is refused: the same candidate twice, or a place with a mark, a signed
  ///   sheet, a comment, a passed identity step or a place in the re-run queue; `RosterRefusal` for one who is not in the
  ///   session, or a round that it does not have.
  public static func preview(
    _ first: Int, _ second: Int, from round: Int, in session: Session, in db: Database
  ) throws -> SlotSwap {
    try check(first, second, from: round, on: try HallBoard.read(session, in: db), in: db)
  }

  /// The first round, not before a given one, from which on nothing binds two candidates to their places; the given one
  /// where there is none.
  /// - Throws: `RosterRefusal` for one who is not in the session.
  public static func firstRound(
    _ first: Int, _ second: Int, from round: Int, in session: Session, in db: Database
  ) throws -> Int {
    let board = try HallBoard.read(session, in: db)
    let people = [try board.candidate(first), try board.candidate(second)]
    return try bound(people, from: round, on: board, in: db)?.nextRound ?? round
  }

  /// The changes of a session so far; none where they cannot be read.
  static func stored(_ session: Session, in db: Database) throws -> [SlotChange] {
    let key = DerivedKeys.slotTable(circuit: session.circuit, date: session.date, startTime: session.startTime)
    let text = try String.fetchOne(db, sql: "SELECT places FROM slotTable WHERE uuid = ?", arguments: [key])
    return text.flatMap { try? JSONDecoder().decode([SlotChange].self, from: Data($0.utf8)) } ?? []
  }

  private static func check(
    _ first: Int, _ second: Int, from round: Int, on board: HallBoard, in db: Database
  ) throws -> SlotSwap {
    if first == second { throw SlotSwapRefusal.sameCandidate }
    try board.check(round: round)
    let people = [try board.candidate(first), try board.candidate(second)]
    if people.allSatisfy({ board.places(of: $0.id, from: round).isEmpty }) {
      throw SlotSwapRefusal.neitherComes(people[0].name, people[1].name, from: round)
    }
    if let bound = try bound(people, from: round, on: board, in: db) { throw SlotSwapRefusal.bound(bound) }
    return SlotSwap(people, from: round, on: board)
  }

  /// - Throws: `SlotSwapRefusal` where another candidate comes by now to a place of a board that was read before, and
  ///   the one who came there is bound to it.
  static func checkMoves(since board: HallBoard, in db: Database) throws {
    let comes = Dictionary(
      try HallBoard.read(board.session, in: db).placed.map { ($0.entry.key, $0.entry.candidate?.id) }
    ) { first, _ in first }
    let moved = board.placed.filter { place in
      comes[place.entry.key].map { $0 != place.entry.candidate?.id } ?? false
    }
    if let bound = try bound(at: moved, on: board, in: db) { throw SlotSwapRefusal.bound(bound) }
  }

  /// What binds some people last to a place from a round on; nil where nothing does.
  private static func bound(
    _ people: [Candidate], from round: Int, on board: HallBoard, in db: Database
  ) throws -> SlotSwapRefusal.Bound? {
    try bound(at: people.flatMap { board.places(of: $0.id, from: round) }, on: board, in: db)
  }

  /// What binds somebody last to one of some places; nil where nothing does.
  private static func bound(
    at places: [HallBoard.Place], on board: HallBoard, in db: Database
  ) throws -> SlotSwapRefusal.Bound? {
    let traces = try MarkedEntries.read(board.session, in: db)
    let taken = places.compactMap { place in
      why(place.entry, traces).flatMap { why in place.entry.candidate.map { ($0, place, why) } }
    }
    guard let (candidate, place, why) = taken.max(by: { $0.1.round < $1.1.round }) else { return nil }
    return SlotSwapRefusal.Bound(
      round: place.round, candidate: candidate.name, reason: why, station: board.code(place.timetable),
      nextRound: place.round < board.rounds ? place.round + 1 : nil, isQueued: place.entry.rerunRound != nil)
  }

  private static func why(_ entry: RosterEntry, _ traces: MarkedEntries) -> SlotSwapRefusal.Bound.Reason? {
    if traces.marked.contains(entry.key) { return .marked }
    if traces.signed.contains(entry.key) { return .signed }
    if traces.noted.contains(entry.key) { return .noted }
    if entry.identityCheckedAt != nil { return .identityChecked }
    return entry.rerunRound == nil ? nil : .queued
  }

  private static func moveAttendance(
    _ first: Int, _ second: Int, from round: Int, on board: HallBoard, _ transaction: JournalTransaction
  ) throws {
    func byRound(_ student: Int) -> [Int: RosterEntry] {
      Dictionary(board.places(of: student, from: round).map { ($0.round, $0.entry) }) { first, _ in first }
    }
    func give(_ entry: RosterEntry, other: RosterEntry?) throws {
      if entry.isPresent == other?.isPresent, entry.lateAt == other?.lateAt { return }
      try transaction.set(
        Stored.TimetableAttendanceLog.self, entry.key, [.present(other?.isPresent), .lateAt(other?.lateAt)])
    }
    let (mine, theirs) = (byRound(first), byRound(second))
    for round in Set(mine.keys).union(theirs.keys).sorted() {
      if let entry = mine[round] { try give(entry, other: theirs[round]) }
      if let entry = theirs[round] { try give(entry, other: mine[round]) }
    }
  }
}
