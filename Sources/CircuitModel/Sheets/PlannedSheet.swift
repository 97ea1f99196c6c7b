import ExamStore
import GRDB
import Timer

/// One mark sheet of the exam, whether it was started or not: what the counts, the list of what is missing and the
/// export of marks all speak of.
///
/// *Expected* are the sheets of every roster entry that is not recorded absent, of a station session that is not
/// cancelled: each form required, once for each seat. A sheet with anything on it that is not expected any more
/// (the candidate was recorded absent later, a second assessor was removed) is listed as such: nothing vanishes.
public struct PlannedSheet: Sendable {
  /// The station session.
  public let place: StationSession
  /// The roster entry.
  public let entry: Entry
  /// Whose sheet it is.
  public let seat: Seat
  /// Who is planned to fill it; nil where nobody is.
  public let assessor: StationSession.Assessor?
  /// What it was made from, or would be made from now.
  public let template: SheetTemplate
  /// The number of that version of the template; nil where none is recorded.
  public let version: Int?
  /// What is held; nil: not started.
  public let held: HeldSheet?
  /// Whether it counts as expected.
  public let isExpected: Bool
  /// The template's name where the station has several; nil where it has one, and where the assessor has still to choose.
  public let nameAmongSeveral: String?

  /// The candidate's place in a station session.
  public struct Entry: Equatable, Sendable {
    /// The key in `TimetableAttendanceLog`.
    public let key: String
    /// The round in which the candidate comes.
    public let round: Int?
    /// The candidate number.
    public let number: String
    /// The candidate's name.
    public let candidate: String
    /// Whether the candidate is here; nil: not recorded.
    public let isPresent: Bool?
  }
}

/// A mark sheet that was started.
public struct HeldSheet: Sendable {
  /// The key in `DataForm`.
  public let key: String
  /// When it was signed; nil while it is open.
  public let signedAt: Instant?
  /// The items in order, those of copied sections included, as far as they were asked for.
  public let items: [HeldItem]
  /// How many there are of which kind.
  public let tally: SheetTally
  /// What its sections ask for and lack.
  public let blankFacts: [BlankFact]
}

/// What is counted of a sheet's items.
public struct SheetTally: Equatable, Sendable {
  /// Items in all.
  public var items = 0
  /// Items with an answer.
  public var answered = 0
  /// Required items without an answer.
  public var blanks = 0
  /// Items that could not be assessed.
  public var unable = 0
}

/// An item of a template where it stands in it. One is shared by the items of all sheets that were made from it.
public final class SheetPart: Sendable {
  /// The section.
  public let section: SectionTemplate
  /// The item.
  public let item: ItemTemplate
  /// Whether it must not be left blank.
  public let isRequired: Bool

  fileprivate init(_ section: SectionTemplate, _ item: ItemTemplate, isRequired: Bool) {
    (self.section, self.item, self.isRequired) = (section, item, isRequired)
  }

  /// How an item of a sheet names it.
  struct Link: Hashable {
    let section: Int
    let item: Int
  }

}

/// The parts of a template by their links.
struct SheetParts {
  private let required: Set<Int>
  private let sections: [Int: SectionTemplate]
  private let items: [Int: ItemTemplate]
  private var parts: [SheetPart.Link: SheetPart] = [:]

  init(_ template: SheetTemplate) {
    required = template.required
    sections = Dictionary(template.sections.map { ($0.link, $0) }) { first, _ in first }
    items = Dictionary(template.items.map { ($0.link, $0) }) { first, _ in first }
  }

  /// The part of an item that names it; nil where the template has no such section or item.
  mutating func part(_ link: SheetPart.Link) -> SheetPart? {
    if let known = parts[link] { return known }
    guard let section = sections[link.section], let item = items[link.item] else { return nil }
    let part = SheetPart(section, item, isRequired: required.contains(item.link))
    parts[link] = part
    return part
  }
}

/// An item of a sheet that was started.
public struct HeldItem: Sendable {
  /// The key in the family of `DataQuestion`; empty where only blanks were asked for.
  public let key: String
  /// Its number as the sheet shows it: which of its items it is, from 1, those of copied sections counted.
  public let number: Int
  /// Which copy of its section it stands in, from 1.
  public let copy: Int
  /// What it was made from, and its section.
  public let part: SheetPart
  /// The value given; nil: none.
  public let rating: MarkValue?
  /// Whether it was marked as impossible to assess.
  public let isUnable: Bool
  /// The written answer, or the feedback on an item with levels.
  public let feedback: String
  /// When it was marked last.
  public let markedAt: Instant?
  /// The key of the `MarkingDescriptor` chosen.
  public let descriptor: Int?
  /// The key of who judged.
  public let judge: Int?
  /// The key of who typed.
  public let enteredBy: Int?

