import CircuitModel
import GRDB
import Timer

/// `osce export changes`: one row per answer that took the place of another one.
enum ChangesExport {
  static let columns = [
    "date", "start", "circuit", "station", "timetable", "round", "student_number", "candidate", "form", "seat", "sheet",
    "section", "copy", "item", "item_key", "text", "what", "from", "to", "how", "staff", "name", "time",
    "seconds_after_bell", "reason", "words",
  ]

  static func forEachRow(in db: Database, at now: Instant, _ body: ([ExportCell]) throws -> Void) throws {
    var changes = try MarkChanges(db, at: now)
    let keys = try QuestionKeys.all(in: db)
    try SheetWalk.forEach(.whole, in: db) { sheet in
      for (item, change) in try changes.changes(of: sheet, in: db) {
        let (place, entry) = (sheet.place, sheet.entry)
        try body([
          .text(place.session.date), .text(place.session.startTime), .text(place.circuit.name),
          .text(place.stationCode), .number(place.timetable), .number(entry.round), .text(entry.number),
          .text(entry.candidate), .text(sheet.template.code ?? sheet.template.name), .text(sheet.seat.name),
          .optional(sheet.held?.key), .text(item.section.name), .number(item.copy), .number(item.number),
          .optional(keys[item.template.question]), .text(item.template.text), .text(change.aspect.rawValue),
          .text(change.from), .text(change.to), .text(change.kind), .optional(change.staff), .optional(change.name),
          .time(change.time), .number(change.secondsAfterBell), .optional(change.reason), .text(change.words),
        ])
      }
    }
  }
}
