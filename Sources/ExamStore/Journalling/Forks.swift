import GRDB
import Journal
import Timer

/// Fields on which concurrent edits left different values: both are kept until a person rules.
enum Forks {
  /// Lists a field, or takes it off the list.
  static func note(_ row: RowKey, field: String, isForked: Bool, at time: Instant, in db: Database) throws {
    guard isForked else { return try close(row, field: field, in: db) }
    try db.execute(
      sql: "INSERT OR IGNORE INTO fork (entity, entityID, field, openedAt) VALUES (?, ?, ?, ?)",
      arguments: [row.entity, row.id, field, time.milliseconds])
  }

  static func close(_ row: RowKey, field: String, in db: Database) throws {
    try db.execute(
      sql: "DELETE FROM fork WHERE entity = ? AND entityID = ? AND field = ?", arguments: [row.entity, row.id, field])
  }
}
