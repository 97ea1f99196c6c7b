import ExamStore
import GRDB

/// How plan, results and rulings name a candidate: by number as long as it names one person, else by the key of the row
/// beside it, as in `30101 (key 7)` or, without a number, `key 7`.
package enum CandidateLabel {
  /// The label of the row `u` of `user`, as SQL.
  package static let column = """
    CASE WHEN coalesce(u.studentNumber, '') = '' THEN 'key ' || u.dsid
      WHEN u.dsDeleted = 0 AND (\(isShared) OR \(isComposed("u")) AND \(isSharedComposed))
        THEN u.studentNumber || ' (key ' || u.dsid || ')'
      ELSE u.studentNumber END
    """

  /// Whether somebody else has the number, byte by byte.
  private static let isShared = """
    EXISTS (
        SELECT 1 FROM user o WHERE o.studentNumber = u.studentNumber AND o.dsid <> u.dsid
          AND +o.entity = 'Student' AND +o.dsDeleted = 0)
    """

  /// Whether letters of a number may be composed in different ways.
  private static func isComposed(_ user: String) -> String { "\(user).studentNumber GLOB '*[^ -~]*'" }

  /// Whether several have the number, however its letters are composed. No index finds that: such numbers are gathered
  /// once a statement, and only where there is one.
  private static let isSharedComposed = """
    u.studentNumber COLLATE \(DatabaseCollation.unicodeCompare.name) IN (
        SELECT o.studentNumber FROM user o
        WHERE \(isComposed("o")) AND +o.entity = 'Student' AND +o.dsDeleted = 0
        GROUP BY o.studentNumber COLLATE \(DatabaseCollation.unicodeCompare.name) HAVING count(*) > 1)
    """

  /// The candidate whom a label or a number names: as it is typed, else without the blanks around it, else whatever the
  /// case of its letters, and however these are composed; nil: nobody.
  /// - Throws: `CandidateRefusal` where several candidates have the number.
  package static func find(_ typed: String, in db: Database) throws -> (key: Int, label: String)? {
    let rows = try ReadRow.fetchAll(
      db,
      sql: """
        SELECT u.dsid, \(column), u.studentNumber FROM user u WHERE u.entity = 'Student' AND u.dsDeleted = 0
        ORDER BY u.dsid
        """
    ).map { row -> (key: Int, label: String, number: String?) in (row[0], row[1], row[2]) }
    // SQLite compares bytes; here letters are equal that are composed in different ways.
    for form in [{ $0 }, CandidateNumber.trimmed, CandidateNumber.compared] {
      let text = form(typed)
      let found = rows.filter { form($0.label) == text || $0.number.map(form) == text }
      if found.count > 1 {
        throw CandidateRefusal.severalLabels(text, found.map(\.label))
      }
      if let found = found.first { return (found.key, found.label) }
    }
    return nil
  }

  /// The label of the candidate whom a person names; what they typed where it names nobody.
  /// - Throws: `CandidateRefusal` where several candidates have the number.
  package static func known(_ typed: String, in db: Database) throws -> String {
    try find(typed, in: db)?.label ?? typed
  }
}
