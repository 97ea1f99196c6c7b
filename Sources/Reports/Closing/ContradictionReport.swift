import Catalogue
import CircuitModel
import ExamStore
import GRDB
import Journal
import Timer

/// A contradiction in words: what it is about, and what each change says, with who made it and when.
public struct ContradictionReport: Equatable, Sendable {
  /// What is contradictory.
  public let contradiction: Contradiction
  /// What it is about, such as `item 4: Washes hands`.
  public let subject: String
  /// What each change says, as the contradiction has them.
  public let choices: [Choice]

  /// What one change says.
  public struct Choice: Equatable, Sendable {
    /// What it set, in words.
    public let text: String
    /// Who made it, by username; nil: the program.
    public let staff: String?
    /// When.
    public let time: Instant
    /// Whether it counts for now.
    public let isStanding: Bool
  }

  /// In one line: what it is about, and the values by their numbers.
  public var line: String {
    subject + ": " + choices.enumerated().map { "value \($0 + 1): \($1.text)" }.joined(separator: "; ")
  }

  /// Reads the contradiction of a row; nil where there is none.
  public static func read(_ row: RowKey, in db: Database) throws -> ContradictionReport? {
    guard let found = try Contradiction.find(row, in: db) else { return nil }
    let usernames = try Usernames(db)
    let item = try item(row, in: db)
    return ContradictionReport(
      contradiction: found, subject: try subject(row, item, in: db),
      choices: found.choices.map { choice in
        Choice(
          text: text(choice.fields, of: row.entity, item?.template), staff: choice.staff.flatMap { usernames[$0] },
          time: choice.time, isStanding: choice.isStanding)
      })
  }

  /// What was set in a row, in words, and of what; of an item, also which it is.
  static func change(
    of row: RowKey, _ fields: [String: Value], in db: Database
  ) throws -> (subject: String, text: String, item: Item?) {
    let item = try item(row, in: db)
    return (try subject(row, item, in: db), text(fields, of: row.entity, item?.template), item)
  }

  /// An item of a mark sheet.
  struct Item {
    /// The sheet's key.
    let sheet: String
    /// From 1 on the sheet.
    let number: Int
    let template: ItemTemplate
  }

  private static func subject(_ row: RowKey, _ item: Item?, in db: Database) throws -> String {
    if let item { return "item \(item.number): \(item.template.text)" }
    let name = OutboxText.name(of: row.entity)
    guard row.entity == Stored.Staff.entityName, let key = Int(row.id), let username = try Usernames(db)[key] else {
      return name
    }
    return "\(name) \(username)"
  }

  private static func item(_ row: RowKey, in db: Database) throws -> Item? {
    let sheet = try String.fetchOne(
      db,
      sql: "SELECT s.dataFormID FROM dataQuestion q JOIN dataSection s ON s.uuid = q.dataSectionID WHERE q.uuid = ?",
      arguments: [row.id])
    guard let sheet, let items = try Sheet.read(sheet, in: db)?.items,
      let index = items.firstIndex(where: { $0.key == row.id })
    else { return nil }
    return Item(sheet: sheet, number: index + 1, template: items[index].template)
  }

  private static func text(_ fields: [String: Value], of entity: String, _ item: ItemTemplate?) -> String {
    if let item {
      return AnswerChange(fields, on: item)?.text ?? "the same answer, at another time"
    }
    return fields.sorted { $0.key < $1.key }.map { field, value in
      "\(field) \(value == .null ? "empty" : JournalReport.shown(value, field: field, of: entity).text)"
    }.joined(separator: ", ")
  }
}
