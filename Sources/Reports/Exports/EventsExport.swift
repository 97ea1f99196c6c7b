import CircuitModel
import ExamStore
import GRDB
import Timer

/// `osce export events`: one row per event of every clock.
enum EventsExport {
  static let columns = [
    "circuit", "date", "start", "run", "id", "kind", "at", "seconds", "index", "rounds", "passage", "target", "staff",
    "reason", "applied", "refusal",
  ]

  static func forEachRow(in db: Database, _ body: ([ExportCell]) throws -> Void) throws {
    for (circuit, session) in try RunSessions.all(db) {
      for entry in try ClockLogEntry.all(of: session, in: db) {
        let event = entry.event
        try body([
          .text(circuit), .text(session.date), .text(session.startTime), .integer(Int64(entry.run)), .text(event.id),
          .text(event.kind.name), .time(event.at), .number(entry.seconds), .number(entry.index), .number(entry.rounds),
          .number(event.passage), .optional(entry.target), .optional(event.staff), .optional(event.reason),
          .flag(entry.isApplied), .optional(entry.refusal),
        ])
      }
    }
  }
}
