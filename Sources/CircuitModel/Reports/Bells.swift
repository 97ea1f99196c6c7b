import GRDB
import Timer

/// When the bell rang for each round, from the clocks of all sessions.
struct Bells {
  private let now: Instant
  private var rotations: [Session: [Int: [HeldRotation]]] = [:]

  /// One rotation as it really was.
  private struct HeldRotation {
    let start: Instant
    let end: Instant?
  }

  /// - Parameter now: as of when the clocks are read.
  init(at now: Instant) { self.now = now }

  /// How many seconds after the end of the candidate's rotation a mark was given, a started second counted whole.
  /// - Returns: nil for a mark given in time, or where no such rotation has ended.
  mutating func secondsAfter(
    _ markedAt: Instant?, entry: PlannedSheet.Entry, _ session: Session, _ db: Database
  ) throws -> Int64? {
    guard let markedAt, let round = entry.round else { return nil }
    let rounds = try rounds(of: session, db)
    // After a re-run or a jump back a round was held more than once: the one before the mark is meant.
    guard let held = rounds[round]?.last(where: { $0.start <= markedAt }), let end = held.end, markedAt > end else {
      return nil
    }
    return (markedAt - end + 999) / 1000
  }

  private mutating func rounds(of session: Session, _ db: Database) throws -> [Int: [HeldRotation]] {
    if let known = rotations[session] { return known }
    var found: [Int: [HeldRotation]] = [:]
    for run in try Run.all(of: session, in: db) {
      for passage in Rotation.fold(run.events, until: now).timeline.passages where passage.type == .rotation {
        guard let start = passage.start else { continue }
        found[passage.round, default: []].append(HeldRotation(start: start, end: passage.end))
      }
    }
    for round in found.keys { found[round]?.sort { $0.start < $1.start } }
    rotations[session] = found
    return found
  }
}
