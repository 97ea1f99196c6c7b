import CircuitModel
import ExamStore
import GRDB

/// Looks whether this version knows the kind of every item: one that it does not know can only be marked elsewhere.
enum ItemKindCheck {
  static func run(_ db: Database, _ diagnosis: inout Diagnosis) throws {
    var unknown: [Int: String] = [:]
    let now = try ReadRow.fetchAll(
      db, sql: "SELECT dsid, questionType FROM typeQuestion WHERE dsDeleted = 0 ORDER BY dsid")
    for row in now where !ItemKind(stored: row[1]).isKnown { unknown[row[0]] = row[1] }
    // A started sheet keeps the kinds of the version that it was made from.
    let versions = try String.fetchCursor(
      db, sql: "SELECT content FROM formVersion v WHERE EXISTS (SELECT 1 FROM dataForm f WHERE f.versionID = v.uuid)")
    while let content = try versions.next() {
      guard let template = try? SheetTemplate(content: content) else { continue }
      for item in template.items where !item.kind.isKnown { unknown[item.question] = item.kind.rawValue }
    }
    var problems = Problems()
    for (question, kind) in unknown.sorted(by: { $0.key < $1.key }) {
      problems.add("item \(question) is of the kind '\(kind)'; mark it with a newer osce")
    }
    diagnosis.add("item kinds", problems: problems, otherwise: .warning, sound: "this version knows them all")
  }
}
