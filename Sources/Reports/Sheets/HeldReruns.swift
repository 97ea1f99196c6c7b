import CircuitModel
import ExamStore
import GRDB
import Timer

/// Which rounds of a session's re-runs are over: what is queued for one of them is owed by no round to come.
struct HeldReruns {
  /// When the rotation of a round ended last.
  private var ends: [Int: Instant] = [:]

  init(_ session: Session, at now: Instant, in db: Database) throws {
    for run in try Run.all(of: session, in: db) where run.isRerun {
      for passage in Rotation.fold(run.events, until: now).timeline(at: now).passages where passage.type == .rotation {
        guard let end = passage.end, end <= now else { continue }
        ends[passage.round] = max(ends[passage.round] ?? end, end)
      }
    }
  }

  /// Whether the round for which something was queued at an instant has been held since.
  func wasHeld(_ round: Int, since queued: Instant?) -> Bool {
    ends[round].map { end in queued.map { $0 < end } ?? true } ?? false
  }
}
