// Generated from the catalogue by script/generate; edit the catalogue, not this file.
import GRDB

/// A stored row of CircuitRun. One start of a circuit's session; a re-run is another run.
public struct CircuitRunRecord: FetchableRecord, TableRecord, Equatable, Sendable {
  /// The table that holds the rows.
  public static let databaseTableName = "circuitRun"
  /// The entity's name in the catalogue.
  public static let entityName = "CircuitRun"
  /// The columns that a record reads.
  public static let columnNames: [String] = [
    "uuid", "date", "startTime", "number", "rerun", "circuitID",
  ]

  /// The row's key. The key of the row.
  public var uuid: String

  /// CircuitRun.date. The session's date, YYYY-MM-DD.
  public var date: String?

  /// CircuitRun.startTime. The session's start, HH:MM.
  public var startTime: String?

  /// CircuitRun.number. Counts the runs of a session from 1.
  public var number: Int

  /// CircuitRun.rerun. Whether it is for the stations that were missed, with rounds of its own.
  public var rerun: Bool

  /// The key of circuit, a ClinicGroup. The circuit.
  public var circuitID: Int

  /// Reads a row.
  ///
  /// - Throws: `RowDecodingError` where a column holds no value, or one of another type.
  public init(row: Row) throws {
    uuid = try row.decode(forColumn: "uuid")
    date = try row.decode(forColumn: "date")
    startTime = try row.decode(forColumn: "startTime")
    number = try row.decode(forColumn: "number")
    rerun = try row.decode(forColumn: "rerun")
    circuitID = try row.decode(forColumn: "circuitID")
  }
}
