import CircuitModel
import ExamStore
import GRDB
import Timer

/// One thing that an expected mark sheet lacks.
public struct MissingMark: Sendable {
  /// What is lacking.
  public enum Kind: String, Sendable, CaseIterable {
    /// The whole sheet: it was not started.
    case sheet
    /// A required item is blank.
    case item
    /// A section asks for something that is not recorded: which tooth, how often, how difficult.
    case fact
    /// The sheet is not signed.
    case signature
    /// The candidate is queued for the re-run and was not examined in it: whatever else the sheet lacks.
    case rerun
  }

  /// What is lacking.
  public let kind: Kind
  /// The sheet that lacks it.
  public let sheet: PlannedSheet
  /// The item, where one is blank: its number in the sheet from 1, its copy, its section and itself.
  public let item: (number: Int, copy: Int, section: SectionTemplate, template: ItemTemplate)?
  /// What a section lacks, where it is that.
  public let fact: BlankFact?
  /// The station in the re-run queue, where that is it.
  public let rerun: RerunItem?
  /// The username of who is to fill the sheet; nil where nobody is planned.
  public let assessor: String?

  /// Which of the station's sheets it is of, in front of what is lacking: `Examination: `; empty where there is one.
  public var sheetPrefix: String { sheet.nameAmongSeveral.map { "\($0): " } ?? "" }

  private init(
    _ kind: Kind, of sheet: PlannedSheet, _ assessor: String?,
    item: (number: Int, copy: Int, section: SectionTemplate, template: ItemTemplate)? = nil, fact: BlankFact? = nil,
    rerun: RerunItem? = nil
  ) {
    (self.kind, self.sheet, self.assessor, self.item, self.fact) = (kind, sheet, assessor, item, fact)
    self.rerun = rerun
  }

  /// Calls `body` with all that is missing, in the order of sessions, stations and rounds, and then with what is still
  /// queued for re-runs.
  public static func forEach(in db: Database, _ body: (MissingMark) throws -> Void) throws {
    let usernames = try Usernames(db)
    try SheetWalk.forEach(.blanks, in: db) { try missing(in: $0, usernames, body) }
    for item in try RerunQueue.remaining(in: db) {
      guard let sheet = try PlannedSheet.of(item, in: db) else { continue }
      try body(MissingMark(.rerun, of: sheet, sheet.assessor.flatMap { usernames[$0.staff] }, rerun: item))
    }
  }

  /// Calls `body` with all that is missing in a part of the plan, in the same order.
  /// - Throws: `StoreError` where the exam has nothing of that name.
  public static func forEach(
    matching filter: PlanFilter, in db: Database, at now: Instant, _ body: (MissingMark) throws -> Void
  ) throws {
    let places = filter.isAll ? nil : Set(try filter.find(in: db, at: now).places.map(\.timetable))
    try forEach(in: db) { missing in
      let sheet = missing.sheet
      if let places, !places.contains(sheet.place.timetable) { return }
      if let candidate = filter.candidate, sheet.entry.number != candidate { return }
      try body(missing)
    }
  }

  /// Calls `body` with all that is missing at some station sessions, in the order of rounds.
  public static func forEach(
    at places: [StationSession], in db: Database, _ body: (MissingMark) throws -> Void
  ) throws {
    let usernames = try Usernames(db)
    try SheetWalk.forEach(.blanks, at: places, in: db) { try missing(in: $0, usernames, body) }
  }

  private static func missing(
    in sheet: PlannedSheet, _ usernames: Usernames, _ body: (MissingMark) throws -> Void
  ) throws {
    guard sheet.isExpected else { return }
    let assessor = sheet.assessor.flatMap { usernames[$0.staff] }
    guard let held = sheet.held else {
      return try body(MissingMark(.sheet, of: sheet, assessor))
    }
    for item in held.items where item.isBlank && item.part.isRequired {
      try body(
        MissingMark(
          .item, of: sheet, assessor, item: (item.number, item.copy, item.section, item.template)))
    }
    for fact in held.blankFacts { try body(MissingMark(.fact, of: sheet, assessor, fact: fact)) }
    if held.signedAt == nil {
      try body(MissingMark(.signature, of: sheet, assessor))
    }
  }

  /// `{"kind":"sheet|item|fact|signature|rerun","date","start","circuit","station","timetable","round","student_number",
  /// "candidate","assessor","seat","form","section","copy","item","text"}`. The last four are null but for an
  /// item; a fact has all of them but the item. Of a re-run the form is null
  /// too, and the text says in which round of it the station comes.
  public var json: JSONDocument {
    .object([
      ("kind", .text(kind.rawValue)), ("date", .text(sheet.place.session.date)),
      ("start", .text(sheet.place.session.startTime)), ("circuit", .text(sheet.place.circuit.name)),
      ("station", .text(sheet.place.stationCode)), ("timetable", .number(sheet.place.timetable)),
      ("round", .number(sheet.entry.round)), ("student_number", .text(sheet.entry.number)),
      ("candidate", .text(sheet.entry.candidate)), ("assessor", .optional(assessor)), ("seat", .text(sheet.seat.name)),
      ("form", rerun == nil ? .text(sheet.template.code ?? sheet.template.name) : .null),
      ("section", .optional((item?.section ?? fact?.section)?.name)),
      ("copy", .number(item?.copy ?? fact?.copy)), ("item", .number(item?.number)),
      ("text", .optional(item?.template.text ?? fact?.fact.short ?? rerun.map { "re-run round \($0.place)" })),
    ])
  }
}
