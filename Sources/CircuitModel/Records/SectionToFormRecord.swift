// Generated from the catalogue by script/generate; edit the catalogue, not this file.
import GRDB

/// A stored row of SectionToForm. Places a section in a template.
public struct SectionToFormRecord: FetchableRecord, TableRecord, Equatable, Sendable {
  /// The table that holds the rows.
  public static let databaseTableName = "sectionToForm"
  /// The entity's name in the catalogue.
  public static let entityName = "SectionToForm"
  /// The columns that a record reads.
  public static let columnNames: [String] = [
    "dsid", "order", "dsDeleted", "sectionID", "formID",
  ]

  /// The row's key.
  public var dsid: Int

  /// SectionToForm.order.
  public var order: Int

  /// SectionToForm.dsDeleted. Soft delete. The reference counts it among the attributes common to all synchronised
  /// entities, but leaves it out of this one's list.
  public var dsDeleted: Bool

  /// The key of section, a TypeSection.
  public var sectionID: Int

  /// The key of form, a TypeForm.
  public var formID: Int

  /// Reads a row.
  ///
  /// - Throws: `RowDecodingError` where a column holds no value, or one of another type.
  public init(row: Row) throws {
    dsid = try row.decode(forColumn: "dsid")
    order = try row.decode(forColumn: "order")
    dsDeleted = try row.decode(forColumn: "dsDeleted")
    sectionID = try row.decode(forColumn: "sectionID")
    formID = try row.decode(forColumn: "formID")
  }
}
