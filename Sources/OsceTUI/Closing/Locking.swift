import CircuitModel
import ExamFiles
import ExamStore
import GRDB
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
  /// - Parameter consequence: what the same people rule for the same reason of what the amendment opens.
  /// - Throws: `RulingRefusal` where it opens something on which nothing is ruled so.
  static func amend(
    _ amendment: Amendment, _ consequence: Consequence, _ look: StoreLook, reason: String, by people: TwoPeople,
    _ transaction: JournalTransaction
  ) throws -> Amended {
    let (db, now) = (transaction.db, transaction.clock.now)
    let last = try ExamLock.covering(sheet: amendment.sheet, in: db)
    let first = try ResultsReport.read(.init(), in: db, at: now)
    let standing = try closing(of: last, look, transaction)
    let before = try amendment.make(reason: reason, by: people, transaction)
    var opened = try closing(of: last, look, transaction).opened(since: standing)
    var left = opened
    let adjudications = try consequence.adjudications(opened, in: db)
    if !adjudications.isEmpty {
      for (scope, choice) in adjudications {
        try ExamLocks.rule(.adjudication(choice), on: scope, reason: reason, by: people, transaction)
      }
      // Whose score stands may settle more than that: a critical item that the other one failed.
      left = try closing(of: last, look, transaction).opened(since: standing)
      let known = Set(opened.map(\.line.id))
      opened += left.filter { !known.contains($0.line.id) }
    }
    if !left.isEmpty && !consequence.waives { throw RulingRefusal.opens(left.map(\.line.text)) }
    for (check, line) in left {
      try ExamLocks.rule(
        .waiver(check: check.rawValue, line: line.id), on: line.scope, reason: reason, by: people, transaction)
    }
    let content = try sealAgain(last, look, reason: reason, by: people, transaction)
    return Amended(
      before: before, results: (first, try ResultsReport.read(.init(), in: db, at: now)),
      ruled: opened.map(\.line.text), content: content)
  }

  /// What is ruled of what an amendment opens.
  struct Consequence {
    /// Whether it is accepted.
    var waives = false
    /// Whose score stands where two assessors are apart: `mean`, or a seat as a person names it; nil: it is not ruled.
    var stands: String?

    /// Which score stands at each place where open lines tell two assessors apart; none where that is not ruled.
    fileprivate func adjudications(
      _ opened: [(check: ClosingReport.Code, line: ClosingReport.Line)], in db: Database
    ) throws -> [(scope: ExamRuling.Scope, choice: ExamRuling.Choice)] {
      guard let stands else { return [] }
      // Of three assessors each two that are apart have a line.
      var places: Set<ExamRuling.Scope> = []
      return try opened.compactMap { check, line in
        guard [.doubleMarks, .otherForm].contains(check), let station = line.station, let candidate = line.candidate,
          places.insert(line.scope).inserted
        else { return nil }
        let seat = try stands == "mean" ? nil : Rulings.seat(stands, of: candidate, at: station, in: db)
        return (line.scope, seat.map { .seat($0.name) } ?? .mean)
      }
    }
  }

  /// What came of an amendment.
  struct Amended: Sendable {
    /// What the item held.
    let before: Amendment.Before
    let results: (before: ResultsReport, after: ResultsReport)
    /// What it opened and the same people ruled on, in words.
    let ruled: [String]
    let content: LockContent
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
    let content = try LockContent.make(
      closing(of: lock, look, transaction), examined: look.examined, amendment: lock.amendment + 1, at: now, in: db)
    try ExamLocks.amend(
      lock.scope, content: content.text, hash: content.hash, at: now, reason: reason, by: people, transaction)
    return content
  }

  private static func closing(
    of lock: ExamLock, _ look: StoreLook, _ transaction: JournalTransaction
  ) throws -> ClosingReport {
    try ClosingReport.read(
      look.examined, look.readiness, of: lock.scope, in: transaction.db, at: transaction.clock.now)
  }
}

extension ClosingReport.Line {
  /// Where it is, as a waiver of it names that.
  fileprivate var scope: ExamRuling.Scope {
    .init(circuit: circuit, session: session, station: station, candidate: candidate, item: item)
  }

  /// Accepts the line.
  func waive(
    _ check: ClosingReport.Code, reason: String, by lead: ExamLead, _ transaction: JournalTransaction
  ) throws {
    try Rulings.waive(
      check: check.rawValue, line: id, on: scope, signing: check == .unsigned ? sheet : nil, for: call, reason: reason,
      by: lead, transaction)
  }
}

/// What is found by looking at the whole store and around it: seconds of work where the exam is large.
struct StoreLook: Sendable {
  let examined: Diagnosis
  let readiness: Diagnosis

  /// - Parameter backup: where this machine's timed backup goes; nil: nowhere.
  static func take(
    _ store: ExamStore, backup: BackupChoice?, progress: CheckProgress = .silent
  ) throws -> StoreLook {
    StoreLook(
      examined: try Doctor(store.location, program: ProgramVersion.text, backup: backup).examine(progress: progress),
      readiness: try Readiness.read(store, backup: backup))
  }
}

/// A look at the store beside what else goes on.
typealias Examination = BackgroundWork<StoreLook>

extension BackgroundWork where Value == StoreLook {
  /// Begins.
  convenience init(_ store: ExamStore, backup: BackupChoice?) {
    self.init { try StoreLook.take(store, backup: backup) }
  }
}
