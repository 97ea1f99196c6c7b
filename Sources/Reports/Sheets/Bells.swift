import CircuitModel
import ExamStore
import GRDB
import Timer

/// When the bell rang for each round, from the clocks of all sessions.
struct Bells {
  private let now: Instant
  private var rotations: [Session: [Round: [HeldRotation]]] = [:]

  /// A round of the session, or one of its re-runs.
  private struct Round: Hashable {
    let number: Int
    let isRerun: Bool
  }

  /// One rotation as it really was.
  struct HeldRotation {
    let start: Instant
    let end: Instant?
  }

  /// - Parameter now: as of when the clocks are read.
  init(at now: Instant) { self.now = now }

  /// The rotations in which a candidate was examined at a station: after a re-run or a jump back more than one.
  mutating func rotations(of entry: PlannedSheet.Entry, _ session: Session, _ db: Database) throws -> [HeldRotation] {
    let rounds = try rounds(of: session, db)
    if rounds.isEmpty { return [] }
    let own = entry.round.flatMap { rounds[Round(number: $0, isRerun: false)] } ?? []
    let again = try rerunRound(of: entry, db).flatMap { rounds[Round(number: $0, isRerun: true)] } ?? []
    return own + again
  }

  /// How many seconds after the end of the candidate's rotation a mark was given, a started second counted whole.
  /// - Parameter rotations: those of the candidate; the last one before the mark counts.
  /// - Returns: nil for a mark given in time, or where no such rotation has ended.
  static func secondsAfter(_ markedAt: Instant?, _ rotations: [HeldRotation]) -> Int64? {
    guard let markedAt else { return nil }
    var last: HeldRotation?
    for held in rotations where held.start <= markedAt && last.map({ $0.start < held.start }) ?? true { last = held }
    guard let end = last?.end, markedAt > end else { return nil }
    return (markedAt - end + 999) / 1000
  }

  private func rerunRound(of entry: PlannedSheet.Entry, _ db: Database) throws -> Int? {
    try Int.fetchOne(
      db.cachedStatement(
        sql: "SELECT place FROM rerunEntry WHERE attendanceLogID = ? AND status <> 'withdrawn' AND dsDeleted = 0"),
      arguments: [entry.key])
  }

  private mutating func rounds(of session: Session, _ db: Database) throws -> [Round: [HeldRotation]] {
    if let known = rotations[session] { return known }
    var found: [Round: [HeldRotation]] = [:]
    for run in try Run.all(of: session, in: db) {
      for passage in Rotation.fold(run.events, until: now).timeline.passages where passage.type == .rotation {
        guard let start = passage.start else { continue }
        found[Round(number: passage.round, isRerun: run.isRerun), default: []].append(
          HeldRotation(start: start, end: passage.end))
      }
    }
    rotations[session] = found
    return found
  }
}
