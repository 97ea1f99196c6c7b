import ExamStore
import GRDB
import Journal
import Timer

/// A person says what the exam's time is: to settle a doubt, or while nothing runs.
public enum ExamTimeCorrection: Equatable, Sendable {
  /// The hub's where one has answered since the machine was started, else the wall clock's.
  case machine
  /// It goes on from the last record, as it does while it is in doubt.
  case lastRecord
  /// A time of their own.
  case time(Instant)

  /// Sets the exam's time of this machine. Every process of the machine has it at its next look at the store.
  /// - Parameter isForced: also where that moves a clock that is open, opens one again or passes what was done to one:
  ///   the way back after a wrong time was taken for right.
  /// - Throws: `ClockSettingRefusal` with the reason.
  /// - Returns: by how many milliseconds it moved.
  @discardableResult public func apply(in transaction: JournalTransaction, isForced: Bool = false) throws -> Int64 {
    let (clock, db) = (transaction.clock, transaction.db)
    try clock.follow(db)
    let now = clock.now
    let instant = instant(by: clock)
    if clock.hub != nil, case .time = self { throw ClockSettingRefusal.isHubs }
    if clock.doubt == nil {
      if self == .lastRecord { throw ClockSettingRefusal.notInDoubt }
      if !isForced, let refusal = try refusal(from: now, to: instant, in: db) { throw refusal }
    }
    if let hub = clock.hub, self == .machine {
      try HubTime.settle(hub.taken(at: clock.boot), from: now, to: instant, in: transaction)
      return instant - now
    }
    try clock.store(instant, in: db)
    try Self.note(instant, from: now, in: transaction)
    return instant - now
  }

  /// Notes to what this device's time was set, and by how much it moved.
  static func note(_ then: Instant, from now: Instant, in transaction: JournalTransaction) throws {
    do {
      try transaction.set(
        Stored.Device.self, transaction.device.description, [.clockSet(then), .clockMoved(then - now)], kind: .clock)
    } catch RowRefusal.unknown {
      // The time counts also at a terminal whose own row a lead has rejected.
    }
  }

  private func refusal(from now: Instant, to instant: Instant, in db: Database) throws -> ClockSettingRefusal? {
    if let run = try OpenRuns.all(db, at: now).first { return .runOpen(run.session) }
    if let run = try OpenRuns.all(db, at: instant).first { return .wouldReopen(run.session) }
    let event = try ReadRow.fetchOne(
      db,
      sql: """
        SELECT e.kind, e.at, r.date, r.startTime, r.circuitID FROM clockEvent e JOIN circuitRun r ON r.uuid = e.runID
        WHERE e.at > ? AND e.at <= ? ORDER BY e.at DESC LIMIT 1
        """, arguments: [min(now, instant).milliseconds, max(now, instant).milliseconds])
    return event.map { event in
      ClockSettingRefusal.pastEvent(
        event["kind"], at: Instant(stored: event["at"]),
        Session(circuit: event["circuitID"] ?? 0, date: event["date"] ?? "", startTime: event["startTime"] ?? ""))
    }
  }

  /// The exam's time of now by this setting.
  func instant(by clock: ExamClock) -> Instant {
    switch self {
    case .machine: clock.hub.map { Instant(milliseconds: clock.boot) + $0.hub } ?? Instant(milliseconds: clock.wall)
    case .lastRecord: clock.now
    case .time(let instant): instant
    }
  }
}

/// What setting the exam's time does to clocks beside showing another time: a run that is open may be over by then.
extension ExamTimeCorrection {
  /// A clock that would stand elsewhere at once.
  public struct Effect: Equatable, Sendable {
    /// The circuit's name; nil where it has none.
    public let circuit: String?
    /// The session.
    public let session: Session
    /// What it would do.
    public let change: Change
  }

  /// What a clock would do.
  public enum Change: Equatable, Sendable {
    /// It would begin.
    case begins
    /// It would begin and end, seen by nobody.
    case beginsAndEnds
    /// It would not have begun.
    case isUnbegun
    /// It would end, and is here now.
    case ends(in: Place)
    /// It would go from one place to another.
    case goes(from: Place, to: Place)
  }

  /// Where a clock stands.
  public struct Place: Equatable, Sendable {
    /// The kind of phase; nil past the last one.
    public let phase: PhaseType?
    /// The round, where the phase belongs to one.
    public let round: Int?
    /// Whether it runs, is paused, or waits.
    public let status: ClockStatus

    fileprivate init(_ state: ClockState) {
      (phase, round, status) = (state.phase?.type, state.round, state.status)
    }
  }

  /// The clocks that would stand in another phase at once, by circuit and session.
  public func effects(on clock: ExamClock, in db: Database) throws -> [Effect] {
    let (now, then) = (clock.now, instant(by: clock))
    let names = Dictionary(try Circuit.every(db).map { ($0.circuit.id, $0.circuit.name) }) { first, _ in first }
    return try Session.allWithRuns(in: db).flatMap { session in
      try Run.all(of: session, in: db).compactMap { run in
        let (old, new) = (run.state(at: now), run.state(at: then))
        return Self.change(old, new).map { Effect(circuit: names[session.circuit], session: session, change: $0) }
      }
    }
  }

  private static func change(_ old: ClockState, _ new: ClockState) -> Change? {
    if old.passage == new.passage && old.status == new.status { return nil }
    return switch (old.status, new.status) {
    case (.notStarted, .finished): .beginsAndEnds
    case (.notStarted, _): .begins
    case (_, .notStarted): .isUnbegun
    case (_, .finished): .ends(in: Place(old))
    default: .goes(from: Place(old), to: Place(new))
    }
  }
}
