import ExamStore
import Timer

/// What a clock action would do, worked out by doing it to a copy of the run.
public struct ClockPreview: Sendable {
  /// What it comes to, without the seconds that pass while somebody reads it: two previews that differ in this are
  /// not the same action.
  public struct Outcome: Equatable, Sendable {
    /// The passage in which the action finds the clock.
    public var passage: Int?
    /// What the clock does when the action finds it.
    public var status: ClockStatus?
    /// What has been done to the clock, and is set to be done, by the events' ids.
    public var events: Set<String> = []
    /// The passage that it leaves.
    var nextPassage: Int?
    /// The phase that it leaves.
    var nextPhase: Int?
    /// What the clock does after it.
    var nextStatus: ClockStatus?
    /// The length that it gives the passage.
    var nextAllottedMs: Int64?
    /// The rounds that it leaves.
    var nextRounds: Int?
    /// Why it does not fit; nil if it does.
    public var refusal: ClockRefusal?
  }

  /// What it does to the end of the run.
  public enum Ending: Equatable, Sendable {
    /// The clock stands then until a person lets it go on.
    case stands
    /// The end is known before and after. A clock that stood, whose end slid while it did, may run on with it.
    case moves(from: Instant, to: Instant, isFreed: Bool)
  }

  /// What it comes to.
  public let outcome: Outcome
  /// What the clock shows after it; nil if it does not fit.
  public let after: ClockState?
  /// What it does to the end; nil where no end is known.
  public let ending: Ending?

  /// Whether it ends the phase that is on.
  public var endsPhase: Bool {
    outcome.refusal == nil && outcome.passage != nil && outcome.passage != outcome.nextPassage
  }

  /// Works out what an event does at its instant, or by now where that has passed.
  public init(_ event: ClockEvent, on events: [ClockEvent], asOf now: Instant) {
    let instant = max(event.at, now)
    let before = Rotation.fold(events, until: instant)
    let after = Rotation.fold(events + [event], until: instant)
    let (old, new) = (before.state(at: instant), after.state(at: instant))
    outcome = Outcome(
      passage: old.passage, status: old.status, events: Set(events.map(\.id)), nextPassage: new.passage,
      nextPhase: new.phaseIndex, nextStatus: new.status, nextAllottedMs: new.allottedMs, nextRounds: new.rounds)
    self.after = new
    if after.stands(at: instant) && !before.stands(at: instant) {
      ending = .stands
    } else if let old = before.forecast(at: instant)?.end, let new = after.forecast(at: instant)?.end {
      let isFreed = outcome.status == .paused && outcome.nextStatus == .running
      ending = .moves(from: old, to: new, isFreed: isFreed)
    } else {
      ending = nil
    }
  }

  /// An action that does not fit.
  public init(refusal: ClockRefusal) {
    (outcome, after, ending) = (Outcome(refusal: refusal), nil, nil)
  }
}

extension Fold {
  /// Whether a clock stands at an instant and goes on by nothing that is set.
  fileprivate func stands(at instant: Instant) -> Bool {
    [.paused, .waiting].contains(state(at: instant).status) && goesOn(after: instant) == nil
  }
}
