// Generated from the catalogue by script/generate; edit the catalogue, not this file.
import GRDB

/// A stored row of StationIncident. Something that went wrong in a station session, and the time it cost.
public struct StationIncidentRecord: FetchableRecord, TableRecord, Equatable, Sendable {
  /// The table that holds the rows.
  public static let databaseTableName = "stationIncident"
  /// The entity's name in the catalogue.
  public static let entityName = "StationIncident"
  /// The columns that a record reads.
  public static let columnNames: [String] = [
    "uuid", "kind", "time", "secondsLost", "text", "dsDeleted", "timetableID", "staffID",
  ]

  /// The row's key. The key of the row.
  public var uuid: String

  /// StationIncident.kind. What happened, in one word.
  public var kind: String?

  /// Milliseconds since 1970-01-01T00:00:00Z. When it happened.
  public var time: Int64?

  /// StationIncident.secondsLost. The time that the candidate lost; no value: not known.
  public var secondsLost: Int?

  /// StationIncident.text. What happened, in words.
  public var text: String?

  /// StationIncident.dsDeleted. Soft delete.
  public var dsDeleted: Bool

  /// The key of timetable, a Timetable. The session.
  public var timetableID: Int

  /// The key of staff, a Staff. Who reported it.
  public var staffID: Int?

  /// Reads a row.
  ///
  /// - Throws: `RowDecodingError` where a column holds no value, or one of another type.
  public init(row: Row) throws {
    uuid = try row.decode(forColumn: "uuid")
    kind = try row.decode(forColumn: "kind")
    time = try row.decode(forColumn: "time")
    secondsLost = try row.decode(forColumn: "secondsLost")
    text = try row.decode(forColumn: "text")
    dsDeleted = try row.decode(forColumn: "dsDeleted")
    timetableID = try row.decode(forColumn: "timetableID")
    staffID = try row.decode(forColumn: "staffID")
  }
}
