import CircuitModel
import ExamStore
import GRDB
import Timer

/// `osce export help`: one row per call for help.
enum HelpExport {
  static let columns = [
    "date", "start", "circuit", "station", "timetable", "round", "student_number", "candidate", "requested_at",
    "caller", "text", "status", "acknowledged_at", "responder", "cleared_at", "age_seconds",
  ]

  static func forEachRow(in db: Database, at now: Instant, _ body: ([ExportCell]) throws -> Void) throws {
    var moments = try StationMoments(db, at: now)
    for call in try HelpCalls.all(in: db) {
      let place = try call.station.flatMap { station in
        try call.requestedAt.flatMap { try moments.place(station: station, at: $0, in: db) }
      }
      try body([
        .optional(place?.station.session.date), .optional(place?.station.session.startTime),
        .optional(call.circuitName), .text(call.stationCode), .number(place?.station.timetable),
        .number(place?.slot?.round), .optional(place?.number), .optional(place?.candidate), .instant(call.requestedAt),
        .optional(call.caller), .text(call.text), .text(call.isWithdrawn ? "withdrawn" : call.status.rawValue),
        .instant(call.respondedAt),
        .optional(call.responder), .instant(call.resolvedAt),
        .seconds(milliseconds: call.requestedAt.map { max(0, (call.resolvedAt ?? now) - $0) }),
      ])
    }
  }
}

/// `osce export incidents`: one row per incident at a station, and per pause or wait of a clock.
enum IncidentsExport {
  static let columns = [
    "date", "start", "circuit", "station", "timetable", "round", "student_number", "candidate", "kind", "time",
    "seconds_lost", "reason", "staff",
  ]

  static func forEachRow(in db: Database, at now: Instant, _ body: ([ExportCell]) throws -> Void) throws {
    for lost in try LostTime.all(in: db, at: now) {
      try body([
        .text(lost.session.date), .text(lost.session.startTime), .text(lost.circuit), .optional(lost.station),
        .number(lost.timetable), .number(lost.round), .optional(lost.number), .optional(lost.candidate),
        .text(lost.kind), .instant(lost.at), .seconds(milliseconds: lost.lostMs), .optional(lost.reason),
        .optional(lost.who),
      ])
    }
  }
}
