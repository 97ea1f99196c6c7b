import CircuitModel
import ExamStore
import Reports
import Timer

/// An action as it is read out before it is done: at which clocks, and what it would do to each now.
struct ClockIntent {
  /// What is asked, in a few words.
  let title: String
  let steps: [Step]
  /// Whether an extension takes so much time that the phase is over with it.
  let endsPhase: Bool
  /// The circuits that are meant and that nothing is done to, each with why.
  let leftOut: [String]
  /// What becomes of the queue with a re-run that begins.
  let queue: RerunArrangement?

  /// An action that is meant for a clock.
  struct Order {
    let action: ClockAction
    let target: DeskTarget
  }

  /// One clock.
  struct Step {
    let order: Order
    /// The passage that the operator is shown; the event fits in no other.
    let passage: Int?
    let preview: ClockPreview
    /// What must be known beside it; empty for nothing.
    var note = ""

    /// What is going to happen there. A start always names its session: the next may not be the one that is meant.
    var text: String {
      let target = order.target
      let session =
        order.action == .start && !target.name.contains(target.session.name) ? " \(target.session.name)" : ""
      return "\(target.name)\(session): \(preview.text)\(note)"
    }

    /// The stations for which a shorter re-run has no round left.
    static func words(_ dropped: [RerunItem]) -> String {
      if dropped.isEmpty { return "" }
      let names = dropped.map { "\($0.entry.candidate?.number ?? "") at \($0.station.stationCode)" }
      return "; NOT made up then: \(names.joined(separator: ", "))"
    }

    func isSame(as other: Step) -> Bool {
      order.action == other.order.action && order.target == other.order.target
        && preview.outcome == other.preview.outcome
    }
  }

  /// - Parameters:
  ///   - title: what is asked.
  ///   - isBound: whether the event is to fit in the passage that is on now and in no other.
  init(
    _ title: String, _ orders: [Order], leftOut: [String] = [], queue: RerunArrangement? = nil, isBound: Bool = true,
    now: Instant, in store: ExamStore
  ) {
    self.leftOut = leftOut
    self.queue = queue
    steps = orders.map { order in
      let (action, target) = (order.action, order.target)
      do {
        return try store.read { db in
          let run = try Run.current(of: target.session, at: now, in: db)
          let passage = isBound ? run?.state(at: now).passage : nil
          let draft = try ClockDraft.make(
            action, for: target.session, at: now, passage: passage, by: store.clock, in: db)
          var dropped: [RerunItem] = []
          if case .rounds(let rounds) = action, let run {
            dropped = try RerunQueue.leftOut(of: run, rounds: rounds, in: db)
          }
          let missed = action == .start && run == nil ? try target.session.neverStarted(before: now, in: db) : []
          return Step(
            order: order, passage: passage, preview: ClockPreview(draft.event, on: draft.run),
            note: missed.map { "; the \($0.startTime) session was never started" }.joined()
              + Step.words(dropped))
        }
      } catch { return Step(order: order, passage: nil, preview: ClockPreview(refusal: "\(error)")) }
    }
    endsPhase = steps.contains { step in
      if case .extend = step.order.action { step.preview.endsPhase } else { false }
    }
    self.title = title + (endsPhase ? ", which ends this phase" : "")
  }

  /// Whether it does anything anywhere.
  var fits: Bool { steps.contains { $0.preview.outcome.refusal == nil } }

  /// What is going to happen, each clock by its name.
  var text: String { "\(title)?  " + (steps.map(\.text) + leftOut).joined(separator: "  ") }

  /// Why nothing can be done: each reason once, with the clocks that it holds for.
  var refusal: String {
    var reasons: [(why: String, names: [String])] = []
    for step in steps {
      if let index = reasons.firstIndex(where: { $0.why == step.preview.text }) {
        reasons[index].names.append(step.order.target.name)
      } else {
        reasons.append((step.preview.text, [step.order.target.name]))
      }
    }
    let lines = reasons.map { "\($0.why) (\($0.names.joined(separator: ", ")))" } + leftOut
    return "NOT DONE, \(title): \(lines.joined(separator: "; "))"
  }

  /// Whether another does the same to the same clocks, whatever seconds have passed between them.
  func isSame(as other: ClockIntent) -> Bool {
    let isSameQueue = other.queue.map { queue?.isSame(as: $0) ?? false } ?? (queue == nil)
    return isSameQueue && leftOut == other.leftOut && steps.count == other.steps.count
      && zip(steps, other.steps).allSatisfy { $0.isSame(as: $1) }
  }
}
