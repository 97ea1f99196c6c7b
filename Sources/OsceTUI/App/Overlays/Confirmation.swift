import Terminal

/// Lines at the foot of a screen that say what is going to happen; Enter does it, with a reason where one is asked.
struct Confirmation {
  /// Whether a reason is asked for.
  enum Reason: Equatable {
    case none, optional
    /// Of at least so many characters.
    case atLeast(Int)

    static let required = Reason.atLeast(1)

    /// The fewest characters that it must have; 0: none is needed.
    fileprivate var fewest: Int { if case .atLeast(let fewest) = self { fewest } else { 0 } }
  }

  /// What a key did.
  enum Outcome {
    case confirmed(String?)
    case refused(SafeText)
    case dismissed
    case open
  }

  let act: @MainActor (String?) -> Void
  private var text: SafeText
  private let renewed: (@MainActor () -> SafeText?)?
  private let reason: Reason
  private var answer: AnswerField

  /// - Parameters:
  ///   - written: the reason as far as it is written already.
  ///   - renewed: what the lines say by now; nil where they still hold.
  init(
    _ text: SafeText, reason: Reason, written: String = "", renewed: (@MainActor () -> SafeText?)? = nil,
    _ act: @escaping @MainActor (String?) -> Void
  ) {
    self.renewed = renewed
    self.text = text
    self.reason = reason
    self.act = act
    answer = AnswerField(
      TextField(
        prompt: reason.fewest > 0 ? "Reason: " : "Reason, if any: ", text: written,
        placeholder: reason.fewest > 1
          ? "at least \(reason.fewest) characters; then Enter confirms, Esc cancels"
          : reason.fewest > 0 ? "required; then Enter confirms, Esc cancels" : "Enter confirms, Esc cancels"))
  }

  /// Whether Enter was refused, and nothing was typed since.
  var isRefused: Bool { !answer.refusal.isEmpty }

  /// Whether letters are typed here.
  var takesText: Bool { reason != .none }

  mutating func update(_ key: Key) -> Outcome {
    switch key {
    case .escape: return .dismissed
    case .enter:
      let written = answer.text.withSingleSpaces
      if written.count < reason.fewest {
        answer.refuse(
          reason.fewest > 1
            ? "the reason needs at least \(reason.fewest) characters; it has \(written.count)"
            : "a reason is required; it is recorded with the change")
        return .refused(answer.refusal)
      }
      return .confirmed(written.isEmpty ? nil : written)
    default:
      if takesText { answer.update(key) }
      return .open
    }
  }

  /// Says again what is going to happen, where that has become another time or number.
  /// - Returns: whether the lines are others now.
  @MainActor mutating func renew() -> Bool {
    guard let now = renewed?(), now != text else { return false }
    text = now
    return true
  }

  /// The same question with why what was asked of it cannot be.
  func refused(_ why: SafeText) -> Confirmation {
    var kept = self
    kept.answer.refuse(why)
    return kept
  }

  /// The same question with a line over the field until something is typed.
  /// - Parameter stays: whether until an answer is given.
  func noted(_ line: SafeText, stays: Bool = false) -> Confirmation {
    var kept = self
    kept.answer.note(line, stays: stays)
    return kept
  }

  mutating func paste(_ text: String) {
    if takesText { answer.paste(text) }
  }

  /// Draws the lines above the last one, over the end of the body, and the reason's field in the last.
  @MainActor func draw(on canvas: inout Canvas, above footer: Rect, in body: Rect, theme: Theme) {
    let line = answer.notice
    let rows = line.isEmpty ? 0 : 1
    PromptNoteView.draw(text, .warning, on: &canvas, above: footer.y - rows, in: body, theme: theme)
    if rows > 0 {
      let place = Rect(x: footer.x, y: footer.y - 1, width: footer.width, height: 1)
      canvas.fill(place, style: theme[.error])
      canvas.draw(line, in: place, style: theme[.error])
    }
    if reason == .none {
      canvas.cursor = footer.origin
    } else {
      answer.field.draw(on: &canvas, in: footer, theme: theme)
    }
  }
}
