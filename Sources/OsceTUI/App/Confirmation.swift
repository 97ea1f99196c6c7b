import Terminal

/// Lines at the foot of a screen that say what is going to happen; Enter does it, with a reason where one is asked.
struct Confirmation {
  /// Whether a reason is asked for.
  enum Reason: Equatable {
    case none, optional, required
  }

  /// What a key did.
  enum Outcome {
    case confirmed(String?)
    case refused(SafeText)
    case dismissed
    case open
  }

  let act: @MainActor (String?) -> Void
  private let text: SafeText
  private let reason: Reason
  private var field: TextField

  /// - Parameter written: the reason as far as it is written already.
  init(
    _ text: SafeText, reason: Reason, written: String = "", _ act: @escaping @MainActor (String?) -> Void
  ) {
    self.text = text
    self.reason = reason
    self.act = act
    field = TextField(
      prompt: reason == .required ? "Reason: " : "Reason, if any: ", text: written,
      placeholder: "Enter does it, Esc leaves it")
  }

  /// Whether letters are typed here.
  var takesText: Bool { reason != .none }

  mutating func update(_ key: Key) -> Outcome {
    switch key {
    case .escape: return .dismissed
    case .enter:
      let written = field.text.split(separator: " ").joined(separator: " ")
      if reason == .required && written.isEmpty { return .refused("a reason is asked for: it is kept with the event") }
      return .confirmed(written.isEmpty ? nil : written)
    default:
      if takesText { _ = field.update(key) }
      return .open
    }
  }

  mutating func paste(_ text: String) {
    if takesText { field.paste(text) }
  }

  /// Draws the lines above the last one, over the end of the body, and the reason's field in the last.
  @MainActor func draw(on canvas: inout Canvas, above footer: Rect, in body: Rect, theme: Theme) {
    let lines = text.wrapped(to: max(1, footer.width - 1))
    let top = max(body.y, footer.y - lines.count)
    for (row, line) in lines.enumerated() where top + row < footer.y {
      let place = Rect(x: footer.x, y: top + row, width: footer.width, height: 1)
      canvas.fill(place, style: theme[.warning])
      canvas.draw(line, in: place, style: theme[.warning])
    }
    if reason == .none {
      canvas.cursor = footer.origin
    } else {
      field.draw(on: &canvas, in: footer, theme: theme)
    }
  }
}
