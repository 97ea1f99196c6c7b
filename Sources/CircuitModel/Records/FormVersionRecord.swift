// Generated from the catalogue by script/generate; edit the catalogue, not this file.
import GRDB

/// A stored row of FormVersion. The texts, values and order of a template as they were when sheets were made from it.
public struct FormVersionRecord: FetchableRecord, TableRecord, Equatable, Sendable {
  /// The table that holds the rows.
  public static let databaseTableName = "formVersion"
  /// The entity's name in the catalogue.
  public static let entityName = "FormVersion"
  /// The columns that a record reads.
  public static let columnNames: [String] = [
    "uuid", "number", "digest", "content", "typeFormID",
  ]

  /// The row's key. The key of the row.
  public var uuid: String

  /// FormVersion.number. Counts the versions of a template from 1.
  public var number: Int

  /// FormVersion.digest. SHA-256 of content in hexadecimal; equal content is one version.
  public var digest: String?

  /// JSON. Sections, items and levels in full.
  public var content: String?

  /// The key of typeForm, a TypeForm. The template.
  public var typeFormID: Int

  /// Reads a row.
  ///
  /// - Throws: `RowDecodingError` where a column holds no value, or one of another type.
  public init(row: Row) throws {
    uuid = try row.decode(forColumn: "uuid")
    number = try row.decode(forColumn: "number")
    digest = try row.decode(forColumn: "digest")
    content = try row.decode(forColumn: "content")
    typeFormID = try row.decode(forColumn: "typeFormID")
  }
}
