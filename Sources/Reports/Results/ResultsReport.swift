import CircuitModel
import ExamStore
import GRDB
import Journal
import Standards
import Timer

/// An exam's results with everything that is printed beside them.
public struct ResultsReport: Sendable {
  /// How far the exam is. The raw values are stable.
  public enum State: String, Sendable {
    /// Some expected sheet does not count yet, or the marks come to other results than were locked.
    case live
    /// Every expected sheet counts.
    case final
    /// Two people have locked the exam.
    case locked
    /// Two people have amended what was locked.
    case amended
  }

  /// What they were computed from.
  let scores: ExamScores
  /// The results.
  public let results: Results
  /// By which choices, and whose.
  public let policy: PolicyInForce
  /// How far the exam is; nil for scores from a file.
  public let state: State?
  /// Whether some expected sheet does not count yet.
  let isProvisional: Bool
  /// Whether the exam is locked, and the marks here come to other results than were locked.
  public let differsFromLock: Bool
  /// As of when; nil for scores from a file.
  public let at: Instant?
  /// The hash of the journal's last operation; nil for scores from a file.
  public let head: String?
  /// Every sheet of the plan; none for scores from a file.
  public let sheets: [SheetRecord]

  /// Reads a store's results.
  /// - Parameters:
  ///   - options: what outranks the exam's own choices for this print.
  ///   - naming: what candidates are called in it.
  ///   - differs: whether the marks come to other results than were locked, where that is known; nil: it is found out.
  ///   - scores: what was read by the same choices already; nil: it is read.
  public static func read(
    _ options: PolicyDocument, namedBy naming: CandidateNaming = .number, differs: Bool? = nil,
    from scores: StoredScores? = nil, in db: Database, at now: Instant
  ) throws -> ResultsReport {
    var policy = try PolicyInForce.read(options, in: db)
    let scores = try scores ?? StoredScores.read(policy.policy, in: db)
    var exam = scores.exam
    if naming == .row {
      let keys = try CandidateKeys.read(in: db)
      (exam, policy) = (exam.named(by: keys), policy.named(by: keys))
    }
    let locks = try ExamLock.standing(in: db).filter(\.scope.isExam)
    // What was locked was locked by the exam's own choices.
    let own = options == .init() ? scores : nil
    let isOther =
      try !locks.isEmpty && (differs ?? !SealRecord.differing(among: locks, at: now, from: own, in: db).isEmpty)
    let state: State =
      if isOther {
        .live
      } else if locks.isEmpty {
        scores.isProvisional ? .live : .final
      } else {
        locks.count == 1 ? .locked : .amended
      }
    let head = try ReadRow.fetchOne(db, sql: "SELECT lower(hex(hash)) FROM operation ORDER BY seq DESC LIMIT 1")
    return ResultsReport(
      scores: exam, results: Results(exam, policy: policy.policy, isProvisional: scores.isProvisional), policy: policy,
      state: state, isProvisional: scores.isProvisional, differsFromLock: isOther, at: now,
      head: head.flatMap { $0[0] }, sheets: scores.sheets)
  }

  /// Computes results from scores that were read from a file.
  public init(_ scores: ExamScores, _ policy: PolicyInForce) {
    self.init(
      scores: scores, results: Results(scores, policy: policy.policy), policy: policy, state: nil, isProvisional: false,
      differsFromLock: false, at: nil, head: nil, sheets: [])
  }

  private init(
    scores: ExamScores, results: Results, policy: PolicyInForce, state: State?, isProvisional: Bool,
    differsFromLock: Bool, at: Instant?, head: String?, sheets: [SheetRecord]
  ) {
    // Scores from a file bring what its columns say.
    self.policy = policy.beside(scores.stations, results, from: state == nil ? .file : .sheet)
    (self.scores, self.results, self.state) = (scores, results, state)
    (self.isProvisional, self.differsFromLock) = (isProvisional, differsFromLock)
    (self.at, self.head, self.sheets) = (at, head, sheets)
  }
}
