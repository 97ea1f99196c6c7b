// Generated from the catalogue by script/generate; edit the catalogue, not this file.
import GRDB

/// A stored row of AvailableForm. Offers a template at a station.
public struct AvailableFormRecord: FetchableRecord, TableRecord, Equatable, Sendable {
  /// The table that holds the rows.
  public static let databaseTableName = "availableForm"
  /// The entity's name in the catalogue.
  public static let entityName = "AvailableForm"
  /// The columns that a record reads.
  public static let columnNames: [String] = [
    "dsid", "order", "dsDeleted", "typeFormID", "activityTypeID",
  ]

  /// The row's key.
  public var dsid: Int

  /// AvailableForm.order.
  public var order: Int

  /// AvailableForm.dsDeleted. Soft delete. The reference counts it among the attributes common to all synchronised
  /// entities, but leaves it out of this one's list.
  public var dsDeleted: Bool

  /// The key of typeForm, a TypeForm.
  public var typeFormID: Int

  /// The key of activityType, a ActivityType.
  public var activityTypeID: Int

  /// Reads a row.
  ///
  /// - Throws: `RowDecodingError` where a column holds no value, or one of another type.
  public init(row: Row) throws {
    dsid = try row.decode(forColumn: "dsid")
    order = try row.decode(forColumn: "order")
    dsDeleted = try row.decode(forColumn: "dsDeleted")
    typeFormID = try row.decode(forColumn: "typeFormID")
    activityTypeID = try row.decode(forColumn: "activityTypeID")
  }
}
