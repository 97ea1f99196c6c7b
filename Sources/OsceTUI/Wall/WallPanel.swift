import CircuitModel
import ExamStore
import Reports
import Terminal
import Timer

/// One circuit on the wall: what is said.
struct WallPanel: Equatable {
  /// The circuit's name.
  let title: String
  /// Phase and round, or why there is none.
  let phase: String
  /// The same where the room is narrow, the longest first.
  var shortPhases: [String] = []
  /// The digits; empty where there is no countdown.
  let digits: String
  /// AMBER or RED, PAUSED, WAITING: what the colour says, in a word.
  let alert: String
  /// The same where the room is narrow, the longest first.
  var shortAlerts: [String] = []
  /// The next announcement.
  let next: String
  /// Planned and expected end.
  let plan: String
  /// The same where the room is narrow.
  let shortPlan: String
  /// How digits and alert look.
  let role: Role

  init(_ shown: WallCircuit, at now: Instant) {
    title = shown.title
    if let trouble = shown.trouble {
      (phase, shortPhases, digits, alert, role) = (trouble, [], "", "", .warning)
      (next, plan, shortPlan) = ("", "", "")
      return
    }
    let state = shown.fold?.state(at: now)
    let scheduled = state.flatMap { shown.scheduled($0) }
    (plan, shortPlan) = WallPanel.plan(shown, state, at: now)
    guard let state, let current = state.phase, let remaining = state.remainingMs else {
      let isOver = state?.status == .finished
      phase = isOver ? "FINISHED" : "NOT STARTED"
      digits = scheduled.map { PhaseText.digits($0 - now) } ?? ""
      alert = scheduled == nil ? "" : "STARTS IN"
      shortPhases = isOver ? ["ENDED", "END"] : ["NOT BEGUN", "NOT YET"]
      shortAlerts = alert.isEmpty ? [] : ["START"]
      (next, role) = ("", .normal)
      return
    }
    let rerun = shown.isRerun ? "RE-RUN " : ""
    let type = PhaseText.title(current.type)
    let (round, rounds) = (state.round ?? 0, state.rounds ?? 0)
    phase = "\(rerun)\(type) \(round) OF \(rounds)"
    shortPhases = ["\(type) \(round) OF \(rounds)", "\(type) \(round)", "\(round) OF \(rounds)", "\(round)/\(rounds)"]
    digits = PhaseText.digits(scheduled.map { $0 - now } ?? remaining)
    let announced = shown.nextAnnouncement(state).map { next in
      let text = next.text.hasSuffix(".") ? String(next.text.dropLast()) : next.text
      return next.leftMs > 0 ? "at \(PhaseText.digits(next.leftMs)): \(text)" : "then: \(text)"
    }
    let level = state.alert == .none ? "" : state.alert.name.uppercased()
    switch state.status {
    case .paused:
      let left = "\(PhaseText.digits(remaining)) left"
      alert = (level.isEmpty ? "" : level + ", ") + (scheduled == nil ? "PAUSED" : "PAUSED, GOES ON IN")
      shortAlerts = scheduled == nil ? ["PAUSED", "PAUSE", "HOLD"] : ["PAUSED, ON IN", "GOES ON IN", "ON IN"]
      next = scheduled == nil ? announced ?? "" : "\(left) in this phase"
    case .waiting:
      alert = scheduled == nil ? "WAITING TO START" : "STARTS IN"
      shortAlerts = scheduled == nil ? ["WAITING", "WAIT"] : ["START"]
      next = scheduled == nil ? "begins when it is started by hand" : ""
    default:
      alert = level
      next = announced ?? ""
    }
    switch state.alert {
    case .amber: role = .amber
    case .red: role = .red
    case .none: role = state.status == .running ? .heading : .warning
    }
  }

  private static func plan(_ shown: WallCircuit, _ state: ClockState?, at now: Instant) -> (String, String) {
    if let forecast = shown.forecast(at: now) {
      let (end, delay) = (forecast.end, forecast.delayMs)
      let expected = LocalTime.reading(of: end)
      let planned = LocalTime.reading(of: end - delay)
      if abs(delay) < 1000 { return ("planned end \(planned.minute)   on time", "ends \(planned.minute), on time") }
      let when = expected.date == planned.date ? expected.minute : "\(expected.minute) (\(expected.date))"
      let difference = "\(PhaseText.digits(abs(delay) / 1000 * 1000)) \(delay > 0 ? "late" : "early")"
      return (
        "planned end \(planned.minute)   expected end \(when)   \(difference)",
        expected.minute == planned.minute
          ? "ends \(when), \(difference)" : "ends \(expected.minute), not \(planned.minute): \(difference)"
      )
    }
    guard let session = shown.session else { return ("", "") }
    if state?.status == .finished {
      let end = shown.fold?.timeline(at: now).passages.last?.end
      let text = end.map { "ended \(LocalTime.reading(of: $0).minute)" } ?? ""
      return (text, text)
    }
    return ("planned start \(session.startTime), \(session.date)", "planned \(session.startTime), \(session.date)")
  }
}
