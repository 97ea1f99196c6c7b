import Catalogue
import ExamStore
import GRDB

/// What a store has under the keys that a bundle names, with each answer kept.
final class StoredEntities {
  struct Question: Hashable {
    let entity: String
    let key: String
    /// The field of which the text is asked; nil: the row's entity is.
    let field: String?
  }

  private(set) var found: [Question: String?] = [:]
  private let db: Database
  private let earlier: [String: Bundle.Row]

  /// - Parameter earlier: the rows that are imported before, by `place`.
  init(_ db: Database, earlier: [String: Bundle.Row]) { (self.db, self.earlier) = (db, earlier) }

  /// Where a row stands: entities of one family share a table.
  static func place(_ entity: String, _ key: String) -> String {
    (Catalogue.standard[entity]?.table ?? entity) + "\u{1F}" + key
  }

  func find(_ entity: String, _ key: String, _ field: String?) -> String? {
    if let row = earlier[Self.place(entity, key)] {
      guard let field else { return row.entity }
      if let value = row.values[field] { return value.key }
    }
    let question = Question(entity: entity, key: key, field: field)
    if let answer = found[question] { return answer }
    let answer = Self.find(question, in: db)
    found[question] = .some(answer)
    return answer
  }

  /// The text of a field, or the entity, of the row that has a key in the table of an entity; nil if there is none.
  static func find(_ question: Question, in db: Database) -> String? {
    let (entity, key) = (question.entity, question.key)
    guard let declared = Catalogue.standard[entity], let table = Catalogue.standard.table(named: declared.table) else {
      return nil
    }
    let column = (question.field ?? table.discriminator).map { "\"\($0)\"" } ?? "'\(entity)'"
    let value: any DatabaseValueConvertible =
      Catalogue.standard.keyStorage(of: declared) == .integer ? Int64(key) ?? Int64.min : key
    let sql = "SELECT CAST(\(column) AS TEXT) FROM \"\(declared.table)\" WHERE \"\(declared.storageKey)\" = ?"
    return try? String.fetchOne(db.cachedStatement(sql: sql), arguments: [value])
  }
}
