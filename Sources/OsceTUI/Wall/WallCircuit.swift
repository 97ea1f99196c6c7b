import CircuitModel
import Terminal
import Timer

/// What the wall knows of one circuit: its session and, once there is a run, the clock.
struct WallCircuit {
  let circuit: Circuit
  let session: Session?
  let fold: Fold?
  /// Why nothing can be shown: two runs are open, or there is no session.
  let trouble: String?

  /// Reads a circuit as it is meant at an instant.
  static func read(_ circuit: Circuit, at now: Instant, in store: ExamStore) -> WallCircuit {
    do {
      return try store.read { db in
        let session = try Session.choose(of: circuit, named: nil, at: now, in: db)
        let run = try Run.current(of: session, at: now, in: db)
        return WallCircuit(
          circuit: circuit, session: session, fold: run.map { Rotation.fold($0.events, until: now) }, trouble: nil)
      }
    } catch {
      return WallCircuit(circuit: circuit, session: nil, fold: nil, trouble: "\(error)")
    }
  }

  /// When the run is going to end if nothing changes and phases with a manual start begin at once, and how far that
  /// is behind the plan, in milliseconds; nil before the start and after the end.
  func expectedEnd(at now: Instant) -> (end: Instant, delayMs: Int64)? {
    guard let fold else { return nil }
    let state = fold.state(at: now)
    guard let index = state.phaseIndex, let remaining = state.remainingMs,
      let start = fold.timeline(at: now).passages.first?.entered
    else { return nil }
    let total = state.phases.plannedOffsetMs(ofPhase: state.phases.count + 1)
    let later = total - state.phases.plannedOffsetMs(ofPhase: index + 1)
    let end = now + remaining + later
    return (end, end - (start + total))
  }

  /// The next announcement within this phase: its text and the time left at which it comes.
  func nextAnnouncement(at now: Instant) -> (text: String, leftMs: Int64)? {
    guard let state = fold?.state(at: now), let phase = state.phase, let remaining = state.remainingMs else {
      return nil
    }
    let next = phase.warnings.filter { $0.leftMs < remaining }.max { $0.leftMs < $1.leftMs }
    return next.map { ($0.text, $0.leftMs) }
  }

  /// The instant of a start or resume that is set for a time to come.
  func scheduled(at now: Instant) -> Instant? {
    guard let fold, fold.state(at: now).status != .running else { return nil }
    return fold.scheduled.first { ["start", "resume"].contains($0.kind.name) && $0.at > now }?.at
  }
}
