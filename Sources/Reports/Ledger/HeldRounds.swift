import CircuitModel
import GRDB
import Timer

/// When each round is to be held, if its session starts on time and nobody waits.
struct PlannedRounds {
  private var rounds: [ClosedRange<Instant>] = []

  init(_ session: Session, in db: Database) throws {
    guard let start = session.plannedStart else { return }
    rounds = try StartPlan.made(for: session, in: db).list.plannedRotations.map { rotation in
      start + rotation.lowerBound...start + rotation.upperBound
    }
  }

  subscript(round: Int) -> ClosedRange<Instant>? { rounds.indices.contains(round - 1) ? rounds[round - 1] : nil }
}

/// The rotations as they were held, by round.
struct HeldRounds {
  /// A round of the session itself, or of its re-run.
  struct Slot: Hashable {
    let round: Int
    let isRerun: Bool
  }

  private let timeline: SessionTimeline

  init(_ timeline: SessionTimeline) { self.timeline = timeline }

  /// The lines of the rotations of a round, and of what happened in them.
  func lines(of slot: Slot) -> [TimelineLine] {
    timeline.lines.filter { line in
      guard let passage = line.passage, passage.type == .rotation else { return false }
      return self.slot(of: passage, run: line.run) == slot
    }
  }

  /// What ended phases by hand, with its reasons.
  var endings: [TimelineLine] { timeline.lines.filter { [.skip, .jump, .stop].contains($0.kind) } }

  /// The round that a moment belongs to: the one that was on, or the one that a reading phase led to; in any other
  /// phase the one before.
  func slot(at instant: Instant) -> Slot? {
    entered(at: instant).flatMap { line in line.passage.map { slot(of: $0, run: line.run) } }
  }

  /// When the phase began in which a moment lies, or the last one before it.
  func lastEntry(before instant: Instant) -> Instant? { entered(at: instant)?.at }

  /// Whether every phase was over at a moment.
  func wasOver(at instant: Instant) -> Bool {
    timeline.lines.allSatisfy { line in
      guard line.kind == .phase, let passage = line.passage else { return true }
      return passage.end.map { $0 < instant } ?? false
    }
  }

  private func entered(at instant: Instant) -> TimelineLine? {
    timeline.lines.filter { $0.kind == .phase && $0.at <= instant }.max { $0.at < $1.at }
  }

  private func slot(of passage: Passage, run: Int) -> Slot {
    Slot(round: passage.round, isRerun: timeline.reruns.contains(run))
  }
}
