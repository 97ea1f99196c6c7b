import CircuitModel
import ExamStore
import GRDB
import Timer

/// `osce export help`: one row per call for help.
enum HelpExport {
  private struct Row {
    let call: HelpCall
    let place: StationMoments.Place?
    let now: Instant

    /// How long help was waited for; nil where the call has no time.
    var ageMs: Int64? { call.requestedAt.map { max(0, (call.resolvedAt ?? now) - $0) } }
  }

  static let columns = table.map(\.name)

  private static let table: [ExportColumn<Row>] = [
    .init("date") { .optional($0.place?.station.session.date) },
    .init("start") { .optional($0.place?.station.session.startTime) },
    .init("circuit") { .optional($0.call.circuitName) },
    .init("station") { .text($0.call.stationCode) },
    .init("timetable") { .number($0.place?.station.timetable) },
    .init("round") { .number($0.place?.slot?.round) },
    .init("student_number") { .optional($0.place?.number) },
    .init("candidate") { .optional($0.place?.candidate) },
    .init("requested_at") { .instant($0.call.requestedAt) },
    .init("caller") { .optional($0.call.caller) },
    .init("text") { .text($0.call.text) },
    .init("status") { .text($0.call.isWithdrawn ? "withdrawn" : $0.call.status.rawValue) },
    .init("acknowledged_at") { .instant($0.call.respondedAt) },
    .init("responder") { .optional($0.call.responder) },
    .init("cleared_at") { .instant($0.call.resolvedAt) },
    .init("age_seconds") { .seconds(milliseconds: $0.ageMs) },
  ]

  static func forEachRow(in db: Database, at now: Instant, _ body: ([ExportCell]) throws -> Void) throws {
    var cells: [ExportCell] = []
    var moments = try StationMoments(db, at: now)
    for call in try HelpCalls.all(in: db) {
      let place = try call.station.flatMap { station in
        try call.requestedAt.flatMap { try moments.place(station: station, at: $0, in: db) }
      }
      table.fill(&cells, with: Row(call: call, place: place, now: now))
      try body(cells)
    }
  }
}

/// `osce export incidents`: one row per incident at a station, and per pause or wait of a clock.
enum IncidentsExport {
  static let columns = table.map(\.name)

  private static let table: [ExportColumn<LostTime>] = [
    .init("date") { .text($0.session.date) },
    .init("start") { .text($0.session.startTime) },
    .init("circuit") { .text($0.circuit) },
    .init("station") { .optional($0.station) },
    .init("timetable") { .number($0.timetable) },
    .init("round") { .number($0.round) },
    .init("student_number") { .optional($0.number) },
    .init("candidate") { .optional($0.candidate) },
    .init("kind") { .text($0.kind) },
    .init("time") { .instant($0.at) },
    .init("seconds_lost") { .seconds(milliseconds: $0.lostMs) },
    .init("reason") { .optional($0.reason) },
    .init("staff") { .optional($0.who) },
  ]

  static func forEachRow(in db: Database, at now: Instant, _ body: ([ExportCell]) throws -> Void) throws {
    var cells: [ExportCell] = []
    for lost in try LostTime.all(in: db, at: now) {
      table.fill(&cells, with: lost)
      try body(cells)
    }
  }
}
