extension ClockState {
  /// How much of the run is over by its own list, in thousandths; nil before its start and after its end. As a bar it
  /// steps with a digit, and at most once in ten seconds.
  public var runProgress: Int? { progress(from: 1, through: phases.count) }

  /// The same of the round that is shown, from its first phase to its last.
  public var roundProgress: Int? {
    guard let index = phaseIndex, let round = phases.round(ofPhase: index) else { return nil }
    var (first, last) = (index, index)
    while phases.round(ofPhase: first - 1) == round { first -= 1 }
    while phases.round(ofPhase: last + 1) == round { last += 1 }
    return progress(from: first, through: last)
  }

  private func progress(from first: Int, through last: Int) -> Int? {
    guard let index = phaseIndex, let elapsed = elapsedMs, let allotted = allottedMs, allotted > 0 else { return nil }
    let start = phases.plannedOffsetMs(ofPhase: first)
    let total = phases.plannedOffsetMs(ofPhase: last + 1) - start
    guard total > 0 else { return nil }
    let before = phases.plannedOffsetMs(ofPhase: index)
    let length = phases.plannedOffsetMs(ofPhase: index + 1) - before
    let over = min(elapsed, allotted) / 10_000 * 10_000
    return Int(1000 * (before - start + length * over / allotted) / total)
  }
}
