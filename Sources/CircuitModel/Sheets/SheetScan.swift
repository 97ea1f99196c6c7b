import ExamStore
import GRDB

/// What every started sheet holds, from one pass over the table of items in the order in which they lie there: going to
/// each sheet's own items takes three times as long.
///
/// Of an item no more is kept than that it is blank, in a few bytes.
struct SheetScan {
  /// What one sheet holds.
  struct Sheet {
    private(set) var tally = SheetTally()
    /// Whether its items were met in the order in which it shows them; if not, their numbers say nothing.
    private(set) var isOrdered = true
    private var blanks: [(part: SheetPart, number: Int32, copy: Int32)] = []
    private var last: ItemOrder?

    /// The items without an answer.
    var items: [HeldItem] {
      blanks.map { HeldItem(blank: $0.part, number: Int($0.number), copy: Int($0.copy)) }
    }

    fileprivate mutating func take(_ part: SheetPart, _ answer: AnswerFlags) { tally.count(part, answer) }

    fileprivate mutating func take(_ part: SheetPart, _ answer: AnswerFlags, at place: ItemOrder) {
      isOrdered = isOrdered && last.map(place.follows) ?? true
      last = place
      tally.count(part, answer)
      if answer.isBlank(part) {
        blanks.append((part, Int32(clamping: tally.items), Int32(clamping: place.copy)))
      }
    }
  }

  private struct Section {
    let sheet: Int
    let template: Int
    let link: Int
    let row: Int64
    let order: Int
    let copy: Int
  }

  private var sheets: [Sheet] = []
  private var places: [Int64: Int] = [:]

  /// What was found of the sheet in a row of `dataForm`; nil where it holds no item, or was left out.
  subscript(row: Int64) -> Sheet? { places[row].map { sheets[$0] } }

  /// - Parameter parts: what a sheet of this version, or without one of this template, is made from; nil: it is left out.
  init(_ db: Database, keepsBlanks: Bool, parts: (_ version: String?, _ form: Int) throws -> SheetParts?) throws {
    var templates: [SheetParts] = []
    var sections = try sections(db, parts, &templates)
    var key: [UInt8] = []
    var section: Section?
    let order = keepsBlanks ? "\"order\"" : "0"
    try RawRow.forEach(
      db, "SELECT dataSectionID, itemLinkID, \(AnswerFlags.sql), \(order) FROM dataQuestion q WHERE dsDeleted = 0"
    ) { row in
      // The items of a section lie together as a rule.
      if !row.holdsText(key, at: 0) {
        let next = row.text(0) ?? ""
        (key, section) = (Array(next.utf8), sections[next])
      }
      guard let section, let link = row.integer(1), let flags = row.integer(2),
        let part = templates[section.template].part(SheetPart.Link(section: section.link, item: Int(link)))
      else { return }
      let answer = AnswerFlags(rawValue: Int(flags))
      if keepsBlanks {
        sheets[section.sheet].take(
          part, answer,
          at: ItemOrder(
            section: section.row, sectionOrder: section.order, copy: section.copy, order: Int(row.integer(3) ?? 0)))
      } else {
        sheets[section.sheet].take(part, answer)
      }
    }
    sections = [:]
  }

  /// The sections of all sheets that are not left out, by their keys.
  private mutating func sections(
    _ db: Database, _ parts: (String?, Int) throws -> SheetParts?, _ templates: inout [SheetParts]
  ) throws -> [String: Section] {
    struct Origin: Hashable {
      let version: String?
      let form: Int
    }
    var known: [Origin: Int?] = [:]
    var sections: [String: Section] = [:]
    try RawRow.forEach(
      db,
      """
      SELECT f.rowid, f.versionID, f.typeID, s.uuid, s.sectionToFormLinkID, s.rowid, s."order", s.copy
      FROM dataForm f CROSS JOIN dataSection s ON s.dataFormID = f.uuid WHERE f.dsDeleted = 0 AND s.dsDeleted = 0
      """
    ) { row in
      guard let form = row.integer(0), let type = row.integer(2), let section = row.text(3), let link = row.integer(4),
        let place = row.integer(5)
      else { return }
      let origin = Origin(version: row.text(1), form: Int(type))
      if known[origin] == nil {
        let made = try parts(origin.version, origin.form)
        known[origin] = .some(made == nil ? nil : templates.count)
        if let made { templates.append(made) }
      }
      guard let template = known[origin] ?? nil else { return }
      if places[form] == nil {
        places[form] = sheets.count
        sheets.append(Sheet())
      }
      guard let sheet = places[form] else { return }
      sections[section] = Section(
        sheet: sheet, template: template, link: Int(link), row: place, order: Int(row.integer(6) ?? 0),
        copy: Int(row.integer(7) ?? 0))
    }
    return sections
  }
}

/// Where an item stands in its sheet.
struct ItemOrder {
  let section: Int64
  let sectionOrder: Int
  let copy: Int
  let order: Int

  /// Whether it certainly comes after another one.
  func follows(_ other: ItemOrder) -> Bool {
    if section == other.section { return order > other.order }
    return (sectionOrder, copy) > (other.sectionOrder, other.copy)
  }
}

/// What an item holds, as far as it is counted.
struct AnswerFlags: OptionSet {
  let rawValue: Int
  static let hasRating = AnswerFlags(rawValue: 1)
  static let isUnable = AnswerFlags(rawValue: 2)
  static let hasText = AnswerFlags(rawValue: 4)
  static let hasWork = AnswerFlags(rawValue: 8)

  /// The flags of an item `q`.
  static let sql = """
    (q.rating IS NOT NULL) + 2 * (q.unable IS NOT NULL AND q.unable <> 0) + 4 * (coalesce(q.feedback, '') <> '')
      + 8 * (q.times IS NOT NULL OR q.difficulty IS NOT NULL OR coalesce(q.note, '') <> '')
    """

  /// Whether the item has no answer.
  func isBlank(_ part: SheetPart) -> Bool {
    part.item.kind.isBlank(
      hasLevel: !isDisjoint(with: [.hasRating, .isUnable]), hasText: contains(.hasText), hasWork: contains(.hasWork))
  }
}

extension SheetTally {
  /// Counts an item.
  mutating func count(_ part: SheetPart, _ answer: AnswerFlags) {
    items += 1
    if answer.contains(.isUnable) { unable += 1 }
    if !answer.isBlank(part) { answered += 1 } else if part.isRequired { blanks += 1 }
  }
}
