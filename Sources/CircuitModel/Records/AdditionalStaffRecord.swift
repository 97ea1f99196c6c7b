// Generated from the catalogue by script/generate; edit the catalogue, not this file.
import GRDB

/// A stored row of AdditionalStaff. A co-marker of a station session.
public struct AdditionalStaffRecord: FetchableRecord, TableRecord, Equatable, Sendable {
  /// The table that holds the rows.
  public static let databaseTableName = "additionalStaff"
  /// The entity's name in the catalogue.
  public static let entityName = "AdditionalStaff"
  /// The columns that a record reads.
  public static let columnNames: [String] = [
    "uuid", "seat", "dsDeleted", "timetableID", "staffID",
  ]

  /// The row's key. The key of the row.
  public var uuid: String

  /// AdditionalStaff.seat. The seat of the sheets that this co-marker fills; no value: the row's uuid.
  public var seat: String?

  /// AdditionalStaff.dsDeleted. Soft delete.
  public var dsDeleted: Bool

  /// The key of timetable, a Timetable. The session marked in.
  public var timetableID: Int

  /// The key of staff, a Staff. Who co-marks.
  public var staffID: Int?

  /// Reads a row.
  ///
  /// - Throws: `RowDecodingError` where a column holds no value, or one of another type.
  public init(row: Row) throws {
    uuid = try row.decode(forColumn: "uuid")
    seat = try row.decode(forColumn: "seat")
    dsDeleted = try row.decode(forColumn: "dsDeleted")
    timetableID = try row.decode(forColumn: "timetableID")
    staffID = try row.decode(forColumn: "staffID")
  }
}
