// Generated from the catalogue by script/generate; edit the catalogue, not this file.
import Foundation
import GRDB

/// A stored row of Operation. One change, written in the same transaction as what it changes; never altered or removed.
public struct OperationRecord: FetchableRecord, TableRecord, Equatable, Sendable {
  /// The table that holds the rows.
  public static let databaseTableName = "operation"
  /// The entity's name in the catalogue.
  public static let entityName = "Operation"
  /// The columns that a record reads.
  public static let columnNames: [String] = [
    "seq", "id", "device", "deviceSeq", "tx", "txIndex", "txSize", "kind", "entity", "entityID", "body", "bodyHash",
    "hlc", "wallTime", "clockError", "examTime", "staff", "sitting", "reason", "schema", "prevHash", "hash", "hubSeq",
    "result",
  ]

  /// The row's key. The order of arrival in this store; SQLite assigns it.
  public var seq: Int64

  /// Operation.id. UUIDv7.
  public var id: String

  /// Operation.device. The uuid of the device that made it.
  public var device: String

  /// Operation.deviceSeq. Counts the device's operations from 1 without a gap.
  public var deviceSeq: Int64

  /// Operation.tx. Operations of one tx travel, apply and fail together.
  public var tx: String

  /// Operation.txIndex. The operation's place in its tx, from 0.
  public var txIndex: Int

  /// Operation.txSize. How many operations the tx has.
  public var txSize: Int

  /// Operation.kind. set, create, delete, sign, reopen, clock, …
  public var kind: String

  /// Operation.entity. The entity of the row.
  public var entity: String

  /// Operation.entityID. The key of the row, as text.
  public var entityID: String

  /// Operation.body. Salt and canonical bytes of fields and replaced heads; no value: destroyed.
  public var body: Data?

  /// Operation.bodyHash. SHA-256 of body.
  public var bodyHash: Data

  /// Operation.hlc. Hybrid logical clock: milliseconds in the upper 48 bits, a counter in the lower 16.
  public var hlc: Int64

  /// Operation.wallTime. The wall clock when it was made.
  public var wallTime: Int64

  /// Operation.clockError. How far the wall clock may have been off, in milliseconds.
  public var clockError: Int64

  /// Operation.examTime. The exam's clock when it was made, in milliseconds.
  public var examTime: Int64?

  /// Operation.staff. The dsid of who acted.
  public var staff: Int64?

  /// Operation.sitting. The uuid of the sitting.
  public var sitting: String?

  /// Operation.reason. Why, where a reason is asked.
  public var reason: String?

  /// Operation.schema. The version of the model that it was written under.
  public var schema: Int

  /// Operation.prevHash. The hash of the device's operation before.
  public var prevHash: Data

  /// Operation.hash. SHA-256 of prevHash, header and bodyHash.
  public var hash: Data

  /// Operation.hubSeq. The hub's number; no value: still to be sent.
  public var hubSeq: Int64?

  /// Operation.result. What the hub answered, or why the operation waits.
  public var result: String?

  /// Reads a row.
  ///
  /// - Throws: `RowDecodingError` where a column holds no value, or one of another type.
  public init(row: Row) throws {
    seq = try row.decode(forColumn: "seq")
    id = try row.decode(forColumn: "id")
    device = try row.decode(forColumn: "device")
    deviceSeq = try row.decode(forColumn: "deviceSeq")
    tx = try row.decode(forColumn: "tx")
    txIndex = try row.decode(forColumn: "txIndex")
    txSize = try row.decode(forColumn: "txSize")
    kind = try row.decode(forColumn: "kind")
    entity = try row.decode(forColumn: "entity")
    entityID = try row.decode(forColumn: "entityID")
    body = try row.decode(forColumn: "body")
    bodyHash = try row.decode(forColumn: "bodyHash")
    hlc = try row.decode(forColumn: "hlc")
    wallTime = try row.decode(forColumn: "wallTime")
    clockError = try row.decode(forColumn: "clockError")
    examTime = try row.decode(forColumn: "examTime")
    staff = try row.decode(forColumn: "staff")
    sitting = try row.decode(forColumn: "sitting")
    reason = try row.decode(forColumn: "reason")
    schema = try row.decode(forColumn: "schema")
    prevHash = try row.decode(forColumn: "prevHash")
    hash = try row.decode(forColumn: "hash")
    hubSeq = try row.decode(forColumn: "hubSeq")
    result = try row.decode(forColumn: "result")
  }
}
