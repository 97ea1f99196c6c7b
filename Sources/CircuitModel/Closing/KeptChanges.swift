import ExamStore
import Journal

/// Rules on changes that the hub refused or keeps back.
public enum KeptChanges {
  /// Lets changes count, or not, each with all that was saved together with it. What comes of it the hub says to every
  /// terminal, once it has the ruling.
  /// - Throws: `RulingRefusal` without a reason, where nothing is kept back, or where no hub keeps it.
  public static func rule(
    on changes: [KeptChange], admits: Bool, reason: String, by lead: ExamLead, _ transaction: JournalTransaction
  ) throws {
    let reason = try Rulings.checked(reason, shortest: Rulings.shortestReason)
    guard try Enrolment.exists(transaction.db) else { throw RulingRefusal.noHub }
    if changes.isEmpty { throw RulingRefusal.nothingHeldBack }
    for change in changes { try transaction.rule(admits ? .applied : .rejected, on: change.id, reason: reason) }
  }
}
