import GRDB
import Journal

/// An operation of another terminal that touches what is locked here, and was made without knowing of the lock: it is in
/// the chain and counts for nothing until two people rule on it.
public struct LateOperation: Equatable, Sendable {
  /// The operation.
  public let id: OperationID
  /// The row that it is on.
  public let row: RowKey
  /// What it sets.
  public let fields: [String: Value]

  static func count(in db: Database) throws -> Int {
    try Int.fetchOne(db.cachedStatement(sql: "SELECT count(DISTINCT id) FROM pending WHERE \(condition)")) ?? 0
  }

  /// Those of each transaction in which one has this identifier, or is on a row with this key.
  public static func named(_ name: String, in db: Database) throws -> [LateOperation] {
    let found = try fetch("(id = ?1 OR entityID = ?1)", [name], in: db)
    var seen: Set<String> = []
    return try found.filter { seen.insert("\($0.device) \($0.tx)").inserted }.flatMap { operation in
      try fetch("device = ? AND tx = ?", [operation.device.description, operation.tx.description], in: db)
        .map { LateOperation($0) }
    }
  }

  private init(_ operation: Journal.Operation) {
    let fields = OpenedOperation(operation).body?.fields ?? [:]
    (id, row, self.fields) = (operation.id, operation.row, fields)
  }

  private static let condition = "why = '\(Journal.Refusal.locked.code)' AND state = 'refused' AND verdict IS NULL"

  private static func fetch(
    _ more: String, _ arguments: StatementArguments, in db: Database
  ) throws -> [Journal.Operation] {
    try PendingOperations.fetch("\(condition) AND \(more)", arguments, in: db)
  }
}
