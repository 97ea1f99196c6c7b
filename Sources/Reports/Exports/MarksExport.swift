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
    // One row is used for all: an array for each costs more than what is in it.
    var row: [ExportCell] = []
    row.reserveCapacity(columns.count)
    try SheetWalk.forEach(.whole, in: db) { sheet in
      let planned = sheet.assessor.flatMap { usernames[$0.staff] }
      let head = head(of: sheet)
      let form = ExportCell.text(sheet.template.code ?? sheet.template.name)
      let tail: [ExportCell] = [.number(sheet.version), .instant(sheet.held?.signedAt)]
      func begin(
        assessor: String?, _ section: SectionTemplate, copy: Int, number: Int, _ item: ItemTemplate
      ) {
        row.removeAll(keepingCapacity: true)
        row.append(contentsOf: head)
        row.append(.optional(assessor))
        row.append(form)
        row.append(.text(section.name))
        row.append(.integer(Int64(copy)))
        row.append(.integer(Int64(number)))
        row.append(.text(item.text))
        row.append(.text(item.kind.rawValue))
      }
      guard let held = sheet.held else {
        var number = 0
        for section in sheet.template.sections {
          for item in section.items {
            number += 1
            begin(assessor: planned, section, copy: 1, number: number, item)
            row += [
              .empty, .optional(item.scoreMaximum), .bool(false), .empty, .empty, .empty,
              .text(MarkPlace.empty.rawValue), .empty, .empty, .integer(0), .empty,
            ]
            row.append(contentsOf: tail)
            try body(row)
          }
        }
        return
      }
      let rotations = try bells.rotations(of: sheet.entry, sheet.place.session, db)
      for item in held.items {
        let history = try histories.history(of: item, in: db)
        let isBlank = item.isBlank
        let written = item.writtenText
        begin(
          assessor: item.judge.flatMap { usernames[$0] } ?? planned, item.part.section, copy: item.copy,
          number: item.number, item.part.item)
        row.append(.optional(item.rating))
        row.append(.optional(item.part.item.scoreMaximum))
        row.append(.bool(item.isUnable))
        row.append(.optional(item.descriptorText))
        row.append(written.isEmpty ? .empty : .text(written))
        row.append(isBlank ? .empty : .instant(item.markedAt))
        row.append(.text(places.place(of: item).rawValue))
        row.append(.optional(isBlank ? nil : item.enteredBy.flatMap { usernames[$0] }))
        row.append(.instant(history.first))
        row.append(.integer(Int64(history.changes)))
        row.append(.number(isBlank ? nil : Bells.secondsAfter(item.markedAt, rotations)))
        row.append(contentsOf: tail)
        try body(row)
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
}

extension ExportCell {
  fileprivate static func optional(_ mark: MarkValue?) -> ExportCell { mark.map { .mark($0) } ?? .empty }
}

/// The staff's usernames by key.
struct Usernames {
  private let names: [Int: String]

  init(_ db: Database) throws {
    names = Dictionary(
      try ReadRow.fetchAll(
        db, sql: "SELECT dsid, username, title, forename, surname FROM user WHERE entity = 'Staff'"
      ).map { row in
        let name = personName(title: row[2], forename: row[3], surname: row[4])
        return (row[0] as Int, row[1] ?? name ?? String(row[0] as Int))
      }, uniquingKeysWith: { first, _ in first })
  }

  subscript(staff: Int) -> String? { names[staff] }
}
