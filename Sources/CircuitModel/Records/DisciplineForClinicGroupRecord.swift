// Generated from the catalogue by script/generate; edit the catalogue, not this file.
import GRDB

/// A stored row of DisciplineForClinicGroup. Places a circuit in a discipline.
public struct DisciplineForClinicGroupRecord: FetchableRecord, TableRecord, Equatable, Sendable {
  /// The table that holds the rows.
  public static let databaseTableName = "disciplineForClinicGroup"
  /// The entity's name in the catalogue.
  public static let entityName = "DisciplineForClinicGroup"
  /// The columns that a record reads.
  public static let columnNames: [String] = [
    "dsid", "dsDeleted", "clinic_group_id", "discipline_id",
  ]

  /// The row's key.
  public var dsid: Int

  /// DisciplineForClinicGroup.dsDeleted. Soft delete. Not indexed: nearly every row holds the same value.
  public var dsDeleted: Bool

  /// The key of clinicGroup, a ClinicGroup.
  public var clinicGroupID: Int

  /// The key of discipline, a Discipline.
  public var disciplineID: Int

  /// Reads a row.
  ///
  /// - Throws: `RowDecodingError` where a column holds no value, or one of another type.
  public init(row: Row) throws {
    dsid = try row.decode(forColumn: "dsid")
    dsDeleted = try row.decode(forColumn: "dsDeleted")
    clinicGroupID = try row.decode(forColumn: "clinic_group_id")
    disciplineID = try row.decode(forColumn: "discipline_id")
  }
}
