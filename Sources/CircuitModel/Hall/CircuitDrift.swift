import ExamStore
import Timer

/// How far circuits have drifted apart that were to run beside each other.
///
/// Each is held against its own plan, so those that differ in length or start by design stand together as long as
/// nothing delays one of them, and it does not matter which phases they are in.
public enum CircuitDrift {
  /// The clock of one circuit.
  public struct Clock: Sendable {
    let name: String
    let fold: Fold
    /// When its run was to begin; nil for a re-run, which no plan says.
    let planned: Instant?

    /// - Parameters:
    ///   - name: the circuit's.
    ///   - isRerun: whether it is the clock of a re-run; those are compared with each other alone, from their starts on.
    public init(name: String, session: Session, fold: Fold, isRerun: Bool) {
      self.name = name
      self.fold = fold
      planned = isRerun ? nil : session.plannedStart
    }

    /// When what is shown at an instant was due, had nothing delayed the run; nil where no phase is on.
    fileprivate func place(at instant: Instant) -> Place? {
      let state = fold.state(at: instant)
      guard let phase = state.phaseIndex, let left = state.remainingMs,
        let start = planned ?? fold.timeline(at: instant).passages.first?.entered
      else { return nil }
      let due = start + state.phases.plannedOffsetMs(ofPhase: phase + 1) - left
      return Place(name: name, planned: planned, phases: state.phases, due: due)
    }
  }

  fileprivate struct Place {
    let name: String
    let planned: Instant?
    let phases: PhaseList
    let due: Instant

    func hasPlan(of other: Place) -> Bool { planned == other.planned && phases == other.phases }
  }

  /// A circuit that is behind another.
  public struct Lag: Equatable, Sendable {
    /// The circuit that is behind.
    public let name: String
    /// By how many whole seconds, at least 1. A started second is not counted: two screens that look at different
    /// moments would say different things.
    public let seconds: Int64
    /// The circuit that is ahead of all.
    public let first: String
    /// Whether both have one plan, so that their bells were to ring together.
    public let isOfOnePlan: Bool
  }

  /// Compares the circuits that are in a phase, whichever.
  ///
  /// Pauses, extensions, what was skipped and a late start count alike, from the moment on in which they are known. Of one
  /// that is alone nothing can be said.
  /// - Returns: those that are behind by a second or more, in the order given.
  public static func between(_ clocks: [Clock], at instant: Instant) -> [Lag] {
    let places = clocks.compactMap { $0.place(at: instant) }
    return places.compactMap { place in
      let others = places.filter { ($0.planned == nil) == (place.planned == nil) }
      guard let first = others.max(by: { $0.due < $1.due }), first.due - place.due >= 1000 else { return nil }
      return Lag(
        name: place.name, seconds: (first.due - place.due) / 1000, first: first.name,
        isOfOnePlan: place.hasPlan(of: first))
    }
  }
}
