// Generated from the catalogue by script/generate; edit the catalogue, not this file.
import GRDB

/// A stored row of AttributesSelected. The tags chosen on items, one row each.
public struct AttributesSelectedRecord: FetchableRecord, TableRecord, Equatable, Sendable {
  /// The table that holds the rows.
  public static let databaseTableName = "attributesSelected"
  /// The entity's name in the catalogue.
  public static let entityName = "AttributesSelected"
  /// The columns that a record reads.
  public static let columnNames: [String] = [
    "auto", "tag", "dsDeleted", "questionID", "attendanceLogID",
  ]

  /// The row's key. The key that SQLite assigns; never written in a bundle.
  public var auto: Int64

  /// AttributesSelected.tag. The tag.
  public var tag: String?

  /// AttributesSelected.dsDeleted. Soft delete. Not indexed: nearly every row holds the same value.
  public var dsDeleted: Bool

  /// The key of question, a DataQuestion. A row belongs to an item, to a roster entry, or to both, so neither is
  /// required.
  public var questionID: String?

  /// The key of attendanceLog, a TimetableAttendanceLog.
  public var attendanceLogID: String?

  /// Reads a row.
  ///
  /// - Throws: `RowDecodingError` where a column holds no value, or one of another type.
  public init(row: Row) throws {
    auto = try row.decode(forColumn: "auto")
    tag = try row.decode(forColumn: "tag")
    dsDeleted = try row.decode(forColumn: "dsDeleted")
    questionID = try row.decode(forColumn: "questionID")
    attendanceLogID = try row.decode(forColumn: "attendanceLogID")
  }
}
