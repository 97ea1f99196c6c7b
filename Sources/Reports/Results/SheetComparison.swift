import CircuitModel
import ExamStore
import GRDB
import Standards
import Timer

/// The sheets of all assessors of one candidate at a station, item beside item: what the exam lead adjudicates by.
public struct SheetComparison: Sendable {
  /// Who marked, and what it came to.
  public struct Assessor: Sendable {
    /// Whose sheets they are.
    public let seat: Seat
    /// The seat's assessor by name; nil where nobody sits there now.
    public let name: String?
    /// The score of all sheets of this seat, as results take it.
    public let score: MarkValue
    /// The largest possible, without items that could not be assessed or do not count.
    public let maximum: MarkValue

    /// The score in percent of the maximum; nil where nothing could be assessed.
    public var percent: Double? { maximum.scaled > 0 ? score.number * 100 / maximum.number : nil }
  }

  /// A line: the heading of a sheet or a section, or an item.
  public struct Row: Sendable {
    /// The item's number on its sheet; nil for a heading.
    public let number: Int?
    /// The item's text, or the heading.
    public let text: String
    /// What each assessor answered, in the order of `assessors`; nil where that assessor's sheet has no such item.
    public let answers: [String?]

    /// Whether the assessors do not agree.
    public var differs: Bool { number != nil && Set(answers).count > 1 }
  }

  /// Where the candidate was marked.
  public let place: StationSession
  /// The candidate.
  public let candidate: Candidate
  /// The assessors who hold a sheet, in the order of seats.
  public let assessors: [Assessor]
  /// The lines, in the order of the first sheet that has them.
  public let rows: [Row]
  /// How far two assessors may differ, in points of percent of the maximum.
  public let margin: Double

  /// The largest difference between two assessors, in points of percent; nil where fewer than two have a score.
  public var points: Double? {
    let percents = assessors.compactMap(\.percent)
    return percents.count < 2 ? nil : percents.max()! - percents.min()!
  }

  /// Reads the sheets of a candidate at a station.
  /// - Parameters:
  ///   - session: date and start, as `2026-12-07 09:00`.
  ///   - candidate: the candidate's number.
  /// - Returns: nil if there is no such entry.
  public static func read(
    circuit: String, session: String, station: String, candidate: String, in db: Database
  ) throws -> SheetComparison? {
    let places = try StationSession.all(in: db)
    for place in places
    where place.circuit.name == circuit && place.session.name == session && place.stationCode == station {
      let entries = try Roster.entries(timetable: place.timetable, seat: .lead, in: db)
      for entry in entries where entry.candidate?.label == candidate {
        return try SheetComparison(place, entry, in: db)
      }
    }
    return nil
  }

  private init(_ place: StationSession, _ entry: RosterEntry, in db: Database) throws {
    self.place = place
    candidate = entry.candidate!
    margin = try DoubleMarking.margin(at: place, in: db)
    let held = try String.fetchAll(
      db, sql: "SELECT uuid FROM dataForm WHERE attendanceLogID = ? AND dsDeleted = 0 ORDER BY typeID, uuid",
      arguments: [entry.key]
    ).compactMap { try Sheet.read($0, in: db) }
    let sheets = StationSession.seats(of: place).map { seat in held.filter { $0.seat == seat } }.filter { !$0.isEmpty }
    let policy = try PolicyInForce.read(.init(), in: db).policy
    let keys = try QuestionKeys.all(in: db)
    let scene = Policy.Place(place, candidate: entry.candidate!.label)
    assessors = try sheets.map { sheets in
      let others = sheets.filter { !$0.template.isPilot }
      let scores = try (others.isEmpty ? sheets : others).map { sheet in
        let properties = try SheetProperties.of(sheet.template.form, in: db)
        return HeldScores(sheet, ScoredTemplate(sheet.template, properties, keys: keys)).score(policy, at: scene)
      }
      return Assessor(
        seat: sheets[0].seat, name: place.assessors.first { $0.seat == sheets[0].seat }?.name,
        score: Self.mark(scores.reduce(0) { $0 + $1.points }),
        maximum: Self.mark(scores.reduce(0) { $0 + $1.maximum }))
    }
    rows = Self.rows(sheets)
  }

  /// A sum of marks, whose last digits say nothing: marks have six decimals.
  private static func mark(_ sum: Double) -> MarkValue {
    MarkValue(scaled: Int64(exactly: (sum * 1_000_000).rounded()) ?? 0)
  }

  /// By what an item of one sheet is found on another.
  private struct Place: Hashable {
    let form: Int
    let section: Int
    let copy: Int
    let item: Int
  }

  private static func rows(_ sheets: [[Sheet]]) -> [Row] {
    let answers = sheets.map { sheets in
      var found: [Place: String] = [:]
      for sheet in sheets {
        for section in sheet.sections {
          for item in section.items { found[place(sheet, section, item)] = SheetText.answer(item) }
        }
      }
      return found
    }
    var (rows, seen): ([Row], Set<Place>) = ([], [])
    for (assessor, sheet) in sheets.enumerated().flatMap({ assessor, sheets in sheets.map { (assessor, $0) } }) {
      var number = 0
      var isTitled = false
      for section in sheet.sections {
        var isHeaded = false
        for item in section.items {
          number += 1
          let place = place(sheet, section, item)
          guard seen.insert(place).inserted else { continue }
          if !isTitled, sheets.contains(where: { $0.count > 1 }) || assessor > 0 {
            rows.append(Row(number: nil, text: sheet.template.name, answers: []))
          }
          if !isHeaded {
            let heading = section.template.name.uppercased() + SectionText.copy(section.copy)
            rows.append(Row(number: nil, text: heading, answers: []))
          }
          (isTitled, isHeaded) = (true, true)
          rows.append(Row(number: number, text: item.template.text, answers: answers.map { $0[place] }))
        }
      }
    }
    return rows
  }

  private static func place(_ sheet: Sheet, _ section: SheetSection, _ item: SheetItem) -> Place {
    Place(form: sheet.template.form, section: section.template.link, copy: section.copy, item: item.template.link)
  }
}

extension HeldScores {
  fileprivate init(_ sheet: Sheet, _ template: ScoredTemplate) {
    let items = sheet.sections.flatMap { section in
      section.items.map { item in
        Item(
          section: section.template.link, copy: section.copy, link: item.template.link, rating: item.rating?.number,
          isUnable: item.isUnable, isAnswered: !item.isBlank, judge: item.judge)
      }
    }
    self.init(
      key: sheet.key, entry: sheet.entry, form: sheet.template.form, seat: sheet.seat, template: template,
      signedAt: sheet.signedAt, items: items)
  }
}
