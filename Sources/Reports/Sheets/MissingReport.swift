import CircuitModel
import ExamStore
import GRDB

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
  }

  /// What is lacking.
  public let kind: Kind
  /// The sheet that lacks it.
  public let sheet: PlannedSheet
  /// The item, where one is blank: its number in the sheet from 1, its copy, its section and itself.
  public let item: (number: Int, copy: Int, section: SectionTemplate, template: ItemTemplate)?
  /// What a section lacks, where it is that.
  public let fact: BlankFact?
  /// The username of who is to fill the sheet; nil where nobody is planned.
  public let assessor: String?

  /// Which of the station's sheets it is of, in front of what is lacking: `Examination: `; empty where there is one.
  public var sheetPrefix: String { sheet.nameAmongSeveral.map { "\($0): " } ?? "" }

  private init(
    _ kind: Kind, of sheet: PlannedSheet, _ assessor: String?,
    item: (number: Int, copy: Int, section: SectionTemplate, template: ItemTemplate)? = nil, fact: BlankFact? = nil
  ) {
    (self.kind, self.sheet, self.assessor, self.item, self.fact) = (kind, sheet, assessor, item, fact)
  }

  /// Calls `body` with all that is missing, in the order of sessions, stations and rounds.
  public static func forEach(in db: Database, _ body: (MissingMark) throws -> Void) throws {
    let usernames = try Usernames(db)
    try SheetWalk.forEach(.blanks, in: db) { try missing(in: $0, usernames, body) }
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
          .item, of: sheet, assessor, item: (item.part.number, item.copy, item.section, item.template)))
    }
    for fact in held.blankFacts { try body(MissingMark(.fact, of: sheet, assessor, fact: fact)) }
    if held.signedAt == nil {
      try body(MissingMark(.signature, of: sheet, assessor))
    }
  }

  /// `{"kind":"sheet|item|fact|signature","date","start","circuit","station","timetable","round","student_number",
  /// "candidate","assessor","seat","form","section","copy","item","text"}`. The last four are null but for an
  /// item; a fact has all of them but the item.
  public var json: JSONDocument {
    .object([
      ("kind", .text(kind.rawValue)), ("date", .text(sheet.place.session.date)),
      ("start", .text(sheet.place.session.startTime)), ("circuit", .text(sheet.place.circuit.name)),
      ("station", .text(sheet.place.stationCode)), ("timetable", .number(sheet.place.timetable)),
      ("round", .number(sheet.entry.round)), ("student_number", .text(sheet.entry.number)),
      ("candidate", .text(sheet.entry.candidate)), ("assessor", .optional(assessor)), ("seat", .text(sheet.seat.name)),
      ("form", .text(sheet.template.code ?? sheet.template.name)),
      ("section", .optional((item?.section ?? fact?.section)?.name)),
      ("copy", .number(item?.copy ?? fact?.copy)), ("item", .number(item?.number)),
      ("text", .optional(item?.template.text ?? fact?.fact.short)),
    ])
  }
}
