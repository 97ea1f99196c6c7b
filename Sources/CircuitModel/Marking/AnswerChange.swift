import ExamStore
import Journal

/// What a change of an item says.
public struct AnswerChange: Equatable, Sendable {
  /// What it says, in the order in which it is read.
  public let parts: [Part]

  /// One thing that it says.
  public enum Part: Equatable, Sendable {
    /// The item could not be assessed.
    case unable
    /// The answer was cleared.
    case cleared
    /// A value, with the text of its level, which is empty where it has none.
    case level(MarkValue, text: String)
    /// A fact that is never scored, by the text of its level.
    case fact(String)
    /// Something written; nil where it was cleared.
    case text(String?, Writing)
    /// How often, how difficult, and the supervisor's note, as far as they are said.
    case work(WorkFacts)
    /// The tags that are chosen now.
    case tags([String])
    /// Whether the item completes a case.
    case completedCase(Bool)
    /// Whether it is recommended.
    case recommended(Bool)
  }

  /// What something written is.
  public enum Writing: Equatable, Sendable {
    /// The answer itself.
    case answer
    /// What was done.
    case work
    /// Feedback beside the answer.
    case feedback
  }

  private typealias Field = Stored.RatingQuestion.Field

  /// - Returns: nil for fields of which none says anything to a reader.
  package init?(_ fields: [String: Value], on item: ItemTemplate) {
    var parts: [Part] = []
    if let answer = AnswerChange.answer(fields, item) { parts.append(answer) }
    if case .text(let text)? = fields[Field.feedback] {
      let writing: Writing = item.kind.isWritten ? .answer : item.kind.recordsWork ? .work : .feedback
      if !text.isEmpty {
        parts.append(.text(text, writing))
      } else if parts.isEmpty {
        parts.append(.text(nil, writing))
      }
    }
    var facts = WorkFacts()
    if case .integer(let times)? = fields[Field.times] { facts.times = Int(times) }
    if case .integer(let difficulty)? = fields[Field.difficulty] { facts.difficulty = Int(difficulty) }
    if case .text(let note)? = fields[Field.note] { facts.note = note }
    if facts != WorkFacts() { parts.append(.work(facts)) }
    switch fields[Field.tags] {
    case .text(let json)?: parts.append(.tags(TemplateReader.strings(json: json)))
    case .null?: parts.append(.tags([]))
    default: break
    }
    if case .bool(let isSet)? = fields[Field.completedCase] { parts.append(.completedCase(isSet)) }
    if case .bool(let isSet)? = fields[Field.recommended] { parts.append(.recommended(isSet)) }
    if parts.isEmpty { return nil }
    self.parts = parts
  }

  private static func answer(_ fields: [String: Value], _ item: ItemTemplate) -> Part? {
    if fields[Field.unable] == .bool(true) { return .unable }
    guard let rating = fields[Field.rating] else { return nil }
    guard case .integer(let scaled) = rating else { return .cleared }
    let value = MarkValue(scaled: scaled)
    var descriptor: Int?
    if case .integer(let key)? = fields[Field.descriptor] { descriptor = Int(key) }
    let text = item.level(worth: value, descriptor: descriptor)?.text ?? ""
    return item.kind == .boolean && !text.isEmpty ? .fact(text) : .level(value, text: text)
  }
}
