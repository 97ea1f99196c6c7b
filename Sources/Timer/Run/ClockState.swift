/// Where a run stands.
public enum ClockStatus: String, Hashable, Sendable, CaseIterable {
  /// No start has taken effect.
  case notStarted
  /// Time is running.
  case running
  /// A phase is under way and its time stands still.
  case paused
  /// A phase with a manual start is next and has not begun.
  case waiting
  /// The last phase has ended, or the run was stopped.
  case finished

  /// Whether the run has started and has not finished.
  public var isOpen: Bool {
    switch self {
    case .running, .paused, .waiting: true
    case .notStarted, .finished: false
    }
  }
}

/// What the clock shows at an instant.
///
/// While *waiting* the phase is the one waited for: elapsed is 0, remaining is its allotment, and no alert is raised.
public struct ClockState: Hashable, Sendable {
  /// The instant described.
  public let at: Instant
  /// Where the run stands.
  public let status: ClockStatus
  /// The current phase's number, from 1; nil when not started or finished.
  public let phaseIndex: Int?
  /// Which entry into a phase this is, from 1, counting every entry of the run; nil when not started or finished.
  public let passage: Int?
  /// The current or waited-for phase; nil when not started or finished.
  public let phase: PlannedPhase?
  /// The length that this passage has been given, in milliseconds; nil when not started or finished.
  public let allottedMs: Int64?
  /// The round, from 1, 0 before the first rotation of a list that begins otherwise; nil when not started or finished.
  public let round: Int?
  /// Rotations in the run's list; nil when not started, since the run has no list yet.
  public let rounds: Int?
  /// Running time of this passage in milliseconds; nil when not started or finished.
  public let elapsedMs: Int64?
  /// Time left of this passage in milliseconds; nil when not started or finished.
  public let remainingMs: Int64?
  /// The alert, for running and paused; otherwise none.
  public let alert: AlertLevel
  /// When the current phase ends if nothing changes; nil unless running.
  public let endsAt: Instant?
  /// The run's list of phases; empty when not started.
  public let phases: PhaseList

  /// The time left as it is shown, in whole seconds: a started second counts whole.
  public var shownSeconds: Int64? { remainingMs.map(PhaseText.shownSeconds) }
}
