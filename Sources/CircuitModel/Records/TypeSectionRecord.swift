// Generated from the catalogue by script/generate; edit the catalogue, not this file.
import GRDB

/// A stored row of TypeSection. A section of a mark sheet template.
public struct TypeSectionRecord: FetchableRecord, TableRecord, Equatable, Sendable {
  /// The table that holds the rows.
  public static let databaseTableName = "typeSection"
  /// The entity's name in the catalogue.
  public static let entityName = "TypeSection"
  /// The columns that a record reads.
  public static let columnNames: [String] = [
    "dsid", "name", "duplicable", "foldable", "quadAndTooth", "information", "matrixTitles", "maximumQuantity",
    "maximumDifficulty", "key", "dsDeleted",
  ]

  /// The row's key.
  public var dsid: Int

  /// TypeSection.name.
  public var name: String

  /// TypeSection.duplicable.
  public var duplicable: Bool

  /// TypeSection.foldable.
  public var foldable: Bool

  /// TypeSection.quadAndTooth.
  public var quadAndTooth: Bool

  /// TypeSection.information.
  public var information: String?

  /// TypeSection.matrixTitles. JSON: the titles of the columns of a marking matrix.
  public var matrixTitles: String?

  /// TypeSection.maximumQuantity. How many copies a sheet may hold; no value: no limit.
  public var maximumQuantity: Int?

  /// TypeSection.maximumDifficulty. The upper end of the difficulty scale; no value: not asked.
  public var maximumDifficulty: Int?

  /// TypeSection.key. The section's natural key within its template.
  public var key: String?

  /// TypeSection.dsDeleted. Soft delete. Not indexed: nearly every row holds the same value.
  public var dsDeleted: Bool

  /// Reads a row.
  ///
  /// - Throws: `RowDecodingError` where a column holds no value, or one of another type.
  public init(row: Row) throws {
    dsid = try row.decode(forColumn: "dsid")
    name = try row.decode(forColumn: "name")
    duplicable = try row.decode(forColumn: "duplicable")
    foldable = try row.decode(forColumn: "foldable")
    quadAndTooth = try row.decode(forColumn: "quadAndTooth")
    information = try row.decode(forColumn: "information")
    matrixTitles = try row.decode(forColumn: "matrixTitles")
    maximumQuantity = try row.decode(forColumn: "maximumQuantity")
    maximumDifficulty = try row.decode(forColumn: "maximumDifficulty")
    key = try row.decode(forColumn: "key")
    dsDeleted = try row.decode(forColumn: "dsDeleted")
  }
}
