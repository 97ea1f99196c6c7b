import GRDB
import Standards
import Timer

/// A sheet of the plan with what it came to: a row of the table of sheets.
public struct SheetRecord: Sendable {
  let candidate: String
  let station: String
  let form: String
  let seat: String
  let assessor: String?
  let sheet: String?
  let signedAt: Instant?
  let score: SheetScore?
  let grade: Double?
  let isEligible: Bool
  let reason: Reason?
}

/// What a store holds, as the scores from which results follow.
public struct StoredScores: Sendable {
  /// Stations, candidates and what each assessor gave.
  public let exam: ExamScores
  /// Every sheet of the plan.
  public let sheets: [SheetRecord]
  /// Whether some expected sheet does not count yet.
  public let isProvisional: Bool

  /// Reads the whole exam.
  public static func read(_ policy: Policy, in db: Database) throws -> StoredScores {
    var reader = try ExamScoreReader(policy, db)
    return try reader.read()
  }
}
