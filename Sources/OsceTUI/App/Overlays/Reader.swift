import Terminal

/// A longer text to read.
struct Reader {
  let title: SafeText
  private(set) var text: String
  /// What it says by now; nil: it is of the moment at which it was opened.
  let renewal: (@MainActor () throws -> String)?
  /// What follows once it is closed.
  let closed: (@MainActor () -> Void)?
  private var first = 0

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
    let height = max(1, size.height - 2)
    var scroll = Selection(count: max(0, lines - height) + 1, index: first, page: height)
    _ = scroll.update(key)
    first = scroll.index
  }

  func draw(on canvas: inout Canvas, in region: Rect, theme: Theme) {
    canvas.fill(region, style: theme[.normal])
    let box = canvas.box(region, title: title, glyphs: theme.glyphs, style: theme[.border])
    let inner = box.inset(columns: 1, rows: 0)
    let lines = SafeText.wrap(text, to: max(1, inner.width))
    let first = min(first, max(0, lines.count - inner.height))
    for (row, line) in lines.dropFirst(first).prefix(inner.height).enumerated() {
      canvas.draw(line, in: inner, row: row, style: theme[.normal])
    }
    let edge = box.columns(box.width - 1, 1)
    if first > 0 { canvas.draw(theme.glyphs.up, in: edge, style: theme[.muted]) }
    if first + inner.height < lines.count {
      canvas.draw(theme.glyphs.down, in: edge, row: inner.height - 1, style: theme[.muted])
    }
    canvas.cursor = inner.origin
  }
}
