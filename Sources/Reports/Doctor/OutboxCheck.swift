import Characters
import ExamStore
import GRDB
import Timer

/// Looks at what the hub lacks, and at what a person must settle. A change that counts for nothing is a mark that may be
/// lost to the results, so the store is not sound before somebody has seen to it. What two people keep out by their lock
/// is no damage.
enum OutboxCheck {
  /// - Parameter now: the exam's time.
  static func run(_ db: Database, at now: Instant, _ diagnosis: inout Diagnosis) throws {
    let waiting = OutboxText.waiting(try Outbox.waiting(db), isEnrolled: try Enrolment.exists(db))
    let attention = try Outbox.attention(db, at: now)
    // Contradicting values have a check of their own.
    if attention.refused > 0 {
      let which =
        Plural.count(
          attention.refused, "change is refused and counts for nothing",
          "changes are refused and count for nothing")
      diagnosis.add("outbox", .failed, "\(which): osce outbox says which and why; \(waiting)")
    } else if attention.late > 0 {
      let which = Plural.count(attention.late, "change that did", "changes that did")
      diagnosis.add(
        "outbox", .warning,
        "two people are to rule on \(which) not know of the lock: osce rule admit|dismiss; \(waiting)")
    } else if attention.deferred > 0 {
      let which = Plural.count(attention.deferred, "change does", "changes do")
      diagnosis.add(
        "outbox", .warning, "\(which) not count yet: others that they follow have not arrived; \(waiting)")
    } else {
      diagnosis.add("outbox", .ok, waiting)
    }
  }
}
