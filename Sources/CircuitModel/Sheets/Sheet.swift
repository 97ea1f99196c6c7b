import ExamStore
import GRDB
import Journal
import Timer

/// One mark sheet as it stands on the disk.
public struct Sheet: Equatable, Sendable {
  /// Its key in `DataForm`.
  public var key: String
  /// The roster entry it belongs to.
  public var entry: String
  /// Whose it is.
  public var seat: Seat
  /// What it was made from.
  public var template: SheetTemplate
  /// When it was signed; nil while it is open.
  public var signedAt: Instant?
  /// The sections in order, copies included.
  public var sections: [SheetSection]

  /// Every item in order.
  public var items: [SheetItem] { sections.flatMap(\.items) }

  /// The required items without an answer, in order.
  public var blanks: [SheetItem] {
    let required = template.required
    return items.filter { $0.isBlank && required.contains($0.template.link) }
  }

  /// Whether no required item is blank.
  public var isFilled: Bool { blanks.isEmpty }

  /// Whether it is signed.
  public var isSigned: Bool { signedAt != nil }

  /// The sum of the marks given and of the largest marks possible; items that could not be assessed, items of a
  /// kind that is not scored, the global rating, and copies of a section in which nothing is answered are left out of
  /// both.
  public var total: (score: MarkValue, maximum: MarkValue) {
    var score: Int64 = 0
    var maximum: Int64 = 0
    let placed = sections.flatMap { section in
      section.items.map { (place: SectionCopy(section: section.template.link, copy: section.copy), item: $0) }
    }
    for (_, item) in SectionCopy.counted(placed, at: \.place, isAnswered: { !$0.item.isBlank })
    where item.template.kind.isScored && item.template.link != template.globalRating && !item.isUnable {
      score += item.rating?.scaled ?? 0
      maximum += item.template.scoreMaximum?.scaled ?? 0
    }
    return (MarkValue(scaled: score), MarkValue(scaled: maximum))
  }

  /// Whether the running total may be shown: never where the template hides it, else once the global rating is given.
  public var showsTotal: Bool {
    if template.hidesTotal { return false }
    guard let link = template.globalRating else { return isFilled }
    return items.contains { $0.template.link == link && !$0.isBlank }
  }
}

/// A section of a sheet.
public struct SheetSection: Equatable, Sendable {
  /// Its key in `DataSection`.
  public var key: String
  /// What it was made from.
  public var template: SectionTemplate
  /// Which copy it is, from 1.
  public var copy: Int
  /// Its place in the sheet.
  public var order: Int
  /// How often it was done; nil: not recorded.
  public var quantity: Int?
  /// The quadrant of the mouth, where the section asks for it: 1 to 4, or 5 to 8 for first teeth.
  public var quadrant: String?
  /// The tooth in its quadrant, from the midline.
  public var tooth: String?
  /// How difficult it was, where the section asks.
  public var difficulty: Int?
  /// The items in order.
  public var items: [SheetItem]
}

/// An item of a sheet.
public struct SheetItem: Equatable, Sendable {
  /// Its key in the family of `DataQuestion`.
  public var key: String
  /// The entity it is stored as: `DataQuestion`, or `RatingQuestion` where it has levels.
  public var entity: String
  /// What it was made from.
  public var template: ItemTemplate
  /// The value given; nil: none.
  public var rating: MarkValue?
  /// Whether it was marked as impossible to assess.
  public var isUnable: Bool
  /// The written answer of a written item, the assessor's feedback on any other.
  public var feedback: String
  /// When it was marked last.
  public var markedAt: Instant?
  /// The key of the `MarkingDescriptor` chosen.
  public var descriptor: Int?
  /// The key of who judged.
  public var judge: Int?
  /// The key of who typed.
  public var enteredBy: Int?
  /// How often it was done, how difficult it was, and the supervisor's note.
  public var work: WorkFacts
  /// The tags chosen on it.
  public var tags: [String]
  /// Whether it completes a case.
  public var isCompletedCase: Bool
  /// Whether it was recommended.
  public var isRecommended: Bool
  /// The operations whose values are shown, by field.
  public var shown: ShownHeads

  /// Whether it has no answer.
  public var isBlank: Bool {
    template.kind.isBlank(
      hasLevel: rating != nil || isUnable, hasText: !feedback.isEmpty, hasWork: work != WorkFacts())
  }

  /// The level that was given; of two with one value the one whose descriptor was chosen.
  public var level: Level? { rating.flatMap { template.level(worth: $0, descriptor: descriptor) } }
}

