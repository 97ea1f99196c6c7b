import Terminal

/// Text to be read from across a room, in large letters.
struct BigText {
  /// How large letters are.
  struct Scale: Comparable {
    /// How many times half of the letters of five rows is drawn, so that 3 is half as large again as they are; 0: the
    /// letters of three rows.
    private let halves: Int

    /// Letters of three rows.
    static let small = Scale(halves: 0)

    static func < (left: Scale, right: Scale) -> Bool { left.halves < right.halves }

    private var face: BigFace { halves == 0 ? BigLetters.small : BigLetters.tall }

    /// Twice what a column, or half a row, of a shape becomes.
    fileprivate var step: Int { max(2, halves) }

    /// Rows of a text.
    var height: Int { (face.height * step + 1) / 2 }

    /// Blank columns between two words that stand beside each other.
    var space: Int { 3 * step / 2 }

    /// Columns of a text; nil if a sign has no shape.
    func columns(_ text: String) -> Int? { face.columns(text).map { ($0 * step + 1) / 2 } }

    fileprivate func rows(_ text: String) -> [[Character]]? { face.rows(text) }

    /// All that have so many rows at most, the largest first. Where cells are filled whole or not at all, strokes of one
    /// and a half rows would differ, and there are no half blocks for letters of three rows.
    static func all(to height: Int, _ glyphs: Glyphs) -> [Scale] {
      let isWhole = glyphs.encoding != .utf8
      let most = max(0, height) * 2 / BigLetters.tall.height
      let tall = stride(from: isWhole ? most / 2 * 2 : most, through: 2, by: isWhole ? -2 : -1).map {
        Scale(halves: $0)
      }
      return (tall + (isWhole ? [] : [.small])).filter { $0.height <= height }
    }

    /// The largest for texts of which the widest must fit in a space; nil if none does.
    static func fitting(_ texts: [String], in space: Size, _ glyphs: Glyphs) -> Scale? {
      all(to: space.height, glyphs).first { scale in
        texts.allSatisfy { scale.columns($0).map { $0 <= space.width } ?? false }
      }
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
  var size: Size { Size(width: (rows[0].count * scale.step + 1) / 2, height: scale.height) }

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
      case _ where glyphs.encoding != .utf8: canvas.fill(run, with: full, style: style)
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
      case _ where glyphs.encoding != .utf8: canvas.fill(run, with: " ", style: style)
      case .upper: canvas.fill(run, with: BigText.lower, style: style)
      default: canvas.fill(run, with: BigText.upper, style: style)
      }
    }
  }

  /// Which halves of a cell are filled.
  private enum Halves { case none, upper, lower, both }

  /// Calls `body` with the cells of each row that look alike, from the left to the right.
  private func forEachRun(at place: Point, _ body: (Rect, Halves) -> Void) {
    for row in 0..<scale.height {
      let (first, second) = (4 * row / scale.step, (4 * row + 2) / scale.step)
      let halves = (0..<size.width).map { x -> Halves in
        let column = 2 * x / scale.step
        return switch (isFilled(first, column), isFilled(second, column)) {
        case (true, true): .both
        case (true, false): .upper
        case (false, true): .lower
        case (false, false): .none
        }
      }
      var start = 0
      for x in 1...halves.count where x == halves.count || halves[x] != halves[start] {
        body(Rect(x: place.x + start, y: place.y + row, width: x - start, height: 1), halves[start])
        start = x
      }
    }
  }

  /// Whether a half row of a shape is filled in a column.
  private func isFilled(_ half: Int, _ column: Int) -> Bool {
    guard half / 2 < rows.count else { return false }
    return switch rows[half / 2][column] {
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
