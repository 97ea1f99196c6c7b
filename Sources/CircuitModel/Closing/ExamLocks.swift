import ExamStore
import GRDB
import Journal
import Timer

/// Locks an exam, amends what is locked, and opens it again.
public enum ExamLocks {
  /// Locks.
  /// - Parameters:
  ///   - content: what is locked, in canonical JSON.
  ///   - hash: SHA-256 of it in hexadecimal digits.
  ///   - at: when, as the content says it.
  /// - Throws: `RulingRefusal` where it is locked already, or the hub gives this device less than the whole exam.
  @discardableResult public static func lock(
    _ scope: ExamLock.Scope, content: String, hash: String, at: Instant, by people: TwoPeople,
    _ transaction: JournalTransaction
  ) throws -> String {
    if try Enrolment.isPartial(transaction.db) { throw RulingRefusal.partOfExam }
    if let standing = try ExamLock.standing(of: scope, in: transaction.db).first {
      throw RulingRefusal.locked(by: standing.staff, at: standing.lockedAt)
    }
    return try write(scope, content: content, hash: hash, at: at, amendment: 0, reason: nil, by: people, transaction)
  }

  /// Writes what a lock comes to after an amendment.
  /// - Throws: `RulingRefusal` without a reason, or where nothing is locked.
  @discardableResult public static func amend(
    _ scope: ExamLock.Scope, content: String, hash: String, at: Instant, reason: String, by people: TwoPeople,
    _ transaction: JournalTransaction
  ) throws -> String {
    guard let last = try ExamLock.standing(of: scope, in: transaction.db).last else { throw RulingRefusal.notLocked }
    return try write(
      scope, content: content, hash: hash, at: at, amendment: last.amendment + 1,
      reason: try Rulings.checked(reason, shortest: Rulings.shortestReason), by: people, transaction)
  }

  /// Rules on what an amendment opens: a lock keeps it from a ruling that comes later.
  public static func rule(
    _ decision: Rulings.Decision, on scope: ExamRuling.Scope, reason: String, by people: TwoPeople,
    _ transaction: JournalTransaction
  ) throws {
    _ = try lifting(for: people, transaction) {
      try Rulings.make(
        decision, on: scope, reason: reason, by: people.first, with: people.second, transaction)
    }
  }

  /// Opens again what is locked, for a re-run: a new lock is needed afterwards.
  /// - Throws: `RulingRefusal` without a reason, or where nothing is locked.
  public static func reopen(
    _ scope: ExamLock.Scope, reason: String, by people: TwoPeople, _ transaction: JournalTransaction
  ) throws {
    let reason = try Rulings.checked(reason, shortest: Rulings.shortestReason)
    let standing = try ExamLock.standing(of: scope, in: transaction.db)
    if standing.isEmpty { throw RulingRefusal.notLocked }
    transaction.author.reason = reason
    try lifting(for: people, transaction) {
      for lock in standing {
        try transaction.set(
          Stored.ExamLock.self, lock.key,
          [
            .reopenedAt(transaction.clock.now), .reopenReason(reason), .reopenedBy(people.first.member.id),
            .secondReopenedBy(people.second.id),
          ])
      }
    }
  }

  /// Carries out a change of what is locked, which two people answer for.
  static func lifting<Result>(
    for people: TwoPeople, _ transaction: JournalTransaction, _ change: () throws -> Result
  ) rethrows -> Result {
    let wasLifted = transaction.isLockLifted
    transaction.isLockLifted = true
    defer { transaction.isLockLifted = wasLifted }
    return try change()
  }

  /// Rules on what came from a terminal that did not know of a lock, and lets it count, or not. To be done before anything
  /// else in the transaction.
  /// - Returns: the lock that covers it, or its last amendment; nil where it is opened again by now.
  /// - Throws: `RulingRefusal` without a reason, or where nothing is kept back; `StoreError` where a hub keeps it.
  public static func settle(
    _ late: [LateOperation], admits: Bool, reason: String, by people: TwoPeople, _ transaction: JournalTransaction
  ) throws -> ExamLock? {
    let reason = try Rulings.checked(reason, shortest: Rulings.shortestReason)
    if late.isEmpty { throw RulingRefusal.nothingHeldBack }
    var lock: ExamLock?
    for one in late where lock == nil {
      lock = try LockGuard.covering(one.row, creating: one.fields, in: transaction.db)
    }
    try lifting(for: people, transaction) {
      try transaction.settle(admits ? .applied : .rejected, on: late, reason: reason)
      let choice: ExamRuling.ChoiceWord = admits ? .admitted : .dismissed
      try Rulings.recordAmendment(
        of: [.subject(late[0].row.id)], to: choice.rawValue, reason: reason, by: people, transaction)
    }
    return lock
  }

  private static func write(
    _ scope: ExamLock.Scope, content: String, hash: String, at: Instant, amendment: Int, reason: String?,
    by people: TwoPeople, _ transaction: JournalTransaction
  ) throws -> String {
    let key = UUIDBytes.random().description
    _ = try lifting(for: people, transaction) {
      try transaction.create(
        Stored.ExamLock.self, key,
        [
          .lockedAt(at), .circuit(scope.circuit), .session(scope.session), .amendment(amendment),
          .content(content), .hash(hash), .reason(reason), .staff(people.first.member.id),
          .secondStaff(people.second.id),
        ])
    }
    return key
  }
}
