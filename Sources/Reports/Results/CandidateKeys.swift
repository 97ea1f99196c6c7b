import CircuitModel
import ExamStore
import GRDB
import Standards

/// What candidates are called in results.
public enum CandidateNaming: Sendable {
  /// By number, as everybody reads them.
  case number
  /// By the keys of their rows, which outlive their numbers: for what is held against itself years later.
  case row
}

/// The keys of the candidates' rows, by what names them in results.
struct CandidateKeys {
  private let keys: [String: String]

  static func read(in db: Database) throws -> CandidateKeys {
    let rows = try ReadRow.fetchAll(
      db,
      sql: """
        SELECT \(CandidateLabel.column), u.dsid FROM user u WHERE u.entity = 'Student' ORDER BY u.dsDeleted DESC, u.dsid
        """)
    return CandidateKeys(
      keys: Dictionary(
        rows.map { ($0[0] as String? ?? "", String($0[1] as Int? ?? 0)) }, uniquingKeysWith: { _, last in last }))
  }

  subscript(number: String) -> String { keys[number] ?? number }
}

extension ExamScores {
  /// The same with every candidate under the key of the row.
  func named(by keys: CandidateKeys) -> ExamScores {
    ExamScores(
      stations: stations,
      candidates: candidates.map {
        CandidateScores(number: keys[$0.number], circuit: $0.circuit, session: $0.session, places: $0.places)
      })
  }
}

extension PolicyInForce {
  /// The same with every excluded candidate under the key of the row, and without the reason, which tells of the person.
  func named(by keys: CandidateKeys) -> PolicyInForce {
    var other = self
    other.replaceExclusions {
      guard let number = $0.candidate else { return $0 }
      var exclusion = $0
      (exclusion.candidate, exclusion.reason) = (keys[number], "")
      return exclusion
    }
    return other
  }
}