extension Sheet {
  /// Reads a sheet.
  /// - Returns: nil if there is none with this key, or it was removed.
  public static func read(_ key: String, in db: Database) throws -> Sheet? {
    guard
      let form = try ReadRow.fetchOne(
        db.cachedStatement(
          sql: """
            SELECT attendanceLogID AS entry, seat, signedAt, versionID, typeID FROM dataForm
            WHERE uuid = ? AND dsDeleted = 0
            """), arguments: [key]), let template = try origin(version: form["versionID"], form: form["typeID"], in: db)
    else { return nil }
    let links = Dictionary(template.sections.map { ($0.link, $0) }) { first, _ in first }
    let items = Dictionary(grouping: try SheetItem.readAll(sheet: key, template: template, in: db), by: \.section)
    let sections = try ReadRow.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT uuid, sectionToFormLinkID, copy, "order", quantity, quad, tooth, difficulty FROM dataSection
          WHERE dataFormID = ? AND dsDeleted = 0 ORDER BY "order", copy, uuid
          """), arguments: [key]
    ).compactMap { row -> SheetSection? in
      guard let link = row["sectionToFormLinkID"] as Int?, let section = links[link] else { return nil }
      let key: String = row["uuid"]
      return SheetSection(
        key: key, template: section, copy: row["copy"], order: row["order"], quantity: row["quantity"],
        quadrant: row["quad"], tooth: row["tooth"],
        difficulty: row["difficulty"],
        items: (items[key] ?? []).map(\.item))
    }
    return Sheet(
      key: key, entry: form["entry"], seat: Seat(name: form["seat"]), template: template,
      signedAt: (form["signedAt"] as Int64?).map { Instant(stored: $0) }, sections: sections)
  }

  /// What a sheet was made from. Older programs took sheets from bundles without their version: the form as it stands is
  /// the nearest.
  private static func origin(version: String?, form: Int?, in db: Database) throws -> SheetTemplate? {
    if let version { return try FormVersions.template(version, in: db) }
    return try form.flatMap { try TemplateReader.read(form: $0, in: db) }
  }
}

extension Sheet {
  /// Whether a section is one of the sheet's, removed ones included.
  public func hasSection(_ section: String, in db: Database) throws -> Bool {
    let statement = try db.cachedStatement(sql: "SELECT 1 FROM dataSection WHERE uuid = ? AND dataFormID = ?")
    return try Int.fetchOne(statement, arguments: [section, key]) != nil
  }

  /// Puts an item that was read again in the place of the same item.
  public mutating func replace(_ item: SheetItem) {
    for section in sections.indices {
      if let place = sections[section].items.firstIndex(where: { $0.key == item.key }) {
        sections[section].items[place] = item
      }
    }
  }
}

extension SheetItem {
  private static let columns = """
    q.uuid, q.entity, q.dataSectionID, q.itemLinkID, q.rating, q.unable, q.feedback, q.markedAt, q.descriptorID,
    q.judgedByID, q.enteredByID, q.times, q.difficulty, q.note, q.tags, q.completedCase, q.recommended, q.heads
    """

  /// Where the item is stored.
  public var row: RowKey { RowKey(entity: entity, id: key) }

  /// Reads an item again.
  /// - Returns: nil if it is gone.
  public static func read(_ item: SheetItem, in db: Database) throws -> SheetItem? {
    let statement = try db.cachedStatement(
      sql: "SELECT \(columns) FROM dataQuestion q WHERE q.uuid = ? AND q.dsDeleted = 0")
    return try ReadRow.fetchOne(statement, arguments: [item.key]).map { SheetItem($0, template: item.template) }
  }

  private init(_ row: ReadRow, template: ItemTemplate) {
    self.init(
      key: row["uuid"], entity: row["entity"], template: template,
      rating: (row["rating"] as Double?).flatMap { MarkValue($0) }, isUnable: row["unable"] ?? false,
      feedback: row["feedback"] ?? "", markedAt: (row["markedAt"] as Int64?).map { Instant(stored: $0) },
      descriptor: row["descriptorID"], judge: row["judgedByID"], enteredBy: row["enteredByID"],
      work: WorkFacts(times: row["times"], difficulty: row["difficulty"], note: row["note"] ?? ""),
      tags: TemplateReader.strings(json: row["tags"]), isCompletedCase: row["completedCase"] ?? false,
      isRecommended: row["recommended"] ?? false,
      shown: ShownHeads(HeadsColumn(text: row["heads"])))
  }

  fileprivate static func readAll(
    sheet: String, template: SheetTemplate, in db: Database
  ) throws -> [(section: String, item: SheetItem)] {
    let templates = Dictionary(template.items.map { ($0.link, $0) }) { first, _ in first }
    return try ReadRow.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT \(columns)
          FROM dataSection s JOIN dataQuestion q ON q.dataSectionID = s.uuid
          WHERE s.dataFormID = ? AND s.dsDeleted = 0 AND q.dsDeleted = 0 ORDER BY q."order", q.uuid
          """), arguments: [sheet]
    ).compactMap { row in
      guard let link = row["itemLinkID"] as Int?, let template = templates[link] else { return nil }
      return (row["dataSectionID"], SheetItem(row, template: template))
    }
  }
}
