import CircuitModel
import Timer

/// An action as it is read out before it is done: at which clocks, and what it would do to each now.
struct ClockIntent {
  let action: ClockAction
  /// What is asked, in a few words.
  let title: String
  let steps: [Step]
  /// Whether an extension takes so much time that the phase is over with it.
  let endsPhase: Bool
  /// The circuits that are left out because two of their sessions are open.
  let undecided: [String]

  /// One clock.
  struct Step {
    let target: DeskTarget
    /// The passage that the operator is shown; the event fits in no other.
    let passage: Int?
    let preview: ClockPreview
    /// What must be known beside it; empty for nothing.
    var note = ""

    /// What is going to happen there. A start always names its session: the next may not be the one that is meant.
    func text(_ action: ClockAction) -> String {
      let session = action == .start && !target.name.contains(target.session.name) ? " \(target.session.name)" : ""
      return "\(target.name)\(session): \(preview.text)\(note)"
    }
  }

  /// - Parameters:
  ///   - title: what is asked, where the action's own title does not say enough.
  ///   - isBound: whether the event is to fit in the passage that is on now and in no other.
  init(
    _ action: ClockAction, at targets: [DeskTarget], undecided: [DeskCircuit] = [], title: String? = nil,
    isBound: Bool = true, now: Instant, in store: ExamStore
  ) {
    self.action = action
    self.undecided = undecided.map(\.circuit.name)
    steps = targets.map { target in
      do {
        return try store.read { db in
          let run = try Run.current(of: target.session, at: now, in: db)
          let passage = isBound ? run.flatMap { Rotation.fold($0.events, until: now).state(at: now).passage } : nil
          let draft = try ClockDraft.make(action, for: target.session, at: now, passage: passage, in: db)
          let missed = action == .start && run == nil ? try target.session.neverStarted(before: now, in: db) : []
          return Step(
            target: target, passage: passage, preview: ClockPreview(draft.event, on: draft.run),
            note: missed.map { "; the \($0.startTime) session was never started" }.joined())
        }
      } catch { return Step(target: target, passage: nil, preview: ClockPreview(refusal: "\(error)")) }
    }
    if case .extend = action { endsPhase = steps.contains { $0.preview.endsPhase } } else { endsPhase = false }
    self.title = (title ?? ClockPreview.title(action)) + (endsPhase ? ", which ends this phase" : "")
  }

  /// Whether it does anything anywhere.
  var fits: Bool { steps.contains { $0.preview.outcome.refusal == nil } }

  /// What is going to happen, each clock by its name.
  var text: String {
    let lines =
      steps.map { $0.text(action) } + undecided.map { "\($0): left out, two runs are open" }
    return "\(title)?  " + lines.joined(separator: "  ")
  }

  /// Whether another does the same to the same clocks, whatever seconds have passed between them.
  func isSame(as other: ClockIntent) -> Bool {
    action == other.action && undecided == other.undecided && steps.count == other.steps.count
      && zip(steps, other.steps).allSatisfy { $0.target == $1.target && $0.preview.outcome == $1.preview.outcome }
  }
}
