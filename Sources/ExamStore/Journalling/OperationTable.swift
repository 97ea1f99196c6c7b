import GRDB
import Journal

import struct Foundation.Data

/// The journal as it is stored.
package enum OperationTable {
  /// Which of `Operation.schemas` this program writes. The column `reason` is that of the header, which has one in
  /// schema 1 only.
  static let schema = 2

  /// What a store of any version has.
  static let sealedColumns = """
    id, device, deviceSeq, tx, txIndex, txSize, kind, entity, entityID, body, bodyHash, hlc, wallTime, clockError, \
    examTime, staff, sitting, reason, schema, prevHash, hash, hubSeq, result
    """
  static let columns = sealedColumns + ", absent"
  /// The place of what a query asks for after `columns`.
  static let extra = 24
  static let marks = Array(repeating: "?", count: extra).joined(separator: ", ")

  /// The query for journal and what lies aside, each operation once: `columns`, and `sends`. Where it is ordered itself,
  /// and not as a part of another query, SQLite goes by the indexes and sorts nothing.
  static let everywhere = """
    SELECT \(columns), sends FROM operation
    UNION ALL SELECT \(columns), NULL FROM pending p WHERE \(isAsideAlone("p"))
    """

  /// Whether an operation of `pending` is not in the journal too, in SQL.
  /// - Parameter row: what the query calls the operation.
  static func isAsideAlone(_ row: String) -> String {
    "NOT EXISTS (SELECT 1 FROM operation o WHERE o.id = \(row).id AND o.hash = \(row).hash)"
  }

  /// The next number in the order of arrival, which operations and the changes of rows without a new one share: who has
  /// seen all up to a number has missed nothing.
  static let nextNumber = """
    max(coalesce((SELECT max(seq) FROM operation), 0), coalesce((SELECT max(seq) FROM rowChange), 0)) + 1
    """

  /// - Parameter sends: whether it is to be sent, as `Outbox` decides; nil where the store is not enrolled.
  static func insert(_ operation: Operation, sends: Bool?, in db: Database) throws {
    let statement = try db.cachedStatement(
      sql: "INSERT INTO operation (seq, \(columns), sends) VALUES (\(nextNumber), \(marks), ?)")
    try statement.execute(arguments: arguments(of: operation) + [sends])
  }

  /// The values of the columns, in their order.
  static func arguments(of operation: Operation) -> StatementArguments {
    [
      operation.id.description, operation.device.description, operation.deviceSeq, operation.tx.description,
      operation.txIndex, operation.txSize, operation.kind.rawValue, operation.row.entity, operation.row.id,
      operation.sealedBody.map { Data($0) }, Data(operation.bodyHash), operation.hlc.raw, operation.wallTime,
      operation.clockError, operation.examTime?.milliseconds, operation.staff, operation.sitting?.description,
      operation.headerReason, operation.schema, Data(operation.prevHash), Data(operation.hash), operation.hubSeq,
      operation.result, operation.absent?.rawValue,
    ]
  }

  /// The operation with an identifier; where this device's own lost that to another's, the other's.
  package static func find(_ id: OperationID, in db: Database) throws -> Operation? {
    let found = try versions(of: id, in: db)
    if found.count < 2 { return found.first }
    return try found.first { try !PendingOperations.isVoid($0, in: db) } ?? found.first
  }

  /// The operations with an identifier: as a rule one.
  static func versions(of id: OperationID, in db: Database) throws -> [Operation] {
    let statement = try db.cachedStatement(sql: "SELECT \(columns) FROM operation WHERE id = ?")
    return try ReadRow.fetchAll(statement, arguments: [id.description]).map { try operation($0) }
  }

  /// The operations that meet a condition.
  static func fetch(_ condition: String, _ arguments: StatementArguments, in db: Database) throws -> [Operation] {
    let statement = try db.cachedStatement(sql: "SELECT \(columns) FROM operation WHERE \(condition) ORDER BY seq")
    return try ReadRow.fetchAll(statement, arguments: arguments).map { try operation($0) }
  }

  /// When an operation was made.
  static func time(of id: OperationID, in db: Database) throws -> HybridTime? {
    let statement = try db.cachedStatement(sql: "SELECT hlc FROM operation WHERE id = ?")
    return try Int64.fetchOne(statement, arguments: [id.description]).map { HybridTime(raw: $0) }
  }

  /// Calls `body` with each operation of the journal and its place in the order of arrival.
  package static func forEachNumbered(in db: Database, _ body: (Int64, Operation) throws -> Void) throws {
    let rows = try ReadRow.fetchCursor(db, sql: "SELECT \(columns), seq FROM operation ORDER BY seq")
    while let row = try rows.next() { try body(try row.counted(extra), try operation(row)) }
  }

  /// The operations on one row, oldest first.
  package static func history(of row: RowKey, in db: Database) throws -> [Operation] {
    let statement = try db.cachedStatement(
      sql: "SELECT \(columns) FROM operation WHERE entity = ? AND entityID = ? ORDER BY seq")
    return try ReadRow.fetchAll(statement, arguments: [row.entity, row.id]).map { try operation($0) }
  }

  /// The operation in a row that begins with `columns`: by their places, for a look at a name costs more than the value.
  /// - Throws: `StoreError` if a column holds what none is written with.
  static func operation(_ row: ReadRow) throws -> Operation {
    let (idText, deviceText, txText): (String, String, String) = (try row.held(0), try row.held(1), try row.held(3))
    guard let id = OperationID(idText), let device = UUIDBytes(deviceText), let tx = UUIDBytes(txText) else {
      throw StoreError("the journal holds an operation with a broken identifier; run: osce doctor")
    }
    let (examTime, sitting): (Int64?, String?) = (try row.held(14), try row.held(16))
    let absent: String? = try row.held(23)
    return Operation(
      id: id, device: device, deviceSeq: try row.counted(2), tx: tx, txIndex: Int(try row.counted(4)),
      txSize: Int(try row.counted(5)),
      kind: OperationKind(rawValue: try row.held(6)), row: RowKey(entity: try row.held(7), id: try row.held(8)),
      sealedBody: try row.bytes(9), bodyHash: try row.bytes(10) ?? [], hlc: HybridTime(raw: try row.held(11)),
      wallTime: try row.held(12), clockError: try row.held(13),
      examTime: examTime.map { ExamTime(milliseconds: $0) },
      staff: try row.held(15), sitting: sitting.flatMap { UUIDBytes($0) }, headerReason: try row.held(17),
      schema: Int(try row.counted(18)), prevHash: try row.bytes(19) ?? [], hash: try row.bytes(20) ?? [],
      hubSeq: try row.countedIfAny(21), result: try row.held(22), absent: absent.flatMap { AbsentContent(rawValue: $0) }
    )
  }
}

