import CircuitModel
import ExamStore
import GRDB
import Timer

/// `osce export clock`: one row per passage, that is, each time that a clock entered a phase.
enum PhaseExport {
  private struct Row {
    let circuit: String
    let session: Session
    let run: Run
    let passage: Passage
    let now: Instant

    var extendedSeconds: Int64 { passage.extensions.reduce(0) { $0 + $1.seconds } }
  }

  static let columns = table.map(\.name)

  private static let table: [ExportColumn<Row>] = [
    .init("circuit") { .text($0.circuit) },
    .init("date") { .text($0.session.date) },
    .init("start") { .text($0.session.startTime) },
    .init("run") { .number($0.run.number) },
    .init("passage") { .number($0.passage.number) },
    .init("phase") { .number($0.passage.phaseIndex) },
    .init("type") { .text($0.passage.type.name) },
    .init("round") { .number($0.passage.round) },
    .init("planned_start") { .time($0.passage.plannedStart) },
    .init("planned_end") { .time($0.passage.plannedEnd) },
    .init("planned_seconds") { .seconds(milliseconds: $0.passage.plannedMs) },
    .init("started") { .instant($0.passage.start) },
    .init("ended") { .instant($0.passage.end) },
    .init("seconds") { .seconds(milliseconds: length(of: $0.passage)) },
    .init("paused_seconds") { .seconds(milliseconds: $0.passage.pausedMs(at: $0.now)) },
    .init("waited_seconds") { .seconds(milliseconds: $0.passage.waitedMs(at: $0.now)) },
    .init("extended_seconds") { .integer($0.extendedSeconds) },
    .init("ending") { .optional($0.passage.ending?.name) },
    .init("rerun") { .bool($0.run.isRerun) },
  ]

  static func forEachRow(in db: Database, at now: Instant, _ body: ([ExportCell]) throws -> Void) throws {
    var cells: [ExportCell] = []
    for (circuit, session) in try RunSessions.all(db) {
      for run in try Run.all(of: session, in: db) {
        for passage in Rotation.fold(run.events, until: now).timeline.passages {
          table.fill(&cells, with: Row(circuit: circuit, session: session, run: run, passage: passage, now: now))
          try body(cells)
        }
      }
    }
  }

  /// From the start to the end, pauses included; nil while it goes on, or if it never began.
  private static func length(of passage: Passage) -> Int64? {
    guard let start = passage.start, let end = passage.end else { return nil }
    return end - start
  }
}

/// `osce export events`: one row per event of every clock.
enum EventsExport {
  private struct Row {
    let circuit: String
    let session: Session
    let entry: ClockLogEntry
  }

  static let columns = table.map(\.name)

  private static let table: [ExportColumn<Row>] = [
    .init("circuit") { .text($0.circuit) },
    .init("date") { .text($0.session.date) },
    .init("start") { .text($0.session.startTime) },
    .init("run") { .integer(Int64($0.entry.run)) },
    .init("id") { .text($0.entry.event.id) },
    .init("kind") { .text($0.entry.event.kind.name) },
    .init("at") { .time($0.entry.event.at) },
    .init("seconds") { .number($0.entry.seconds) },
    .init("index") { .number($0.entry.index) },
    .init("rounds") { .number($0.entry.rounds) },
    .init("passage") { .number($0.entry.event.passage) },
    .init("target") { .optional($0.entry.target) },
    .init("staff") { .optional($0.entry.event.staff) },
    .init("reason") { .optional($0.entry.event.reason) },
    .init("applied") { .flag($0.entry.isApplied) },
    .init("refusal") { .optional($0.entry.refusal) },
  ]

  static func forEachRow(in db: Database, _ body: ([ExportCell]) throws -> Void) throws {
    var cells: [ExportCell] = []
    for (circuit, session) in try RunSessions.all(db) {
      for entry in try ClockLogEntry.all(of: session, in: db) {
        table.fill(&cells, with: Row(circuit: circuit, session: session, entry: entry))
        try body(cells)
      }
    }
  }
}
