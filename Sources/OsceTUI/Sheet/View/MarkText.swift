import CircuitModel
import Terminal

/// What is said of marks, in words.
enum MarkText {
  /// An item's answer; empty while it is blank.
  static func answer(of item: SheetItem) -> String {
    if item.isUnable { return "unable to assess" }
    if let level = item.level { return level.text.isEmpty ? "\(level.value)" : "\(level.value) \(level.text)" }
    if let rating = item.rating { return "\(rating)" }
    guard item.template.kind.isWritten else { return "" }
    return item.template.kind == .record && !item.feedback.isEmpty
      ? ([item.feedback] + work(of: item)).joined(separator: ", ") : item.feedback
  }

  /// How often and how difficult, of work that was done.
  static func work(of item: SheetItem) -> [String] {
    var words: [String] = []
    if let times = item.work.times { words.append(times == 1 ? "once" : "\(times) times") }
    if let difficulty = item.work.difficulty { words.append("difficulty \(difficulty)") }
    return words
  }

  /// Whether two states of an item differ in what an assessor gave.
  static func differs(_ first: SheetItem, _ second: SheetItem) -> Bool {
    answer(of: first) != answer(of: second) || first.feedback != second.feedback || first.work != second.work
      || first.tags != second.tags || first.isRecommended != second.isRecommended
      || first.isCompletedCase != second.isCompletedCase
  }

  /// The line that a mark leaves: item, level in words, the old value if it replaced one. It fits 80 columns: words are
  /// cut, numbers never.
  static func line(number: Int, item: SheetItem, before: SheetItem, burst: Bool) -> SafeText {
    let now = answer(of: item), old = answer(of: before)
    let isReplaced = !old.isEmpty && old != now
    let end: SafeText = burst ? " - fast keys: one z undoes them all" : ""
    let room = 80 - end.width - (isReplaced ? 25 : 0)
    var text = SafeText("item \(number): \(now.isEmpty ? "blank" : now)").truncated(to: room)
    if now == old && item.feedback != before.feedback { text = "item \(number): feedback" }
    if let words = labels(item, before) { text = SafeText("item \(number): \(words)").truncated(to: room) }
    if isReplaced { text += " (was " + SafeText(old).truncated(to: 18) + ")" }
    return text + end
  }

  /// What was said of an item beside its answer, where that has changed.
  private static func labels(_ item: SheetItem, _ before: SheetItem) -> String? {
    if item.tags != before.tags { return item.tags.isEmpty ? "no tags" : "tagged " + item.tags.joined(separator: ", ") }
    if item.isRecommended != before.isRecommended { return item.isRecommended ? "recommended" : "not recommended" }
    if item.isCompletedCase != before.isCompletedCase {
      return item.isCompletedCase ? "completes the case" : "does not complete the case"
    }
    return nil
  }
}
