import CircuitModel
import GRDB
import Timer

/// A lock that two people opened again, with its amendments.
struct Reopening: Sendable {
  /// What was locked.
  let scope: ExamLock.Scope
  /// When it was locked.
  let lockedAt: Instant?
  /// The final hashes that it had: of the lock, then of each amendment.
  private(set) var hashes: [String]
  /// How it was opened again.
  let opened: ExamLock.Reopening

  /// All of them, in order.
  static func all(in db: Database) throws -> [Reopening] {
    try ExamLock.all(in: db).reduce(into: []) { found, lock in
      guard let opened = lock.reopening else { return }
      if lock.amendment > 0, let locked = found.lastIndex(where: { $0.scope == lock.scope }) {
        found[locked].hashes.append(lock.hash)
      } else {
        found.append(Reopening(scope: lock.scope, lockedAt: lock.lockedAt, hashes: [lock.hash], opened: opened))
      }
    }
  }

  /// What was opened, why, by whom and when, and which hashes are void by that: in full, for they are on signed paper.
  var text: String {
    let locked = lockedAt.map { ", locked \($0.localMoment)" } ?? ""
    let by = [opened.staff.joined(separator: " and "), opened.at.localMoment].filter { !$0.isEmpty }
    let void = hashes.enumerated().map { number, hash in
      (number == 0 ? "hash " : "hash of amendment \(number) ") + ExamLock.printed(hash)
    }
    return "reopening · \(scope.name)\(locked): \(opened.reason) (\(by.joined(separator: ", "))); "
      + void.joined(separator: "; ")
  }
}
