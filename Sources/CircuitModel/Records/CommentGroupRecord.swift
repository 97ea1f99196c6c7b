// Generated from the catalogue by script/generate; edit the catalogue, not this file.
import GRDB

/// A stored row of CommentGroup. A category of general comments.
public struct CommentGroupRecord: FetchableRecord, TableRecord, Equatable, Sendable {
  /// The table that holds the rows.
  public static let databaseTableName = "commentGroup"
  /// The entity's name in the catalogue.
  public static let entityName = "CommentGroup"
  /// The columns that a record reads.
  public static let columnNames: [String] = [
    "dsid", "name", "dsDeleted",
  ]

  /// The row's key.
  public var dsid: Int

  /// CommentGroup.name.
  public var name: String

  /// CommentGroup.dsDeleted. Soft delete. Not indexed: nearly every row holds the same value.
  public var dsDeleted: Bool

  /// Reads a row.
  ///
  /// - Throws: `RowDecodingError` where a column holds no value, or one of another type.
  public init(row: Row) throws {
    dsid = try row.decode(forColumn: "dsid")
    name = try row.decode(forColumn: "name")
    dsDeleted = try row.decode(forColumn: "dsDeleted")
  }
}
