import Timer

/// How far circuits that are in the same phase stand apart.
enum WallDrift {
  /// `Blue is 00:07 behind Red`, for every circuit that is behind the first of those in its phase by a second or more.
  static func lines(_ circuits: [WallCircuit], at now: Instant) -> [String] {
    guard circuits.count > 1 else { return [] }
    let placed = circuits.compactMap { shown -> (name: String, phase: Int, planned: Int64, left: Int64)? in
      guard let state = shown.fold?.state(at: now), let phase = state.phaseIndex, let planned = state.plannedMs,
        let left = state.remainingMs
      else { return nil }
      return (shown.circuit.name, phase, planned, left)
    }
    return placed.compactMap { circuit in
      let same = placed.filter { $0.phase == circuit.phase && $0.planned == circuit.planned }
      guard let first = same.min(by: { $0.left < $1.left }), circuit.left - first.left >= 1000 else { return nil }
      // Whole seconds only: a started one would make two screens disagree.
      let seconds = (circuit.left - first.left) / 1000 * 1000
      return "\(circuit.name) is \(PhaseText.digits(seconds)) behind \(first.name)"
    }
  }
}
