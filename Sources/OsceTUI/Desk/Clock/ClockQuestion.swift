import CircuitModel
import ExamStore
import Reports
import Timer

/// A clock action as it is read out before it is done: what is asked, and what it would do to each clock now.
struct ClockQuestion {
  /// What stands before a question that is asked again, as something else would be done by now.
  static let askedAgain = "THE CLOCK HAS MOVED ON; nothing changed.  "

  /// What is asked, in a few words.
  let title: String
  let intent: PendingClockAction
  /// The clocks of the intent's steps.
  let targets: [DeskTarget]
  /// The circuits that are meant and that nothing is done to, each with why.
  let leftOut: [String]
  /// What else must be known; it counts seconds, and makes the question no other one.
  private let notes: [String]

  /// - Parameters:
  ///   - title: what is asked.
  ///   - isBound: whether the event is to fit in the passage that it would find now and in no other.
  init(
    _ title: String, _ orders: [(order: PendingClockAction.Order, target: DeskTarget)], leftOut: [String] = [],
    notes: [String] = [], queue: RerunArrangement? = nil, isBound: Bool = true, now: Instant, in store: ExamStore
  ) throws {
    intent = try PendingClockAction(
      orders.map(\.order), queue: queue, isBound: isBound, now: now, in: store)
    self.title = title + (intent.endsPhase ? ", which ends this phase" : "")
    self.leftOut = leftOut
    self.notes = notes
    targets = orders.map(\.target)
  }

  /// What is going to happen, by the clocks' names: once for those to which the same happens.
  var text: String {
    let effects = grouped { $0.effect(at: $1) }.map { "\($0.names.joined(separator: ", "))\($0.text)" }
    return ([title + "?"] + notes + [(effects + leftOut).joined(separator: ".  ")]).joined(separator: "  ")
  }

  /// Why nothing can be done: each reason once, with the clocks that it holds for.
  var refusal: String {
    let reasons = grouped { step, _ in step.preview.text }
    let lines = reasons.map { "\($0.text) (\($0.names.joined(separator: ", ")))" } + leftOut
    return "NOT DONE, \(title): \(lines.joined(separator: "; "))"
  }

  /// The texts of the steps, each once, with the clocks that it holds for.
  private func grouped(_ text: (PendingClockAction.Step, DeskTarget) -> String) -> [(text: String, names: [String])] {
    var found: [(text: String, names: [String])] = []
    for (step, target) in zip(intent.steps, targets) {
      let own = text(step, target)
      if let index = found.firstIndex(where: { $0.text == own }) {
        found[index].names.append(target.name)
      } else {
        found.append((own, [target.name]))
      }
    }
    return found
  }

  /// Whether another asks for the same, whatever seconds have passed between them.
  func isSame(as other: ClockQuestion) -> Bool {
    intent.isSame(as: other.intent) && targets == other.targets && leftOut == other.leftOut
  }
}

extension PendingClockAction.Step {
  /// What is going to happen there, as it stands after the clock's name. A start always names its session: the next may
  /// not be the intended one.
  fileprivate func effect(at target: DeskTarget) -> String {
    let session = order.action == .start && !target.name.contains(target.session.name) ? " \(target.session.name)" : ""
    let missed = neverStarted.map { "; the \($0.startTime) session was never started" }.joined()
    return "\(session): \(preview.text)\(missed)\(droppedText)"
  }

  /// The stations for which a shorter re-run has no round left.
  private var droppedText: String {
    if dropped.isEmpty { return "" }
    let names = dropped.map { "\($0.entry.candidate?.number ?? "") at \($0.station.stationCode)" }
    return "; NOT made up then: \(names.joined(separator: ", "))"
  }
}
