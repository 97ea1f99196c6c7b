// Generated from the catalogue by script/generate; edit the catalogue, not this file.
import GRDB

/// A stored row of Comment. A general comment from one person to another.
public struct CommentRecord: FetchableRecord, TableRecord, Equatable, Sendable {
  /// The table that holds the rows.
  public static let databaseTableName = "comment"
  /// The entity's name in the catalogue.
  public static let entityName = "Comment"
  /// The columns that a record reads.
  public static let columnNames: [String] = [
    "uuid", "text", "date", "dsDeleted", "writerID", "recipientID", "groupID",
  ]

  /// The row's key.
  public var uuid: String

  /// Comment.text.
  public var text: String

  /// Comment.date.
  public var date: String?

  /// Comment.dsDeleted. Soft delete. Not indexed: nearly every row holds the same value.
  public var dsDeleted: Bool

  /// The key of writer, a User.
  public var writerID: Int?

  /// The key of recipient, a User.
  public var recipientID: Int?

  /// The key of group, a CommentGroup.
  public var groupID: Int?

  /// Reads a row.
  ///
  /// - Throws: `RowDecodingError` where a column holds no value, or one of another type.
  public init(row: Row) throws {
    uuid = try row.decode(forColumn: "uuid")
    text = try row.decode(forColumn: "text")
    date = try row.decode(forColumn: "date")
    dsDeleted = try row.decode(forColumn: "dsDeleted")
    writerID = try row.decode(forColumn: "writerID")
    recipientID = try row.decode(forColumn: "recipientID")
    groupID = try row.decode(forColumn: "groupID")
  }
}
