import ExamStore
import Journal

/// What a change of an item says, in words.
enum AnswerWords {
  private typealias Field = Stored.RatingQuestion.Field

  /// The words for the fields that an operation set on an item; empty where it set none that a reader knows.
  static func of(_ fields: [String: Value], on item: ItemTemplate) -> String {
    var words: [String] = []
    if let answer = answer(fields, item) { words.append(answer) }
    if case .text(let text)? = fields[Field.feedback] {
      let name = item.kind.isWritten ? "" : item.kind.recordsWork ? "what was done: " : "feedback: "
      if !text.isEmpty { words.append(name + text) } else if words.isEmpty { words.append("\(name)cleared") }
    }
    var facts = WorkFacts()
    if case .integer(let times)? = fields[Field.times] { facts.times = Int(times) }
    if case .integer(let difficulty)? = fields[Field.difficulty] { facts.difficulty = Int(difficulty) }
    if case .text(let note)? = fields[Field.note] { facts.note = note }
    words += facts.words
    switch fields[Field.tags] {
    case .text(let json)?: words.append("tags: " + TemplateReader.strings(json: json).joined(separator: ", "))
    case .null?: words.append("no tags")
    default: break
    }
    for (field, name) in [(Field.completedCase, "completed case"), (.recommended, "recommended")] {
      if case .bool(let isSet)? = fields[field] { words.append(isSet ? name : "not \(name)") }
    }
    return words.joined(separator: "; ")
  }

  private static func answer(_ fields: [String: Value], _ item: ItemTemplate) -> String? {
    if fields[Field.unable] == .bool(true) { return "unable to assess" }
    guard let rating = fields[Field.rating] else { return nil }
    guard case .integer(let scaled) = rating else { return "cleared" }
    let value = MarkValue(scaled: scaled)
    let levels = item.levels.filter { $0.value == value }
    var level = levels.first
    if case .integer(let key)? = fields[Field.descriptor] {
      level = levels.first { $0.descriptor == Int(key) } ?? level
    }
    guard let text = level?.text, !text.isEmpty else { return value.description }
    return item.kind == .boolean ? text : "\(value) \(text)"
  }
}
