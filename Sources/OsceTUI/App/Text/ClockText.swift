import Timer

extension ClockState {
  /// Round and phase in words: `ROUND 3 of 8  STATION`; nil where no phase is on.
  func heading(isRerun: Bool) -> String? {
    guard let phase else { return nil }
    let round = (isRerun ? "RE-RUN " : "") + (round.map { "ROUND \($0) of \(rounds ?? 0)  " } ?? "")
    let status =
      switch status {
      case .paused: "PAUSED "
      case .waiting: "WAITING FOR "
      default: ""
      }
    return round + status + PhaseText.heading(phase.type)
  }
}

extension ClockPanel {
  /// Phase, round and time left at an instant, in words: `ROTATION 3, 4:12 left`; nil where no phase was on.
  func text(at instant: Instant) -> String? {
    guard !events.isEmpty else { return nil }
    let state = Rotation.fold(events, until: instant).state(at: instant)
    guard let phase = state.phase, state.status != .notStarted else { return nil }
    let left = state.remainingMs.map { ", \(PhaseText.digits($0)) left" } ?? ""
    return PhaseText.title(phase.type) + (state.round.map { " \($0)" } ?? "") + left
  }
}
