import CircuitModel
import GRDB
import Timer

/// `osce export changes`: one row per answer that took the place of another one, and per sheet that went to another
/// candidate.
enum ChangesExport {
  private struct Row {
    let sheet: PlannedSheet
    let item: HeldItem
    /// The item's key, where its file gives it one.
    let key: String?
    let change: MarkChange
  }

  static let columns = table.map(\.name)

  private static let table: [ExportColumn<Row>] = [
    .init("date") { .text($0.sheet.place.session.date) },
    .init("start") { .text($0.sheet.place.session.startTime) },
    .init("circuit") { .text($0.sheet.place.circuit.name) },
    .init("station") { .text($0.sheet.place.stationCode) },
    .init("timetable") { .number($0.sheet.place.timetable) },
    .init("round") { .number($0.sheet.entry.round) },
    .init("student_number") { .text($0.sheet.entry.number) },
    .init("candidate") { .text($0.sheet.entry.candidate) },
    .init("form") { .text($0.sheet.template.code ?? $0.sheet.template.name) },
    .init("seat") { .text($0.sheet.seat.name) },
    .init("sheet") { .optional($0.sheet.held?.key) },
    .init("section") { .text($0.item.section.name) },
    .init("copy") { .number($0.item.copy) },
    .init("item") { .number($0.item.number) },
    .init("item_key") { .optional($0.key) },
    .init("text") { .text($0.item.template.text) },
    .init("what") { .text($0.change.aspect.rawValue) },
    .init("from") { .text($0.change.from) },
    .init("to") { .text($0.change.to) },
    .init("how") { .text($0.change.kind) },
    .init("staff") { .optional($0.change.staff) },
    .init("name") { .optional($0.change.name) },
    .init("time") { .time($0.change.time) },
    .init("seconds_after_bell") { .number($0.change.secondsAfterBell) },
    .init("reason") { .optional($0.change.reason) },
    .init("words") { .text($0.change.text(on: $0.sheet.place.session.date)) },
  ]

  static func forEachRow(in db: Database, at now: Instant, _ body: ([ExportCell]) throws -> Void) throws {
    var cells: [ExportCell] = []
    var changes = try MarkChanges(db, at: now)
    let keys = try QuestionKeys.all(in: db)
    let moves = try SheetMoves(db)
    try SheetWalk.forEach(.whole, in: db) { sheet in
      for move in sheet.held.map({ moves.moves(of: $0.key) }) ?? [] {
        let (place, entry) = (sheet.place, sheet.entry)
        try body([
          .text(place.session.date), .text(place.session.startTime), .text(place.circuit.name),
          .text(place.stationCode), .number(place.timetable), .number(entry.round), .text(entry.number),
          .text(entry.candidate), .text(sheet.template.code ?? sheet.template.name), .text(sheet.seat.name),
          .text(move.sheet), .empty, .empty, .empty, .empty, .empty, .text("candidate"), .text(move.from.text),
          .text(move.to.text), .text(move.kind), .optional(move.staff), .optional(move.name), .time(move.time), .empty,
          .optional(move.reason), .text(move.text(on: place.session.date)),
        ])
      }
      for (item, change) in try changes.changes(of: sheet, in: db) {
        table.fill(&cells, with: Row(sheet: sheet, item: item, key: keys[item.template.question], change: change))
        try body(cells)
      }
    }
  }
}
