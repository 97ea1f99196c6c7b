import ExamStore
import GRDB
import Journal

/// Makes whole the mark sheets that come in files.
///
/// A file need say neither from which version of its template a sheet was made nor which items have no answer. Without
/// the one a sheet cannot be opened, and an item without a row is neither shown nor asked for nor counted.
struct ImportedSheets {
  /// The field of each row of a sheet that says what it was made from.
  static let origins = [
    Stored.DataForm.entityName: "version", Stored.DataSection.entityName: "sectionToFormLink",
    Stored.DataQuestion.entityName: "itemLink", Stored.RatingQuestion.entityName: "itemLink",
  ]

  /// A section as it is stored, with its items.
  private struct Section {
    let key: String
    let type: Int?
    var link: Int?
    let copy: Int
    let isDeleted: Bool
    var items: [Item] = []

    /// What no other section of the sheet should share.
    var place: [Int?] { [link, copy] }
  }

  private struct Item {
    let row: RowKey
    let type: Int?
    var link: Int?
    let isDeleted: Bool
  }

  private let transaction: JournalTransaction
  private let locks: LockGuard?
  /// The sections and items among the rows.
  private let given: Set<String>
  private var current: [Int: (key: String, template: SheetTemplate)?] = [:]
  private var versions: [String: SheetTemplate?] = [:]
  /// What an earlier import made for want of a row that has come now.
  private var superseded: ImportedDeletes

  private init(_ rows: [ImportRow], in transaction: JournalTransaction) throws {
    self.transaction = transaction
    locks = try LockGuard(transaction.db)
    given = Set(rows.filter { ImportedSheets.isPart($0.row) }.map(\.row.id))
    superseded = ImportedDeletes(in: transaction)
  }

  /// Completes every sheet among the rows, and every other that has no version. What is deleted or locked stays as it is.
  static func complete(_ rows: [ImportRow], in transaction: JournalTransaction) throws {
    let sheets = try named(by: rows, in: transaction.db)
    if sheets.isEmpty { return }
    var imported = try ImportedSheets(rows, in: transaction)
    for sheet in sheets { try imported.complete(sheet) }
    var report = ImportReport()
    try imported.superseded.carryOut(&report)
  }

  /// The sheets that are looked at, in the order of their keys.
  private static func named(by rows: [ImportRow], in db: Database) throws -> [String] {
    let unversioned = try ReadRow.fetchAll(
      db, sql: "SELECT uuid FROM dataForm WHERE versionID IS NULL AND dsDeleted = 0")
    var sheets = Set(unversioned.map { $0[0] as String })
    var sections: Set<String> = []
    for row in rows {
      if row.row.entity == Stored.DataForm.entityName { sheets.insert(row.row.id) }
      if row.row.entity == Stored.DataSection.entityName { sections.insert(row.row.id) }
      if isPart(row.row), case .text(let section)? = row.fields["dataSection"] { sections.insert(section) }
    }
    let statement = try db.cachedStatement(sql: "SELECT dataFormID FROM dataSection WHERE uuid = ?")
    for section in sections {
      if let row = try ReadRow.fetchOne(statement, arguments: [section]), let sheet = row[0] as String? {
        sheets.insert(sheet)
      }
    }
    return sheets.sorted()
  }

  /// Whether a row is a section or an item of a sheet.
  private static func isPart(_ row: RowKey) -> Bool {
    row.entity != Stored.DataForm.entityName && origins[row.entity] != nil
  }

  private mutating func complete(_ sheet: String) throws {
    let db = transaction.db
    let row = RowKey(entity: Stored.DataForm.entityName, id: sheet)
    // A change below a row that was deleted would bring that one back.
    guard try RowTable.of(row.entity).isInView(sheet, in: db), try locks?.keeps(row, in: db) != true,
      let template = try template(of: row)
    else { return }
    let made = Dictionary(template.sections.map { ($0.link, $0) }) { first, _ in first }
    var sections = try sections(of: sheet, in: db)
    try findLinks(of: &sections, among: template.sections, made)
    let live = sections.filter { !$0.isDeleted }
    let counts = Dictionary(grouping: live, by: \.place).mapValues(\.count)
    let kept = try live.filter { try counts[$0.place, default: 0] < 2 || !supersede($0, of: sheet) }
    try number(kept)
    let links = Set(sections.compactMap(\.link))
    for (index, section) in template.sections.enumerated() where !links.contains(section.link) {
      try SheetGenerator.make(
        section, copy: 1, order: index + 1, sheet: sheet, source: OperationBody.imported, in: transaction)
    }
    for section in kept {
      guard let link = section.link, let template = made[link] else { continue }
      try supersede(itemsOf: section)
      let links = Set(section.items.compactMap(\.link))
      for (index, item) in template.items.enumerated() where !links.contains(item.link) {
        try SheetGenerator.make(
          item, order: index + 1, section: section.key, source: OperationBody.imported, in: transaction)
      }
    }
  }

