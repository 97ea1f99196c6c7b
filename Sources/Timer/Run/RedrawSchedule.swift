extension Fold {
  /// The next instant after `now` at which the shown second, the alert, the phase or the status changes; nil if
  /// nothing will. Scheduled events count; those that change nothing shown are passed over.
  public func nextChange(after now: Instant) -> Instant? {
    var from = now
    let shown = Appearance(state(at: now))
    while true {
      let natural = machine(at: from).nextChange(after: from)
      guard let event = log.nextInstant(after: from), natural.map({ event <= $0 }) ?? true else { return natural }
      if Appearance(state(at: event)) != shown { return event }
      from = event
    }
  }

  private struct Appearance: Equatable {
    let status: ClockStatus
    let phaseIndex: Int?
    let passage: Int?
    let shownSeconds: Int64?
    let alert: AlertLevel
    let rounds: Int?

    init(_ state: ClockState) {
      status = state.status
      phaseIndex = state.phaseIndex
      passage = state.passage
      shownSeconds = state.shownSeconds
      alert = state.alert
      rounds = state.rounds
    }
  }
}

extension EventLog {
  fileprivate func nextInstant(after now: Instant) -> Instant? {
    var low = 0
    var high = events.count
    while low < high {
      let middle = (low + high) / 2
      if events[middle].at <= now { low = middle + 1 } else { high = middle }
    }
    return low < events.count ? events[low].at : nil
  }
}

extension RunMachine {
  fileprivate func nextChange(after now: Instant) -> Instant? {
    guard status == .running, let phase else { return nil }
    let end = phaseEnd
    let remaining = end - now
    let second = (PhaseText.shownSeconds(remaining) - 1) * 1000
    let alert = phase.alert(remainingMs: remaining)
    let threshold = phase.warnings.filter { $0.level > alert }.map(\.leftMs).max()
    let next = end - max(second, threshold ?? 0, 0)
    return next > now ? next : nil
  }
}
