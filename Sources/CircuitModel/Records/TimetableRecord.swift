// Generated from the catalogue by script/generate; edit the catalogue, not this file.
import GRDB

/// A stored row of Timetable. A station session: one station, date, start time, one assessor.
public struct TimetableRecord: FetchableRecord, TableRecord, Equatable, Sendable {
  /// The table that holds the rows.
  public static let databaseTableName = "timetable"
  /// The entity's name in the catalogue.
  public static let entityName = "Timetable"
  /// The columns that a record reads.
  public static let columnNames: [String] = [
    "dsid", "date", "startTime", "endTime", "group", "order", "cancelled", "releasedAt", "dsDeleted", "activityTypeID",
    "staffID", "coverStaffID", "scheduledCoverStaffID", "releasedByID",
  ]

  /// The row's key.
  public var dsid: Int

  /// Timetable.date. YYYY-MM-DD, local in the exam's time zone. A row without a date belongs to no session of a
  /// circuit.
  public var date: String?

  /// Timetable.startTime. HH:MM. With circuit and date it names the session of a circuit.
  public var startTime: String?

  /// Timetable.endTime. HH:MM, as planned; the clock alone says when a session really ends.
  public var endTime: String?

  /// Timetable.group.
  public var group: String?

  /// Timetable.order.
  public var order: Int

  /// Timetable.cancelled.
  public var cancelled: Bool

  /// Milliseconds since 1970-01-01T00:00:00Z. When the invigilator let the assessors go; no value: not yet.
  public var releasedAt: Int64?

  /// Timetable.dsDeleted. Soft delete. Not indexed: nearly every row holds the same value.
  public var dsDeleted: Bool

  /// The key of activityType, a ActivityType.
  public var activityTypeID: Int

  /// The key of staff, a Staff.
  public var staffID: Int?

  /// The key of coverStaff, a Staff. Set at the station. Stands before scheduledCoverStaff, which stands before
  /// staff.
  public var coverStaffID: Int?

  /// The key of scheduledCoverStaff, a Staff.
  public var scheduledCoverStaffID: Int?

  /// The key of releasedBy, a Staff. Who let them go.
  public var releasedByID: Int?

  /// Reads a row.
  ///
  /// - Throws: `RowDecodingError` where a column holds no value, or one of another type.
  public init(row: Row) throws {
    dsid = try row.decode(forColumn: "dsid")
    date = try row.decode(forColumn: "date")
    startTime = try row.decode(forColumn: "startTime")
    endTime = try row.decode(forColumn: "endTime")
    group = try row.decode(forColumn: "group")
    order = try row.decode(forColumn: "order")
    cancelled = try row.decode(forColumn: "cancelled")
    releasedAt = try row.decode(forColumn: "releasedAt")
    dsDeleted = try row.decode(forColumn: "dsDeleted")
    activityTypeID = try row.decode(forColumn: "activityTypeID")
    staffID = try row.decode(forColumn: "staffID")
    coverStaffID = try row.decode(forColumn: "coverStaffID")
    scheduledCoverStaffID = try row.decode(forColumn: "scheduledCoverStaffID")
    releasedByID = try row.decode(forColumn: "releasedByID")
  }
}
