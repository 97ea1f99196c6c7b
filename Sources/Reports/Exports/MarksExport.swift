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
    "sheet", "seat", "item_key", "role", "pilot", "weight", "borderline", "critical", "tooth", "quadrant", "quantity",
    "difficulty", "tags", "recommended", "completes_case", "minimum", "threshold", "lower_threshold", "required",
    "planned", "margin",
  ]

  static func forEachRow(in db: Database, at now: Instant, _ body: ([ExportCell]) throws -> Void) throws {
    let usernames = try Usernames(db)
    let places = try MarkPlaces(db)
    let histories = try MarkHistories(db)
    var bells = Bells(at: now)
    var rules = ItemRules(db)
    var margins = Margins(db)
    // One row is used for all: an array for each costs more than what is in it.
    var row: [ExportCell] = []
    row.reserveCapacity(columns.count)
    try SheetWalk.forEach(.whole, in: db) { sheet in
      let planned = sheet.assessor.flatMap { usernames[$0.staff] }
      let cells = SheetCells(
        sheet, rules: try rules.form(of: sheet.template, version: sheet.version),
        margin: try margins.margin(at: sheet.place))
      guard let held = sheet.held else {
        var number = 0
        for section in sheet.template.sections {
          for item in section.items {
            number += 1
            cells.begin(&row, assessor: planned, section, copy: 1, number: number, item)
            row += [
              .empty, .optional(item.scoreMaximum), .bool(false), .empty, .empty, .empty,
              .text(MarkPlace.empty.rawValue), .empty, .empty, .integer(0), .empty,
            ]
            cells.end(&row, item, nil)
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
        cells.begin(
          &row, assessor: item.judge.flatMap { usernames[$0] } ?? planned, item.part.section, copy: item.copy,
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
        cells.end(&row, item.template, item)
        try body(row)
      }
    }
  }
}

/// The cells of a row on either side of what is recorded of its item.
private struct SheetCells {
  private let rules: ItemRules.Form
  // What is the same in all rows of the sheet.
  private let head: [ExportCell]
  private let form: ExportCell
  private let tail: [ExportCell]
  private let last: [ExportCell]

  /// - Parameter margin: how far two assessors of the station may differ.
  init(_ sheet: PlannedSheet, rules: ItemRules.Form, margin: Double) {
    self.rules = rules
    let (place, entry) = (sheet.place, sheet.entry)
    head = [
      .text(place.session.date), .text(place.session.startTime), .text(place.circuit.name), .text(place.stationCode),
      .integer(Int64(place.timetable)), .number(entry.round), .text(entry.number), .text(entry.candidate),
      .flag(entry.isPresent),
    ]
    form = .text(sheet.template.code ?? sheet.template.name)
    tail = [
      .number(sheet.version), .instant(sheet.held?.signedAt), .optional(sheet.held?.key), .text(sheet.seat.name),
    ]
    last = [.bool(sheet.isExpected), .real(margin)]
  }

  /// Begins the row of an item.
  func begin(
    _ row: inout [ExportCell], assessor: String?, _ section: SectionTemplate, copy: Int, number: Int,
    _ item: ItemTemplate
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

  /// Ends the row of an item.
  func end(_ row: inout [ExportCell], _ item: ItemTemplate, _ held: HeldItem?) {
    row.append(contentsOf: tail)
    rules.append(item, held, to: &row)
    row.append(contentsOf: last)
  }
}

extension ExportCell {
  fileprivate static func optional(_ mark: MarkValue?) -> ExportCell { mark.map { .mark($0) } ?? .empty }
}

/// How far two assessors of a station may differ.
private struct Margins {
  private let db: Database
  private var known: [Int: Double] = [:]

  init(_ db: Database) { self.db = db }

  mutating func margin(at place: StationSession) throws -> Double {
    if let margin = known[place.station] { return margin }
    let margin = try DoubleMarking.margin(at: place, in: db)
    known[place.station] = margin
    return margin
  }
}

/// What the sheets say of their items beside what is marked: what a result is made from.
private struct ItemRules {
  /// One template's: what is the same for an item on every sheet is worked out once.
  final class Form {
    private var items: [Int: (before: [ExportCell], after: [ExportCell])] = [:]

    init(_ template: SheetTemplate, _ properties: SheetProperties, keys: QuestionKeys) {
      let required = template.required
      for item in template.items {
        items[item.link] = (
          [
            .optional(keys[item.question]), .text(item.link == template.globalRating ? "global" : "item"),
            .bool(template.isPilot),
            .real(properties.weight ?? 1), .real(properties.borderlineGrade),
            .bool(properties.isCritical(item, name: keys.name(of: item.question))),
          ],
          [
            .optional(item.levels.map(\.value).min()), .optional(item.threshold), .optional(item.lowerThreshold),
            .bool(required.contains(item.link)),
          ]
        )
      }
    }

    /// Appends the cells of an item, those of a sheet that was not started without what is recorded.
    func append(_ item: ItemTemplate, _ held: HeldItem?, to row: inout [ExportCell]) {
      guard let (before, after) = items[item.link] else { return }
      row.append(contentsOf: before)
      let tags = held?.facts.tagList ?? []
      row.append(.optional(held?.facts.tooth))
      row.append(.optional(held?.facts.quadrant))
      row.append(.number(held?.work.times ?? held?.facts.quantity))
      row.append(.number(held?.work.difficulty ?? held?.facts.difficulty))
      row.append(tags.isEmpty ? .empty : .text(tags.joined(separator: "; ")))
      row.append(.bool(held?.facts.isRecommended ?? false))
      row.append(.bool(held?.facts.isCompletedCase ?? false))
      row.append(contentsOf: after)
    }
  }

  /// Of which version's template a form was worked out.
  private struct Version: Hashable {
    let form: Int
    let number: Int?
    let items: [Int]
  }

  private let db: Database
  private var keys: QuestionKeys?
  private var forms: [Version: Form] = [:]

  init(_ db: Database) { self.db = db }

  mutating func form(of template: SheetTemplate, version number: Int?) throws -> Form {
    let version = Version(form: template.form, number: number, items: template.items.map(\.question))
    if let known = forms[version] { return known }
    let keys = try self.keys ?? QuestionKeys.all(in: db)
    self.keys = keys
    let made = Form(template, try SheetProperties.of(template.form, in: db), keys: keys)
    forms[version] = made
    return made
  }
}
