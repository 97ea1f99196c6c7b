import Catalogue
import GRDB
import Journal
import Timer

/// Fields on which concurrent edits left different values: both are kept until a person rules.
///
/// Two times of one thing are no question to anybody: the later change stands, as in every field, and what was changed
/// with it says whether there is a contradiction.
enum Forks {
  /// Whether a field is listed where its values differ.
  static func isListed(_ field: String, of entity: String) -> Bool {
    guard let declared = Catalogue.standard[entity] else { return true }
    return !declared.isSettledByTime && Catalogue.standard.attribute(field, of: declared)?.type != .date
  }

  /// Lists a field, or takes it off the list.
  static func note(_ row: RowKey, field: String, isForked: Bool, at time: Instant, in db: Database) throws {
    guard isForked, isListed(field, of: row.entity) else { return try close(row, field: field, in: db) }
    try db.cachedStatement(
      sql: "INSERT OR IGNORE INTO fork (entity, entityID, field, openedAt) VALUES (?, ?, ?, ?)"
    ).execute(arguments: [row.entity, row.id, field, time.milliseconds])
  }

  static func close(_ row: RowKey, field: String, in db: Database) throws {
    try db.cachedStatement(sql: "DELETE FROM fork WHERE entity = ? AND entityID = ? AND field = ?").execute(
      arguments: [row.entity, row.id, field])
  }
}
