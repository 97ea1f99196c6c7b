// Generated from the catalogue by script/generate; edit the catalogue, not this file.
import GRDB

/// A stored row of Sitting. One person at one terminal from sign-in to sign-out.
public struct SittingRecord: FetchableRecord, TableRecord, Equatable, Sendable {
  /// The table that holds the rows.
  public static let databaseTableName = "sitting"
  /// The entity's name in the catalogue.
  public static let entityName = "Sitting"
  /// The columns that a record reads.
  public static let columnNames: [String] = [
    "uuid", "process", "tty", "host", "version", "openSheet", "began", "ended", "deviceID", "staffID", "timetableID",
  ]

  /// The row's key. The key of the row.
  public var uuid: String

  /// Sitting.process. The process id.
  public var process: Int?

  /// Sitting.tty. The terminal's device; no value: none.
  public var tty: String?

  /// Sitting.host. Where the person sits, as far as ssh tells.
  public var host: String?

  /// Sitting.version. The version of the program.
  public var version: String?

  /// Sitting.openSheet. The uuid of the mark sheet that is open there; no value: none.
  public var openSheet: String?

  /// Milliseconds since 1970-01-01T00:00:00Z. Sign-in.
  public var began: Int64?

  /// Milliseconds since 1970-01-01T00:00:00Z. Sign-out; no value: open, or the process was killed.
  public var ended: Int64?

  /// The key of device, a Device. The store written to.
  public var deviceID: String

  /// The key of staff, a Staff. Who.
  public var staffID: Int?

  /// The key of timetable, a Timetable. The station session, where there is one.
  public var timetableID: Int?

  /// Reads a row.
  ///
  /// - Throws: `RowDecodingError` where a column holds no value, or one of another type.
  public init(row: Row) throws {
    uuid = try row.decode(forColumn: "uuid")
    process = try row.decode(forColumn: "process")
    tty = try row.decode(forColumn: "tty")
    host = try row.decode(forColumn: "host")
    version = try row.decode(forColumn: "version")
    openSheet = try row.decode(forColumn: "openSheet")
    began = try row.decode(forColumn: "began")
    ended = try row.decode(forColumn: "ended")
    deviceID = try row.decode(forColumn: "deviceID")
    staffID = try row.decode(forColumn: "staffID")
    timetableID = try row.decode(forColumn: "timetableID")
  }
}
