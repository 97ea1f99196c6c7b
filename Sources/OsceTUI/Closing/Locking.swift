import CircuitModel
import ExamFiles
import ExamStore
import Reports

/// Locks an exam: what is sealed is made from the store in the transaction that locks it.
enum Locking {
  /// Locks what was examined.
  /// - Throws: `RulingRefusal` where a check is open, or something was changed since.
  static func lock(
    _ scope: ExamLock.Scope, _ look: StoreLook, by people: TwoPeople, _ transaction: JournalTransaction
  ) throws -> LockContent {
    let now = transaction.clock.now
    let closing = try ClosingReport.read(look.examined, look.readiness, of: scope, in: transaction.db, at: now)
    let content = try LockContent.make(closing, examined: look.examined, at: now, in: transaction.db)
    try ExamLocks.lock(scope, content: content.text, hash: content.hash, at: now, by: people, transaction)
    return content
  }

  /// Amends what is locked and seals what it comes to.
  /// - Returns: what the item held, the results before and after, and what was sealed.
  static func amend(
    _ amendment: Amendment, _ look: StoreLook, reason: String, by people: TwoPeople, _ transaction: JournalTransaction
  ) throws -> (before: Amendment.Before, results: (ResultsReport, ResultsReport), content: LockContent) {
    let (db, now) = (transaction.db, transaction.clock.now)
    let last = try ExamLock.covering(sheet: amendment.sheet, in: db)
    let first = try ResultsReport.read(.init(), in: db, at: now)
    let before = try amendment.make(reason: reason, by: people, transaction)
    let content = try sealAgain(last, look, reason: reason, by: people, transaction)
    return (before, (first, try ResultsReport.read(.init(), in: db, at: now)), content)
  }

  /// Rules on what came from a terminal that did not know of a lock, and seals what the lock comes to where it is let in.
  /// - Returns: the results before and after; what was sealed, nil: the lock is as it was.
  static func settle(
    _ late: [LateOperation], admits: Bool, _ look: StoreLook, reason: String, by people: TwoPeople,
    _ transaction: JournalTransaction
  ) throws -> (results: (ResultsReport, ResultsReport), content: LockContent?) {
    let (db, now) = (transaction.db, transaction.clock.now)
    let first = try ResultsReport.read(.init(), in: db, at: now)
    let lock = try ExamLocks.settle(late, admits: admits, reason: reason, by: people, transaction)
    guard admits, let lock else { return ((first, try ResultsReport.read(.init(), in: db, at: now)), nil) }
    let content = try sealAgain(lock, look, reason: reason, by: people, transaction)
    return ((first, try ResultsReport.read(.init(), in: db, at: now)), content)
  }

  /// Seals what a lock comes to by now, as its next amendment.
  private static func sealAgain(
    _ lock: ExamLock, _ look: StoreLook, reason: String, by people: TwoPeople, _ transaction: JournalTransaction
  ) throws -> LockContent {
    let (db, now) = (transaction.db, transaction.clock.now)
    let closing = try ClosingReport.read(look.examined, look.readiness, of: lock.scope, in: db, at: now)
    let content = try LockContent.make(
      closing, examined: look.examined, amendment: lock.amendment + 1, at: now, in: db)
    try ExamLocks.amend(
      lock.scope, content: content.text, hash: content.hash, at: now, reason: reason, by: people, transaction)
    return content
  }
}

extension ClosingReport.Line {
  /// Accepts the line.
  func waive(
    _ check: ClosingReport.Code, reason: String, by lead: ExamLead, _ transaction: JournalTransaction
  ) throws {
    try Rulings.waive(
      check: check.rawValue, line: id,
      on: .init(circuit: circuit, session: session, station: station, candidate: candidate, item: item),
      signing: check == .unsigned ? sheet : nil, for: call, reason: reason, by: lead, transaction)
  }
}

/// What is found by looking at the whole store and around it: seconds of work where the exam is large.
struct StoreLook: Sendable {
  let examined: Diagnosis
  let readiness: Diagnosis

  static func take(_ store: ExamStore, progress: CheckProgress = .silent) throws -> StoreLook {
    let backup = try BackupChoice.chosen(nil, environment: ProcessEnvironment.current)
    return StoreLook(
      examined: try Doctor(store.location, program: ProgramVersion.text, backup: backup).examine(progress: progress),
      readiness: try Readiness.read(store, backup: backup))
  }
}

/// A look at the store beside what else goes on.
typealias Examination = BackgroundWork<StoreLook>

extension BackgroundWork where Value == StoreLook {
  /// Begins.
  convenience init(_ store: ExamStore) { self.init { try StoreLook.take(store) } }
}
