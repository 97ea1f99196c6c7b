// Generated from the catalogue by script/generate; edit the catalogue, not this file.
import GRDB

/// A stored row of DataSection. A section of a mark sheet.
public struct DataSectionRecord: FetchableRecord, TableRecord, Equatable, Sendable {
  /// The table that holds the rows.
  public static let databaseTableName = "dataSection"
  /// The entity's name in the catalogue.
  public static let entityName = "DataSection"
  /// The columns that a record reads.
  public static let columnNames: [String] = [
    "uuid", "name", "order", "quantity", "difficulty", "quad", "tooth", "duplicable", "copy", "dsDeleted", "typeID",
    "dataFormID", "sectionToFormLinkID",
  ]

  /// The row's key.
  public var uuid: String

  /// DataSection.name.
  public var name: String

  /// DataSection.order.
  public var order: Int

  /// DataSection.quantity.
  public var quantity: Int?

  /// DataSection.difficulty.
  public var difficulty: Int?

  /// DataSection.quad.
  public var quad: String?

  /// DataSection.tooth.
  public var tooth: String?

  /// DataSection.duplicable.
  public var duplicable: Bool

  /// DataSection.copy. Counts the copies of a duplicated section from 1.
  public var copy: Int

  /// DataSection.dsDeleted. Soft delete. Not indexed: nearly every row holds the same value.
  public var dsDeleted: Bool

  /// The key of type, a TypeSection.
  public var typeID: Int?

  /// The key of dataForm, a DataForm.
  public var dataFormID: String

  /// The key of sectionToFormLink, a SectionToForm.
  public var sectionToFormLinkID: Int?

  /// Reads a row.
  ///
  /// - Throws: `RowDecodingError` where a column holds no value, or one of another type.
  public init(row: Row) throws {
    uuid = try row.decode(forColumn: "uuid")
    name = try row.decode(forColumn: "name")
    order = try row.decode(forColumn: "order")
    quantity = try row.decode(forColumn: "quantity")
    difficulty = try row.decode(forColumn: "difficulty")
    quad = try row.decode(forColumn: "quad")
    tooth = try row.decode(forColumn: "tooth")
    duplicable = try row.decode(forColumn: "duplicable")
    copy = try row.decode(forColumn: "copy")
    dsDeleted = try row.decode(forColumn: "dsDeleted")
    typeID = try row.decode(forColumn: "typeID")
    dataFormID = try row.decode(forColumn: "dataFormID")
    sectionToFormLinkID = try row.decode(forColumn: "sectionToFormLinkID")
  }
}
