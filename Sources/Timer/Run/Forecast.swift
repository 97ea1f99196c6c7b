/// When a run is going to end if nothing more changes.
public struct Forecast: Hashable, Sendable {
  /// The end, with phases of a manual start beginning at once.
  public let end: Instant
  /// The end by the plan that the run is held against.
  public let plannedEnd: Instant

  /// How far the run is behind its plan, in milliseconds; negative when it is ahead.
  public var delayMs: Int64 { end - plannedEnd }
}

extension Fold {
  /// The events to come that will take effect if nothing else happens, in the order of application.
  public var expected: [ClockEvent] { scheduled.filter { fit($0) == nil } }

  /// When a clock that does not run at `now` begins to, by an event that is set for later and will take effect; nil if
  /// there is none, or if the clock runs or is over.
  public func goesOn(after now: Instant) -> Instant? {
    switch state(at: now).status {
    case .running, .finished: nil
    case .notStarted, .paused, .waiting:
      log.events.first { $0.at > now && fit($0) == nil && state(at: $0.at).status == .running }?.at
    }
  }

  private static let halfDayMs: Int64 = 43_200_000

  /// The forecast at `now`; nil before the start and after the end. A clock that stands goes on when an event that is set
  /// for later makes it, else at once.
  /// - Parameter planned: when the run was to start; nil, or more than half a day away, which is another day's plan: its
  ///   real start is taken for the planned one.
  public func forecast(at now: Instant, planned: Instant? = nil) -> Forecast? {
    let state = state(at: now)
    guard let index = state.phaseIndex, let remaining = state.remainingMs,
      let start = timeline(at: now).passages.first?.entered
    else { return nil }
    let total = state.phases.plannedMs
    let later = total - state.phases.plannedOffsetMs(ofPhase: index + 1)
    let due = planned.map { abs($0 - start) <= Self.halfDayMs ? $0 : start } ?? start
    return Forecast(end: (goesOn(after: now) ?? now) + remaining + later, plannedEnd: due + total)
  }
}
