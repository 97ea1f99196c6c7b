import Timer

/// How far circuits that should run together have drifted apart.
public enum CircuitDrift {
  /// A circuit that is behind another.
  public struct Lag: Equatable, Sendable {
    /// The circuit that is behind.
    public let name: String
    /// By how many whole seconds, at least 1. A started second is not counted: two screens that look at different
    /// moments would say different things.
    public let seconds: Int64
    /// The circuit of the same phase that is ahead of all.
    public let first: String
  }

  /// Compares the circuits that are in the same phase: same number and same planned length.
  ///
  /// A circuit is as far behind as its phase ends later, as things stand: pauses, extensions and a late start count
  /// alike. Of one that shares its phase with no other nothing can be said.
  /// - Returns: those that are behind by a second or more, in the order given.
  public static func between(_ circuits: [(name: String, fold: Fold)], at instant: Instant) -> [Lag] {
    struct Place: Hashable {
      let phase: Int
      let plannedMs: Int64
    }
    let placed = circuits.compactMap { entry -> (name: String, place: Place, left: Int64)? in
      let state = entry.fold.state(at: instant)
      guard let phase = state.phaseIndex, let planned = state.plannedMs, let left = state.remainingMs else {
        return nil
      }
      return (entry.name, Place(phase: phase, plannedMs: planned), left)
    }
    let groups = Dictionary(grouping: placed, by: \.place)
    return placed.compactMap { circuit in
      guard let first = groups[circuit.place]?.min(by: { $0.left < $1.left }), circuit.left - first.left >= 1000
      else { return nil }
      return Lag(name: circuit.name, seconds: (circuit.left - first.left) / 1000, first: first.name)
    }
  }
}
