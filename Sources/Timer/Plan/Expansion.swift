/// Makes the list of phases that a run needs out of the list that a circuit has.
public enum Expansion {
  /// The most rounds that a run can have.
  public static let mostRounds = 10_000

  /// The most phases that an expansion gives; more than any exam has, and few enough to hold in memory.
  public static let mostPhases = 200_000

  /// The phases of a run with `rounds` rounds.
  ///
  /// A list with that many rotations or more, or with none, is used as it stands. A shorter one is repeated whole until
  /// the rotations are in; after the last of them the rest of that copy is kept up to the next reading or rotation.
  /// Rounds above `mostRounds` count as `mostRounds`, and nothing follows phase `mostPhases`.
  public static func expand(
    _ durations: [PhaseDuration], rounds: Int, warnings: [WarningRule]?
  ) -> [PlannedPhase] {
    Array(list(durations, rounds: rounds, warnings: warnings))
  }

  static func list(_ durations: [PhaseDuration], rounds: Int, warnings: [WarningRule]?) -> PhaseList {
    let cycle = durations.map { row in
      PlannedPhase(
        type: row.type, plannedMs: row.lengthMs, manualStart: row.manualStart,
        warnings: WarningRule.effective(warnings, for: row.type, plannedMs: row.lengthMs))
    }
    return PhaseList(cycle: cycle, count: min(length(of: cycle, rounds: min(rounds, mostRounds)), mostPhases))
  }

  private static func length(of cycle: [PlannedPhase], rounds: Int) -> Int {
    let rotations = cycle.indices.filter { cycle[$0].type == .rotation }
    guard !rotations.isEmpty, rotations.count < rounds else { return cycle.count }
    let wholeCopies = (rounds - 1) / rotations.count
    let last = rotations[(rounds - 1) % rotations.count]
    let rest = cycle[(last + 1)...].prefix { $0.type != .reading && $0.type != .rotation }
    return wholeCopies * cycle.count + rest.endIndex
  }
}
