import Catalogue
import GRDB
import Journal

import struct Foundation.Data

/// The content of operations that the hub has without it: a plan that was imported here before the store was enrolled.
///
/// On a row of which others have sent something it counts for nothing any more, as it does for them, and is kept here. A
/// row that only this store has stays as it is: nothing stands in its place.
enum WithheldContent {
  static func createTable(in db: Database) throws {
    try db.execute(
      sql: "CREATE TABLE withheldContent (id TEXT NOT NULL, hash BLOB NOT NULL, body BLOB NOT NULL, "
        + "PRIMARY KEY (id, hash)) WITHOUT ROWID")
  }

  /// The operations whose content is kept so.
  static func operations(_ db: Database) throws -> Set<OperationID> {
    guard try db.holdsTable("withheldContent") else { return [] }
    return Set(try String.fetchAll(db, sql: "SELECT id FROM withheldContent").compactMap { OperationID($0) })
  }

  /// Whether what was imported of an entity gives way to what comes from others.
  static func givesWay(_ entity: String) -> Bool {
    let direction = Catalogue.standard[entity]?.sync
    return direction == .down || direction == .both
  }

  /// Destroys what is kept of an operation.
  /// - Returns: whether there was any.
  static func destroy(_ id: OperationID, in db: Database) throws -> Bool {
    guard try db.holdsTable("withheldContent") else { return false }
    try db.cachedStatement(sql: "DELETE FROM withheldContent WHERE id = ?").execute(arguments: [id.description])
    return db.changesCount > 0
  }

  fileprivate static func keep(_ operation: Operation, in db: Database) throws {
    guard let body = operation.sealedBody else { return }
    try db.cachedStatement(sql: "INSERT OR IGNORE INTO withheldContent (id, hash, body) VALUES (?, ?, ?)").execute(
      arguments: [operation.id.description, Data(operation.hash), Data(body)])
  }
}

extension MergeTransaction {
  /// Keeps from the hub what this device imported of rows that are in the hub's import, too: two imports of one folder
  /// differ in the salts of its passcodes. The first pull comes before the first push, so nothing of it was sent.
  func withholdOwnImport() throws {
    let made = try OperationTable.fetch(
      """
      sends = 1 AND hubSeq IS NULL AND device = ?1 AND kind = 'create' AND EXISTS (
        SELECT 1 FROM operation x WHERE x.entity = operation.entity AND x.entityID = operation.entityID
          AND x.kind = 'create' AND x.device <> ?1 AND x.body IS NOT NULL)
      """, [device.description], in: db)
    for row in Set(try made.filter { try isImported($0) }.map(\.row)).sorted() {
      for operation in try OperationTable.history(of: row, in: db)
      where operation.device == device && operation.hubSeq == nil {
        guard try isImported(operation) else { continue }
        try db.cachedStatement(sql: "UPDATE operation SET sends = 0 WHERE id = ? AND hash = ?").execute(
          arguments: [operation.id.description, Data(operation.hash)])
      }
    }
  }

  private func isImported(_ operation: Journal.Operation) throws -> Bool {
    try operation.body().map { SendRule.isImported(operation.row, $0) } ?? false
  }

  /// Puts aside what this device set on rows and the hub has without content, where others have set something there.
  func giveWay(on rows: Set<RowKey>) throws {
    // Next to no store has imported anything before it was enrolled: its rows are not looked at one by one.
    let holdsPlan = try Bool.fetchOne(
      db.cachedStatement(
        sql: "SELECT EXISTS (SELECT 1 FROM operation WHERE sends = 0 AND result = ? AND body IS NOT NULL)"),
      arguments: [HubResult.withheld.description])
    guard holdsPlan == true else { return }
    var aside: [Journal.Operation] = []
    for row in rows.sorted() where WithheldContent.givesWay(row.entity) {
      let history = try OperationTable.history(of: row, in: db)
      guard history.contains(where: { $0.device != device && $0.sealedBody != nil }) else { continue }
      aside += try history.filter { operation in
        try operation.device == device && operation.sealedBody != nil
          && operation.result == HubResult.withheld.description && isOfPlan(operation)
      }
    }
    for operation in aside { try WithheldContent.keep(operation, in: db) }
    try withhold(aside)
  }

  private func isOfPlan(_ operation: Journal.Operation) throws -> Bool {
    if Catalogue.standard[operation.row.entity]?.sync == .down { return true }
    return try operation.body().map { SendRule.isImportedPlan(operation.row, $0) } ?? false
  }
}
