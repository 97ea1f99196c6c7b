import CircuitModel
import ExamStore
import GRDB
import Journal
import Timer

extension ClosingReport {
  /// What was decided about a check, and is no open line of it any more.
  public struct Ruled: Sendable {
    /// The key by which it is withdrawn; nil where it cannot be: two people ruled it, or a settled value was set again.
    public let key: String?
    /// The circuit's name.
    public let circuit: String?
    /// Date and start.
    public let session: String?
    /// The station's code.
    public let station: String?
    /// The candidate's number.
    public let candidate: String?
    /// What was decided: `waived`, `answered`, `score stands: mean`.
    public let decision: String
    /// Why.
    public let reason: String
    /// Who ruled, by username.
    public let staff: String?
    /// When.
    public let at: Instant?
    /// In one line: what was decided about what, why, by whom and when.
    public let text: String
  }
}

/// Finds for each check what was ruled of it.
struct CheckRulings {
  private var found: [ClosingReport.Code: [ClosingReport.Ruled]] = [:]

  /// - Parameter notes: the rulings that stand.
  init(_ notes: [RulingNote], _ settlements: [SettlementNote], in db: Database) throws {
    let rulings = notes.map(\.ruling)
    let isAnswered = rulings.contains { $0.kind == .answer }
    let concerns = isAnswered ? try Set(Concern.all(in: db).map(\.key)) : []
    let identities = isAnswered ? try Set(IdentityNote.all(in: db).map(\.entry)) : []
    let isAdjudicated = rulings.contains { $0.kind == .adjudication }
    let mismatches = isAdjudicated ? try Set(DoubleMarking.mismatches(in: db).map(CheckRulings.place)) : []
    for note in notes {
      let ruling = note.ruling
      let code: ClosingReport.Code?
      switch ruling.kind {
      case .waiver: code = ruling.choice.flatMap(ClosingReport.Code.init(rawValue:))
      case .adjudication:
        code = mismatches.contains([note.place.station, note.place.candidate]) ? .otherForm : .doubleMarks
      case .answer:
        let subject = ruling.subject ?? ""
        code = concerns.contains(subject) ? .concerns : identities.contains(subject) ? .identityNotes : .paper
      case .exclusion: code = ruling.scope.isOfResults ? .cuts : .identity
      case .excuse: code = .identity
      case .policy: code = .cuts
      case .amendment: code = ruling.subject == nil ? nil : .quarantined
      case .reopening: code = nil
      }
      if let code { found[code, default: []].append(.init(note)) }
    }
    found[.contradictions] = settlements.map { .init($0) }
  }

  /// What was ruled of a check, without what still stands in its list as a waived line.
  func ruled(_ code: ClosingReport.Code, beside lines: [ClosingReport.Line], within scope: ExamLock.Scope)
    -> [ClosingReport.Ruled]
  {
    let listed = Set(lines.compactMap(\.waiver?.key))
    return (found[code] ?? []).filter { ruled in
      !(ruled.key.map(listed.contains) ?? false) && scope.concerns(circuit: ruled.circuit, session: ruled.session)
    }
  }

  private static func place(_ mismatch: DoubleMarking.Mismatch) -> [String?] {
    [mismatch.place.stationCode, mismatch.candidate?.label]
  }

}

extension ClosingReport.Ruled {
  fileprivate init(_ note: RulingNote) {
    let ruling = note.ruling
    self.init(
      key: ruling.kind == .amendment ? nil : ruling.key, circuit: note.place.circuit, session: note.place.session,
      station: note.place.station, candidate: note.place.candidate, decision: note.decision,
      reason: ruling.reason, staff: ruling.people.isEmpty ? nil : ruling.people, at: ruling.time, text: note.text)
  }

  fileprivate init(_ note: SettlementNote) {
    let (settlement, scope) = (note.settlement, note.scope)
    self.init(
      key: settlement.isStanding ? settlement.key : nil, circuit: scope.circuit, session: scope.session,
      station: scope.station, candidate: scope.candidate, decision: note.decision, reason: settlement.reason,
      staff: note.staff, at: settlement.time, text: note.text)
  }
}

extension RulingNote {
  /// What was decided, in a few words.
  fileprivate var decision: String {
    switch ruling.kind {
    case .waiver: "waived"
    case .answer: "answered"
    case .excuse: "excused"
    case .exclusion: "excluded" + (ruling.scope.item.map { ": \($0)" } ?? "")
    case .policy: "policy \(ruling.choice ?? "")"
    case .amendment: ruling.choice ?? "amended"
    case .reopening: "reopened"
    case .adjudication:
      switch ruling.adjudication {
      case .mean: "the mean stands"
      case .typed(let score, let grade):
        "\(ShortestNumber.text(score)) % stands" + (grade.map { ", grade \(ShortestNumber.text($0))" } ?? "")
      case .seat, nil: "the \(choice ?? "score of one assessor") stands"
      }
    }
  }
}

extension ExamRuling.Scope {
  /// Whether a station or an item is left out of the results for all: no sheet's class depends on that.
  fileprivate var isOfResults: Bool { sheet == nil && candidate == nil && circuit == nil && session == nil }
}
