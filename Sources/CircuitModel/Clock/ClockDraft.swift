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
  /// - Throws: `StoreError` with the reason if it does not fit.
  public static func make(
    _ action: ClockAction, for session: Session, at instant: Instant, passage: Int?, in db: Database
  ) throws -> ClockDraft {
    let run = try ClockLog.target(of: action, in: session, at: instant, db)
    // The id of an event that exists at this instant but has none yet: it comes after all others.
    let event = ClockEvent(
      id: "\u{7F}", at: instant, kind: try action.event(for: session, in: db), passage: passage, staff: nil, reason: nil
    )
    if let reason = try ClockLog.refusal(of: event, joining: run, of: session, now: instant, in: db) {
      throw StoreError(reason)
    }
    return ClockDraft(event: event, run: run?.events ?? [])
  }
}

extension ClockLog {
  /// Gives an event the reason that was asked for after it.
  public static func give(reason: String, to event: String, in transaction: JournalTransaction) throws {
    try transaction.set("ClockEvent", event, ["reason": .text(reason)])
  }

  /// The event that an undo would take out: the next one of the session that is set for later and would take effect,
  /// else the last one of its run that has taken effect; nil if there is none.
  public static func lastApplied(of session: Session, at instant: Instant, in db: Database) throws -> ClockLogEntry? {
    guard let run = try Run.current(of: session, at: instant, in: db) else { return nil }
    let log = try ClockLogEntry.all(of: session, asOf: instant, in: db)
    let coming = try Run.all(of: session, in: db).flatMap { Rotation.fold($0.events, until: instant).expected }
      .filter { if case .annul = $0.kind { false } else { true } }.min(by: ClockEvent.precedes)
    if let coming { return log.first { $0.event.id == coming.id } }
    let annuls = run.events.filter { if case .annul = $0.kind { true } else { false } }.map(\.id)
    return log.last { $0.run == run.number && $0.isApplied == true && !annuls.contains($0.event.id) }
  }
}
