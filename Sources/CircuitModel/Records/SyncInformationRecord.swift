// Generated from the catalogue by script/generate; edit the catalogue, not this file.
import GRDB

/// A stored row of SyncInformation. When which terminal last met the hub.
public struct SyncInformationRecord: FetchableRecord, TableRecord, Equatable, Sendable {
  /// The table that holds the rows.
  public static let databaseTableName = "syncInformation"
  /// The entity's name in the catalogue.
  public static let entityName = "SyncInformation"
  /// The columns that a record reads.
  public static let columnNames: [String] = [
    "uuid", "lastSync", "deviceUUID", "deviceName", "appUUID", "appVersion", "iOSVersion", "dsDeleted", "staffID",
  ]

  /// The row's key.
  public var uuid: String

  /// Milliseconds since 1970-01-01T00:00:00Z.
  public var lastSync: Int64?

  /// SyncInformation.deviceUUID.
  public var deviceUUID: String?

  /// SyncInformation.deviceName.
  public var deviceName: String?

  /// SyncInformation.appUUID.
  public var appUUID: String?

  /// SyncInformation.appVersion.
  public var appVersion: String?

  /// SyncInformation.iOSVersion. The version of the terminal's operating system.
  public var iOSVersion: String?

  /// SyncInformation.dsDeleted. Soft delete. Not indexed: nearly every row holds the same value.
  public var dsDeleted: Bool

  /// The key of staff, a Staff.
  public var staffID: Int?

  /// Reads a row.
  ///
  /// - Throws: `RowDecodingError` where a column holds no value, or one of another type.
  public init(row: Row) throws {
    uuid = try row.decode(forColumn: "uuid")
    lastSync = try row.decode(forColumn: "lastSync")
    deviceUUID = try row.decode(forColumn: "deviceUUID")
    deviceName = try row.decode(forColumn: "deviceName")
    appUUID = try row.decode(forColumn: "appUUID")
    appVersion = try row.decode(forColumn: "appVersion")
    iOSVersion = try row.decode(forColumn: "iOSVersion")
    dsDeleted = try row.decode(forColumn: "dsDeleted")
    staffID = try row.decode(forColumn: "staffID")
  }
}
