import CircuitModel
import GRDB
import Standards

/// The rulings that decide about single sheets, assessors and items. What decides by which choices results are made is in
/// `PolicyInForce`.
struct RulingsInForce {
  /// Sheets that do not count.
  let excludedSheets: Set<String>
  /// What was answered.
  let answers: [ExamRuling]
  /// The rows that were read and answered.
  let answered: Set<String>
  /// What was accepted as it is: check and line.
  private let waivers: [Waived: ExamRuling]
  private let adjudications: [ExamRuling]

  /// An open line by its check and key.
  private struct Waived: Hashable {
    let check: String
    let line: String
  }

  init(_ rulings: [ExamRuling]) {
    excludedSheets = ExamRuling.excludedSheets(rulings)
    answers = rulings.filter { $0.kind == .answer }
    answered = Set(answers.compactMap(\.subject))
    waivers = Dictionary(
      rulings.filter { $0.kind == .waiver }.compactMap { ruling in
        ruling.choice.flatMap { check in ruling.subject.map { (Waived(check: check, line: $0), ruling) } }
      }, uniquingKeysWith: { $1 })
    adjudications = rulings.filter { $0.kind == .adjudication }
  }

  static func read(in db: Database) throws -> RulingsInForce { RulingsInForce(try ExamRuling.all(in: db)) }

  /// Which score stands at a place; nil where nobody has ruled.
  func adjudication(at place: Policy.Place) -> PlaceScore.Ruled? {
    let ruling = adjudications.last {
      $0.scope.station == place.station && $0.scope.candidate == place.candidate
        && ($0.scope.circuit ?? place.circuit) == place.circuit && ($0.scope.session ?? place.session) == place.session
    }
    switch ruling?.adjudication {
    case .seat(let seat): return .seat(seat)
    case .mean: return .mean
    case .typed(let score, let grade): return .typed(score: score, grade: grade)
    case nil: return nil
    }
  }

  /// The ruling that accepts a line; nil while it is open.
  func waiver(of line: ClosingReport.Line, id: String, _ code: ClosingReport.Code) -> ExamRuling? {
    if let ruling = waivers[.init(check: code.rawValue, line: id)] { return ruling }
    if code != .critical { return nil }
    // The first waivers of critical items were of lines that did not depend on who said what.
    var plain = line
    plain.facts = ""
    return waivers[.init(check: code.rawValue, line: plain.key(code))]
  }

  /// The critical items at a place that the lead has accepted as no failure.
  /// - Parameter findings: of the place, by every rule for two assessors: what was open by one rule and accepted is
  ///   accepted by all, until its line is another one.
  func waivedItems(_ findings: [CriticalFinding], at place: PlaceScore, of candidate: String) -> Set<String> {
    if waivers.isEmpty { return [] }
    let code = ClosingReport.Code.critical
    return Set(
      findings.filter { finding in
        finding.openLine(at: place, of: candidate).map { line in
          waiver(of: line, id: line.key(code), code) != nil
        } ?? false
      }.map(\.item))
  }
}
