/// All keys of a screen, by group, over the screen.
public struct HelpOverlay: Equatable, Sendable {
  private var text = ScrolledText()

  /// Help that shows its first line.
  public init() {}

  /// Scrolls. Returns false when the help is to be closed: Esc, `?` or `q`.
  public mutating func update(_ key: Key, lines: Int, height: Int) -> Bool {
    if key == .escape || key == "?" || key == "q" { return false }
    text.update(key, lines: lines, height: height)
    return true
  }

  /// Number of lines that the help of a table has in a width (columns inside the box): longer texts go on below.
  public static func lineCount<Action>(_ table: BindingTable<Action>, width: Int = .max) -> Int {
    lines(table, width: width, .monochrome()).count
  }

  /// Draws the help over a region.
  public func draw<Action>(_ table: BindingTable<Action>, on canvas: inout Canvas, in region: Rect, theme: Theme) {
    text.draw(on: &canvas, in: region, title: "Keys: \(table.title) (Esc closes)", theme: theme) { width in
      Self.lines(table, width: width, theme)
    }
  }

  private static func lines<Action>(
    _ table: BindingTable<Action>, width: Int, _ theme: Theme
  ) -> [[(SafeText, Style)]] {
    let keyWidth = min(20, table.bindings.map { $0.shownKeys(theme.glyphs).width }.max() ?? 0)
    var lines: [[(SafeText, Style)]] = []
    for group in table.groups {
      if !lines.isEmpty { lines.append([]) }
      lines.append([(SafeText(group.name), theme[.heading])])
      for binding in group.bindings {
        var head = binding.shownKeys(theme.glyphs).padded(to: keyWidth) + "  "
        let room = max(1, width - head.width)
        var text = SafeText(binding.help)
        let isDisabled = binding.availability != .enabled
        // The reason is said where it costs no line; the key says it wherever it is pressed.
        if let reason = binding.shownReason, text.width + reason.width + 1 <= room { text += " " + reason }
        for line in text.wrapped(to: room) {
          lines.append([(head, theme[isDisabled ? .disabled : .key]), (line, theme[isDisabled ? .disabled : .normal])])
          head = .spaces(head.width)
        }
      }
    }
    return lines
  }
}
