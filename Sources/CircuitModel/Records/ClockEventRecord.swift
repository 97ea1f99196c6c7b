// Generated from the catalogue by script/generate; edit the catalogue, not this file.
import GRDB

/// A stored row of ClockEvent. One event of a run: start, pause, resume, extend, skip, restart, jump, rounds, stop or annul.
public struct ClockEventRecord: FetchableRecord, TableRecord, Equatable, Sendable {
  /// The table that holds the rows.
  public static let databaseTableName = "clockEvent"
  /// The entity's name in the catalogue.
  public static let entityName = "ClockEvent"
  /// The columns that a record reads.
  public static let columnNames: [String] = [
    "uuid", "kind", "at", "seconds", "index", "rounds", "passage", "target", "reason", "plan", "runID", "staffID",
  ]

  /// The row's key. The key of the row.
  public var uuid: String

  /// ClockEvent.kind. The event's word.
  public var kind: String?

  /// ClockEvent.at. Its instant on the exam's clock, in milliseconds.
  public var at: Int64?

  /// ClockEvent.seconds. extend: by how much.
  public var seconds: Int?

  /// ClockEvent.index. jump: to which phase, from 1.
  public var index: Int?

  /// ClockEvent.rounds. rounds: to how many.
  public var rounds: Int?

  /// ClockEvent.passage. Which entry into a phase the operator was shown.
  public var passage: Int?

  /// ClockEvent.target. annul: the uuid of the event taken out.
  public var target: String?

  /// ClockEvent.reason. Why, in words.
  public var reason: String?

  /// JSON. start: the expanded phases and the rounds needed.
  public var plan: String?

  /// The key of run, a CircuitRun. The run.
  public var runID: String

  /// The key of staff, a Staff. Who gave it.
  public var staffID: Int?

  /// Reads a row.
  ///
  /// - Throws: `RowDecodingError` where a column holds no value, or one of another type.
  public init(row: Row) throws {
    uuid = try row.decode(forColumn: "uuid")
    kind = try row.decode(forColumn: "kind")
    at = try row.decode(forColumn: "at")
    seconds = try row.decode(forColumn: "seconds")
    index = try row.decode(forColumn: "index")
    rounds = try row.decode(forColumn: "rounds")
    passage = try row.decode(forColumn: "passage")
    target = try row.decode(forColumn: "target")
    reason = try row.decode(forColumn: "reason")
    plan = try row.decode(forColumn: "plan")
    runID = try row.decode(forColumn: "runID")
    staffID = try row.decode(forColumn: "staffID")
  }
}
