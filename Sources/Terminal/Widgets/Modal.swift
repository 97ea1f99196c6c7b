/// A question in a box over the screen. Only its own keys answer it; every other key is swallowed.
public struct Modal<Answer: Sendable>: Sendable {
  /// A possible answer.
  public struct Choice: Sendable {
    /// Its key.
    public let key: Key
    /// What it does, in a few words.
    public let label: SafeText
    /// The answer.
    public let answer: Answer

    /// An answer by a key.
    public init(_ key: Key, _ label: SafeText, _ answer: Answer) {
      self.key = key
      self.label = label
      self.answer = answer
    }
  }

  /// What a key did.
  public enum Outcome: Sendable {
    /// An answer was given.
    case answered(Answer)
    /// Esc: the question is withdrawn, nothing changes.
    case dismissed
    /// The question stands.
    case open
  }

  private let title: SafeText
  private let message: String
  private let choices: [Choice]

  /// A question. The message may be long; it is wrapped.
  public init(_ title: SafeText, _ message: String, _ choices: [Choice]) {
    self.title = title
    self.message = message
    self.choices = choices
  }

  /// What Esc does: a box without answers only informs.
  private var dismissal: SafeText { choices.isEmpty ? "close" : "cancel" }

  /// The keys that answer.
  public var keys: [Key] { choices.map(\.key) }

  /// The question with its answers as one text, for a screen on which no box has room.
  public func line(_ glyphs: Glyphs) -> SafeText {
    let answers = choices.map { ($0.key.label(glyphs) + " " + $0.label).plain + ", " }
    return title + " " + SafeText("\(message) \(answers.joined())") + Key.escape.label(glyphs) + " \(dismissal)."
  }

  /// Answers by key.
  public func update(_ key: Key) -> Outcome {
    if let choice = choices.first(where: { $0.key == key }) { return .answered(choice.answer) }
    return key == .escape ? .dismissed : .open
  }

  /// Whether a message of so many lines has room in a region beside answers and Esc.
  public static func fits(_ message: String, _ answers: Int, in region: Size) -> Bool {
    SafeText.wrap(message, to: min(leastWidth, max(1, region.width - 4))).count + answers + 4 <= region.height
  }

  private static var leastWidth: Int { 44 }

  /// Draws the box in the middle of a region, and puts the cursor on the first answer. Give the region that it may
  /// cover: never the clock and the candidate's line.
  public func draw(on canvas: inout Canvas, in region: Rect, theme: Theme) {
    var labels: [(key: SafeText, label: SafeText)] = choices.map { ($0.key.label(theme.glyphs), $0.label) }
    labels.append((Key.escape.label(theme.glyphs), dismissal))
    let keys = labels.map(\.key.width).max() ?? 0
    let longest = labels.map { keys + $0.label.width + 2 }.max() ?? 0
    let inner = min(max(longest, title.width + 4, Self.leastWidth), max(1, region.width - 4))
    let lines = SafeText.wrap(message, to: inner)
    let box = region.centred(Size(width: inner + 4, height: lines.count + labels.count + 3))
    canvas.fill(box, style: theme[.normal])
    let body = canvas.box(box, title: title, glyphs: theme.glyphs, style: theme[.heading]).inset(columns: 1, rows: 0)
    // A small screen loses text before it loses answers.
    let shown = min(lines.count, max(0, body.height - labels.count - 1))
    canvas.drawWrapped(message, in: body.rows(0, shown), style: theme[.normal])
    let answers = body.splitBottom(min(labels.count, body.height)).bottom
    for (row, (key, label)) in labels.enumerated() {
      canvas.draw(
        [(key.padded(to: keys), theme[.key]), ("  ", theme[.normal]), (label, theme[.normal])], in: answers, row: row)
    }
    canvas.cursor = answers.isEmpty ? box.origin : answers.origin
  }
}
