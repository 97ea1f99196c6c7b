import Terminal

/// Text to be read from across a room: capital letters and digits in blocks, as large as the space allows.
struct BigText {
  private let rows: [[String]]
  private let columns: Int
  /// Columns and rows of one block; nil: half a row each, two blocks in a cell.
  private let block: Size?

  /// The largest letters for a text in a space.
  /// - Parameter glyphs: the signs that the terminal can show; half rows need Unicode.
  /// - Returns: nil if not even the smallest fit, or if a sign of the text has no shape.
  init?(_ text: String, in space: Size, _ glyphs: Glyphs) {
    guard let rows = BigText.shapes(text), !rows.isEmpty else { return nil }
    self.rows = rows
    columns = BigText.columns(rows)
    if let block = BigText.block(columns: columns, in: space) {
      self.block = block
    } else if glyphs == .unicode, columns <= space.width, space.height >= BigText.halfHeight {
      block = nil
    } else {
      return nil
    }
  }

  /// Rows of letters that are made of half rows.
  static let halfHeight = 3

  /// Columns and rows of a block of the largest letters of so many block columns; nil if none fit. A cell is about
  /// twice as high as wide.
  static func block(columns: Int, in space: Size) -> Size? {
    let height = space.height / BlockLetters.height
    let width = min(space.width / max(1, columns), height * 2)
    guard width >= 1, height >= 1 else { return nil }
    return Size(width: width, height: max(1, min(height, (width + 1) / 2)))
  }

  /// Block columns of a text, a blank one between two signs; nil if a sign has no shape.
  static func columns(of text: String) -> Int? { shapes(text).map(columns) }

  private static func columns(_ rows: [[String]]) -> Int {
    rows.reduce(-1) { $0 + $1[0].utf8.count + 1 }
  }

  private static func shapes(_ text: String) -> [[String]]? {
    var rows: [[String]] = []
    for sign in text.uppercased() {
      guard let shape = BlockLetters.rows(sign) else { return nil }
      rows.append(shape)
    }
    return rows
  }

  /// Columns and rows of the whole.
  var size: Size {
    guard let block else { return Size(width: columns, height: BigText.halfHeight) }
    return Size(width: columns * block.width, height: BlockLetters.height * block.height)
  }

  /// Columns of one block; 0 where blocks are half rows.
  var blockWidth: Int { block?.width ?? 0 }

  /// Draws in the middle of a region.
  /// - Parameter isOnBar: whether the region is filled with the style already, so that the letters are cut out of it.
  func draw(on canvas: inout Canvas, in region: Rect, style: Style, glyphs: Glyphs, isOnBar: Bool = false) {
    let area = region.centred(size)
    guard let block else { return drawHalves(on: &canvas, at: area.origin, style: style, isOnBar: isOnBar) }
    // Colour and reverse already fill the cell; a full block does so where there is neither.
    let sign = BigText.fillsCell(style) && !isOnBar ? " " : glyphs.barFull
    var x = area.x
    for shape in rows {
      for (row, bits) in shape.enumerated() {
        var column = x
        for bit in bits.utf8 {
          if bit == UInt8(ascii: "#") {
            canvas.fill(
              Rect(x: column, y: area.y + row * block.height, width: block.width, height: block.height), with: sign,
              style: style)
          }
          column += block.width
        }
      }
      x += (shape[0].utf8.count + 1) * block.width
    }
  }

  /// Whether a blank of this style is seen.
  private static func fillsCell(_ style: Style) -> Bool {
    style.attributes.contains(.reverse) || (style.background != .terminal && style.background != .black)
  }

  private static let both: SafeText = "█"
  private static let upper: SafeText = "▀"
  private static let lower: SafeText = "▄"

  private func drawHalves(on canvas: inout Canvas, at place: Point, style: Style, isOnBar: Bool) {
    var style = style
    // Half a cell is filled by the sign, never by what lies behind it.
    if BigText.fillsCell(style) && !isOnBar {
      if !style.attributes.contains(.reverse) { style.foreground = style.background }
      style.background = .terminal
      style.attributes.remove(.reverse)
    }
    var x = place.x
    for shape in rows {
      for row in 0..<BigText.halfHeight {
        let bottom = 2 * row + 1 < BlockLetters.height ? shape[2 * row + 1] : ""
        var below = bottom.utf8.makeIterator()
        var column = x
        for bit in shape[2 * row].utf8 {
          let isUpper = bit == UInt8(ascii: "#")
          let isLower = below.next() == UInt8(ascii: "#")
          if isUpper || isLower {
            let sign = isUpper && isLower ? BigText.both : isUpper ? BigText.upper : BigText.lower
            canvas.draw(sign, at: Point(x: column, y: place.y + row), style: style)
          }
          column += 1
        }
      }
      x += shape[0].utf8.count + 1
    }
  }
}

