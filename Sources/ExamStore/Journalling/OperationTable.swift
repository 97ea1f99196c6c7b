import GRDB
import Journal

import struct Foundation.Data

/// The journal as it is stored.
package enum OperationTable {
  /// The version of the operations' shape that this program writes.
  static let schema = 1

  private static let columns = """
    id, device, deviceSeq, tx, txIndex, txSize, kind, entity, entityID, body, bodyHash, hlc, wallTime, clockError, \
    examTime, staff, sitting, reason, schema, prevHash, hash, hubSeq, result
    """
  private static let marks = Array(repeating: "?", count: 23).joined(separator: ", ")

  static func insert(_ operation: Operation, in db: Database) throws {
    let statement = try db.cachedStatement(sql: "INSERT INTO operation (\(columns)) VALUES (\(marks))")
    try statement.execute(arguments: [
      operation.id.description, operation.device.description, operation.deviceSeq, operation.tx.description,
      operation.txIndex, operation.txSize, operation.kind.rawValue, operation.row.entity, operation.row.id,
      operation.sealedBody.map { Data($0) }, Data(operation.bodyHash), operation.hlc.raw, operation.wallTime,
      operation.clockError, operation.examTime?.milliseconds, operation.staff, operation.sitting?.description,
      operation.reason, operation.schema, Data(operation.prevHash), Data(operation.hash), operation.hubSeq,
      operation.result,
    ])
  }

  package static func find(_ id: OperationID, in db: Database) throws -> Operation? {
    let statement = try db.cachedStatement(sql: "SELECT \(columns) FROM operation WHERE id = ?")
    return try Row.fetchOne(statement, arguments: [id.description]).map { try operation($0) }
  }

  /// Calls `body` with each operation of the journal in the order of arrival.
  static func forEach(in db: Database, _ body: (Operation) throws -> Void) throws {
    try forEachNumbered(in: db) { try body($1) }
  }

  /// Calls `body` with each operation of the journal and its place in the order of arrival.
  package static func forEachNumbered(in db: Database, _ body: (Int64, Operation) throws -> Void) throws {
    let rows = try Row.fetchCursor(db, sql: "SELECT \(columns), seq FROM operation ORDER BY seq")
    while let row = try rows.next() { try body(row[23], try operation(row)) }
  }

  /// Calls `body` with each operation of the journal, those of one row after each other.
  static func forEachByRow(in db: Database, _ body: (Operation) throws -> Void) throws {
    let rows = try Row.fetchCursor(db, sql: "SELECT \(columns) FROM operation ORDER BY entity, entityID, seq")
    while let row = try rows.next() { try body(try operation(row)) }
  }

  /// The operations on one row, oldest first.
  package static func history(of row: RowKey, in db: Database) throws -> [Operation] {
    try Row.fetchAll(
      db, sql: "SELECT \(columns) FROM operation WHERE entity = ? AND entityID = ? ORDER BY seq",
      arguments: [row.entity, row.id]
    ).map { try operation($0) }
  }

  private static func operation(_ row: Row) throws -> Operation {
    guard let id = OperationID(row["id"]), let device = UUIDBytes(row["device"]), let tx = UUIDBytes(row["tx"]) else {
      throw StoreError("the journal holds an operation with a broken identifier; run: osce doctor")
    }
    return Operation(
      id: id, device: device, deviceSeq: row["deviceSeq"], tx: tx, txIndex: row["txIndex"], txSize: row["txSize"],
      kind: OperationKind(rawValue: row["kind"]), row: RowKey(entity: row["entity"], id: row["entityID"]),
      sealedBody: bytes(row["body"]), bodyHash: bytes(row["bodyHash"]) ?? [], hlc: HybridTime(raw: row["hlc"]),
      wallTime: row["wallTime"], clockError: row["clockError"],
      examTime: (row["examTime"] as Int64?).map { ExamTime(milliseconds: $0) }, staff: row["staff"],
      sitting: (row["sitting"] as String?).flatMap { UUIDBytes($0) }, reason: row["reason"], schema: row["schema"],
      prevHash: bytes(row["prevHash"]) ?? [], hash: bytes(row["hash"]) ?? [], hubSeq: row["hubSeq"],
      result: row["result"])
  }

  private static func bytes(_ data: Data?) -> [UInt8]? { data.map { [UInt8]($0) } }
}

extension OperationTable {
  /// Calls `body` with a person's transactions after a place in the order of arrival, the newest first, each with its
  /// operations in the order of their making, until it returns false.
  package static func forEachTransaction(
    of staff: Int, after sequence: Int64, in db: Database, _ body: ([Operation]) throws -> Bool
  ) throws {
    let rows = try Row.fetchCursor(
      db, sql: "SELECT \(columns) FROM operation WHERE seq > ? AND staff = ? ORDER BY seq DESC",
      arguments: [sequence, staff])
    var group: [Operation] = []
    while let row = try rows.next() {
      let next = try operation(row)
      if let last = group.last, last.tx != next.tx {
        if try !body(group.reversed()) { return }
        group.removeAll(keepingCapacity: true)
      }
      group.append(next)
    }
    if !group.isEmpty { _ = try body(group.reversed()) }
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
