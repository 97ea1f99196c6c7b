import ExamStore
import GRDB
import Timer

/// A decision of the exam lead on what counts, with its reason.
public struct ExamRuling: Equatable, Sendable {
  /// What is decided. The raw values are stable.
  public enum Kind: String, CaseIterable, Sendable {
    /// A station, an item, a candidate or one sheet does not count.
    case exclusion
    /// A candidate, or a whole session, is excused at a station.
    case excuse
    /// Which of two assessors' scores stands.
    case adjudication
    /// Something that is open at closing is accepted as it is.
    case waiver
    /// By which choices results are made.
    case policy
    /// A concern or an identity note was read, and what became of it.
    case answer
    /// What two people changed on a locked sheet.
    case amendment
    /// Two people opened again what was locked.
    case reopening
  }

  /// What it is about, by codes and numbers; what is nil is any.
  public struct Scope: Hashable, Sendable {
    /// The circuit's name.
    public var circuit: String?
    /// Date and start, as in `2026-12-01 08:30`.
    public var session: String?
    /// The station's code.
    public var station: String?
    /// The candidate's number.
    public var candidate: String?
    /// The item's key.
    public var item: String?
    /// The mark sheet's key.
    public var sheet: String?

    /// Everything.
    public init(
      circuit: String? = nil, session: String? = nil, station: String? = nil, candidate: String? = nil,
      item: String? = nil, sheet: String? = nil
    ) {
      (self.circuit, self.session, self.station) = (circuit, session, station)
      (self.candidate, self.item, self.sheet) = (candidate, item, sheet)
    }
  }

  /// Which score stands where two assessors differ.
  public enum Choice: Equatable, Sendable {
    /// That of a seat, by its name.
    case seat(String)
    /// The mean of all.
    case mean
    /// One that was typed: percent, and the global grade.
    case typed(score: Double, grade: Double?)
  }

  /// What the choice of a ruling says where it names neither a seat nor a check. The raw values are stable.
  enum ChoiceWord: String {
    /// adjudication: the mean of all scores.
    case mean
    /// adjudication: a score that was typed.
    case typed
    /// amendment: the item could not be assessed.
    case unable
    /// amendment: the item holds nothing.
    case blank
    /// amendment: what came after the lock counts.
    case admitted
    /// amendment: what came after the lock does not count.
    case dismissed
  }

  /// The key of its row.
  public let key: String
  /// What is decided.
  public let kind: Kind
  /// When.
  public let time: Instant?
  /// What it is about.
  public let scope: Scope
  /// waiver: the open line; answer: the row that is answered.
  public let subject: String?
  /// adjudication: a seat, `mean` or `typed`; waiver: the check; policy: the choices that were changed.
  public let choice: String?
  /// The choices as JSON, where it is a policy.
  public let policy: String?
  /// The score that was typed, in percent.
  public let score: Double?
  /// The global grade that was typed.
  public let grade: Double?
  /// Why.
  public let reason: String
  /// Who ruled, by username.
  public let staff: String?
  /// Who ruled with them, by username.
  public let secondStaff: String?

  /// Which score stands; nil where it is no adjudication.
  public var adjudication: Choice? {
    guard kind == .adjudication, let choice else { return nil }
    switch ChoiceWord(rawValue: choice) {
    case .mean: return .mean
    case .typed: return score.map { .typed(score: $0, grade: grade) }
    default: return .seat(choice)
    }
  }

  /// The sheets that are not to be had or do not count by some rulings.
  package static func excludedSheets(_ rulings: [ExamRuling]) -> Set<String> {
    Set(rulings.filter { $0.kind == .exclusion }.compactMap(\.scope.sheet))
  }

  /// The same by every ruling that stands.
  package static func excludedSheets(in db: Database) throws -> Set<String> { excludedSheets(try all(in: db)) }

  /// Every ruling that stands, in the order in which they were made, also within a millisecond. Kinds that this version
  /// does not know are left out.
  public static func all(in db: Database) throws -> [ExamRuling] {
    guard try db.holdsTable("examRuling") else { return [] }
    return try ReadRow.fetchAll(
      db,
      sql: """
        SELECT r.uuid, r.kind, r.time, r.circuit, r.session, r.station, r.candidate, r.item, r.sheet, r.subject,
          r.choice, r.policy, r.score, r.grade, r.reason, s.username, x.username
        FROM examRuling r LEFT JOIN user s ON s.dsid = r.staffID LEFT JOIN user x ON x.dsid = r.secondStaffID
        WHERE r.dsDeleted = 0
        ORDER BY r.time,
          (SELECT min(o.hlc) FROM operation o WHERE o.entity = 'ExamRuling' AND o.entityID = r.uuid), r.uuid
        """
    ).compactMap { row in
      guard let kind = (row[1] as String?).flatMap(Kind.init(rawValue:)) else { return nil }
      return ExamRuling(
        key: row[0], kind: kind, time: (row[2] as Int64?).map { Instant(stored: $0) },
        scope: Scope(
          circuit: row[3], session: row[4], station: row[5], candidate: row[6], item: row[7], sheet: row[8]),
        subject: row[9], choice: row[10], policy: row[11], score: row[12], grade: row[13], reason: row[14] ?? "",
        staff: row[15], secondStaff: row[16])
    }
  }
}
