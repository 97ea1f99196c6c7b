import CircuitModel
import Timer

/// What a clock action would do, in words, worked out by doing it to a copy of the run.
struct ClockPreview {
  /// What the operator asks: `SKIP`, `EXTEND by 30 seconds`.
  static func title(_ action: ClockAction) -> String {
    switch action {
    case .start: "START"
    case .rerun(let rounds): "RE-RUN of \(rounds) rounds"
    case .pause: "PAUSE"
    case .resume: "RESUME"
    case .extend(let seconds):
      "\(seconds < 0 ? "SHORTEN" : "EXTEND") by \(PhaseText.length(abs(seconds) * 1000))"
    case .skip: "SKIP the rest of this phase"
    case .restart: "RESTART this phase"
    case .jump(let index): "JUMP to phase \(index)"
    case .rounds(let rounds): "ROUNDS: \(rounds)"
    case .stop: "STOP the session"
    case .annul: "UNDO"
    }
  }

  /// The effect of an event at its instant.
  static func effect(of event: ClockEvent, on events: [ClockEvent]) -> String {
    let before = Rotation.fold(events, until: event.at)
    let after = Rotation.fold(events + [event], until: event.at)
    if let refusal = before.fit(event) { return "this does not fit now: \(refusal.reason)" }
    let state = after.state(at: event.at)
    var parts = [words(state)]
    if let old = before.forecast(at: event.at)?.end, let new = after.forecast(at: event.at)?.end {
      let (was, now) = (LocalTime.reading(of: old).time, LocalTime.reading(of: new).time)
      parts.append(was == now ? "the end stays at \(now)" : "the end moves from \(was) to \(now)")
    }
    return parts.joined(separator: "; ")
  }

  /// What a clock shows, in one phrase.
  private static func words(_ state: ClockState) -> String {
    guard let phase = state.phase, let remaining = state.remainingMs else {
      return state.status == .finished ? "the session is over" : "the clock has not started"
    }
    let place = PhaseText.title(phase.type) + (state.round.map { " \($0)" } ?? "")
    let left = "with \(PhaseText.digits(remaining)) left"
    return switch state.status {
    case .paused: "then \(place) stands still \(left)"
    case .waiting: "then \(place) waits to be started"
    default: "then \(place) runs \(left)"
    }
  }
}
