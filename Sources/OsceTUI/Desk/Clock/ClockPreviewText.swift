import Characters
import CircuitModel
import Reports
import Timer

extension ClockPreview {
  /// The effect in words.
  var text: String {
    guard let after else { return outcome.refusal?.description ?? "" }
    return ([ClockPreview.text(after)] + (endingText.map { [$0] } ?? [])).joined(separator: "; ")
  }

  /// What becomes of the end; nil where that is said already: a phase that waits is started, not resumed.
  private var endingText: String? { after?.status == .waiting && ending == .stands ? nil : ending?.text }

  /// What the operator asks: `SKIP`, `EXTEND by 30 seconds`.
  static func title(_ action: ClockAction) -> String {
    switch action {
    case .start: "START"
    case .rerun(let rounds): "RE-RUN of \(Plural.count(rounds, "round"))"
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
  private static func text(_ state: ClockState) -> String {
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

extension PausedClock.Standing {
  /// Why a clock cannot be paused, in a few words; nil if it runs.
  var text: String? {
    let word: String? =
      switch status {
      case .notStarted: "not started"
      case .paused: "already paused"
      case .waiting: "waits to be started"
      case .finished: "finished"
      case .running: nil
      }
    let when = goesOn.map {
      ", \(status == .notStarted ? "starts" : "goes on") at \(LocalTime.reading(of: $0).time)"
    }
    return word.map { $0 + (when ?? "") }
  }
}

extension [DeskControls.ActionResult] {
  /// What a pause did: `PAUSED Red, Blue`, `PAUSED 5 clocks`.
  var pausedTitle: String {
    let done = filter { $0.event != nil }.map(\.name)
    if done.isEmpty { return "NO CLOCK WAS RUNNING" }
    let names = done.joined(separator: ", ")
    return "PAUSED " + (done.count > 1 && names.count > 40 ? "\(done.count) clocks" : names)
  }

  /// `CANCELLED: Red resume at 09:20:00`; nil if nothing was set for later.
  var cancelledNote: String? {
    let parts = flatMap { one in
      one.calledOff.map { "\(one.name) \($0.event.kind.name) at \(LocalTime.reading(of: $0.event.at).time)" }
    }
    return parts.isEmpty ? nil : "CANCELLED: \(parts.joined(separator: ", "))"
  }
}

extension ClockEvent {
  /// That a clock stood already by this pause: `ALREADY PAUSED at 09:20:00 by Dr Ngozi Okafor (fire door)`.
  /// - Parameter author: who paused it, by name.
  func alreadyPausedTitle(by author: String?) -> String {
    let who = author.map { " by \($0)" } ?? ""
    let said = reason.map { " (\($0))" } ?? ""
    return "ALREADY PAUSED at \(LocalTime.reading(of: at).time)\(who)\(said)"
  }
}
