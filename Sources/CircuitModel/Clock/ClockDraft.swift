import ExamStore
import GRDB
import Journal
import Timer

/// A clock event that has not been given: for saying what it would do.
public struct ClockDraft: Sendable {
  /// The event.
  public let event: ClockEvent
  /// The events of the run that it would join.
  public let run: [ClockEvent]

  /// Works an event out without writing it.
  /// - Throws: `ClockRefusal` with the reason if it does not fit, or waits until a doubt about the time is settled.
  public static func make(
    _ action: ClockAction, for session: Session, at instant: Instant, passage: Int?, by clock: ExamClock,
    in db: Database
  ) throws -> ClockDraft {
    let run = try ClockLog.target(of: action, in: session, at: instant, by: clock, db)
    // The id of an event that exists at this instant but has none yet: it comes after all others.
    let event = ClockEvent(
      id: "\u{7F}", at: instant, kind: try action.event(for: session, in: db), passage: passage, staff: nil, reason: nil
    )
    if let misfit = try ClockLog.misfit(
      of: event, joining: run, of: session, now: max(instant, clock.now), isAgain: action.isAgain, in: db)
    {
      throw ClockRefusal.doesNotFit(misfit)
    }
    return ClockDraft(event: event, run: run?.events ?? [])
  }
}

extension ClockLog {
  /// Gives an event the reason that was asked for after it, beside what was said of it before.
  public static func give(reason: String, to event: String, in transaction: JournalTransaction) throws {
    let said = try String.fetchOne(
      transaction.db, sql: "SELECT reason FROM clockEvent WHERE uuid = ?", arguments: [event])
    let both = said.flatMap { $0.isEmpty || $0 == reason ? nil : "\($0); \(reason)" } ?? reason
    try transaction.set(Stored.ClockEvent.self, event, [.reason(both)])
  }

  /// The pause by which a session's clock stands at an instant, the last that took effect; nil if it is not paused.
  public static func standingPause(of session: Session, at instant: Instant, in db: Database) throws -> ClockEvent? {
    guard let run = try Run.current(of: session, at: instant, in: db), run.state(at: instant).status == .paused else {
      return nil
    }
    return try ClockLogEntry.all(of: session, asOf: instant, in: db)
      .last { $0.run == run.number && $0.isApplied == true && $0.event.kind == .pause }?.event
  }

  /// The event that an undo would take out: of those that have taken effect in the session's current run, and those that
  /// are set for later and would, the one that was given last; nil if there is none.
  public static func lastGiven(of session: Session, at instant: Instant, in db: Database) throws -> IssuedEvent? {
    guard let run = try Run.current(of: session, at: instant, in: db) else { return nil }
    let coming = Set(
      try Run.all(of: session, in: db).flatMap { Rotation.fold($0.events, until: instant).expected }.map(\.id))
    return try ClockLogEntry.all(of: session, asOf: instant, in: db)
      .filter { entry in
        if entry.event.kind.isAnnul { return false }
        return coming.contains(entry.event.id) || entry.run == run.number && entry.isApplied == true
      }
      .map { IssuedEvent(entry: $0, order: try order(of: $0.event.id, in: db)) }
      .max { $0.order < $1.order }
  }

  /// When an event was given, held against others: by the journal, whatever the exam's time was then.
  private static func order(of event: String, in db: Database) throws -> IssuedEvent.Order {
    let row = try ReadRow.fetchOne(
      db.cachedStatement(
        sql: "SELECT hlc, id FROM operation WHERE entity = 'ClockEvent' AND entityID = ? ORDER BY seq LIMIT 1"),
      arguments: [event])
    return IssuedEvent.Order(time: row?[0] ?? 0, operation: row?[1] ?? "")
  }
}

/// An event of a clock, with when it was given.
public struct IssuedEvent: Sendable {
  /// The event, and what became of it.
  public let entry: ClockLogEntry
  /// When it was given, held against others.
  public let order: Order

  /// The order in which events were given, at whatever terminal and for whatever time.
  public struct Order: Comparable, Sendable {
    let time: Int64
    let operation: String

    /// Whether the first was given before the second.
    public static func < (first: Order, second: Order) -> Bool {
      (first.time, first.operation) < (second.time, second.operation)
    }
  }
}
