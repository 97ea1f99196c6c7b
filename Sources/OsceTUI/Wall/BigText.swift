import Terminal

/// Text to be read from across a room, in large letters.
struct BigText {
  /// How large letters are.
  struct Scale: Equatable {
    /// How many times the letters of five rows are drawn; 0: those of three rows.
    let factor: Int

    /// Letters of three rows.
    static let small = Scale(factor: 0)

    private var face: BigFace { factor == 0 ? BigLetters.small : BigLetters.tall }

    /// Rows of a text.
    var height: Int { face.height * max(1, factor) }

    /// Blank columns between two words that stand beside each other.
    var space: Int { 3 * max(1, factor) }

    /// Columns of a text; nil if a sign has no shape.
    func columns(_ text: String) -> Int? { face.columns(text).map { $0 * max(1, factor) } }

    fileprivate func rows(_ text: String) -> [[Character]]? { face.rows(text) }

    /// The largest for texts of which the widest must fit in a space; nil if none does. Letters of three rows need
    /// half blocks.
    static func fitting(_ texts: [String], in space: Size, _ glyphs: Glyphs) -> Scale? {
      for factor in stride(from: space.height / BigLetters.tall.height, through: 0, by: -1) {
        let scale = Scale(factor: factor)
        if factor == 0 && (glyphs != .unicode || space.height < scale.height) { return nil }
        if texts.allSatisfy({ scale.columns($0).map { $0 <= space.width } ?? false }) { return scale }
      }
      return nil
    }
  }

  private let scale: Scale
  private let rows: [[Character]]

  /// A text at a scale; nil if a sign has no shape.
  init?(_ text: String, _ scale: Scale) {
    guard let rows = scale.rows(text), !rows[0].isEmpty else { return nil }
    (self.scale, self.rows) = (scale, rows)
  }

  /// The largest letters for a text in a space.
  /// - Returns: nil if not even the smallest fit, or if a sign of the text has no shape.
  init?(_ text: String, in space: Size, _ glyphs: Glyphs) {
    guard let scale = Scale.fitting([text], in: space, glyphs) else { return nil }
    self.init(text, scale)
  }

  /// Columns and rows of the whole.
  var size: Size { Size(width: rows[0].count * max(1, scale.factor), height: scale.height) }

  /// Draws in the middle of a region.
  func draw(on canvas: inout Canvas, in region: Rect, style: Style, glyphs: Glyphs) {
    draw(on: &canvas, at: region.centred(size).origin, style: style, glyphs: glyphs)
  }

  /// Draws from a place to the right and down.
  func draw(on canvas: inout Canvas, at place: Point, style: Style, glyphs: Glyphs) {
    // A blank that the style fills is one byte, a block three.
    let full: SafeText = BigText.fillsCell(style) ? " " : glyphs.barFull
    let half = BigText.halved(style)
    forEachRun(at: place) { run, halves in
      switch halves {
      case .none: break
      case .both: canvas.fill(run, with: full, style: style)
      case _ where glyphs != .unicode: canvas.fill(run, with: full, style: style)
      case .upper: canvas.fill(run, with: BigText.upper, style: half)
      default: canvas.fill(run, with: BigText.lower, style: half)
      }
    }
  }

  /// Cuts the text out of a band that fills a region.
  func cut(outOf region: Rect, on canvas: inout Canvas, style: Style, glyphs: Glyphs) {
    canvas.fill(region, with: glyphs.barFull, style: style)
    forEachRun(at: region.centred(size).origin) { run, halves in
      switch halves {
      case .none: break
      case .both: canvas.fill(run, with: " ", style: style)
      case _ where glyphs != .unicode: canvas.fill(run, with: " ", style: style)
      case .upper: canvas.fill(run, with: BigText.lower, style: style)
      default: canvas.fill(run, with: BigText.upper, style: style)
      }
    }
  }

  /// Which halves of a cell are filled.
  private enum Halves { case none, upper, lower, both }

  /// Calls `body` with the cells of each row that look alike, from the left to the right.
  private func forEachRun(at place: Point, _ body: (Rect, Halves) -> Void) {
    let factor = max(1, scale.factor)
    for row in 0..<scale.height {
      let (first, second) = (2 * row / factor, (2 * row + 1) / factor)
      let halves = rows[0].indices.map { column -> Halves in
        switch (isFilled(first, column), isFilled(second, column)) {
        case (true, true): .both
        case (true, false): .upper
        case (false, true): .lower
        case (false, false): .none
        }
      }
      var start = 0
      for column in 1...halves.count where column == halves.count || halves[column] != halves[start] {
        body(
          Rect(x: place.x + start * factor, y: place.y + row, width: (column - start) * factor, height: 1),
          halves[start])
        start = column
      }
    }
  }

  /// Whether a half row of a shape is filled in a column.
  private func isFilled(_ half: Int, _ column: Int) -> Bool {
    switch rows[half / 2][column] {
    case "█": true
    case "▀": half % 2 == 0
    case "▄": half % 2 == 1
    default: false
    }
  }

  /// Whether a blank of this style is seen.
  private static func fillsCell(_ style: Style) -> Bool {
    style.attributes.contains(.reverse) || (style.background != .terminal && style.background != .black)
  }

  /// The style of a cell that is half filled: by the sign, never by what lies behind it.
  private static func halved(_ style: Style) -> Style {
    guard fillsCell(style) else { return style }
    var style = style
    if !style.attributes.contains(.reverse) { style.foreground = style.background }
    style.background = .terminal
    style.attributes.remove(.reverse)
    return style
  }

  private static let upper: SafeText = "▀"
  private static let lower: SafeText = "▄"
}
