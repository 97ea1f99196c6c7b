import CircuitModel
import ExamStore
import GRDB
import Timer

/// Looks whether the marks come to the results that were locked. A store that has other marks is no damaged one: it says so,
/// and the hash of the lock is not of what it shows.
enum LockedResultsCheck {
  /// - Parameter now: the exam's time.
  static func run(_ db: Database, at now: Instant, _ diagnosis: inout Diagnosis) throws {
    let locks = try ExamLock.standing(in: db)
    // A terminal that is given part of the exam cannot tell.
    if try locks.isEmpty || Enrolment.isPartial(db) { return }
    var problems = Problems()
    for scope in try SealRecord.differing(among: locks, at: now, in: db).sorted(by: { $0.name < $1.name }) {
      problems.add("\(scope.name): \(LockText.notFinal)")
    }
    diagnosis.add(
      "locked results", problems: problems, otherwise: .warning, sound: "the marks come to the results that were locked"
    )
  }
}
