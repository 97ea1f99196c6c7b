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
    var moments = try StationMoments(db, at: now)
    var done: Set<Session> = []
    for first in try StationSession.all(in: db) where done.insert(first.session).inserted {
      let places = Dictionary(
        try StationSession.all(of: first.session, in: db).map { ($0.timetable, $0) }
      ) { first, _ in first }
      for incident in try Incidents.all(of: first.session, in: db) {
        let place = try places[incident.timetable].map { try moments.place($0, at: incident.time, in: db) }
        try body([
          .text(first.session.date), .text(first.session.startTime), .text(first.circuit.name),
          .text(incident.stationCode), .number(incident.timetable), .number(place?.slot?.round),
          .optional(place?.number), .optional(place?.candidate), .text(incident.kind.rawValue),
          .instant(incident.time), .number(incident.secondsLost), .optional(incident.text),
          .optional(incident.reporter),
        ])
      }
      // What a clock lost, every station of the circuit lost.
      for line in try SessionTimeline.read(first.session, at: now, in: db).lines
      where line.kind == .pause || line.kind == .wait {
        try body([
          .text(first.session.date), .text(first.session.startTime), .text(first.circuit.name), .empty, .empty,
          .number(line.passage?.round), .empty, .empty, .text(line.kind.rawValue), .time(line.at),
          .seconds(milliseconds: line.lostMs), .optional(line.reason), .optional(line.who),
        ])
      }
    }
  }
}
