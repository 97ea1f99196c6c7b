// Generated from the catalogue by script/generate; edit the catalogue, not this file.
import GRDB

/// A stored row of MarkingDescriptor. A level of a marking matrix with its text.
public struct MarkingDescriptorRecord: FetchableRecord, TableRecord, Equatable, Sendable {
  /// The table that holds the rows.
  public static let databaseTableName = "markingDescriptor"
  /// The entity's name in the catalogue.
  public static let entityName = "MarkingDescriptor"
  /// The columns that a record reads.
  public static let columnNames: [String] = [
    "dsid", "descriptor", "value", "order", "dsDeleted", "questionID",
  ]

  /// The row's key.
  public var dsid: Int

  /// MarkingDescriptor.descriptor. The entity's text.
  public var descriptor: String

  /// MarkingDescriptor.value. No value: the level means unable to assess.
  public var value: Double?

  /// MarkingDescriptor.order.
  public var order: Int

  /// MarkingDescriptor.dsDeleted. Soft delete. Not indexed: nearly every row holds the same value.
  public var dsDeleted: Bool

  /// The key of question, a TypeQuestion.
  public var questionID: Int

  /// Reads a row.
  ///
  /// - Throws: `RowDecodingError` where a column holds no value, or one of another type.
  public init(row: Row) throws {
    dsid = try row.decode(forColumn: "dsid")
    descriptor = try row.decode(forColumn: "descriptor")
    value = try row.decode(forColumn: "value")
    order = try row.decode(forColumn: "order")
    dsDeleted = try row.decode(forColumn: "dsDeleted")
    questionID = try row.decode(forColumn: "questionID")
  }
}
