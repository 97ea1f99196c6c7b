/// When a run is going to end if nothing more changes.
public struct Forecast: Hashable, Sendable {
  /// The end, with phases of a manual start beginning at once.
  public let end: Instant
  /// The end if nothing had delayed the run since its start.
  public let plannedEnd: Instant

  /// How far the run is behind its plan, in milliseconds; negative when it is ahead.
  public var delayMs: Int64 { end - plannedEnd }
}

extension Fold {
  /// The forecast at `now`; nil before the start and after the end. A clock that stands goes on when a resume or a start
  /// is set for a time to come, else at once.
  public func forecast(at now: Instant) -> Forecast? {
    let state = state(at: now)
    guard let index = state.phaseIndex, let remaining = state.remainingMs,
      let start = timeline(at: now).passages.first?.entered
    else { return nil }
    let goesOn = scheduled.first { event in
      switch (state.status, event.kind) {
      case (.paused, .resume), (.waiting, .start): event.at > now
      default: false
      }
    }
    let total = state.phases.plannedOffsetMs(ofPhase: state.phases.count + 1)
    let later = total - state.phases.plannedOffsetMs(ofPhase: index + 1)
    return Forecast(end: (goesOn?.at ?? now) + remaining + later, plannedEnd: start + total)
  }
}