  // MARK: What a sheet was made from

  /// The template of a sheet: that of its version, or the form as it stands, which it has from now on.
  /// - Returns: nil where there is none.
  private mutating func template(of sheet: RowKey) throws -> SheetTemplate? {
    let statement = try transaction.db.cachedStatement(sql: "SELECT typeID, versionID FROM dataForm WHERE uuid = ?")
    guard let row = try ReadRow.fetchOne(statement, arguments: [sheet.id]) else { return nil }
    if let version = row[1] as String? { return try template(version: version) }
    guard let form = row[0] as Int?, let made = try current(form) else { return nil }
    try transaction.set(sheet.entity, sheet.id, ["version": .text(made.key)], source: OperationBody.imported)
    return made.template
  }

  /// The version of a form as it stands; nil where the form is gone, or nothing is asked in it yet.
  private mutating func current(_ form: Int) throws -> (key: String, template: SheetTemplate)? {
    if let known = current[form] { return known }
    var made: (key: String, template: SheetTemplate)?
    if try TemplateReader.read(form: form, in: transaction.db)?.items.isEmpty == false {
      made = try FormVersions.current(of: form, in: transaction)
    }
    current[form] = .some(made)
    return made
  }

  private mutating func template(version: String) throws -> SheetTemplate? {
    if let known = versions[version] { return known }
    let statement = try transaction.db.cachedStatement(sql: "SELECT content FROM formVersion WHERE uuid = ?")
    let content = try ReadRow.fetchOne(statement, arguments: [version]).flatMap { $0[0] as String? }
    var template = content.flatMap { try? SheetTemplate(content: $0) }
    if let sections = template?.sections { template?.sections = try known(sections) }
    versions[version] = .some(template)
    return template
  }

  /// Sections and items without those whose links this store has not: a version may come from another one.
  private func known(_ sections: [SectionTemplate]) throws -> [SectionTemplate] {
    let db = transaction.db
    let section = try db.cachedStatement(
      sql: "SELECT EXISTS (SELECT 1 FROM sectionToForm WHERE dsid = ? AND sectionID = ?)")
    let item = try db.cachedStatement(
      sql: "SELECT EXISTS (SELECT 1 FROM questionToSection WHERE dsid = ? AND questionID = ?)")
    return try sections.compactMap { given in
      guard try Bool.fetchOne(section, arguments: [given.link, given.section]) == true else { return nil }
      var known = given
      known.items = try given.items.filter { try Bool.fetchOne(item, arguments: [$0.link, $0.question]) == true }
      return known
    }
  }

