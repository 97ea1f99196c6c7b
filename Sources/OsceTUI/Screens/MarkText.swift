import CircuitModel
import Terminal

/// What is said of marks, in words.
enum MarkText {
  /// An item's answer; empty while it is blank.
  static func answer(of item: SheetItem) -> String {
    if item.isUnable { return "unable to assess" }
    if let level = item.level { return level.text.isEmpty ? "\(level.value)" : "\(level.value) \(level.text)" }
    if let rating = item.rating { return "\(rating)" }
    return item.template.kind.isWritten ? item.feedback : ""
  }

  /// The line that a mark leaves: item, level in words, the old value if it replaced one.
  static func line(number: Int, item: SheetItem, before: String, burst: Bool) -> SafeText {
    let now = answer(of: item)
    var text = "item \(number): \(now.isEmpty ? "blank" : now)"
    if !before.isEmpty && before != now { text += " (was \(before))" }
    if burst { text += "; keys came very fast: one z takes them all back" }
    return SafeText(text)
  }
}
