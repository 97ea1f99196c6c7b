// Generated from the catalogue by script/generate; edit the catalogue, not this file.
import GRDB

/// A stored row of ScenarioMetadata. The instructions of a scenario.
public struct ScenarioMetadataRecord: FetchableRecord, TableRecord, Equatable, Sendable {
  /// The table that holds the rows.
  public static let databaseTableName = "scenarioMetadata"
  /// The entity's name in the catalogue.
  public static let entityName = "ScenarioMetadata"
  /// The columns that a record reads.
  public static let columnNames: [String] = [
    "dsid", "assessorInstructions", "candidateInstructions", "dsDeleted", "typeFormID",
  ]

  /// The row's key.
  public var dsid: Int

  /// ScenarioMetadata.assessorInstructions.
  public var assessorInstructions: String?

  /// ScenarioMetadata.candidateInstructions.
  public var candidateInstructions: String?

  /// ScenarioMetadata.dsDeleted. Soft delete. Not indexed: nearly every row holds the same value.
  public var dsDeleted: Bool

  /// The key of typeForm, a TypeForm.
  public var typeFormID: Int

  /// Reads a row.
  ///
  /// - Throws: `RowDecodingError` where a column holds no value, or one of another type.
  public init(row: Row) throws {
    dsid = try row.decode(forColumn: "dsid")
    assessorInstructions = try row.decode(forColumn: "assessorInstructions")
    candidateInstructions = try row.decode(forColumn: "candidateInstructions")
    dsDeleted = try row.decode(forColumn: "dsDeleted")
    typeFormID = try row.decode(forColumn: "typeFormID")
  }
}