  private func sections(of sheet: String, in db: Database) throws -> [Section] {
    var sections: [Section] = []
    let rows = try ReadRow.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT s.uuid, s.typeID, s.sectionToFormLinkID, s.copy, s.dsDeleted,
            q.uuid, q.entity, q.typeID, q.itemLinkID, q.dsDeleted
          FROM dataSection s LEFT JOIN dataQuestion q ON q.dataSectionID = s.uuid
          WHERE s.dataFormID = ? ORDER BY s."order", s.copy, s.uuid, q."order", q.uuid
          """), arguments: [sheet])
    for row in rows {
      let key: String = row[0]
      if sections.last?.key != key {
        sections.append(Section(key: key, type: row[1], link: row[2], copy: row[3], isDeleted: row[4]))
      }
      if let item = row[5] as String? {
        sections[sections.count - 1].items.append(
          Item(row: RowKey(entity: row[6], id: item), type: row[7], link: row[8], isDeleted: row[9]))
      }
    }
    return sections
  }

  /// Finds the links that a file leaves out by the sections and questions that it names.
  private func findLinks(
    of sections: inout [Section], among templates: [SectionTemplate], _ made: [Int: SectionTemplate]
  ) throws {
    var taken = Set(sections.compactMap(\.link))
    for index in sections.indices where !sections[index].isDeleted {
      if sections[index].link == nil, let type = sections[index].type {
        let possible = templates.filter { $0.section == type }.map(\.link)
        // One more of a section that is there is a copy of it.
        if let link = possible.first(where: { !taken.contains($0) }) ?? possible.first {
          try set(link, of: RowKey(entity: Stored.DataSection.entityName, id: sections[index].key))
          sections[index].link = link
          taken.insert(link)
        }
      }
      if let link = sections[index].link, let template = made[link] {
        try findLinks(of: &sections[index].items, among: template.items)
      }
    }
  }

  private func findLinks(of items: inout [Item], among templates: [ItemTemplate]) throws {
    var taken = Set(items.compactMap(\.link))
    for index in items.indices where items[index].link == nil && !items[index].isDeleted {
      let type = items[index].type
      guard let link = templates.first(where: { $0.question == type && !taken.contains($0.link) })?.link else {
        continue
      }
      try set(link, of: items[index].row)
      items[index].link = link
      taken.insert(link)
    }
  }

  private func set(_ link: Int, of row: RowKey) throws {
    guard let field = ImportedSheets.origins[row.entity] else { return }
    try transaction.set(row.entity, row.id, [field: .integer(Int64(link))], source: OperationBody.imported)
  }

  /// Numbers the copies of a section of which no file says which copy they are. The first is told so too: what a later
  /// file brings is then numbered after it.
  private func number(_ sections: [Section]) throws {
    let table = try RowTable.of(Stored.DataSection.entityName)
    for link in Set(sections.compactMap(\.link)).sorted() {
      let copies = sections.filter { $0.link == link }
      if copies.count < 2 { continue }
      let unnumbered = try copies.filter { try table.heads(of: $0.key, in: transaction.db)?["copy"].isEmpty == true }
      let keys = Set(unnumbered.map(\.key))
      var taken = Set(copies.filter { !keys.contains($0.key) }.map(\.copy))
      for section in unnumbered {
        let copy = (1...copies.count).first { !taken.contains($0) } ?? copies.count
        taken.insert(copy)
        try transaction.set(
          Stored.DataSection.entityName, section.key, ["copy": .integer(Int64(copy))], source: OperationBody.imported)
      }
    }
  }

  // MARK: What gives way

  /// Lets go of a section that was made for want of one that a file has brought since.
  /// - Returns: whether it is such a one.
  private mutating func supersede(_ section: Section, of sheet: String) throws -> Bool {
    guard let link = section.link, !given.contains(section.key),
      section.key == DerivedKeys.section(sheet: sheet, link: link, copy: section.copy)
    else { return false }
    return try supersede(RowKey(entity: Stored.DataSection.entityName, id: section.key))
  }

  /// Lets go of the items of a section that were made for want of those that a file has brought since.
  private mutating func supersede(itemsOf section: Section) throws {
    let live = section.items.filter { !$0.isDeleted }
    if Set(live.map(\.link)).count == live.count { return }
    let counts = Dictionary(grouping: live, by: \.link).mapValues(\.count)
    for item in live {
      guard let link = item.link, counts[link, default: 0] > 1, !given.contains(item.row.id),
        item.row.id == DerivedKeys.item(section: section.key, link: link)
      else { continue }
      try supersede(item.row)
    }
  }

  /// - Returns: whether it goes: nothing was given to it, nor to a row below it, since it was made.
  @discardableResult private mutating func supersede(_ row: RowKey) throws -> Bool {
    var isAsMade = true
    try OwnedRows.forEachInView(below: row, in: transaction.db) { member in
      let heads = try RowTable.of(member.entity).heads(of: member.id, in: transaction.db)?.operations ?? [:]
      isAsMade = heads.keys.allSatisfy { ImportedSheets.fieldsMade.contains($0) }
      return isAsMade
    }
    if isAsMade { superseded.add(ImportRow(row, [:]), isChanged: true) }
    return isAsMade
  }

  /// The fields of sections and items that have values when `SheetGenerator` has made them.
  private static let fieldsMade: Set<String> = [
    "dataForm", "dataSection", "type", "sectionToFormLink", "itemLink", "name", "order", "copy", "duplicable",
  ]
}
