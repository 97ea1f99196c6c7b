import GRDB
import Journal

/// The operations whose content a hub had destroyed, here or before they came: no other operation may be without its
/// content for that reason, and content that comes later is not kept.
enum ErasedOperations {
  static func createTable(in db: Database) throws {
    try db.execute(sql: "CREATE TABLE erasedOperation (id TEXT PRIMARY KEY) WITHOUT ROWID")
  }

  /// Notes what an older version destroyed without a note.
  static func noteThoseOfBefore(in db: Database) throws {
    let left = try OutgoingOperations.erased(db)
    for id in left { try note(id, in: db) }
  }

  /// Notes one, in the transaction that destroys its content or takes it without.
  static func note(_ id: OperationID, in db: Database) throws {
    try db.cachedStatement(sql: "INSERT OR IGNORE INTO erasedOperation (id) VALUES (?)").execute(
      arguments: [id.description])
  }

  /// Whether one is noted.
  static func contains(_ id: OperationID, in db: Database) throws -> Bool {
    let statement = try db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM erasedOperation WHERE id = ?)")
    return try Bool.fetchOne(statement, arguments: [id.description]) ?? false
  }

  /// All that are noted; in a store of an older version, all that have no content for that reason.
  static func all(_ db: Database) throws -> Set<OperationID> {
    guard try db.holdsTable("erasedOperation") else { return Set(try OutgoingOperations.erased(db)) }
    return Set(try String.fetchAll(db, sql: "SELECT id FROM erasedOperation").compactMap { OperationID($0) })
  }
}
