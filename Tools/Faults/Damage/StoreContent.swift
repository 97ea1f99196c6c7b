import ExamStore
import GRDB

/// Everything that a reader of a store can meet, as one text: two stores with the same say the same.
///
/// Left out is what is never read, or only tells a process of that moment something: `fork.openedAt`, `pending.since`,
/// which screens had to read which row again (`rowChange`), what a waiting transaction is woken by (`pendingCause`), the
/// numbers of the rows of `attributesSelected`, the second note of the clock's anchors, where in a chain a transaction
/// lies of which the journal has nothing (`merged`), and the numbers of the order of arrival, which
/// the chains' own order stands for.
public enum StoreContent {
  private static let unread: [String: Set<String>] = [
    "fork": ["openedAt"], "pending": ["since"], "operation": ["seq"], "attributesSelected": ["auto"],
  ]
  private static let conditions = [
    "storeInfo": "key IS NOT 'anchors'",
    "merged": "EXISTS (SELECT 1 FROM operation o WHERE o.device IS merged.device AND o.tx IS merged.tx)",
  ]
  private static let aside: Set<String> = ["rowChange", "pendingCause", "sqlite_sequence"]

  /// Reads a store that no process writes.
  /// - Throws: if it cannot be read to its end.
  public static func read(_ path: String) throws -> String {
    let queue = try DatabaseQueue(path: path, configuration: Connection.configuration(readOnly: true))
    defer { try? queue.close() }
    return try queue.read { db in
      var text = ""
      let parts = try Row.fetchCursor(
        db, sql: "SELECT type, name, tbl_name, quote(sql) FROM sqlite_master ORDER BY type, name, sql")
      while let part = try parts.next() { text += line(part) }
      for setting in ["user_version", "application_id", "encoding"] {
        if let value = try Row.fetchOne(db, sql: "PRAGMA \(setting)") { text += setting + line(value) }
      }
      let tables = try String.fetchAll(db, sql: "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
      for table in tables where !aside.contains(table) {
        let columns = try Row.fetchAll(db, sql: "PRAGMA table_info(\"\(table)\")").map { $0["name"] as String }
        let read = columns.filter { !(unread[table]?.contains($0) ?? false) }
          .map { "typeof(\"\($0)\") || hex(\"\($0)\")" }.joined(separator: " || '|' || ")
        let condition = conditions[table].map { "WHERE \($0)" } ?? ""
        text += table + "\n"
        let rows = try String?.fetchCursor(db, sql: "SELECT \(read) FROM \"\(table)\" \(condition) ORDER BY 1")
        while let row = try rows.next() { text += (row ?? "") + "\n" }
      }
      return text
    }
  }

  private static func line(_ row: Row) -> String {
    row.databaseValues.map(\.description).joined(separator: "|") + "\n"
  }
}
