import ExamStore
import Foundation
import GRDB
import Journal

/// Reads a template as its rows stand now.
package enum TemplateReader {
  /// - Returns: nil if there is no such form, or it was removed.
  package static func read(form id: Int, in db: Database) throws -> SheetTemplate? {
    let found = try ReadRow.fetchOne(
      db.cachedStatement(sql: "SELECT * FROM typeForm WHERE dsid = ? AND dsDeleted = 0"), arguments: [id])
    guard let form = found else { return nil }
    let scenario = try ReadRow.fetchOne(
      db.cachedStatement(
        sql: "SELECT * FROM scenarioMetadata WHERE typeFormID = ? AND dsDeleted = 0 ORDER BY dsid"), arguments: [id])
    let properties = SheetProperties(json: form["props"])
    var rating: Int?
    let sections = try ReadRow.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT l.dsid AS link, s.* FROM sectionToForm l JOIN typeSection s ON s.dsid = l.sectionID
          WHERE l.formID = ? AND l.dsDeleted = 0 AND s.dsDeleted = 0 ORDER BY l."order", l.dsid
          """), arguments: [id]
    ).map { row in
      try section(row, in: db) { item, key in
        guard rating == nil, let name = properties.globalRating else { return }
        if name == key || name == String(item.question) || name == item.text { rating = item.link }
      }
    }
    return SheetTemplate(
      form: id, code: form["code"], name: form["name"],
      assessorInstructions: nonEmpty(scenario?["assessorInstructions"]) ?? nonEmpty(form["instructions"]),
      candidateInstructions: nonEmpty(scenario?["candidateInstructions"]), hidesTotal: form["hideTotalQuestion"],
      globalRating: rating, isPilot: properties.isPilot,
      sections: sections)
  }

  /// - Parameter look: is shown each item with the key by which the writer of the sheet knows it.
  private static func section(
    _ section: ReadRow, in db: Database, _ look: (ItemTemplate, _ key: String?) -> Void
  ) throws -> SectionTemplate {
    let items = try ReadRow.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT \(ItemColumn.list) FROM questionToSection l JOIN typeQuestion q ON q.dsid = l.questionID
          WHERE l.sectionID = ? AND l.dsDeleted = 0 AND q.dsDeleted = 0 ORDER BY l."order", l.dsid
          """), arguments: [section["dsid"] as Int]
    ).map { row in
      let item = try item(row, in: db)
      look(item, row[ItemColumn.key])
      return item
    }
    return SectionTemplate(
      link: section["link"], section: section["dsid"], name: section["name"],
      information: nonEmpty(section["information"]), matrixTitles: strings(json: section["matrixTitles"]),
      isDuplicable: section["duplicable"], isFoldable: section["foldable"],
      asksQuadrantAndTooth: section["quadAndTooth"], maximumQuantity: section["maximumQuantity"] ?? 0,
      maximumDifficulty: section["maximumDifficulty"] ?? 0, items: items)
  }

  private static func item(_ question: ReadRow, in db: Database) throws -> ItemTemplate {
    let key: Int = question[.dsid]
    let kind = ItemKind(stored: question[.questionType])
    let isPositive: Bool = question[.defaultState], includesUnknown: Bool = question[.includesUnknownRating]
    var levels: [Level] = []
    var hasUnableDescriptor = false
    switch kind {
    case .boolean:
      levels = [
        Level(value: MarkValue(scaled: 0), text: question[.binaryLowText], descriptor: nil),
        Level(value: MarkValue(scaled: Scaled.unit), text: question[.binaryHighText], descriptor: nil),
      ]
    case .binary:
      levels = [
        Level(value: try mark(question[.binaryLow]), text: question[.binaryLowText], descriptor: nil),
        Level(value: try mark(question[.binaryHigh]), text: question[.binaryHighText], descriptor: nil),
      ]
    case .rating: levels = try scale(question)
    case .markingMatrix, .procedure:
      let descriptors = try ReadRow.fetchAll(
        db.cachedStatement(
          sql: """
            SELECT dsid, descriptor, value FROM markingDescriptor WHERE questionID = ? AND dsDeleted = 0
            ORDER BY "order", dsid
            """), arguments: [key])
      hasUnableDescriptor = descriptors.contains { $0[2] as Double? == nil }
      levels = try descriptors.compactMap { row in
        try (row[2] as Double?).map { Level(value: try mark($0), text: row[1], descriptor: row[0]) }
      }
      if kind == .procedure && descriptors.isEmpty { levels = try scale(question) }
    case .text, .freeText, .feedback, .record, .unknown: break
    }
    return ItemTemplate(
      link: question[.link], question: key, kind: kind, text: question[.text],
      information: nonEmpty(question[.information]), isMandatory: question[.mandatory],
      suggestsPositive: isPositive && kind.isBinary, allowsUnable: includesUnknown || hasUnableDescriptor,
      threshold: try (question[.threshold] as Double?).map { try mark($0) },
      lowerThreshold: try (question[.lowerThreshold] as Double?).map { try mark($0) }, levels: levels,
      tags: strings(json: question[.tags]))
  }

  /// More than a catalogue allows an item to have.
  private static let mostLevels = 1000

  private static func scale(_ question: ReadRow) throws -> [Level] {
    let lowest: Double = question[.lowest], step: Double = question[.step]
    return try (0..<min(max(0, question[.numberOfOptions] as Int), mostLevels)).map { index in
      Level(value: try mark(lowest + Double(index) * step), text: "", descriptor: nil)
    }
  }

  private static func mark(_ number: Double) throws -> MarkValue {
    // Steps such as 0.1 add up to numbers that are a hair off their decimal form.
    let rounded = (number * 1_000_000).rounded() / 1_000_000
    guard let value = MarkValue(rounded) else { throw SheetRefusal.noMark(number) }
    return value
  }

  private static func nonEmpty(_ text: String?) -> String? { text.flatMap { $0.isEmpty ? nil : $0 } }

  static func strings(json: String?) -> [String] {
    guard let json, let list = try? JSONDecoder().decode([String].self, from: Data(json.utf8)) else { return [] }
    return list
  }
}

/// What is read of an item, by its place in the row: names are looked for again in each row.
private enum ItemColumn: Int, CaseIterable {
  case link, dsid, key, questionType, text, information, mandatory, tags, threshold, lowerThreshold
  case defaultState, includesUnknownRating, binaryLow, binaryLowText, binaryHigh, binaryHighText
  case lowest, step, numberOfOptions

  static let list = allCases.map { $0 == .link ? "l.dsid AS link" : "q.\($0)" }.joined(separator: ", ")
}

extension ReadRow {
  fileprivate subscript<Value: ReadableColumn>(_ column: ItemColumn) -> Value { self[column.rawValue] }
}
