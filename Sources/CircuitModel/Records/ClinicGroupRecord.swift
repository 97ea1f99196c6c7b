// Generated from the catalogue by script/generate; edit the catalogue, not this file.
import GRDB

/// A stored row of ClinicGroup. A circuit: a ring of stations that candidates rotate round.
public struct ClinicGroupRecord: FetchableRecord, TableRecord, Equatable, Sendable {
  /// The table that holds the rows.
  public static let databaseTableName = "clinicGroup"
  /// The entity's name in the catalogue.
  public static let entityName = "ClinicGroup"
  /// The columns that a record reads.
  public static let columnNames: [String] = [
    "dsid", "name", "code", "warnings", "dsDeleted",
  ]

  /// The row's key.
  public var dsid: Int

  /// ClinicGroup.name.
  public var name: String

  /// ClinicGroup.code. The circuit's natural key in an exam folder.
  public var code: String?

  /// JSON. Rules {phase type, seconds left, level, text} that replace the clock's default alerts as they stand.
  public var warnings: String?

  /// ClinicGroup.dsDeleted. Soft delete. Not indexed: nearly every row holds the same value.
  public var dsDeleted: Bool

  /// Reads a row.
  ///
  /// - Throws: `RowDecodingError` where a column holds no value, or one of another type.
  public init(row: Row) throws {
    dsid = try row.decode(forColumn: "dsid")
    name = try row.decode(forColumn: "name")
    code = try row.decode(forColumn: "code")
    warnings = try row.decode(forColumn: "warnings")
    dsDeleted = try row.decode(forColumn: "dsDeleted")
  }
}
