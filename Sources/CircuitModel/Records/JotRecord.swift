// Generated from the catalogue by script/generate; edit the catalogue, not this file.
import GRDB

/// A stored row of Jot. One line noted while watching a candidate, stamped with the time of the phase.
public struct JotRecord: FetchableRecord, TableRecord, Equatable, Sendable {
  /// The table that holds the rows.
  public static let databaseTableName = "jot"
  /// The entity's name in the catalogue.
  public static let entityName = "Jot"
  /// The columns that a record reads.
  public static let columnNames: [String] = [
    "uuid", "text", "time", "phase", "dsDeleted", "attendanceLogID", "authorID",
  ]

  /// The row's key. The key of the row.
  public var uuid: String

  /// Jot.text. The line.
  public var text: String

  /// Milliseconds since 1970-01-01T00:00:00Z. When it was noted.
  public var time: Int64?

  /// Jot.phase. Phase, round and time left when it was noted, in words.
  public var phase: String?

  /// Jot.dsDeleted. Soft delete.
  public var dsDeleted: Bool

  /// The key of attendanceLog, a TimetableAttendanceLog. The candidate at the station.
  public var attendanceLogID: String

  /// The key of author, a Staff. Who noted it.
  public var authorID: Int?

  /// Reads a row.
  ///
  /// - Throws: `RowDecodingError` where a column holds no value, or one of another type.
  public init(row: Row) throws {
    uuid = try row.decode(forColumn: "uuid")
    text = try row.decode(forColumn: "text")
    time = try row.decode(forColumn: "time")
    phase = try row.decode(forColumn: "phase")
    dsDeleted = try row.decode(forColumn: "dsDeleted")
    attendanceLogID = try row.decode(forColumn: "attendanceLogID")
    authorID = try row.decode(forColumn: "authorID")
  }
}
