import CircuitModel
import GRDB
import Standards

/// Of whom and of what nothing is due, so that nobody chases it: who is excused at a station or left out, by exam.yaml or
/// by a ruling, and the sheets that the lead has ruled out.
public struct Excuses: Sendable {
  private let policy: Policy
  private let sheets: Set<String>

  /// Nobody is excused.
  public init() { (policy, sheets) = (Policy(), []) }

  /// What the exam says of its results and this version cannot read excuses nobody: the hall goes on, results do not.
  public static func read(in db: Database) throws -> Excuses { Excuses(try ExamRuling.all(in: db), in: db) }

  init(_ rulings: [ExamRuling], in db: Database) {
    policy = PolicyInForce(file: try? ExamSettings.results(db), rulings: rulings).policy
    sheets = ExamRuling.excludedSheets(rulings)
  }

  /// Whether nothing is due of a candidate at a station session.
  /// - Parameter candidate: what names nobody else, see `Candidate.label`.
  public func isExcused(_ candidate: String, at place: StationSession) -> Bool {
    !policy.isDue(at: place, candidate: candidate)
  }

  /// Whether nothing is due of a roster entry's candidate at its station session.
  public func isExcused(_ entry: RosterEntry, at place: StationSession) -> Bool {
    !policy.isDue(entry, at: place)
  }

  /// Whether the lead has ruled a sheet out.
  public func isRuledOut(_ sheet: PlannedSheet) -> Bool { isRuledOut(sheet: sheet.held?.key) }

  /// Whether the lead has ruled a sheet out.
  /// - Parameter key: the key in `DataForm`; nil: not started.
  public func isRuledOut(sheet key: String?) -> Bool { key.map { sheets.contains($0) } ?? false }

  /// Whether nothing is due of a sheet.
  func isExcused(_ sheet: PlannedSheet) -> Bool {
    isRuledOut(sheet) || isExcused(sheet.entry.number, at: sheet.place)
  }
}

extension RerunArrangement {
  /// The re-run as it would begin now, without whom nothing is due of.
  public static func due(_ session: Session, in db: Database) throws -> RerunArrangement {
    try read(session, excusing: Excuses.read(in: db).isExcused, in: db)
  }
}
