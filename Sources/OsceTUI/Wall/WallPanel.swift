import Characters
import CircuitModel
import ExamStore
import Reports
import Terminal
import Timer

/// What the wall says of one circuit, or of several in step.
struct WallPanel: Equatable {
  /// The circuits' names.
  var titles: [String]
  /// `ROUND 3 of 8`, or how many there are.
  var round = ""
  /// What is said the loudest.
  var face: Face
  /// How much of the session is over, in thousandths; nil where that is not known.
  var progress: Int?
  /// The next announcement, and when it comes.
  var next = ""
  var nextTime = ""
  /// The codes of the stations, in the order in which candidates come to them.
  var ring: [String] = []
  /// When the session ends, and how far that is from the plan.
  var end = ""
  /// What a person before the wall must know or do.
  var notice = ""

  /// What is said the loudest, with what belongs to it.
  enum Face: Equatable {
    /// A phase counts down.
    case counting(word: String, digits: String, alert: AlertLevel, look: Role)
    /// Everybody goes to the next station.
    case moving(digits: String)
    /// The time stands still: since when, how much of which phase is left, and when it goes on.
    case paused(for: String, at: String, left: Standing, resumes: String?)
    /// The session, or a phase, begins in so long.
    case starting(word: String, digits: String, plan: String)
    /// A word and no countdown: WAIT, FINISHED, NOT STARTED.
    case word(String)
    /// Why nothing can be shown.
    case trouble(String)
  }

  /// The time that stands while a clock is paused.
  struct Standing: Equatable {
    let digits: String
    /// The phase of which it is left.
    let phase: String

    /// `07:45 of station time`.
    var text: String { "\(digits) of \(phase) time" }
  }

  /// The digits that count; empty where none do.
  var digits: String {
    switch face {
    case .counting(_, let digits, _, _), .moving(let digits), .starting(_, let digits, _): digits
    case .paused(_, _, _, let resumes): resumes ?? ""
    case .word, .trouble: ""
    }
  }

  /// The word that is said the loudest.
  var word: String {
    switch face {
    case .counting(let word, _, _, _), .starting(let word, _, _), .word(let word): word
    case .moving: "MOVE"
    case .paused: "PAUSED"
    case .trouble(let text): text
    }
  }

  /// The word that is said beside the digits: AMBER and RED before the phase.
  var loudWord: String { alert.isEmpty ? word : alert }

  /// AMBER or RED; empty for none.
  var alert: String {
    if case .counting(_, _, let alert, _) = face, alert != .none { alert.name.uppercased() } else { "" }
  }

  init(_ shown: WallCircuit, at now: Instant) {
    titles = [shown.title]
    if let trouble = shown.trouble {
      face = .trouble(trouble)
      return
    }
    let state = shown.fold?.state(at: now)
    let scheduled = state.flatMap { shown.scheduled($0) }
    let rerun = shown.isRerun ? "RE-RUN " : ""
    guard let state, let phase = state.phase, let remaining = state.remainingMs else {
      let isOver = state?.status == .finished
      face = isOver ? .word("FINISHED") : WallPanel.before(shown, scheduled, at: now)
      if isOver {
        end = shown.fold?.timeline(at: now).passages.last?.end.map { "ended \(LocalTime.reading(of: $0).minute)" } ?? ""
        notice = "The session is over"
      } else {
        round = shown.plan.map { "\(rerun)\(Plural.count($0.rounds, "ROUND", "ROUNDS"))" } ?? ""
        end = shown.plan.map { "\($0.rounds) rounds · ends \($0.end)" } ?? ""
        notice = "Go to your first station, wait at the door"
      }
      return
    }
    round = "\(rerun)ROUND \(max(1, state.round ?? 1)) of \(state.rounds ?? 0)"
    progress = state.runProgress
    end = WallPanel.end(shown, at: now)
    ring = shown.ring
    let word = WallPanel.word(phase.type)
    switch state.status {
    case .paused:
      let since = shown.pausedSince(at: now)
      face = .paused(
        for: since.map { WallPanel.minutes(now - $0) } ?? "", at: since.map { LocalTime.reading(of: $0).minute } ?? "",
        left: Standing(
          digits: PhaseText.digits(remaining), phase: phase.type == .rotation ? "station" : phase.type.name),
        resumes: scheduled.map { PhaseText.digits($0 - now) })
    case .waiting:
      face =
        scheduled.map { .starting(word: "STARTS IN", digits: PhaseText.digits($0 - now), plan: "") } ?? .word("WAIT")
      notice = "\(WallPanel.sentence(phase.type, state.round)) begins on the bell"
    default:
      let digits = PhaseText.digits(remaining)
      if phase.type == .changeover, shown.ring.count > 1, state.hasRoundAhead {
        face = .moving(digits: digits)
      } else {
        let said = phase.type == .changeover ? "WAIT" : word
        face = .counting(word: said, digits: digits, alert: state.alert, look: WallPanel.look(phase.type))
      }
      if let index = state.phaseIndex, let following = state.phases.phase(index + 1), following.manualStart {
        let round = state.phases.round(ofPhase: index + 1)
        notice = "\(WallPanel.sentence(following.type, round)) begins on the bell"
      }
      if let announced = shown.nextAnnouncement(state) {
        next = announced.text.withoutFullStop
        nextTime = "at \(LocalTime.reading(of: now + (remaining - announced.leftMs)).minute)"
      }
    }
  }

