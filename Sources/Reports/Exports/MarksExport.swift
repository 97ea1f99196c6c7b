import CircuitModel
import ExamStore
import GRDB
import Journal
import Timer

/// `osce export marks`: one row per item of every expected sheet, started or not.
enum MarksExport {
  static let columns = [
    "date", "start", "circuit", "station", "timetable", "round", "student_number", "candidate", "present", "assessor",
    "form", "section", "copy", "item", "text", "type", "value", "maximum", "unable", "descriptor", "feedback",
    "marked_at", "where", "entered_by", "first_marked_at", "changes", "seconds_after_bell", "form_version", "signed_at",
  ]

  static func forEachRow(in db: Database, at now: Instant, _ body: ([ExportCell]) throws -> Void) throws {
    let usernames = try Usernames(db)
    let places = try MarkPlaces(db)
    let histories = try MarkHistories(db)
    var bells = Bells(at: now)
    try SheetWalk.forEach(in: db) { sheet in
      let head = head(of: sheet)
      let tail: [ExportCell] = [.number(sheet.version), .instant(sheet.held?.signedAt)]
      let form = ExportCell.text(sheet.template.code ?? sheet.template.name)
      let planned = sheet.assessor.flatMap { usernames[$0.staff] }
      let numbers = ItemNumbers(sheet.template)
      guard let held = sheet.held else {
        for section in sheet.template.sections {
          for item in section.items {
            let about = about(item, section: section, copy: 1, number: numbers[item])
            try body(
              head + [.optional(planned), form] + about
                + [
                  .empty, .optional(item.scoreMaximum), .bool(false), .empty, .empty, .empty,
                  .text(MarkPlace.empty.rawValue), .empty, .empty, .integer(0), .empty,
                ] + tail)
          }
        }
        return
      }
      let onlyHere = try places.notAtHub(sheet: held.key, in: db)
      for item in held.items {
        let history = try histories.history(of: item, in: db)
        let late =
          try item.isBlank ? nil : bells.secondsAfter(item.markedAt, entry: sheet.entry, sheet.place.session, db)
        let place = places.place(of: item, notAtHub: onlyHere)
        try body(
          head + [.optional(item.judge.flatMap { usernames[$0] } ?? planned), form]
            + about(item.template, section: item.section, copy: item.copy, number: numbers[item.template])
            + [
              .optional(item.rating), .optional(item.template.scoreMaximum), .bool(item.isUnable),
              .optional(item.descriptorText), item.writtenText.isEmpty ? .empty : .text(item.writtenText),
              item.isBlank ? .empty : .instant(item.markedAt), .text(place.rawValue),
              .optional(item.isBlank ? nil : item.enteredBy.flatMap { usernames[$0] }), .instant(history.first),
              .integer(Int64(history.changes)), .number(late),
            ] + tail)
      }
    }
  }

  private static func head(of sheet: PlannedSheet) -> [ExportCell] {
    let (place, entry) = (sheet.place, sheet.entry)
    return [
      .text(place.session.date), .text(place.session.startTime), .text(place.circuit.name), .text(place.stationCode),
      .integer(Int64(place.timetable)), .number(entry.round), .text(entry.number), .text(entry.candidate),
      .flag(entry.isPresent),
    ]
  }

  private static func about(_ item: ItemTemplate, section: SectionTemplate, copy: Int, number: Int) -> [ExportCell] {
    [
      .text(section.name), .integer(Int64(copy)), .integer(Int64(number)), .text(item.text), .text(item.kind.rawValue),
    ]
  }
}

extension ExportCell {
  fileprivate static func optional(_ mark: MarkValue?) -> ExportCell { mark.map { .mark($0) } ?? .empty }
}

/// The numbers by which people know a template's items: from 1, through all sections.
struct ItemNumbers {
  private let numbers: [Int: Int]

  init(_ template: SheetTemplate) {
    numbers = Dictionary(template.items.enumerated().map { ($1.link, $0 + 1) }) { first, _ in first }
  }

  subscript(item: ItemTemplate) -> Int { numbers[item.link] ?? 0 }
}

/// The staff's usernames by key.
struct Usernames {
  private let names: [Int: String]

  init(_ db: Database) throws {
    names = Dictionary(
      uniqueKeysWithValues: try Row.fetchAll(
        db, sql: "SELECT dsid, username, title, forename, surname FROM user WHERE entity = 'Staff'"
      ).map { row in
        let name = personName(title: row[2], forename: row[3], surname: row[4])
        return (row[0] as Int, row[1] ?? name ?? String(row[0] as Int))
      })
  }

  subscript(staff: Int) -> String? { names[staff] }
}
