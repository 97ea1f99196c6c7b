import Timer

/// How far circuits that should run together have drifted apart.
public enum CircuitDrift {
  /// Compares the circuits that are in the same phase: same number and same planned length.
  ///
  /// A circuit is as far behind as its phase ends later, as things stand: pauses, extensions and a late start count
  /// alike. One that shares its phase with no other is left out, because nothing can be said of it.
  /// - Returns: in the order given, whole seconds behind the earliest of the same phase, a started second counted
  ///   whole; 0 for those equal to the millisecond.
  public static func between(
    _ states: [(name: String, fold: Fold)], at instant: Instant
  ) -> [(name: String, secondsBehind: Int64)] {
    struct Place: Hashable {
      let phase: Int
      let plannedMs: Int64
    }
    let placed = states.compactMap { entry -> (name: String, place: Place, left: Int64)? in
      let state = entry.fold.state(at: instant)
      guard let phase = state.phaseIndex, let planned = state.plannedMs, let left = state.remainingMs else {
        return nil
      }
      return (entry.name, Place(phase: phase, plannedMs: planned), left)
    }
    let groups = Dictionary(grouping: placed, by: \.place)
    return placed.compactMap { circuit in
      guard let group = groups[circuit.place], group.count > 1, let earliest = group.map(\.left).min() else {
        return nil
      }
      return (circuit.name, PhaseText.shownSeconds(circuit.left - earliest))
    }
  }
}
