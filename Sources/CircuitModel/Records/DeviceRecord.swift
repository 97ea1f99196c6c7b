// Generated from the catalogue by script/generate; edit the catalogue, not this file.
import GRDB

/// A stored row of Device. A store that writes operations, with a chain of its own.
public struct DeviceRecord: FetchableRecord, TableRecord, Equatable, Sendable {
  /// The table that holds the rows.
  public static let databaseTableName = "device"
  /// The entity's name in the catalogue.
  public static let entityName = "Device"
  /// The columns that a record reads.
  public static let columnNames: [String] = [
    "uuid", "name", "machine", "file", "created", "clockSet", "clockMoved",
  ]

  /// The row's key. The key of the row.
  public var uuid: String

  /// Device.name. The name that people see.
  public var name: String

  /// Device.machine. A digest of the machine's identity.
  public var machine: String?

  /// Device.file. The file system and inode of the store.
  public var file: String?

  /// Milliseconds since 1970-01-01T00:00:00Z. When its chain began.
  public var created: Int64?

  /// Milliseconds since 1970-01-01T00:00:00Z. The exam's time that a person set last; no value: never.
  public var clockSet: Int64?

  /// Device.clockMoved. By how many milliseconds that moved it.
  public var clockMoved: Int64?

  /// Reads a row.
  ///
  /// - Throws: `RowDecodingError` where a column holds no value, or one of another type.
  public init(row: Row) throws {
    uuid = try row.decode(forColumn: "uuid")
    name = try row.decode(forColumn: "name")
    machine = try row.decode(forColumn: "machine")
    file = try row.decode(forColumn: "file")
    created = try row.decode(forColumn: "created")
    clockSet = try row.decode(forColumn: "clockSet")
    clockMoved = try row.decode(forColumn: "clockMoved")
  }
}
