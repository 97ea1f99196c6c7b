// Generated from the catalogue by script/generate; edit the catalogue, not this file.
import GRDB

/// A stored row of CommentMetaStation. A comment on a station.
public struct CommentMetaStationRecord: FetchableRecord, TableRecord, Equatable, Sendable {
  /// The table that holds the rows.
  public static let databaseTableName = "commentMetaStation"
  /// The entity's name in the catalogue.
  public static let entityName = "CommentMetaStation"
  /// The columns that a record reads.
  public static let columnNames: [String] = [
    "uuid", "text", "time", "session", "concern", "dsDeleted", "stationID", "authorID", "timetableID",
  ]

  /// The row's key.
  public var uuid: String

  /// CommentMetaStation.text.
  public var text: String

  /// Milliseconds since 1970-01-01T00:00:00Z. When it was written.
  public var time: Int64?

  /// CommentMetaStation.session. The session it was written in: DATE START, local in the exam's time zone.
  public var session: String?

  /// CommentMetaStation.concern. Marked as a concern, which the exam lead sees at once.
  public var concern: Bool

  /// CommentMetaStation.dsDeleted. Soft delete. Not indexed: nearly every row holds the same value.
  public var dsDeleted: Bool

  /// The key of station, a ActivityType.
  public var stationID: Int

  /// The key of author, a Staff. Who wrote it.
  public var authorID: Int?

  /// The key of timetable, a Timetable. The station session in which it was written, where there was one.
  public var timetableID: Int?

  /// Reads a row.
  ///
  /// - Throws: `RowDecodingError` where a column holds no value, or one of another type.
  public init(row: Row) throws {
    uuid = try row.decode(forColumn: "uuid")
    text = try row.decode(forColumn: "text")
    time = try row.decode(forColumn: "time")
    session = try row.decode(forColumn: "session")
    concern = try row.decode(forColumn: "concern")
    dsDeleted = try row.decode(forColumn: "dsDeleted")
    stationID = try row.decode(forColumn: "stationID")
    authorID = try row.decode(forColumn: "authorID")
    timetableID = try row.decode(forColumn: "timetableID")
  }
}