  /// Whether another circuit shows the same but for its name and for parts of a second.
  func isInStep(with other: WallPanel) -> Bool {
    func shown(_ panel: WallPanel) -> WallPanel {
      var panel = panel
      (panel.titles, panel.ring, panel.end, panel.nextTime, panel.progress) = ([], [], "", "", nil)
      switch panel.face {
      case .counting(let word, _, let alert, let look):
        panel.face = .counting(word: word, digits: "", alert: alert, look: look)
      case .moving: panel.face = .moving(digits: "")
      case .paused(_, let at, let left, let resumes):
        panel.face = .paused(
          for: "", at: at, left: Standing(digits: "", phase: left.phase), resumes: resumes == nil ? nil : "")
      case .starting(let word, _, let plan): panel.face = .starting(word: word, digits: "", plan: plan)
      case .word, .trouble: break
      }
      return panel
    }
    return shown(self) == shown(other)
  }

  // MARK: Words

  /// What a person before the wall calls a phase.
  private static func word(_ type: PhaseType) -> String {
    switch type {
    case .rotation: "STATION"
    case .changeover: "MOVE"
    case .breakTime: "BREAK"
    default: PhaseText.title(type)
    }
  }

  private static func look(_ type: PhaseType) -> Role {
    switch type {
    case .reading: .reading
    case .changeover: .changeover
    case .feedback: .feedback
    default: .heading
    }
  }

  private static func sentence(_ type: PhaseType, _ round: Int?) -> String {
    switch type {
    case .reading, .rotation: "Round \(max(1, round ?? 1))"
    default: word(type).prefix(1) + word(type).dropFirst().lowercased()
    }
  }

  /// Whole minutes, so that nothing ticks beside a clock that stands.
  private static func minutes(_ milliseconds: Int64) -> String {
    let minutes = milliseconds / 60_000
    return minutes < 1 ? "less than a minute" : "\(minutes) min"
  }

  private static func end(_ shown: WallCircuit, at now: Instant) -> String {
    guard let forecast = shown.forecast(at: now) else { return "" }
    let (expected, planned) = (LocalTime.reading(of: forecast.saidEnd), LocalTime.reading(of: forecast.plannedEnd))
    let when = expected.date == planned.date ? expected.minute : "\(expected.minute) (\(expected.date))"
    return "Session ends \(when), \(forecast.scheduleText)"
  }

  /// Before the start: the countdown to it, where one is set or planned for the next hours.
  private static func before(_ shown: WallCircuit, _ scheduled: Instant?, at now: Instant) -> Face {
    guard let start = scheduled ?? shown.plannedStart(after: now) else { return .word("NOT STARTED") }
    let parts = shown.plan.map { [$0.lengths] } ?? []
    let plan = (["Start \(LocalTime.reading(of: start).minute)"] + parts).filter { !$0.isEmpty }
    return .starting(word: "STARTS IN", digits: PhaseText.digits(start - now), plan: plan.joined(separator: " · "))
  }
}
