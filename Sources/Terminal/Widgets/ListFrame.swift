/// What every list has in common: the pointer, the focused row's look, the cursor and the signs for more rows.
enum ListFrame {
  static func style(index: Int, _ selection: Selection, focused: Bool, role: Role, _ theme: Theme) -> Style {
    index == selection.index && focused ? theme[.focus] : theme[role]
  }

  static func draw(
    index: Int, _ selection: Selection, focused: Bool, role: Role, _ line: Rect, on canvas: inout Canvas,
    _ theme: Theme
  ) {
    let style = style(index: index, selection, focused: focused, role: role, theme)
    canvas.fill(line, style: style)
    // What the keys do not act on shows no pointer.
    guard index == selection.index, focused else { return }
    canvas.draw(theme.glyphs.pointer, in: line, style: style)
    canvas.cursor = line.origin
  }

  static func drawMore(_ visible: Range<Int>, of count: Int, in region: Rect, on canvas: inout Canvas, _ theme: Theme) {
    if visible.isEmpty { return }
    let edge = region.columns(region.width - 1, 1)
    if visible.lowerBound > 0 { canvas.draw(theme.glyphs.up, in: edge, style: theme[.muted]) }
    if visible.upperBound < count {
      canvas.draw(theme.glyphs.down, in: edge, row: visible.count - 1, style: theme[.muted])
    }
  }
}
