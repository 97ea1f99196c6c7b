import CircuitModel
import Timer

/// An action as it is read out before it is done: at which clocks, and what it would do to each now.
struct ClockIntent {
  let action: ClockAction
  /// What is asked, in a few words.
  let title: String
  let steps: [Step]
  /// The circuits that are left out because two of their sessions are open.
  let undecided: [String]

  /// One clock.
  struct Step {
    let target: DeskTarget
    /// The passage that the operator is shown; the event fits in no other.
    let passage: Int?
    let preview: ClockPreview
  }

  /// - Parameters:
  ///   - title: what is asked, where the action's own title does not say enough.
  ///   - isBound: whether the event is to fit in the passage that is on now and in no other.
  init(
    _ action: ClockAction, at targets: [DeskTarget], undecided: [DeskCircuit] = [], title: String? = nil,
    isBound: Bool = true, now: Instant, in store: ExamStore
  ) {
    self.action = action
    self.title = title ?? ClockPreview.title(action)
    self.undecided = undecided.map(\.circuit.name)
    steps = targets.map { target in
      do {
        return try store.read { db in
          let run = try Run.current(of: target.session, at: now, in: db)
          let passage = isBound ? run.flatMap { Rotation.fold($0.events, until: now).state(at: now).passage } : nil
          let draft = try ClockDraft.make(action, for: target.session, at: now, passage: passage, in: db)
          return Step(target: target, passage: passage, preview: ClockPreview(draft.event, on: draft.run))
        }
      } catch { return Step(target: target, passage: nil, preview: ClockPreview(refusal: "\(error)")) }
    }
  }

  /// Whether it does anything anywhere.
  var fits: Bool { steps.contains { $0.preview.outcome.refusal == nil } }

  /// What is going to happen, each clock by its name.
  var text: String {
    let lines =
      steps.map { "\($0.target.name): \($0.preview.text)" } + undecided.map { "\($0): left out, two runs are open" }
    return "\(title)?  " + lines.joined(separator: "  ")
  }

  /// Whether another does the same to the same clocks, whatever seconds have passed between them.
  func isSame(as other: ClockIntent) -> Bool {
    action == other.action && undecided == other.undecided && steps.count == other.steps.count
      && zip(steps, other.steps).allSatisfy { $0.target == $1.target && $0.preview.outcome == $1.preview.outcome }
  }
}
