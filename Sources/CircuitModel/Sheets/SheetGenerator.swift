import ExamStore
import GRDB
import Journal

/// Makes the mark sheets of a roster entry from their templates.
public enum SheetGenerator {
  /// Makes the sheets that an entry needs at one seat and that are not there yet.
  /// - Parameters:
  ///   - entry: the key of the roster entry.
  ///   - seat: `lead`, or the seat of a second assessor.
  ///   - form: which template, where the station asks for one of several; nil for the first.
  /// - Returns: the keys of the entry's sheets at that seat, in the station's order.
  /// - Throws: `SheetRefusal` if the entry or a template is not there.
  @discardableResult public static func makeSheets(
    entry: String, seat: Seat, form: Int? = nil, in transaction: JournalTransaction
  ) throws -> [String] {
    let db = transaction.db
    guard
      let station = try Int.fetchOne(
        db,
        sql: """
          SELECT a.dsid FROM timetableAttendanceLog e JOIN timetable t ON t.dsid = e.timetableID
          JOIN activityType a ON a.dsid = t.activityTypeID WHERE e.uuid = ?
          """, arguments: [entry])
    else { throw SheetRefusal.unknownEntry(entry) }
    let offered = try StationForms.read(station: station, in: db)
    let made = try ReadRow.fetchAll(
      db, sql: "SELECT uuid, typeID FROM dataForm WHERE attendanceLogID = ? AND seat = ? AND dsDeleted = 0",
      arguments: [entry, seat.name])
    let existing = Dictionary(made.map { ($0["typeID"] as Int, $0["uuid"] as String) }) { first, _ in first }
    if offered.isOne {
      if form == nil, let sheet = offered.ids.lazy.compactMap({ existing[$0] }).first { return [sheet] }
      guard let chosen = form ?? offered.ids.first else { return [] }
      return [try existing[chosen] ?? make(chosen, entry: entry, seat: seat, in: transaction)]
    }
    return try offered.ids.map { try existing[$0] ?? make($0, entry: entry, seat: seat, in: transaction) }
  }

  private static func make(
    _ form: Int, entry: String, seat: Seat, in transaction: JournalTransaction
  ) throws -> String {
    let (version, template) = try FormVersions.current(of: form, in: transaction)
    let sheet = try freeKey(form, entry: entry, seat: seat, in: transaction.db)
    try transaction.create(
      Stored.DataForm.self, sheet,
      [.type(form), .attendanceLog(entry), .version(version), .seat(seat.name)])
    for (index, section) in template.sections.enumerated() {
      try make(section, copy: 1, order: index + 1, sheet: sheet, in: transaction)
    }
    return sheet
  }

  /// The first key of this entry's sheets that no sheet has: one that was moved to another candidate keeps its key.
  private static func freeKey(_ form: Int, entry: String, seat: Seat, in db: Database) throws -> String {
    var number = 1
    while true {
      let key = DerivedKeys.sheet(entry: entry, form: form, seat: seat.name, number: number)
      if try RowTable.of(Stored.DataForm.self).heads(of: key, in: db) == nil { return key }
      number += 1
    }
  }

  /// Makes one section of a sheet with its items.
  /// - Parameter source: `import` for what follows from files.
  /// - Returns: the operation that made the section; nil if it was there.
  @discardableResult static func make(
    _ section: SectionTemplate, copy: Int, key: String? = nil, order: Int, sheet: String, source: String? = nil,
    in transaction: JournalTransaction
  ) throws -> OperationID? {
    let key = key ?? DerivedKeys.section(sheet: sheet, link: section.link, copy: copy)
    let operation = try transaction.create(
      Stored.DataSection.self, key,
      [
        .dataForm(sheet), .type(section.section), .sectionToFormLink(section.link), .name(section.name), .order(order),
        .copy(copy), .duplicable(section.isDuplicable),
      ], source: source)
    for (index, item) in section.items.enumerated() {
      try make(item, order: index + 1, section: key, source: source, in: transaction)
    }
    return operation
  }

  /// Makes one item of a section.
  /// - Parameter source: `import` for what follows from files.
  static func make(
    _ item: ItemTemplate, order: Int, section: String, source: String? = nil, in transaction: JournalTransaction
  ) throws {
    if item.kind.isWritten {
      try make(item, as: Stored.DataQuestion.self, order: order, section: section, source: source, in: transaction)
    } else {
      try make(item, as: Stored.RatingQuestion.self, order: order, section: section, source: source, in: transaction)
    }
  }

  private static func make<Item: Stored.DataQuestionFamily>(
    _ item: ItemTemplate, as entity: Item.Type, order: Int, section: String, source: String?,
    in transaction: JournalTransaction
  ) throws {
    try transaction.create(
      entity, DerivedKeys.item(section: section, link: item.link),
      [.dataSection(section), .type(item.question), .itemLink(item.link), .order(order)], source: source)
  }
}
