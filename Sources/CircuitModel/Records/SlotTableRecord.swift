// Generated from the catalogue by script/generate; edit the catalogue, not this file.
import GRDB

/// A stored row of SlotTable. Who has changed slots with whom in a session, and from which round on.
public struct SlotTableRecord: FetchableRecord, TableRecord, Equatable, Sendable {
  /// The table that holds the rows.
  public static let databaseTableName = "slotTable"
  /// The entity's name in the catalogue.
  public static let entityName = "SlotTable"
  /// The columns that a record reads.
  public static let columnNames: [String] = [
    "uuid", "date", "startTime", "places", "circuitID",
  ]

  /// The row's key. The key of the row, derived from circuit, date and start.
  public var uuid: String

  /// SlotTable.date. The session's date, YYYY-MM-DD.
  public var date: String?

  /// SlotTable.startTime. The session's start, HH:MM.
  public var startTime: String?

  /// JSON. A list of {round, planned, comes}: from that round on, who comes where another candidate was planned.
  public var places: String?

  /// The key of circuit, a ClinicGroup. The circuit.
  public var circuitID: Int

  /// Reads a row.
  ///
  /// - Throws: `RowDecodingError` where a column holds no value, or one of another type.
  public init(row: Row) throws {
    uuid = try row.decode(forColumn: "uuid")
    date = try row.decode(forColumn: "date")
    startTime = try row.decode(forColumn: "startTime")
    places = try row.decode(forColumn: "places")
    circuitID = try row.decode(forColumn: "circuitID")
  }
}
