// Generated from the catalogue by script/generate; edit the catalogue, not this file.
import GRDB

/// A stored row of HallMessage. A line shown to everybody in the hall, or to one station.
public struct HallMessageRecord: FetchableRecord, TableRecord, Equatable, Sendable {
  /// The table that holds the rows.
  public static let databaseTableName = "hallMessage"
  /// The entity's name in the catalogue.
  public static let entityName = "HallMessage"
  /// The columns that a record reads.
  public static let columnNames: [String] = [
    "uuid", "text", "time", "withdrawnAt", "dsDeleted", "circuitID", "stationID", "staffID",
  ]

  /// The row's key. The key of the row.
  public var uuid: String

  /// HallMessage.text. The line.
  public var text: String

  /// Milliseconds since 1970-01-01T00:00:00Z. When it was sent.
  public var time: Int64?

  /// Milliseconds since 1970-01-01T00:00:00Z. When it was taken down; no value: it is shown.
  public var withdrawnAt: Int64?

  /// HallMessage.dsDeleted. Soft delete.
  public var dsDeleted: Bool

  /// The key of circuit, a ClinicGroup. For this circuit; no value: for all.
  public var circuitID: Int?

  /// The key of station, a ActivityType. For this station alone; no value: for everybody.
  public var stationID: Int?

  /// The key of staff, a Staff. Who sent it.
  public var staffID: Int?

  /// Reads a row.
  ///
  /// - Throws: `RowDecodingError` where a column holds no value, or one of another type.
  public init(row: Row) throws {
    uuid = try row.decode(forColumn: "uuid")
    text = try row.decode(forColumn: "text")
    time = try row.decode(forColumn: "time")
    withdrawnAt = try row.decode(forColumn: "withdrawnAt")
    dsDeleted = try row.decode(forColumn: "dsDeleted")
    circuitID = try row.decode(forColumn: "circuitID")
    stationID = try row.decode(forColumn: "stationID")
    staffID = try row.decode(forColumn: "staffID")
  }
}
