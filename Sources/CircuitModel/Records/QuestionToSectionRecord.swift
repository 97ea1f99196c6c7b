// Generated from the catalogue by script/generate; edit the catalogue, not this file.
import GRDB

/// A stored row of QuestionToSection. Places an item in a section.
public struct QuestionToSectionRecord: FetchableRecord, TableRecord, Equatable, Sendable {
  /// The table that holds the rows.
  public static let databaseTableName = "questionToSection"
  /// The entity's name in the catalogue.
  public static let entityName = "QuestionToSection"
  /// The columns that a record reads.
  public static let columnNames: [String] = [
    "dsid", "order", "dsDeleted", "questionID", "sectionID",
  ]

  /// The row's key.
  public var dsid: Int

  /// QuestionToSection.order.
  public var order: Int

  /// QuestionToSection.dsDeleted. Soft delete. The reference counts it among the attributes common to all
  /// synchronised entities, but leaves it out of this one's list.
  public var dsDeleted: Bool

  /// The key of question, a TypeQuestion.
  public var questionID: Int

  /// The key of section, a TypeSection.
  public var sectionID: Int

  /// Reads a row.
  ///
  /// - Throws: `RowDecodingError` where a column holds no value, or one of another type.
  public init(row: Row) throws {
    dsid = try row.decode(forColumn: "dsid")
    order = try row.decode(forColumn: "order")
    dsDeleted = try row.decode(forColumn: "dsDeleted")
    questionID = try row.decode(forColumn: "questionID")
    sectionID = try row.decode(forColumn: "sectionID")
  }
}