  /// How often it was done, how difficult it was, and the supervisor's note.
  public let work: WorkFacts
  /// What is recorded beside the answer; nothing where only blanks were asked for.
  package let facts: ItemFacts

  /// The section.
  public var section: SectionTemplate { part.section }
  /// What it was made from.
  public var template: ItemTemplate { part.item }

  /// Whether it has no answer.
  public var isBlank: Bool {
    part.item.kind.isBlank(
      hasLevel: rating != nil || isUnable, hasText: !feedback.isEmpty, hasWork: work != WorkFacts())
  }

  /// The words of the level given, where it is a described one.
  public var descriptorText: String? {
    guard part.item.kind.hasDescriptors, let rating else { return nil }
    let levels = part.item.levels
    let level = levels.first { descriptor != nil && $0.descriptor == descriptor }
    return (level ?? levels.first { $0.value == rating }).flatMap { $0.text.isEmpty ? nil : $0.text }
  }
}

/// What is recorded with an item beside its answer, and with the section that it stands in.
package struct ItemFacts: Sendable {
  /// The tags chosen, as JSON; nil: none.
  package var tags: String?
  /// Whether it was recommended.
  package var isRecommended = false
  /// Whether it completes a case.
  package var isCompletedCase = false
  /// The section's quadrant of the mouth.
  package var quadrant: String?
  /// The section's tooth.
  package var tooth: String?
  /// How often the section was done.
  package var quantity: Int?
  /// How difficult it was.
  package var difficulty: Int?

  /// The tags chosen.
  package var tagList: [String] { tags == nil || tags == "[]" ? [] : TemplateReader.strings(json: tags) }
}

extension ItemKind {
  /// Whether an item of the kind that holds these has no answer. One that is not known may be answered by any of them.
  /// `AnsweredItem` says the same in SQL.
  func isBlank(hasLevel: Bool, hasText: Bool, hasWork: Bool) -> Bool {
    if !isKnown { return !hasLevel && !hasText && !hasWork }
    return isWritten ? !hasText : !hasLevel
  }
}

extension HeldItem {
  /// One without an answer, of which nothing more was asked.
  init(blank part: SheetPart, number: Int, copy: Int) {
    self.init(
      key: "", number: number, copy: copy, part: part, rating: nil, isUnable: false, feedback: "", markedAt: nil,
      descriptor: nil, judge: nil, enteredBy: nil, work: WorkFacts(), facts: ItemFacts())
  }
}

/// Where a mark is.
public enum MarkPlace: String, Sendable, CaseIterable {
  /// It was not given.
  case empty
  /// On this machine's disk.
  case disk
  /// At the hub too.
  case hub
  /// Contradicted by another, or refused by the hub: a person must look.
  case attention
}

extension PlannedSheet {
  /// The held items, or those that an empty sheet would have.
  package var itemCount: Int { held?.tally.items ?? template.items.count }

  /// Required items without an answer: all of them while the sheet is not started.
  package var blanks: Int {
    if let held { return held.tally.blanks }
    let required = template.required
    return template.items.count { required.contains($0.link) }
  }

  /// Whether no required item is blank.
  public var isFilled: Bool { held != nil && blanks == 0 }
}

extension PlannedSheet {
  /// The sheet that a station in the re-run queue is about: the lead assessor's, by the station's first template.
  /// - Returns: nil where the station has no template.
  package static func of(_ item: RerunItem, in db: Database) throws -> PlannedSheet? {
    guard let first = try StationForms.read(station: item.station.station, in: db).ids.first,
      let template = try TemplateReader.read(form: first, in: db)
    else { return nil }
    let (entry, candidate) = (item.entry, item.entry.candidate)
    return PlannedSheet(
      place: item.station,
      entry: Entry(
        key: entry.key, round: entry.round, number: candidate?.number ?? "", candidate: candidate?.name ?? "",
        isPresent: entry.isPresent),
      seat: .lead, assessor: item.station.assessors.first { $0.seat == .lead }, template: template, version: nil,
      held: nil, isExpected: false, nameAmongSeveral: nil)
  }
}
