import ExamStore
import GRDB

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
