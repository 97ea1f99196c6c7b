import ExamStore
import GRDB
import Timer

/// A sheet on which marks stand that were given on paper and typed later: a second person compares it with the paper.
package struct PaperSheet: Sendable {
  /// The sheet's key.
  package let key: String
  /// Who typed, by username.
  package let typists: Set<String>
  /// When something was typed last.
  package let typedAt: Instant

  /// Whether a ruling is the second look at it: another person's than who typed, after all was typed.
  package func isChecked(by ruling: ExamRuling) -> Bool {
    guard ruling.kind == .answer, ruling.subject == key, let time = ruling.time, let staff = ruling.staff else {
      return false
    }
    return time >= typedAt && !typists.contains(staff)
  }

  /// All such sheets, by their keys.
  package static func all(in db: Database) throws -> [String: PaperSheet] {
    try read("", [], in: db)
  }

  /// One of them; nil where nothing on it was typed from paper.
  static func find(_ key: String, in db: Database) throws -> PaperSheet? {
    try read("AND s.dataFormID = ?", [key], in: db)[key]
  }

  private static func read(
    _ condition: String, _ arguments: StatementArguments, in db: Database
  ) throws -> [String: PaperSheet] {
    let rows = try ReadRow.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT f.uuid, u.username, max(q.markedAt) FROM dataQuestion q
            JOIN dataSection s ON s.uuid = q.dataSectionID JOIN dataForm f ON f.uuid = s.dataFormID
            LEFT JOIN user u ON u.dsid = q.enteredByID
          WHERE q.source = '\(Marking.Source.paper.rawValue)' AND q.dsDeleted = 0 AND s.dsDeleted = 0
            AND f.dsDeleted = 0 AND \(AnsweredItem.condition) \(condition)
          GROUP BY f.uuid, q.enteredByID
          """), arguments: arguments)
    return Dictionary(grouping: rows) { $0[0] as String }.mapValues { rows in
      PaperSheet(
        key: rows[0][0], typists: Set(rows.compactMap { $0[1] as String? }),
        typedAt: rows.compactMap { ($0[2] as Int64?).map { Instant(stored: $0) } }.max() ?? Instant(stored: 0))
    }
  }
}
