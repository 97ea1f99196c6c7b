/// What a start carries, so that no later change of roster or import alters a running clock.
public struct StartPlan: Hashable, Sendable {
  /// The circuit's list as it was at the start; `rounds` events expand it again.
  public var durations: [PhaseDuration]
  /// The circuit's own warnings; nil means the default rules.
  public var warnings: [WarningRule]?
  /// Rounds needed: the largest place on any roster of the session.
  public var rounds: Int
  /// The expanded phases, which are what the run uses.
  public var phases: [PlannedPhase]
  /// The phases with their rounds, and when each is to begin.
  public var list: PhaseList { PhaseList(cycle: phases) }

  /// A plan with its phases given, as read back from an event.
  public init(durations: [PhaseDuration], warnings: [WarningRule]?, rounds: Int, phases: [PlannedPhase]) {
    self.durations = durations
    self.warnings = warnings
    self.rounds = rounds
    self.phases = phases
  }

  /// A plan made now from a circuit's list.
  public init(durations: [PhaseDuration], warnings: [WarningRule]?, rounds: Int) {
    self.init(
      durations: durations, warnings: warnings, rounds: rounds,
      phases: Expansion.expand(durations, rounds: rounds, warnings: warnings))
  }
}
