import CircuitModel
import ExamStore
import GRDB
import Journal
import Standards
import Timer

/// What a sheet asks for, as far as its score depends on it.
final class ScoredTemplate {
  /// An item where it stands.
  struct Item {
    let key: String
    let template: ItemTemplate
    let isGlobal: Bool
    let isCritical: Bool
  }

  let template: SheetTemplate
  let properties: SheetProperties
  private let items: [Int: Item]

  init(_ template: SheetTemplate, _ properties: SheetProperties, keys: QuestionKeys) {
    (self.template, self.properties) = (template, properties)
    items = Dictionary(
      template.items.map { item in
        let key = keys.name(of: item.question)
        return (
          item.link,
          Item(
            key: key, template: item, isGlobal: item.link == template.globalRating,
            isCritical: properties.isCritical(item, name: key))
        )
      }, uniquingKeysWith: { first, _ in first })
  }

  subscript(link: Int) -> Item? { items[link] }

  /// The code by which reports name it, else its name.
  var title: String { template.code ?? template.name }

  /// Whether any item must not be failed.
  var hasCriticalItems: Bool { items.values.contains(where: \.isCritical) }
}

/// A sheet with what its items hold.
struct HeldScores {
  /// One item.
  struct Item {
    let section: Int
    let copy: Int
    let link: Int
    let rating: Double?
    let isUnable: Bool
    let isAnswered: Bool
    let judge: Int?
  }

  let key: String
  let entry: String
  let form: Int
  let seat: Seat
  let template: ScoredTemplate
  let signedAt: Instant?
  /// Who judged the sheet, as a bundle may say of it where its items name nobody.
  var sheetJudge: Int?
  var items: [Item] = []

  /// The items without those of copied sections in which nothing was answered.
  var counted: [Item] {
    SectionCopy.counted(items, at: { SectionCopy(section: $0.section, copy: $0.copy) }, isAnswered: \.isAnswered)
  }

  /// What speaks for it where one of several sheets is in use.
  var claim: SheetInUse.Claim {
    SheetInUse.Claim(
      isPilot: template.template.isPilot, isSigned: signedAt != nil, answers: items.count(where: \.isAnswered),
      form: form)
  }

  /// Who judged most of it; nil where most answers name nobody: one item that a lead amends does not make the sheet the
  /// lead's.
  var judge: Int? {
    var counts: [Int?: Int] = [:]
    for item in items {
      if item.judge != nil || item.isAnswered { counts[item.judge ?? sheetJudge, default: 0] += 1 }
    }
    return counts.max { ($0.value, $1.key ?? .min) < ($1.value, $0.key ?? .min) }?.key
  }
}

/// Every sheet of the exam with its items, those of removed roster entries among them, from one pass over the table of items in the order in which they lie there.
struct ScoredSheets {
  private(set) var sheets: [HeldScores] = []
  private var places: [Int64: Int] = [:]
  private var templates: [String: ScoredTemplate] = [:]
  private var current: [Int: ScoredTemplate] = [:]
  private let keys: QuestionKeys

  init(_ db: Database) throws {
    keys = try QuestionKeys.all(in: db)
    try readSheets(db)
    try readItems(db)
  }

  /// A form as it stands now.
  mutating func template(form: Int, in db: Database) throws -> ScoredTemplate? {
    if let known = current[form] { return known }
    guard let template = try TemplateReader.read(form: form, in: db) else { return nil }
    let made = ScoredTemplate(template, try SheetProperties.of(form, in: db), keys: keys)
    current[form] = made
    return made
  }

  private mutating func readSheets(_ db: Database) throws {
    let rows = try ReadRow.fetchAll(
      db,
      sql: """
        SELECT f.rowid, f.uuid, f.attendanceLogID, f.typeID, f.seat, f.versionID, f.signedAt, f.judgedByID
        FROM dataForm f JOIN timetableAttendanceLog e ON e.uuid = f.attendanceLogID
        WHERE f.dsDeleted = 0 AND e.practice = 0
        """)
    for row in rows {
      // A bundle may bring a sheet without the version that it was made from: its form as it stands is the nearest.
      guard
        let template = try (row[5] as String?).flatMap({ try template(version: $0, form: row[3], db) })
          ?? template(form: row[3], in: db)
      else { continue }
      places[row[0]] = sheets.count
      sheets.append(
        HeldScores(
          key: row[1], entry: row[2], form: row[3], seat: Seat(name: row[4]), template: template,
          signedAt: (row[6] as Int64?).map { Instant(stored: $0) }, sheetJudge: row[7]))
    }
  }

  private mutating func template(version: String, form: Int, _ db: Database) throws -> ScoredTemplate? {
    if let known = templates[version] { return known }
    guard let template = try? FormVersions.template(version, in: db) else { return nil }
    let made = ScoredTemplate(template, try SheetProperties.of(form, in: db), keys: keys)
    templates[version] = made
    return made
  }

  private mutating func readItems(_ db: Database) throws {
    struct Section {
      let sheet: Int
      let link: Int
      let copy: Int
    }
    var sections: [String: Section] = [:]
    try RawRow.forEach(
      db,
      """
      SELECT f.rowid, s.uuid, s.sectionToFormLinkID, s.copy
      FROM dataForm f CROSS JOIN dataSection s ON s.dataFormID = f.uuid WHERE f.dsDeleted = 0 AND s.dsDeleted = 0
      """
    ) { row in
      guard let form = row.integer(0), let sheet = places[form], let key = row.text(1), let link = row.integer(2) else {
        return
      }
      sections[key] = Section(sheet: sheet, link: Int(link), copy: Int(row.integer(3) ?? 1))
    }
    var key: [UInt8] = []
    var section: Section?
    try RawRow.forEach(
      db,
      """
      SELECT q.dataSectionID, q.itemLinkID, CAST(round(q.rating * 1000000) AS INTEGER),
        q.unable IS NOT NULL AND q.unable <> 0, \(AnsweredItem.condition), q.judgedByID
      FROM dataQuestion q WHERE q.dsDeleted = 0
      """
    ) { row in
      // The items of a section lie together as a rule.
      if !row.holdsText(key, at: 0) {
        let next = row.text(0) ?? ""
        (key, section) = (Array(next.utf8), sections[next])
      }
      guard let section, let link = row.integer(1) else { return }
      sheets[section.sheet].items.append(
        HeldScores.Item(
          section: section.link, copy: section.copy, link: Int(link),
          rating: row.integer(2).map { Double($0) / 1_000_000 }, isUnable: row.integer(3) == 1,
          isAnswered: row.integer(4) == 1, judge: row.integer(5).map { Int($0) }))
    }
  }
}
