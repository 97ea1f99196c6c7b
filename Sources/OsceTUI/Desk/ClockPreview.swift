import CircuitModel
import ExamStore
import Reports
import Timer

/// What a clock action would do, worked out by doing it to a copy of the run.
struct ClockPreview {
  /// What it comes to, without the seconds that pass while somebody reads it: two previews that differ in this are
  /// not the same action.
  struct Outcome: Equatable {
    /// The passage and the standing in which the action finds the clock.
    var passage: Int?
    var status: ClockStatus?
    /// What has been done to the clock, and is set to be done, by the events' ids.
    var events: Set<String> = []
    /// The passage, the phase and the standing that it leaves.
    var nextPassage: Int?
    var nextPhase: Int?
    var nextStatus: ClockStatus?
    /// The length that it gives the passage, and the rounds it leaves.
    var nextAllottedMs: Int64?
    var nextRounds: Int?
    /// Why it does not fit; nil if it does.
    var refusal: String?
  }

  let outcome: Outcome

  /// Whether it ends the phase that is on.
  var endsPhase: Bool { outcome.refusal == nil && outcome.passage != nil && outcome.passage != outcome.nextPassage }

  /// The effect in words.
  let text: String

  /// Works out what an event does at its instant.
  init(_ event: ClockEvent, on events: [ClockEvent]) {
    let before = Rotation.fold(events, until: event.at)
    let after = Rotation.fold(events + [event], until: event.at)
    let (old, new) = (before.state(at: event.at), after.state(at: event.at))
    outcome = Outcome(
      passage: old.passage, status: old.status, events: Set(events.map(\.id)), nextPassage: new.passage,
      nextPhase: new.phaseIndex, nextStatus: new.status, nextAllottedMs: new.allottedMs, nextRounds: new.rounds)
    var parts = [ClockPreview.words(new)]
    let (stood, stands) = (before.stands(at: event.at), after.stands(at: event.at))
    if stands && !stood {
      parts.append("until somebody lets it go on")
    } else if let old = before.forecast(at: event.at)?.end, let new = after.forecast(at: event.at)?.end {
      let (was, now) = (LocalTime.reading(of: old).time, LocalTime.reading(of: new).time)
      // While a clock is paused its end slides: it stays nowhere.
      let isFreed = outcome.status == .paused && outcome.nextStatus == .running
      parts.append(
        isFreed
          ? "the end is then \(now)" : was == now ? "the end stays at \(now)" : "the end moves from \(was) to \(now)")
    }
    text = parts.joined(separator: "; ")
  }

  /// An action that does not fit.
  init(refusal: String) {
    outcome = Outcome(refusal: refusal)
    text = refusal
  }

  /// What the operator asks: `SKIP`, `EXTEND by 30 seconds`.
  static func title(_ action: ClockAction) -> String {
    switch action {
    case .start: "START"
    case .rerun(let rounds): "RE-RUN of \(rounds) \(rounds == 1 ? "round" : "rounds")"
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

extension Fold {
  /// Whether a clock stands at an instant and goes on by nothing that is set.
  fileprivate func stands(at instant: Instant) -> Bool {
    [.paused, .waiting].contains(state(at: instant).status) && goesOn(after: instant) == nil
  }
}
