import ExamStore
import GRDB
import Journal
import Timer

/// Recording at the desk who is absent, here after all, or late. Every entry keeps its slot, no mark is touched, and
/// nobody whom an assessor has seen is made absent.
public enum HallAttendance {
  /// Records a candidate as absent in every round from one on. Entries with marks or a signed sheet, and those at which
  /// an assessor has seen the candidate, stay as they are: `absence` lists them.
  /// - Throws: `RosterRefusal` if the session has no such round or candidate.
  /// - Returns: how many entries were recorded.
  @discardableResult public static func absent(
    _ student: Int, from round: Int, in session: Session, _ transaction: JournalTransaction
  ) throws -> Int {
    let entries = try absence(of: student, from: round, in: session, transaction.db).recorded
    for entry in entries { try Attendance.record(false, for: entry, in: transaction) }
    return entries.count
  }

  /// The entries of a candidate, from a round on, that `absent` records, and those that it leaves as they are.
  package static func absence(
    of student: Int, from round: Int, in session: Session, _ db: Database
  ) throws -> (recorded: [RosterEntry], kept: [RosterEntry]) {
    let traces = try MarkedEntries.read(session, in: db)
    let entries = try board(session, student, round, in: db).places(of: student, from: round).map(\.entry)
    let kept = try entries.filter { try isKept($0, traces, db) }
    return (entries.filter { $0.isPresent != false && !kept.contains($0) }, kept)
  }

  private static func isKept(_ entry: RosterEntry, _ traces: MarkedEntries, _ db: Database) throws -> Bool {
    try traces.hasMarks(entry) || entry.wasSeen(in: db)
  }

  /// Takes back that a candidate is absent, in every round from one on: not recorded then.
  /// - Throws: `RosterRefusal` if the session has no such round or candidate.
  /// - Returns: how many entries were changed.
  @discardableResult public static func present(
    _ student: Int, from round: Int, in session: Session, _ transaction: JournalTransaction
  ) throws -> Int {
    let entries = try absences(student, from: round, in: session, transaction.db)
    for entry in entries { try Attendance.record(nil, for: entry, in: transaction) }
    return entries.count
  }

  /// The entries of a candidate, from a round on, that are recorded absent.
  public static func absences(
    _ student: Int, from round: Int, in session: Session, _ db: Database
  ) throws -> [RosterEntry] {
    absences(student, from: round, try board(session, student, round, in: db))
  }

  /// The entries recorded absent on a board that was read.
  package static func absences(_ student: Int, from round: Int, _ board: HallBoard) -> [RosterEntry] {
    board.places(of: student, from: round).map(\.entry).filter { $0.isPresent == false }
  }

  /// Records that a candidate came late and joins in a round: present there with the time, absent in the earlier
  /// rounds in which no assessor saw them, which are queued for the re-run, and no longer absent in the later ones.
  /// Somebody whom the assessor of that round has seen already came when they were seen.
  /// - Throws: `RosterRefusal` if the session has no such round or candidate.
  public static func late(
    _ student: Int, joining round: Int, in session: Session, _ transaction: JournalTransaction
  ) throws -> LateArrival {
    let board = try board(session, student, round, in: transaction.db)
    var missed: [String] = []
    for entry in try missedBy(lateArrivalOf: student, in: round, board, transaction.db) {
      if entry.isPresent != false { try Attendance.record(false, for: entry, in: transaction) }
      guard !board.isAtRest(entry) else { continue }
      _ = try RerunQueue.add(entry: entry.key, reason: "late: joined in round \(round)", transaction)
      missed.append(entry.key)
    }
    let joined = board.places(of: student, from: round).first { $0.round == round }?.entry
    if let joined {
      let came = (joined.isPresent == true ? joined.identityCheckedAt : nil) ?? transaction.clock.now
      var changes: [FieldChange<Stored.TimetableAttendanceLog>] = [.lateAt(came)]
      if joined.isPresent != true { changes.append(.present(true)) }
      try Attendance.set(changes, of: joined, in: transaction)
    }
    for entry in absences(student, from: round + 1, board) { try Attendance.record(nil, for: entry, in: transaction) }
    func read(_ key: String) throws -> RosterEntry? { try Roster.entry(key, seat: .lead, in: transaction.db) }
    return LateArrival(joined: try joined.flatMap { try read($0.key) }, missed: try missed.compactMap(read))
  }

  /// The entries that a late arrival in a round makes absent: those of earlier rounds in which nobody saw the
  /// candidate, rest stations included.
  package static func missedBy(
    lateArrivalOf student: Int, in round: Int, _ board: HallBoard, _ db: Database
  ) throws -> [RosterEntry] {
    let traces = try MarkedEntries.read(board.session, in: db)
    return try board.places(of: student).filter { $0.round < round }.map(\.entry)
      .filter { try !isKept($0, traces, db) }
  }

  /// Takes back that a candidate came late: what was recorded absent for it in the earlier rounds is not recorded any
  /// more and leaves the re-run queue; in the round joined the candidate stays present only if an assessor has seen
  /// them.
  /// - Throws: `RosterRefusal` if the candidate is not in the session, or is not recorded as late.
  /// - Returns: the entries of earlier rounds that left the queue.
  @discardableResult public static func notLate(
    _ student: Int, in session: Session, _ transaction: JournalTransaction
  ) throws -> [RosterEntry] {
    let board = try HallBoard.read(session, in: transaction.db)
    let name = try board.candidate(student).number
    guard let (joined, absences) = lateness(of: student, board) else { throw RosterRefusal.notLate(name) }
    var changes: [FieldChange<Stored.TimetableAttendanceLog>] = [.lateAt(nil)]
    if try joined.isPresent == true && !joined.wasSeen(in: transaction.db) { changes.append(.present(nil)) }
    try transaction.set(Stored.TimetableAttendanceLog.self, joined.key, changes, shown: joined.shown)
    let items = try RerunQueue.items(session, in: transaction.db).filter { $0.status == .queued }
    var left: [RosterEntry] = []
    for entry in absences {
      try Attendance.record(nil, for: entry, in: transaction)
      guard let item = items.first(where: { $0.entry.key == entry.key }) else { continue }
      try RerunQueue.withdraw(item.key, transaction)
      left.append(entry)
    }
    return left
  }

  /// The entry that a late candidate joined, the last where there are several, and those of earlier rounds that are
  /// recorded absent; nil for somebody who is not late.
  package static func lateness(
    of student: Int, _ board: HallBoard
  ) -> (joined: RosterEntry, absences: [RosterEntry])? {
    let places = board.places(of: student)
    guard let joined = places.last(where: { $0.entry.lateAt != nil }) else { return nil }
    let earlier = places.filter { $0.round < joined.round && $0.entry.isPresent == false }
    return (joined.entry, earlier.map(\.entry))
  }

  private static func board(
    _ session: Session, _ student: Int, _ round: Int, in db: Database
  ) throws -> HallBoard {
    let board = try HallBoard.read(session, in: db)
    try board.check(round: round)
    _ = try board.candidate(student)
    return board
  }
}

/// What became of a candidate who came late.
public struct LateArrival: Equatable, Sendable {
  /// The entry of the round joined; nil where the candidate comes nowhere in it.
  public let joined: RosterEntry?
  /// The entries of the earlier rounds that are queued for the re-run, in the order of rounds.
  public let missed: [RosterEntry]
}
