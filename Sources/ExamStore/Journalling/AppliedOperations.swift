import GRDB
import Journal

extension OperationTable {
  /// Whether the journal has the making of a row.
  static func isMade(_ row: RowKey, in db: Database) throws -> Bool {
    let statement = try db.cachedStatement(
      sql: "SELECT EXISTS (SELECT 1 FROM operation WHERE entity = ? AND entityID = ? AND kind <> 'delete')")
    return try Bool.fetchOne(statement, arguments: [row.entity, row.id]) ?? false
  }

  /// The applied deletes of a row, in the order of arrival.
  package static func deletes(of row: RowKey, in db: Database) throws -> [Deletion] {
    let statement = try db.cachedStatement(
      sql: "SELECT id FROM operation WHERE entity = ? AND entityID = ? AND kind = 'delete' ORDER BY seq")
    return try String.fetchAll(statement, arguments: [row.entity, row.id]).compactMap { text in
      guard let id = OperationID(text) else { return nil }
      return try applied(id, in: db).flatMap { Deletion($0) }
    }
  }

  /// What an applied operation set a field to; nil when it is not in the journal, or counts for nothing.
  static func head(_ id: OperationID, _ field: String, in db: Database) throws -> Head? {
    guard let opened = try applied(id, in: db), let value = opened.body?.fields[field] else { return nil }
    return Head(op: id, hlc: opened.operation.hlc, value: value)
  }

  /// An applied operation with its body; nil when it is not in the journal, or counts for nothing.
  package static func applied(_ id: OperationID, in db: Database) throws -> OpenedOperation? {
    guard let operation = try find(id, in: db), operation.sealedBody != nil,
      try !PendingOperations.isVoid(operation, in: db)
    else { return nil }
    return OpenedOperation(operation)
  }
}
