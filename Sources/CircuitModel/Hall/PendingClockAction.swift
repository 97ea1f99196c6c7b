import ExamStore
import GRDB
import Timer

/// A clock action awaiting confirmation: its target clocks and its effect on each, to compare when it is confirmed.
public struct PendingClockAction: Sendable {
  /// One clock each, in the order in which they were named.
  public let steps: [Step]
  /// What becomes of the queue with a re-run that begins.
  public let queue: RerunArrangement?

  /// An action for a session's clock.
  public struct Order: Equatable, Sendable {
    /// What is asked.
    public let action: ClockAction
    /// Of which clock.
    public let session: Session
    /// When it takes effect; nil: when it is given.
    public let at: Instant?

    /// Names an action and its clock.
    public init(action: ClockAction, session: Session, at: Instant? = nil) {
      (self.action, self.session, self.at) = (action, session, at)
    }
  }

  /// What the action does at one clock.
  public struct Step: Sendable {
    /// What is asked.
    public let order: Order
    /// The passage in which it would find the clock; the event fits in no other.
    public let passage: Int?
    /// What it would do.
    public let preview: ClockPreview
    /// The queued items for which a shorter re-run has no round left.
    public var dropped: [RerunItem] = []
    /// The earlier sessions that were never started, where this would start one.
    public var neverStarted: [Session] = []

    func isSame(as other: Step) -> Bool { order == other.order && preview.outcome == other.preview.outcome }
  }

  /// Works the action out at every clock; where it does not fit, the step says why.
  /// - Parameter isBound: whether the event is to fit in the passage that it would find now and in no other.
  public init(
    _ orders: [Order], queue: RerunArrangement? = nil, isBound: Bool = true, now: Instant, in store: ExamStore
  ) throws {
    self.queue = queue
    steps = try orders.map { order in
      do {
        return try store.read { try Step(order, isBound: isBound, now: now, by: store.clock, in: $0) }
      } catch let refusal as ClockRefusal {
        return Step(order: order, passage: nil, preview: ClockPreview(refusal: refusal))
      }
    }
  }

  /// Whether an extension takes so much time that the phase is over with it.
  public var endsPhase: Bool {
    steps.contains { step in
      if case .extend = step.order.action { step.preview.endsPhase } else { false }
    }
  }

  /// Whether it does anything anywhere.
  public var fits: Bool { steps.contains { $0.preview.outcome.refusal == nil } }

  /// Whether another does the same to the same clocks, whatever seconds have passed between them.
  public func isSame(as other: PendingClockAction) -> Bool {
    let isSameQueue = other.queue.map { queue?.isSame(as: $0) ?? false } ?? (queue == nil)
    return isSameQueue && steps.count == other.steps.count
      && zip(steps, other.steps).allSatisfy { $0.isSame(as: $1) }
  }
}

extension PendingClockAction.Step {
  fileprivate init(
    _ order: PendingClockAction.Order, isBound: Bool, now: Instant, by clock: ExamClock, in db: Database
  ) throws {
    let (action, session) = (order.action, order.session)
    let run = try Run.current(of: session, at: now, in: db)
    let instant = order.at ?? now
    let passage = isBound ? run?.state(at: instant).passage : nil
    let draft = try ClockDraft.make(action, for: session, at: instant, passage: passage, by: clock, in: db)
    self.init(order: order, passage: passage, preview: ClockPreview(draft.event, on: draft.run, asOf: now))
    if case .rounds(let rounds) = action, let run {
      dropped = try RerunQueue.leftOut(of: run, rounds: rounds, in: db)
    }
    if action == .start && run == nil { neverStarted = try session.neverStarted(before: now, in: db) }
  }
}
