import Characters
import Terminal

/// A one-line question. It stays open after a refused answer, so no text is lost and no later key is taken as a command.
struct Prompt {
  private var answer: AnswerField
  let done: @MainActor (String) -> Void
  private let note: @MainActor (String) -> SafeText
  private let leaving: Leaving?
  private var echo: Echo?

  /// The key that brought the question up, pressed again at once or held: it is no text.
  struct Echo {
    /// What brought it up.
    let key: Key
    /// When it was pressed last, by the loop's clock.
    var pressedAt: Int64
  }

  /// What becomes of words that are left without an answer.
  struct Leaving {
    /// Keeps them, so that the same question begins with them.
    let keep: @MainActor (String) -> Void
    /// Asks what is to become of them.
    let ask: @MainActor (String) -> Void
  }

  /// - Parameters:
  ///   - note: what must be known of a text while it is typed; empty for nothing.
  ///   - leaving: what becomes of words that are left; nil: they go.
  ///   - echo: the key that brought it up, where people press that twice; nil: all keys are typed.
  init(
    _ field: TextField, note: @escaping @MainActor (String) -> SafeText = { _ in "" }, leaving: Leaving? = nil,
    echo: Echo? = nil, done: @escaping @MainActor (String) -> Void
  ) {
    self.echo = echo
    answer = AnswerField(field)
    self.note = note
    self.leaving = leaving
    self.done = done
  }

  /// What was typed.
  var text: String { answer.text }

  /// Whether the last answer was refused, and not changed since.
  var isRefused: Bool { !answer.refusal.isEmpty }

  /// Keeps what was typed, where the question is left without an answer.
  @MainActor func keep() {
    if let leaving, text.hasWords { leaving.keep(text) }
  }

  /// Keeps what was typed, and asks what is to become of it.
  @MainActor func leave() {
    keep()
    if let leaving, text.hasWords { leaving.ask(text) }
  }

  mutating func update(_ key: KeyEvent) {
    if let echo, text.isEmpty, key.key == echo.key, key.at - echo.pressedAt < KeyPace.echo {
      self.echo?.pressedAt = key.at
      return
    }
    echo = nil
    answer.update(key.key)
  }

  mutating func paste(_ text: String) { answer.paste(text) }

  /// The same question with what was typed, and why that is no answer. A passcode is typed again.
  func refused(_ why: SafeText) -> Prompt {
    var kept = self
    kept.answer.refuse(why)
    return kept
  }

  /// The same question with a line over it until more is typed.
  /// - Parameter stays: whether until an answer is given.
  func noted(_ line: SafeText, stays: Bool = false) -> Prompt {
    var kept = self
    kept.answer.note(line, stays: stays)
    return kept
  }

  /// Draws the line, and above it why it was refused or what must be known of it.
  @MainActor func draw(on canvas: inout Canvas, in line: Rect, below body: Rect, theme: Theme) {
    let urgent = answer.notice
    let (over, role): (SafeText, Role) = urgent.isEmpty ? (note(text), .muted) : (urgent, .warning)
    if !over.isEmpty { PromptNoteView.draw(over, role, on: &canvas, above: line.y, in: body, theme: theme) }
    canvas.fill(line, style: theme[.normal])
    answer.field.draw(on: &canvas, in: line, theme: theme)
  }
}

/// Lines that stand above a question at the foot of a screen.
@MainActor
enum PromptNoteView {
  /// - Parameter bottom: the row under the last of them.
  static func draw(
    _ text: SafeText, _ role: Role, on canvas: inout Canvas, above bottom: Int, in body: Rect, theme: Theme
  ) {
    let lines = text.wrapped(to: max(1, body.width - 1))
    let top = max(body.y, bottom - lines.count)
    for (row, whole) in lines.enumerated() where top + row < bottom {
      let isCut = top + row == bottom - 1 && row < lines.count - 1
      let line = isCut ? (whole + " " + lines[row + 1]).truncated(to: body.width) : whole
      let place = Rect(x: body.x, y: top + row, width: body.width, height: 1)
      canvas.fill(place, style: theme[role])
      canvas.draw(line, in: place, style: theme[role])
    }
  }
}