/// The shapes of large letters: five rows of blocks, `#` for a filled one.
enum BlockLetters {
  /// Rows of blocks of every shape.
  static let height = 5

  /// The rows of a sign; nil for one that has no shape.
  static func rows(_ sign: Character) -> [String]? { shapes[sign] }

  private static let shapes: [Character: [String]] = [
    "0": ["###", "#.#", "#.#", "#.#", "###"], "1": [".#.", "##.", ".#.", ".#.", "###"],
    "2": ["###", "..#", "###", "#..", "###"], "3": ["###", "..#", "###", "..#", "###"],
    "4": ["#.#", "#.#", "###", "..#", "..#"], "5": ["###", "#..", "###", "..#", "###"],
    "6": ["###", "#..", "###", "#.#", "###"], "7": ["###", "..#", "..#", ".#.", ".#."],
    "8": ["###", "#.#", "###", "#.#", "###"], "9": ["###", "#.#", "###", "..#", "###"],
    ":": [".", "#", ".", "#", "."], ".": [".", ".", ".", ".", "#"], ",": ["..", "..", "..", ".#", "#."],
    "-": ["...", "...", "###", "...", "..."], "+": ["...", ".#.", "###", ".#.", "..."],
    "/": ["..#", "..#", ".#.", "#..", "#.."], "!": ["#", "#", "#", ".", "#"], "'": ["#", "#", ".", ".", "."],
    "?": ["##.", "..#", ".#.", "...", ".#."], "(": [".#", "#.", "#.", "#.", ".#"], ")": ["#.", ".#", ".#", ".#", "#."],
    "&": [".#..", "#.#.", ".#..", "#.##", ".##."], "%": ["#.#", "..#", ".#.", "#..", "#.#"],
    "\"": ["#.#", "#.#", "...", "...", "..."], ";": [".", "#", ".", "#", "#"], " ": ["..", "..", "..", "..", ".."],
    "A": [".#.", "#.#", "###", "#.#", "#.#"], "B": ["##.", "#.#", "##.", "#.#", "##."],
    "C": [".##", "#..", "#..", "#..", ".##"], "D": ["##.", "#.#", "#.#", "#.#", "##."],
    "E": ["###", "#..", "##.", "#..", "###"], "F": ["###", "#..", "##.", "#..", "#.."],
    "G": [".###", "#...", "#.##", "#..#", ".###"], "H": ["#.#", "#.#", "###", "#.#", "#.#"],
    "I": ["###", ".#.", ".#.", ".#.", "###"], "J": ["..#", "..#", "..#", "#.#", ".#."],
    "K": ["#.#", "#.#", "##.", "#.#", "#.#"], "L": ["#..", "#..", "#..", "#..", "###"],
    "M": ["#...#", "##.##", "#.#.#", "#...#", "#...#"], "N": ["#..#", "##.#", "#.##", "#..#", "#..#"],
    "O": [".##.", "#..#", "#..#", "#..#", ".##."], "P": ["##.", "#.#", "##.", "#..", "#.."],
    "Q": [".##.", "#..#", "#..#", "#.#.", ".#.#"], "R": ["##.", "#.#", "##.", "#.#", "#.#"],
    "S": [".##", "#..", ".#.", "..#", "##."], "T": ["###", ".#.", ".#.", ".#.", ".#."],
    "U": ["#.#", "#.#", "#.#", "#.#", "###"], "V": ["#.#", "#.#", "#.#", "#.#", ".#."],
    "W": ["#...#", "#...#", "#.#.#", "##.##", "#...#"], "X": ["#.#", "#.#", ".#.", "#.#", "#.#"],
    "Y": ["#.#", "#.#", ".#.", ".#.", ".#."], "Z": ["###", "..#", ".#.", "#..", "###"],
  ]
}
