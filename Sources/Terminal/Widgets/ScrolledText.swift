/// Lines in a box over the screen, and which of them are in view.
public struct ScrolledText: Equatable, Sendable {
  private var first = 0

  /// One that shows its first line.
  public init() {}

  /// Scrolls, for the keys that move in every list.
  /// - Parameters:
  ///   - lines: how many lines there are.
  ///   - height: how many the box shows.
  public mutating func update(_ key: Key, lines: Int, height: Int) {
    let height = max(1, height)
    var scroll = Selection(count: max(0, lines - height) + 1, index: first, page: height)
    _ = scroll.update(key)
    first = scroll.index
  }

  /// Draws the box over a region.
  /// - Parameter lines: the lines in so many columns.
  public func draw(
    on canvas: inout Canvas, in region: Rect, title: SafeText, theme: Theme,
    lines: (_ width: Int) -> [[(SafeText, Style)]]
  ) {
    canvas.fill(region, style: theme[.normal])
    let body = canvas.box(region, title: title, glyphs: theme.glyphs, style: theme[.border]).inset(columns: 1, rows: 0)
    let lines = lines(body.width)
    let first = min(first, max(0, lines.count - body.height))
    for (row, line) in lines.dropFirst(first).prefix(body.height).enumerated() {
      canvas.draw(line, in: body, row: row)
    }
    ListFrame.drawMore(
      first..<min(lines.count, first + body.height), of: lines.count,
      in: Rect(x: body.x, y: body.y, width: body.width + 1, height: body.height), on: &canvas, theme)
    canvas.cursor = body.isEmpty ? region.origin : body.origin
  }
}
