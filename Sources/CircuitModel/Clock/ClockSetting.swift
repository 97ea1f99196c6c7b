import ExamStore
import GRDB
import Journal
import Timer

/// A person says what the exam's time is: to settle a doubt, or while nothing runs.
public enum ClockSetting: Equatable, Sendable {
  /// The wall clock's.
  case machine
  /// It goes on from the last record, as it does while it is in doubt.
  case lastRecord
  /// A time of her own.
  case time(Instant)

  /// Sets the exam's time of this machine. Every process of the machine has it at its next look at the store.
  /// - Throws: `StoreError` with the reason if a run is open and the time is not in doubt, if a run would be open then, or
  ///   if the time would be moved past an event of a clock.
  /// - Returns: by how many milliseconds it moved.
  @discardableResult public func apply(in transaction: JournalTransaction) throws -> Int64 {
    let (clock, db) = (transaction.clock, transaction.db)
    try clock.follow(db)
    let now = clock.now
    let doubt = clock.doubt
    let instant = instant(by: clock)
    if doubt == nil {
      if self == .lastRecord { throw StoreError("the exam's time is not in doubt; there is nothing to settle") }
      if let run = try OpenRuns.all(db, at: now).first {
        throw StoreError(
          "the exam's time is moved only while nothing runs; the clock of session \(run.session.name) of circuit "
            + "\(run.session.circuit) is open")
      }
      if let run = try OpenRuns.all(db, at: instant).first {
        throw StoreError(
          "at that time the clock of session \(run.session.name) of circuit \(run.session.circuit) would be open again")
      }
      if let event = try Row.fetchOne(
        db,
        sql: """
          SELECT e.kind, e.at, r.date, r.startTime, r.circuitID FROM clockEvent e JOIN circuitRun r ON r.uuid = e.runID
          WHERE e.at > ? AND e.at <= ? ORDER BY e.at DESC LIMIT 1
          """, arguments: [min(now, instant).milliseconds, max(now, instant).milliseconds])
      {
        let reading = LocalTime.reading(of: Instant(milliseconds: event["at"]))
        throw StoreError(
          "the exam's time is not moved past what was done to a clock: \(event["kind"] ?? "an event") of "
            + "\(reading.date) \(reading.time), session \(event["date"] ?? "") \(event["startTime"] ?? "") of circuit "
            + "\(event["circuitID"] ?? 0)")
      }
    }
    try clock.store(instant, in: db)
    try transaction.set(
      Stored.Device.self, transaction.device.description, [.clockSet(instant), .clockMoved(instant - now)],
      kind: .clock)
    return instant - now
  }

  /// The exam's time of now by this setting.
  func instant(by clock: ExamClock) -> Instant {
    switch self {
    case .machine: Instant(milliseconds: clock.wall)
    case .lastRecord: clock.now
    case .time(let instant): instant
    }
  }
}
