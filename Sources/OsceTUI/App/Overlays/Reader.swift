import Terminal

/// A longer text to read.
struct Reader {
  let title: SafeText
  private(set) var text: String
  /// What it says by now; nil: it is of the moment at which it was opened.
  let renewal: (@MainActor () throws -> String)?
  /// What follows once it is closed.
  let closed: (@MainActor () -> Void)?
  private var scroll = ScrolledText()

  init(
    title: SafeText, text: String, renewal: (@MainActor () throws -> String)? = nil,
    closed: (@MainActor () -> Void)? = nil
  ) {
    (self.title, self.text, self.renewal, self.closed) = (title, text, renewal, closed)
  }

  /// One that says what holds by now, as long as it is open.
  @MainActor init(title: SafeText, of renewal: @escaping @MainActor () throws -> String) rethrows {
    self.init(title: title, text: try renewal(), renewal: renewal)
  }

  /// Reads again what it says.
  /// - Returns: whether that is something else now.
  @MainActor mutating func renew() throws -> Bool {
    guard let new = try renewal?(), new != text else { return false }
    text = new
    return true
  }

  /// Scrolls.
  mutating func update(_ key: Key, _ size: Size) {
    let lines = SafeText.wrap(text, to: max(1, size.width - 4)).count
    scroll.update(key, lines: lines, height: size.height - 2)
  }

  func draw(on canvas: inout Canvas, in region: Rect, theme: Theme) {
    scroll.draw(on: &canvas, in: region, title: title, theme: theme) { width in
      SafeText.wrap(text, to: max(1, width)).map { [($0, theme[.normal])] }
    }
  }
}
