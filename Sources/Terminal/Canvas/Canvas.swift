/// One place of a canvas.
package struct Cell: Equatable, Sendable {
  package var glyph: Glyph
  package var style: Style
  /// True for the right half of a wide character; the glyph is then blank.
  package var isContinuation = false

  static func blank(_ style: Style) -> Cell { Cell(glyph: .blank, style: style) }
}

/// A grid of cells that views draw into, as a value. Drawing outside it, or outside the region given, does nothing.
public struct Canvas: Equatable, Sendable {
  /// Columns and rows.
  public let size: Size
  /// Where the terminal's cursor rests: on the focused item. Hidden if nil.
  public var cursor: Point?
  private(set) var cells: [Cell]

  /// An empty canvas.
  public init(size: Size, style: Style = .plain) {
    self.size = size
    cells = Array(repeating: .blank(style), count: size.width * size.height)
  }

  /// The whole canvas as a rectangle.
  public var bounds: Rect { Rect(size) }

  package func row(_ y: Int) -> ArraySlice<Cell> {
    cells[(y * size.width)..<((y + 1) * size.width)]
  }

  // MARK: text

  /// Draws a text from a place to the right, clipped to `region` (the whole canvas if nil).
  /// - Returns: the column after the text, also where it was clipped.
  @discardableResult
  public mutating func draw(_ text: SafeText, at point: Point, style: Style = .plain, in region: Rect? = nil) -> Int {
    let clip = region.map { bounds.intersection($0) } ?? bounds
    let end = point.x + text.width
    guard point.y >= clip.y, point.y < clip.bottom else { return end }
    var x = point.x
    for glyph in text.glyphs {
      if x >= clip.right { break }
      let next = x + Int(glyph.width)
      if x >= clip.x && next <= clip.right {
        put(glyph, x: x, y: point.y, style: style)
      } else if next > clip.x {
        // Half of a wide character lies outside.
        for visible in max(x, clip.x)..<min(next, clip.right) { put(.blank, x: visible, y: point.y, style: style) }
      }
      x = next
    }
    return end
  }

  /// Draws one line into a row of a region, truncated with an ellipsis. Only the text's own cells are touched.
  /// - Returns: the column after the text.
  @discardableResult
  public mutating func draw(
    _ text: SafeText, in region: Rect, row: Int = 0, _ alignment: SafeText.Alignment = .left, style: Style = .plain
  ) -> Int {
    let cut = text.truncated(to: region.width)
    let missing = region.width - cut.width
    let offset =
      switch alignment {
      case .left: 0
      case .centre: missing / 2
      case .right: missing
      }
    return draw(cut, at: Point(x: region.x + offset, y: region.y + row), style: style, in: region)
  }

  /// Draws texts of several styles one after the other on a row of a region, clipped.
  /// - Returns: the column after the last.
  @discardableResult
  public mutating func draw(_ runs: [(SafeText, Style)], in region: Rect, row: Int = 0) -> Int {
    var x = region.x
    for (text, style) in runs {
      x = draw(text, at: Point(x: x, y: region.y + row), style: style, in: region)
    }
    return x
  }

  /// Draws a longer text with word wrap from the top of a region. Where it has no room the last row ends with an ellipsis.
  /// - Returns: the number of rows that the text needs, which may be more than the region has.
  @discardableResult
  public mutating func drawWrapped(_ text: String, in region: Rect, style: Style = .plain) -> Int {
    let lines = SafeText.wrap(text, to: region.width)
    for (row, line) in lines.prefix(region.height).enumerated() {
      var line = line
      if row == region.height - 1 {
        // As much of what follows as makes the row too long.
        for next in lines[(row + 1)...] where line.width <= region.width { line += " " + next }
      }
      draw(line, in: region, row: row, style: style)
    }
    return lines.count
  }

  // MARK: areas and lines

  /// Fills a rectangle with one sign (a space, or any text one column wide).
  public mutating func fill(_ region: Rect, with sign: SafeText = " ", style: Style = .plain) {
    let area = bounds.intersection(region)
    guard let glyph = sign.glyphs.first, glyph.width == 1 else { return }
    for y in area.y..<area.bottom {
      for x in area.x..<area.right { put(glyph, x: x, y: y, style: style) }
    }
  }

  /// Exchanges foreground and background of every cell, for a flash that needs no colour.
  public mutating func reverse() {
    for index in cells.indices { cells[index].style.attributes.formSymmetricDifference(.reverse) }
  }

  /// A horizontal line of a region's top row.
  public mutating func horizontalLine(_ region: Rect, glyphs: Glyphs, style: Style = .plain) {
    fill(region.row(0), with: glyphs.horizontal, style: style)
  }

  /// A vertical line of a region's left column.
  public mutating func verticalLine(_ region: Rect, glyphs: Glyphs, style: Style = .plain) {
    fill(region.columns(0, 1), with: glyphs.vertical, style: style)
  }

  /// A box along the inner edge of a region, with a title on its upper line. Regions under 2x2 stay as they are.
  /// - Returns: the region inside the box.
  @discardableResult
  public mutating func box(_ region: Rect, title: SafeText = "", glyphs: Glyphs, style: Style = .plain) -> Rect {
    guard region.width >= 2, region.height >= 2 else { return Rect(x: region.x, y: region.y, width: 0, height: 0) }
    let right = region.right - 1
    let bottom = region.bottom - 1
    fill(region.row(0), with: glyphs.horizontal, style: style)
    fill(region.row(region.height - 1), with: glyphs.horizontal, style: style)
    fill(region.columns(0, 1), with: glyphs.vertical, style: style)
    fill(region.columns(region.width - 1, 1), with: glyphs.vertical, style: style)
    draw(glyphs.topLeft, at: region.origin, style: style)
    draw(glyphs.topRight, at: Point(x: right, y: region.y), style: style)
    draw(glyphs.bottomLeft, at: Point(x: region.x, y: bottom), style: style)
    draw(glyphs.bottomRight, at: Point(x: right, y: bottom), style: style)
    if !title.isEmpty && region.width >= 6 {
      draw(" " + title.truncated(to: region.width - 6) + " ", in: region.inset(columns: 2, rows: 0), style: style)
    }
    return region.inset(columns: 1, rows: 1)
  }

  // MARK: cells

  /// Sets one cell that lies inside the canvas; what remains of a wide character that it cuts becomes a space.
  private mutating func put(_ glyph: Glyph, x: Int, y: Int, style: Style) {
    let start = y * size.width + x
    let end = start + Int(glyph.width)
    let rowEnd = (y + 1) * size.width
    if cells[start].isContinuation { cells[start - 1].glyph = .blank }
    if end < rowEnd && cells[end].isContinuation { cells[end] = .blank(cells[end].style) }
    cells[start] = Cell(glyph: glyph, style: style)
    if glyph.width == 2 { cells[start + 1] = Cell(glyph: .blank, style: style, isContinuation: true) }
  }
}
