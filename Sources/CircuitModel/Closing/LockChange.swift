import ExamStore
import GRDB
import Journal

/// What operations of other stores do to locks.
package enum LockChange {
  private typealias Field = Stored.ExamLock.Field

  private static let reopening = names([.reopenedAt, .reopenReason, .reopenedBy, .secondReopenedBy])
  /// What says who answers and why, and nothing of whether the lock holds: a lead settles it where two values stand.
  private static let account = names([.reason, .staff, .secondStaff, .reopenReason, .reopenedBy, .secondReopenedBy])

  private static func names(_ fields: [Field]) -> Set<String> { Set(fields.map(\.rawValue)) }

  /// Whether two people answer for a change, by its entity and the fields that it sets: it is of a lock, or amends one.
  package static func isLifting(_ entity: String, _ fields: [String: Value]) -> Bool {
    entity == Stored.ExamLock.entityName
      || entity == Stored.ExamRuling.entityName
        && fields[Stored.ExamRuling.Field.kind] == .text(ExamRuling.Kind.amendment.rawValue)
  }

  /// Whether a change of a lock is one that the program makes: a new lock, or that two people open one again.
  /// - Parameter isHere: whether the lock is in this store.
  static func isLawful(_ opened: OpenedOperation, isHere: Bool, in db: Database) throws -> Bool {
    let operation = opened.operation
    guard let fields = opened.body?.fields, operation.kind != .delete else { return false }
    if operation.kind == .create { return !isHere && reopening.isDisjoint(with: fields.keys) }
    if account.isSuperset(of: fields.keys) { return true }
    guard Set(fields.keys) == reopening, case .integer? = fields[Field.reopenedAt],
      case .text(let reason)? = fields[Field.reopenReason], !reason.isEmpty,
      case .integer(let first)? = fields[Field.reopenedBy],
      case .integer(let second)? = fields[Field.secondReopenedBy]
    else { return false }
    return try operation.staff == first && TwoPeople.areNamed(first, second, in: db)
  }
}
