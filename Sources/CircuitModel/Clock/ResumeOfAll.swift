import GRDB
import Timer

/// Which clocks a resume of all lets go on: those that the last pause stopped together. What stood before stands for a
/// reason of its own.
public struct ResumeOfAll: Sendable {
  /// The clocks that were paused last, at one instant.
  public let together: [Session]
  /// The clocks that were paused before, each with its pause.
  public let others: [(session: Session, pause: ClockEvent)]

  /// Reads it of some clocks; those that are not paused are in neither list.
  public init(of sessions: [Session], at instant: Instant, in db: Database) throws {
    let paused = try sessions.compactMap { session in
      try ClockLog.standingPause(of: session, at: instant, in: db).map { (session: session, pause: $0) }
    }
    let last = paused.map(\.pause.at).max()
    together = paused.filter { $0.pause.at == last }.map(\.session)
    others = paused.filter { $0.pause.at != last }
  }
}
