// Generated from the catalogue by script/generate; edit the catalogue, not this file.
import GRDB

/// A stored row of DataForm. A mark sheet: a template filled in for one roster entry by one seat.
public struct DataFormRecord: FetchableRecord, TableRecord, Equatable, Sendable {
  /// The table that holds the rows.
  public static let databaseTableName = "dataForm"
  /// The entity's name in the catalogue.
  public static let entityName = "DataForm"
  /// The columns that a record reads.
  public static let columnNames: [String] = [
    "uuid", "seat", "signedAt", "dsDeleted", "typeID", "attendanceLogID", "versionID", "signedByID", "judgedByID",
  ]

  /// The row's key.
  public var uuid: String

  /// DataForm.seat. The lead assessor and each co-marker have a seat, so two assessors are double marking, not a
  /// conflict.
  public var seat: String

  /// Milliseconds since 1970-01-01T00:00:00Z. When the sheet was signed; no value: open.
  public var signedAt: Int64?

  /// DataForm.dsDeleted. Soft delete. Not indexed: nearly every row holds the same value.
  public var dsDeleted: Bool

  /// The key of type, a TypeForm.
  public var typeID: Int?

  /// The key of attendanceLog, a TimetableAttendanceLog.
  public var attendanceLogID: String

  /// The key of version, a FormVersion. The version that the sheet was made from.
  public var versionID: String?

  /// The key of signedBy, a Staff. Who signed.
  public var signedByID: Int?

  /// The key of judgedBy, a Staff. Whose sheet it is; each mark names its own judge, because a cover takes over
  /// half-filled sheets.
  public var judgedByID: Int?

  /// Reads a row.
  ///
  /// - Throws: `RowDecodingError` where a column holds no value, or one of another type.
  public init(row: Row) throws {
    uuid = try row.decode(forColumn: "uuid")
    seat = try row.decode(forColumn: "seat")
    signedAt = try row.decode(forColumn: "signedAt")
    dsDeleted = try row.decode(forColumn: "dsDeleted")
    typeID = try row.decode(forColumn: "typeID")
    attendanceLogID = try row.decode(forColumn: "attendanceLogID")
    versionID = try row.decode(forColumn: "versionID")
    signedByID = try row.decode(forColumn: "signedByID")
    judgedByID = try row.decode(forColumn: "judgedByID")
  }
}
