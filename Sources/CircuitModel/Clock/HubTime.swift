import ExamStore
import GRDB
import Journal
import Timer

/// With a hub, the hub's time is the exam's time. A small difference is approached slowly; a large one is taken at once
/// while that moves no clock that somebody watches, and is left to a person otherwise.
public enum HubTime {
  /// How long before a run begins by itself the hub is asked as often as while one is open, in milliseconds.
  private static let aheadMs: Int64 = 600_000

  /// Whether a clock is open or begins soon.
  public static func isUrgent(at now: Instant, in db: Database) throws -> Bool {
    try !OpenRuns.all(db, at: now).isEmpty || !OpenRuns.all(db, at: now + aheadMs).isEmpty
  }

  /// Takes in what the hub says, for all processes of this machine.
  /// - Parameter best: the exchange of time stamps that counts.
  /// - Returns: what becomes of the difference.
  @discardableResult public static func take(
    _ best: TimeSample, in transaction: JournalTransaction
  ) throws -> HubOffset.Course {
    let (clock, db) = (transaction.clock, transaction.db)
    try clock.follow(db)
    let (boot, current) = (clock.boot, clock.offset)
    let (now, then) = (Instant(milliseconds: boot) + current, Instant(milliseconds: boot) + best.offsetMs)
    let course = try course(from: now, to: then, by: clock, in: transaction)
    let offset = HubOffset(best: best, current: current, at: boot, course)
    if course == .step { try settle(offset, from: now, to: then, in: transaction) }
    try clock.store(offset, in: db)
    return course
  }

  /// Takes the hub's time at once: nothing speaks against it, or a person has said so.
  static func settle(
    _ offset: HubOffset, from now: Instant, to then: Instant, in transaction: JournalTransaction
  ) throws {
    try transaction.clock.store(then, in: transaction.db)
    try transaction.clock.store(offset, in: transaction.db)
    try ExamTimeCorrection.note(then, from: now, in: transaction)
  }

  private static func course(
    from now: Instant, to then: Instant, by clock: ExamClock, in transaction: JournalTransaction
  ) throws -> HubOffset.Course {
    let db = transaction.db
    if let doubt = clock.doubt {
      // The hub's clock is held against the last record as the machine's was.
      return try ClockDiscrepancy.found(db, wall: then, knowing: .standard) == nil || then == doubt.lastRecord
        ? .step : .hold
    }
    if HubOffset.isSlewed(then - now) { return .slew }
    let open = try OpenRuns.all(db, at: now) + OpenRuns.all(db, at: then)
    let passed = try String.fetchAll(
      db, sql: "SELECT uuid FROM clockEvent WHERE at > ? AND at <= ?",
      arguments: [min(now, then).milliseconds, max(now, then).milliseconds])
    if open.isEmpty && passed.isEmpty { return .step }
    guard clock.hub == nil else { return .hold }
    // For the first time since the machine was started: what others did, and what was done here by a hub's time, is
    // right where that is taken; what was done here by this machine's own time would move.
    if try clock.hasFollowedHub(db) { return .step }
    let given = Set(passed + open.flatMap(\.events).map(\.id))
    let lineage = try RunHost.lineage(of: transaction.device, in: db)
    return try given.contains { try isGiven($0, by: lineage, in: db) } ? .hold : .step
  }

  private static func isGiven(_ event: String, by lineage: [String], in db: Database) throws -> Bool {
    try String.fetchAll(
      db.cachedStatement(sql: "SELECT device FROM operation WHERE entity = 'ClockEvent' AND entityID = ?"),
      arguments: [event]
    ).contains { lineage.contains($0) }
  }
}
