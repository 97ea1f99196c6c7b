// Generated from the catalogue by script/generate; edit the catalogue, not this file.
import GRDB

/// A stored row of AssistanceRequested. A help call from a station.
public struct AssistanceRequestedRecord: FetchableRecord, TableRecord, Equatable, Sendable {
  /// The table that holds the rows.
  public static let databaseTableName = "assistanceRequested"
  /// The entity's name in the catalogue.
  public static let entityName = "AssistanceRequested"
  /// The columns that a record reads.
  public static let columnNames: [String] = [
    "dsid", "uuid", "assistanceRequired", "timeRequested", "status", "timeResponded", "timeResolved", "text",
    "dsDeleted", "stationID", "circuitID", "staffID", "responderID",
  ]

  /// AssistanceRequested.dsid. Optional: a call made here has none.
  public var dsid: Int?

  /// The row's key. The key of the row; derived from dsid where a bundle gives only that.
  public var uuid: String

  /// AssistanceRequested.assistanceRequired.
  public var assistanceRequired: Bool

  /// AssistanceRequested.timeRequested. RFC 3339, UTC.
  public var timeRequested: String?

  /// AssistanceRequested.status. requested, responding or resolved.
  public var status: String

  /// Milliseconds since 1970-01-01T00:00:00Z. When somebody set out.
  public var timeResponded: Int64?

  /// Milliseconds since 1970-01-01T00:00:00Z. When the call was closed.
  public var timeResolved: Int64?

  /// AssistanceRequested.text. What is needed, in words.
  public var text: String?

  /// AssistanceRequested.dsDeleted. Soft delete. Not indexed: nearly every row holds the same value.
  public var dsDeleted: Bool

  /// The key of station, a ActivityType.
  public var stationID: Int

  /// The key of circuit, a ClinicGroup.
  public var circuitID: Int?

  /// The key of staff, a Staff. Who calls.
  public var staffID: Int?

  /// The key of responder, a Staff. Who answers.
  public var responderID: Int?

  /// Reads a row.
  ///
  /// - Throws: `RowDecodingError` where a column holds no value, or one of another type.
  public init(row: Row) throws {
    dsid = try row.decode(forColumn: "dsid")
    uuid = try row.decode(forColumn: "uuid")
    assistanceRequired = try row.decode(forColumn: "assistanceRequired")
    timeRequested = try row.decode(forColumn: "timeRequested")
    status = try row.decode(forColumn: "status")
    timeResponded = try row.decode(forColumn: "timeResponded")
    timeResolved = try row.decode(forColumn: "timeResolved")
    text = try row.decode(forColumn: "text")
    dsDeleted = try row.decode(forColumn: "dsDeleted")
    stationID = try row.decode(forColumn: "stationID")
    circuitID = try row.decode(forColumn: "circuitID")
    staffID = try row.decode(forColumn: "staffID")
    responderID = try row.decode(forColumn: "responderID")
  }
}
