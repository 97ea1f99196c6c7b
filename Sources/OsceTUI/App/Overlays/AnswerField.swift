import Terminal

/// A line in which a question is answered, and what is said over it until more is typed.
struct AnswerField {
  private(set) var field: TextField
  /// Why the last answer was not taken; empty until one was refused, and again once it is changed.
  private(set) var refusal: SafeText = ""
  /// What is said beside that, and whether until an answer is given; empty for nothing.
  private var said: (line: SafeText, stays: Bool) = ("", false)

  init(_ field: TextField) { self.field = field }

  var text: String { field.text }

  /// What stands over the line now; empty for nothing.
  var notice: SafeText { said.line.isEmpty ? refusal : said.line }

  mutating func update(_ key: Key) {
    if field.update(key) { sayCut() }
  }

  mutating func paste(_ text: String) {
    field.paste(text)
    sayCut()
  }

  /// Says why what was typed is no answer, and keeps it. A passcode is typed again.
  mutating func refuse(_ why: SafeText) {
    (refusal, said) = (why, ("", false))
    if field.isSecret { field.clear() }
  }

  /// Says something until more is typed.
  /// - Parameter stays: whether until an answer is given.
  mutating func note(_ line: SafeText, stays: Bool) { said = (line, stays) }

  /// Says what the field did not take of the last text; nothing where it took all.
  private mutating func sayCut() {
    refusal = field.isCut ? "only \(field.limit) characters are taken: the rest was left out" : ""
    if !said.stays || field.isCut { said = ("", false) }
  }
}
