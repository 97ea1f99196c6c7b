// Generated from the catalogue by script/generate; edit the catalogue, not this file.
import GRDB

/// A stored row of TypeForm. A mark sheet template.
public struct TypeFormRecord: FetchableRecord, TableRecord, Equatable, Sendable {
  /// The table that holds the rows.
  public static let databaseTableName = "typeForm"
  /// The entity's name in the catalogue.
  public static let entityName = "TypeForm"
  /// The columns that a record reads.
  public static let columnNames: [String] = [
    "dsid", "name", "instructions", "order", "hideTotalQuestion", "props", "code", "key", "dsDeleted", "clinicGroupID",
  ]

  /// The row's key.
  public var dsid: Int

  /// TypeForm.name.
  public var name: String

  /// TypeForm.instructions.
  public var instructions: String?

  /// TypeForm.order.
  public var order: Int

  /// TypeForm.hideTotalQuestion.
  public var hideTotalQuestion: Bool

  /// TypeForm.props. JSON, the reference's own extension point: global rating item, borderline grade, station
  /// weight, pilot, critical items.
  public var props: String?

  /// TypeForm.code. The template's short name for people and for file names of exports.
  public var code: String?

  /// TypeForm.key. The template's natural key in an exam folder.
  public var key: String?

  /// TypeForm.dsDeleted. Soft delete. Not indexed: nearly every row holds the same value.
  public var dsDeleted: Bool

  /// The key of clinicGroup, a ClinicGroup. Not an owner: one template serves stations of several circuits.
  public var clinicGroupID: Int?

  /// Reads a row.
  ///
  /// - Throws: `RowDecodingError` where a column holds no value, or one of another type.
  public init(row: Row) throws {
    dsid = try row.decode(forColumn: "dsid")
    name = try row.decode(forColumn: "name")
    instructions = try row.decode(forColumn: "instructions")
    order = try row.decode(forColumn: "order")
    hideTotalQuestion = try row.decode(forColumn: "hideTotalQuestion")
    props = try row.decode(forColumn: "props")
    code = try row.decode(forColumn: "code")
    key = try row.decode(forColumn: "key")
    dsDeleted = try row.decode(forColumn: "dsDeleted")
    clinicGroupID = try row.decode(forColumn: "clinicGroupID")
  }
}
