// Generated from the catalogue by script/generate; edit the catalogue, not this file.
import GRDB

/// A stored row of LastUpdate. When rows of an entity were last fetched.
public struct LastUpdateRecord: FetchableRecord, TableRecord, Equatable, Sendable {
  /// The table that holds the rows.
  public static let databaseTableName = "lastUpdate"
  /// The entity's name in the catalogue.
  public static let entityName = "LastUpdate"
  /// The columns that a record reads.
  public static let columnNames: [String] = [
    "lastUpdateType", "last_update",
  ]

  /// The row's key. The name of an entity.
  public var lastUpdateType: String

  /// LastUpdate.last_update. UTC, YYYY-MM-DD HH:MM:SS.
  public var lastUpdate: String?

  /// Reads a row.
  ///
  /// - Throws: `RowDecodingError` where a column holds no value, or one of another type.
  public init(row: Row) throws {
    lastUpdateType = try row.decode(forColumn: "lastUpdateType")
    lastUpdate = try row.decode(forColumn: "last_update")
  }
}
