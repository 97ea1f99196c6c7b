import CircuitModel
import ExamStore
import GRDB
import Timer

/// `osce export clock`: one row per passage, that is, each time that a clock entered a phase.
enum PhaseExport {
  static let columns = [
    "circuit", "date", "start", "run", "passage", "phase", "type", "round", "planned_start", "planned_end",
    "planned_seconds", "started", "ended", "seconds", "paused_seconds", "waited_seconds", "extended_seconds", "ending",
    "rerun",
  ]

  static func forEachRow(in db: Database, at now: Instant, _ body: ([ExportCell]) throws -> Void) throws {
    for (circuit, session) in try RunSessions.all(db) {
      for run in try Run.all(of: session, in: db) {
        for passage in Rotation.fold(run.events, until: now).timeline.passages {
          let extended = passage.extensions.reduce(Int64(0)) { $0 + $1.seconds }
          try body([
            .text(circuit), .text(session.date), .text(session.startTime), .number(run.number),
            .number(passage.number), .number(passage.phaseIndex), .text(passage.type.name), .number(passage.round),
            .time(passage.plannedStart), .time(passage.plannedEnd), .seconds(milliseconds: passage.plannedMs),
            .instant(passage.start), .instant(passage.end), .seconds(milliseconds: length(of: passage)),
            .seconds(milliseconds: passage.pausedMs(at: now)), .seconds(milliseconds: passage.waitedMs(at: now)),
            .integer(extended), .optional(passage.ending?.name), .bool(run.isRerun),
          ])
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

extension PassageEnding {
  /// The ending in words, as exports and the timeline have it.
  var name: String {
    switch self {
    case .ranOut: "ran out"
    case .skipped: "skipped"
    case .shortened: "shortened"
    case .jumped: "jumped"
    case .stopped: "stopped"
    case .removed: "removed"
    }
  }
}

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
