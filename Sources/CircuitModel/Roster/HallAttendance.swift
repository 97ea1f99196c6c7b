import GRDB
import Journal
import Timer

/// Recording at the desk who is absent, here after all, or late. Every entry keeps its slot, and no mark is touched.
public enum HallAttendance {
  /// Records a candidate as absent in every round from one on. Entries with marks or a signed sheet stay as they are:
  /// `marked` lists them.
  /// - Throws: `StoreError` if the session has no such round or candidate.
  /// - Returns: how many entries were recorded.
  @discardableResult public static func absent(
    _ student: Int, from round: Int, in session: Session, _ transaction: JournalTransaction
  ) throws -> Int {
    let board = try board(session, student, round, in: transaction.db)
    let traces = try SheetTraces.read(session, in: transaction.db)
    var count = 0
    for place in board.places(of: student, from: round)
    where place.entry.isPresent != false && !traces.hasMarks(place.entry) {
      try Attendance.record(false, for: place.entry, in: transaction)
      count += 1
    }
    return count
  }

  /// The entries of a candidate, from a round on, that `absent` leaves as they are because they hold marks or are
  /// signed.
  public static func marked(
    _ student: Int, from round: Int, in session: Session, _ db: Database
  ) throws -> [RosterEntry] {
    let traces = try SheetTraces.read(session, in: db)
    return try board(session, student, round, in: db).places(of: student, from: round).map(\.entry)
      .filter { traces.hasMarks($0) }
  }

  /// Takes back that a candidate is absent, in every round from one on: not recorded then.
  /// - Throws: `StoreError` if the session has no such round or candidate.
  /// - Returns: how many entries were changed.
  @discardableResult public static func present(
    _ student: Int, from round: Int, in session: Session, _ transaction: JournalTransaction
  ) throws -> Int {
    let board = try board(session, student, round, in: transaction.db)
    let entries = board.places(of: student, from: round).map(\.entry).filter { $0.isPresent == false }
    for entry in entries { try Attendance.record(nil, for: entry, in: transaction) }
    return entries.count
  }

  /// Records that a candidate came late and joins in a round: present there with the time, absent in the earlier
  /// rounds without marks, which are queued for the re-run, and no longer absent in the later ones.
  /// - Throws: `StoreError` if the session has no such round or candidate.
  public static func late(
    _ student: Int, joining round: Int, in session: Session, _ transaction: JournalTransaction
  ) throws -> LateArrival {
    let board = try board(session, student, round, in: transaction.db)
    let traces = try SheetTraces.read(session, in: transaction.db)
    var missed: [String] = []
    for place in board.places(of: student) where place.round < round && !traces.hasMarks(place.entry) {
      if place.entry.isPresent != false { try Attendance.record(false, for: place.entry, in: transaction) }
      guard board.stations.contains(where: { $0.timetable == place.timetable && !$0.isRest }) else { continue }
      _ = try RerunQueue.add(entry: place.entry.key, reason: "late: joined in round \(round)", transaction)
      missed.append(place.entry.key)
    }
    let joined = board.places(of: student, from: round).first { $0.round == round }?.entry
    if let joined {
      try transaction.set(
        "TimetableAttendanceLog", joined.key,
        ["present": .bool(true), "lateAt": .integer(transaction.clock.now.milliseconds)],
        shown: joined.shown.limited(to: ["present"]))
    }
    if round < board.rounds { try present(student, from: round + 1, in: session, transaction) }
    func read(_ key: String) throws -> RosterEntry? { try Roster.entry(key, seat: .lead, in: transaction.db) }
    return LateArrival(joined: try joined.flatMap { try read($0.key) }, missed: try missed.compactMap(read))
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
