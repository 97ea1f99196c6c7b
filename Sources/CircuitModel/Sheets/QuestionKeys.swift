import ExamStore
import GRDB

/// The keys by which the writers of sheets know their items.
package struct QuestionKeys: Sendable {
  private let keys: [Int: String]

  /// Those of every question.
  package static func all(in db: Database) throws -> QuestionKeys {
    QuestionKeys(
      keys: Dictionary(
        try ReadRow.fetchAll(db, sql: "SELECT dsid, key FROM typeQuestion WHERE key IS NOT NULL").map {
          ($0[0], $0[1])
        },
        uniquingKeysWith: { first, _ in first }))
  }

  /// The key of a question by its number; nil for one that came without.
  package subscript(question: Int) -> String? { keys[question] }

  /// What names a question: its key, or its number where it came without.
  package func name(of question: Int) -> String { keys[question] ?? String(question) }

  /// The numbers of the questions with a key.
  package func questions(with key: String) -> Set<Int> { Set(keys.filter { $0.value == key }.keys) }
}
