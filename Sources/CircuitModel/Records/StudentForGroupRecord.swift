// Generated from the catalogue by script/generate; edit the catalogue, not this file.
import GRDB

/// A stored row of StudentForGroup. Places a candidate in a group.
public struct StudentForGroupRecord: FetchableRecord, TableRecord, Equatable, Sendable {
  /// The table that holds the rows.
  public static let databaseTableName = "studentForGroup"
  /// The entity's name in the catalogue.
  public static let entityName = "StudentForGroup"
  /// The columns that a record reads.
  public static let columnNames: [String] = [
    "dsid", "dsDeleted", "studentID", "groupID",
  ]

  /// The row's key.
  public var dsid: Int

  /// StudentForGroup.dsDeleted. Soft delete. The reference counts it among the attributes common to all synchronised
  /// entities, but leaves it out of this one's list.
  public var dsDeleted: Bool

  /// The key of student, a Student.
  public var studentID: Int

  /// The key of group, a StudentGroup.
  public var groupID: Int

  /// Reads a row.
  ///
  /// - Throws: `RowDecodingError` where a column holds no value, or one of another type.
  public init(row: Row) throws {
    dsid = try row.decode(forColumn: "dsid")
    dsDeleted = try row.decode(forColumn: "dsDeleted")
    studentID = try row.decode(forColumn: "studentID")
    groupID = try row.decode(forColumn: "groupID")
  }
}
