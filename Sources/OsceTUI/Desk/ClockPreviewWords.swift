import CircuitModel
import Reports
import Timer

extension ClockPreview {
  /// The effect in words.
  var text: String {
    guard let after else { return outcome.refusal?.description ?? "" }
    return ([ClockPreview.words(after)] + (ending.map { [$0.text] } ?? [])).joined(separator: "; ")
  }

  /// What the operator asks: `SKIP`, `EXTEND by 30 seconds`.
  static func title(_ action: ClockAction) -> String {
    switch action {
    case .start: "START"
    case .rerun(let rounds): "RE-RUN of \(rounds) \(rounds == 1 ? "round" : "rounds")"
    case .pause: "PAUSE"
    case .resume: "RESUME"
    case .extend(let seconds):
      "\(seconds < 0 ? "SHORTEN" : "EXTEND") by \(PhaseText.exactSpan(abs(seconds) * 1000))"
    case .skip: "SKIP the rest of this phase"
    case .restart: "RESTART this phase"
    case .jump(let index): "JUMP to phase \(index)"
    case .rounds(let rounds): "ROUNDS: \(rounds)"
    case .stop: "STOP the session"
    case .annul: "UNDO"
    case .again(let event): "DO AGAIN: \(event.kind.name)"
    }
  }

  /// What a clock shows, in one phrase.
  private static func words(_ state: ClockState) -> String {
    guard let phase = state.phase, let remaining = state.remainingMs else {
      return state.status == .finished ? "the session is over" : "the clock has not started"
    }
    let place = PhaseText.title(phase.type) + (state.round.map { " \($0)" } ?? "")
    let left = "with \(PhaseText.digits(remaining)) left"
    return switch state.status {
    case .paused: "then \(place) paused \(left)"
    case .waiting: "then \(place) waits to be started"
    default: "then \(place) runs \(left)"
    }
  }
}

extension ClockPreview.Ending {
  /// What becomes of the end, in words.
  var text: String {
    guard case .moves(let old, let new, let isFreed) = self else { return "until resumed" }
    let (was, now) = (LocalTime.reading(of: old).time, LocalTime.reading(of: new).time)
    // While a clock is paused its end slides: it stays nowhere.
    if isFreed { return "end is then \(now)" }
    if was != now { return "end moves from \(was) to \(now)" }
    // Where clocks are put back an hour's times come twice.
    return abs(new - old) < 1000 ? "end stays at \(now)" : "end moves by \(PhaseText.span(abs(new - old))) to \(now)"
  }
}