extension OperationTable {
  /// Calls `body` with a person's transactions on some rows after a place in the order of arrival, the newest first, each
  /// with all its operations in the order of their making, until it returns false.
  ///
  /// It looks at the rows' own operations: how many there are on others makes no difference.
  /// - Parameter rows: SQL that gives entity and key of each row, as `entity` and `id`.
  package static func forEachTransaction(
    of staff: Int, on rows: String, _ arguments: StatementArguments, after sequence: Int64, in db: Database,
    _ body: ([Operation]) throws -> Bool
  ) throws {
    let found = try ReadRow.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT o.device, o.deviceSeq - o.txIndex AS place, o.txSize, max(o.seq) AS seq FROM (\(rows)) r
            CROSS JOIN operation o ON o.entity = r.entity AND o.entityID = r.id
          WHERE o.staff = ? AND o.seq > ? GROUP BY 1, 2 ORDER BY 4 DESC
          """), arguments: arguments + [staff, sequence])
    try forEachMember(of: found, in: db) { operations, _ in try body(operations) }
  }

  /// Goes through the transactions with an operation that meets a condition, the newest first.
  /// - Parameters:
  ///   - condition: on the operation `o`, as SQL.
  ///   - sequence: those that arrived after this one alone.
  ///   - body: takes a transaction and the number of its last operation that meets the condition; false ends the walk.
  package static func forEachTransaction(
    where condition: String, after sequence: Int64, in db: Database, _ body: ([Operation], Int64) throws -> Bool
  ) throws {
    // Where all are looked at, the condition finds them by its index: a mark is passed over unread.
    let bound = sequence > 0 ? "o.seq" : "+o.seq"
    let found = try ReadRow.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT o.device, o.deviceSeq - o.txIndex AS place, o.txSize, max(o.seq) AS seq FROM operation o
          WHERE \(bound) > ? AND (\(condition)) GROUP BY 1, 2 ORDER BY 4 DESC
          """), arguments: [sequence])
    try forEachMember(of: found, in: db, body)
  }

  private static func forEachMember(
    of found: [ReadRow], in db: Database, _ body: ([Operation], Int64) throws -> Bool
  ) throws {
    let members = try db.cachedStatement(
      sql: "SELECT \(columns) FROM operation WHERE device = ? AND deviceSeq >= ? AND deviceSeq < ? ORDER BY deviceSeq")
    for row in found {
      let (device, first, size): (String, Int64, Int64) = (try row.held(0), try row.counted(1), try row.counted(2))
      let operations = try ReadRow.fetchAll(members, arguments: [device, first, first + size]).map { try operation($0) }
      if try !body(operations, row.counted(3)) { return }
    }
  }

  /// How many takings back stand one on the other: 0 for a change, 1 for its undoing, 2 for the undoing of that.
  package static func undoDepth(of id: OperationID, in db: Database) throws -> Int {
    var next = id
    // Nothing that a program writes names itself; what a file holds may.
    var seen: Set<OperationID> = []
    while seen.insert(next).inserted,
      let before = try find(next, in: db)?.body()?.undone.first
    { next = before }
    return seen.count - 1
  }

  /// Whether an operation takes a change back: what takes such a taking back back does the change again.
  package static func isUndo(_ id: OperationID, in db: Database) throws -> Bool {
    try !undoDepth(of: id, in: db).isMultiple(of: 2)
  }

  /// Whether an operation arrived after another.
  package static func isLater(_ id: OperationID, than other: OperationID, in db: Database) throws -> Bool {
    let statement = try db.cachedStatement(sql: "SELECT seq FROM operation WHERE id = ?")
    let (first, second) = (
      try Int64.fetchOne(statement, arguments: [id.description]),
      try Int64.fetchOne(statement, arguments: [other.description])
    )
    return (first ?? 0) > (second ?? 0)
  }
}
