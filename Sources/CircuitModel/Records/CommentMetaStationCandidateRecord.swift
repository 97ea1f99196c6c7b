// Generated from the catalogue by script/generate; edit the catalogue, not this file.
import GRDB

/// A stored row of CommentMetaStationCandidate. A comment on a candidate at a station.
public struct CommentMetaStationCandidateRecord: FetchableRecord, TableRecord, Equatable, Sendable {
  /// The table that holds the rows.
  public static let databaseTableName = "commentMetaStationCandidate"
  /// The entity's name in the catalogue.
  public static let entityName = "CommentMetaStationCandidate"
  /// The columns that a record reads.
  public static let columnNames: [String] = [
    "uuid", "text", "time", "concern", "visibleToCandidate", "dsDeleted", "attendanceLogID", "authorID",
  ]

  /// The row's key.
  public var uuid: String

  /// CommentMetaStationCandidate.text.
  public var text: String

  /// Milliseconds since 1970-01-01T00:00:00Z. When it was written.
  public var time: Int64?

  /// CommentMetaStationCandidate.concern. Marked as a concern, which the exam lead sees at once.
  public var concern: Bool

  /// CommentMetaStationCandidate.visibleToCandidate. Whether the candidate may read it.
  public var visibleToCandidate: Bool

  /// CommentMetaStationCandidate.dsDeleted. Soft delete. Not indexed: nearly every row holds the same value.
  public var dsDeleted: Bool

  /// The key of attendanceLog, a TimetableAttendanceLog.
  public var attendanceLogID: String

  /// The key of author, a Staff. Who wrote it.
  public var authorID: Int?

  /// Reads a row.
  ///
  /// - Throws: `RowDecodingError` where a column holds no value, or one of another type.
  public init(row: Row) throws {
    uuid = try row.decode(forColumn: "uuid")
    text = try row.decode(forColumn: "text")
    time = try row.decode(forColumn: "time")
    concern = try row.decode(forColumn: "concern")
    visibleToCandidate = try row.decode(forColumn: "visibleToCandidate")
    dsDeleted = try row.decode(forColumn: "dsDeleted")
    attendanceLogID = try row.decode(forColumn: "attendanceLogID")
    authorID = try row.decode(forColumn: "authorID")
  }
}
