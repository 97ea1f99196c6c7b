// Generated from the catalogue by script/generate; edit the catalogue, not this file.
import GRDB

/// A stored row of RerunEntry. A station that a candidate has missed and is to be examined at after the session.
public struct RerunEntryRecord: FetchableRecord, TableRecord, Equatable, Sendable {
  /// The table that holds the rows.
  public static let databaseTableName = "rerunEntry"
  /// The entity's name in the catalogue.
  public static let entityName = "RerunEntry"
  /// The columns that a record reads.
  public static let columnNames: [String] = [
    "uuid", "place", "status", "time", "reason", "dsDeleted", "attendanceLogID", "staffID",
  ]

  /// The row's key. The key of the row.
  public var uuid: String

  /// RerunEntry.place. The round of the re-run, from 1.
  public var place: Int

  /// RerunEntry.status. queued, done or withdrawn.
  public var status: String

  /// Milliseconds since 1970-01-01T00:00:00Z. When it was queued.
  public var time: Int64?

  /// RerunEntry.reason. Why the station was missed, in words.
  public var reason: String?

  /// RerunEntry.dsDeleted. Soft delete.
  public var dsDeleted: Bool

  /// The key of attendanceLog, a TimetableAttendanceLog. Who, at which station.
  public var attendanceLogID: String

  /// The key of staff, a Staff. Who queued it.
  public var staffID: Int?

  /// Reads a row.
  ///
  /// - Throws: `RowDecodingError` where a column holds no value, or one of another type.
  public init(row: Row) throws {
    uuid = try row.decode(forColumn: "uuid")
    place = try row.decode(forColumn: "place")
    status = try row.decode(forColumn: "status")
    time = try row.decode(forColumn: "time")
    reason = try row.decode(forColumn: "reason")
    dsDeleted = try row.decode(forColumn: "dsDeleted")
    attendanceLogID = try row.decode(forColumn: "attendanceLogID")
    staffID = try row.decode(forColumn: "staffID")
  }
}
