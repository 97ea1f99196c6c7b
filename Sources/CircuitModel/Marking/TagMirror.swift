import ExamStore
import GRDB
import Journal

/// `AttributesSelected`, which says in rows what `DataQuestion.tags` says in one field. Only the field is journalled
/// and travels; the rows follow it in the same transaction, by whichever way it is set.
package enum TagMirror {
  /// Makes the rows of an item what its field says. A row that a file brought is the journal's and stays.
  static func follow(item key: String, tags: Value, in db: Database) throws {
    try db.cachedStatement(sql: "DELETE FROM attributesSelected WHERE questionID = ? AND heads = ''").execute(
      arguments: [key])
    guard case .text(let json) = tags else { return }
    let insert = try db.cachedStatement(
      sql: "INSERT INTO attributesSelected (tag, questionID) VALUES (?, ?)")
    for tag in TemplateReader.strings(json: json) { try insert.execute(arguments: [tag, key]) }
  }

  /// Where the rows are not what the fields say. Rows that came with operations of their own are not of them.
  package static func differences(in db: Database) throws -> Problems {
    var problems = Problems()
    var expected: [String: [String]] = [:]
    let items = try ReadRow.fetchCursor(db, sql: "SELECT uuid, tags FROM dataQuestion WHERE tags IS NOT NULL")
    while let item = try items.next() {
      guard let key = item[0] as String?, let json = item[1] as String? else { continue }
      let tags = TemplateReader.strings(json: json)
      if !tags.isEmpty { expected[key] = tags.sorted() }
    }
    var found: [String: [String]] = [:]
    let rows = try ReadRow.fetchCursor(
      db,
      sql: """
        SELECT questionID, tag, auto, typeof(questionID) <> 'text' OR typeof(tag) <> 'text' OR dsDeleted <> 0
          OR attendanceLogID IS NOT NULL OR heads IS NOT '' FROM attributesSelected
        WHERE NOT EXISTS (
          SELECT 1 FROM operation WHERE entity = 'AttributesSelected' AND entityID = CAST(auto AS TEXT))
        """)
    while let row = try rows.next() {
      guard row[3] as Int64? == 0, let key = row[0] as String?, let tag = row[1] as String? else {
        problems.add("the chosen tag \(row[2] as Int64? ?? 0) is not as it was made")
        continue
      }
      found[key, default: []].append(tag)
    }
    for key in Set(expected.keys).union(found.keys).sorted() where (found[key] ?? []).sorted() != expected[key] ?? [] {
      problems.add("the list of tags of item \(key) is not what the item says")
    }
    return problems
  }

  static func json(_ tags: [String]) -> String {
    String(decoding: CanonicalJSON.encode(.array(tags.map { .text($0) })), as: UTF8.self)
  }
}
