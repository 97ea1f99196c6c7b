import GRDB
import Timer

/// `osce export clock`: one row per event of every clock.
enum ClockExport {
  static let columns = [
    "circuit", "date", "start", "run", "id", "kind", "at", "seconds", "index", "rounds", "passage", "target", "staff",
    "reason", "applied", "refusal",
  ]

  static func forEachRow(in db: Database, _ body: ([ExportCell]) throws -> Void) throws {
    let sessions = try Row.fetchAll(
      db,
      sql: """
        SELECT DISTINCT r.circuitID, r.date, r.startTime, c.name FROM circuitRun r JOIN clinicGroup c ON c.dsid = r.circuitID
        ORDER BY r.date, r.startTime, r.circuitID
        """)
    for row in sessions {
      let session = Session(circuit: row[0], date: row[1] ?? "", startTime: row[2] ?? "")
      for entry in try ClockLogEntry.all(of: session, in: db) {
        let event = entry.event
        try body([
          .text(row[3]), .text(session.date), .text(session.startTime), .integer(Int64(entry.run)), .text(event.id),
          .text(event.kind.name), .time(event.at), .number(entry.seconds), .number(entry.index), .number(entry.rounds),
          .number(event.passage), .optional(entry.target), .optional(event.staff), .optional(event.reason),
          .flag(entry.isApplied), .optional(entry.refusal),
        ])
      }
    }
  }
}
