// Generated from the catalogue by script/generate; edit the catalogue, not this file.
import GRDB

/// A stored row of CircuitStationDuration. A phase of a circuit's cycle.
public struct CircuitStationDurationRecord: FetchableRecord, TableRecord, Equatable, Sendable {
  /// The table that holds the rows.
  public static let databaseTableName = "circuitStationDuration"
  /// The entity's name in the catalogue.
  public static let entityName = "CircuitStationDuration"
  /// The columns that a record reads.
  public static let columnNames: [String] = [
    "dsid", "duration", "durationType", "manualStart", "order", "seconds", "dsDeleted", "clinicGroupID",
  ]

  /// The row's key.
  public var dsid: Int

  /// CircuitStationDuration.duration. Whole minutes. The length is duration · 60 + seconds, and a length of 0 is an
  /// import error.
  public var duration: Int

  /// CircuitStationDuration.durationType. rotation, reading, feedback, changeover, break or a word of the exam's
  /// own.
  public var durationType: String

  /// CircuitStationDuration.manualStart. 0 or 1; anything but 0 counts as 1. The phase waits for a start.
  public var manualStart: Int

  /// CircuitStationDuration.order.
  public var order: Int

  /// CircuitStationDuration.seconds. 0 to 59, beyond the minutes: 90 s of reading exists.
  public var seconds: Int

  /// CircuitStationDuration.dsDeleted. Soft delete. Not indexed: nearly every row holds the same value.
  public var dsDeleted: Bool

  /// The key of clinicGroup, a ClinicGroup.
  public var clinicGroupID: Int

  /// Reads a row.
  ///
  /// - Throws: `RowDecodingError` where a column holds no value, or one of another type.
  public init(row: Row) throws {
    dsid = try row.decode(forColumn: "dsid")
    duration = try row.decode(forColumn: "duration")
    durationType = try row.decode(forColumn: "durationType")
    manualStart = try row.decode(forColumn: "manualStart")
    order = try row.decode(forColumn: "order")
    seconds = try row.decode(forColumn: "seconds")
    dsDeleted = try row.decode(forColumn: "dsDeleted")
    clinicGroupID = try row.decode(forColumn: "clinicGroupID")
  }
}
