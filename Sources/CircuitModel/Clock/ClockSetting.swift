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
  /// - Throws: `StoreError` with the reason if a run is open and the time is not in doubt, or if a run would be open then.
  /// - Returns: by how many milliseconds it moved.
  @discardableResult public func apply(in transaction: JournalTransaction) throws -> Int64 {
    let (clock, db) = (transaction.clock, transaction.db)
    try clock.follow(db)
    let now = clock.now
    let doubt = clock.doubt
    let instant =
      switch self {
      case .machine: Instant(milliseconds: clock.wall)
      case .lastRecord: now
      case .time(let instant): instant
      }
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
    }
    try clock.store(instant, in: db)
    try transaction.set(
      "Device", transaction.device.description,
      ["clockSet": .integer(instant.milliseconds), "clockMoved": .integer(instant - now)], kind: .clock)
    return instant - now
  }
}
