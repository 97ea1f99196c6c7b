// Generated from the catalogue by script/generate; edit the catalogue, not this file.
import GRDB

/// A stored row of StaffSignIn. Who signed in to which station session, when.
public struct StaffSignInRecord: FetchableRecord, TableRecord, Equatable, Sendable {
  /// The table that holds the rows.
  public static let databaseTableName = "staffSignIn"
  /// The entity's name in the catalogue.
  public static let entityName = "StaffSignIn"
  /// The columns that a record reads.
  public static let columnNames: [String] = [
    "uuid", "time", "appUUID", "dsDeleted", "staffID", "timetableID",
  ]

  /// The row's key.
  public var uuid: String

  /// Milliseconds since 1970-01-01T00:00:00Z.
  public var time: Int64?

  /// StaffSignIn.appUUID.
  public var appUUID: String?

  /// StaffSignIn.dsDeleted. Soft delete. Not indexed: nearly every row holds the same value.
  public var dsDeleted: Bool

  /// The key of staff, a Staff.
  public var staffID: Int?

  /// The key of timetable, a Timetable.
  public var timetableID: Int

  /// Reads a row.
  ///
  /// - Throws: `RowDecodingError` where a column holds no value, or one of another type.
  public init(row: Row) throws {
    uuid = try row.decode(forColumn: "uuid")
    time = try row.decode(forColumn: "time")
    appUUID = try row.decode(forColumn: "appUUID")
    dsDeleted = try row.decode(forColumn: "dsDeleted")
    staffID = try row.decode(forColumn: "staffID")
    timetableID = try row.decode(forColumn: "timetableID")
  }
}
