// Generated from the catalogue by script/generate; edit the catalogue, not this file.
import GRDB

/// A stored row of Config. The settings of the whole exam.
public struct ConfigRecord: FetchableRecord, TableRecord, Equatable, Sendable {
  /// The table that holds the rows.
  public static let databaseTableName = "config"
  /// The entity's name in the catalogue.
  public static let entityName = "Config"
  /// The columns that a record reads.
  public static let columnNames: [String] = [
    "dsid", "universityCode", "configURL", "timeZone", "examName", "settings", "dsDeleted",
  ]

  /// The row's key.
  public var dsid: Int

  /// Config.universityCode.
  public var universityCode: String?

  /// Config.configURL.
  public var configURL: String?

  /// Config.timeZone. The exam's time zone by its IANA name; no value: that of the host.
  public var timeZone: String?

  /// Config.examName. The exam's name on screens and exports.
  public var examName: String?

  /// JSON. Any further setting, by name.
  public var settings: String?

  /// Config.dsDeleted. Soft delete. Not indexed: nearly every row holds the same value.
  public var dsDeleted: Bool

  /// Reads a row.
  ///
  /// - Throws: `RowDecodingError` where a column holds no value, or one of another type.
  public init(row: Row) throws {
    dsid = try row.decode(forColumn: "dsid")
    universityCode = try row.decode(forColumn: "universityCode")
    configURL = try row.decode(forColumn: "configURL")
    timeZone = try row.decode(forColumn: "timeZone")
    examName = try row.decode(forColumn: "examName")
    settings = try row.decode(forColumn: "settings")
    dsDeleted = try row.decode(forColumn: "dsDeleted")
  }
}
