import Terminal

/// Digits read from across a room: a clock's face in blocks, as large as the space allows.
struct BigDigits {
  /// Rows of three blocks; a set bit from the left is a filled block.
  private static let shapes: [Character: [UInt8]] = [
    "0": [0b111, 0b101, 0b101, 0b101, 0b111], "1": [0b010, 0b110, 0b010, 0b010, 0b111],
    "2": [0b111, 0b001, 0b111, 0b100, 0b111], "3": [0b111, 0b001, 0b111, 0b001, 0b111],
    "4": [0b101, 0b101, 0b111, 0b001, 0b001], "5": [0b111, 0b100, 0b111, 0b001, 0b111],
    "6": [0b111, 0b100, 0b111, 0b101, 0b111], "7": [0b111, 0b001, 0b001, 0b010, 0b010],
    "8": [0b111, 0b101, 0b111, 0b101, 0b111], "9": [0b111, 0b101, 0b111, 0b001, 0b111],
    "-": [0b000, 0b000, 0b111, 0b000, 0b000],
  ]
  private static let height = 5

  private let text: String
  /// Columns and rows of one block.
  let block: Size

  /// The largest digits for a text in a space; nil if not even the smallest fit.
  init?(_ text: String, in space: Size) {
    self.text = text
    let columns = BigDigits.columns(text)
    let height = space.height / BigDigits.height
    // A cell is about twice as high as wide.
    let width = min(space.width / max(1, columns), height * 2)
    guard width >= 1, height >= 1 else { return nil }
    block = Size(width: width, height: max(1, min(height, (width + 1) / 2)))
  }

  /// Columns and rows of the whole.
  var size: Size {
    Size(width: BigDigits.columns(text) * block.width, height: BigDigits.height * block.height)
  }

  /// Draws in the middle of a region.
  func draw(on canvas: inout Canvas, in region: Rect, style: Style, sign: SafeText) {
    let area = region.centred(size)
    var x = area.x
    for character in text {
      if character == ":" {
        for row in [1, 3] { fill(Point(x: x, y: area.y + row * block.height), on: &canvas, style: style, sign: sign) }
        x += 2 * block.width
        continue
      }
      for (row, bits) in (BigDigits.shapes[character] ?? []).enumerated() {
        for column in 0..<3 where bits & (0b100 >> column) != 0 {
          let place = Point(x: x + column * block.width, y: area.y + row * block.height)
          fill(place, on: &canvas, style: style, sign: sign)
        }
      }
      x += 4 * block.width
    }
  }

  private func fill(_ place: Point, on canvas: inout Canvas, style: Style, sign: SafeText) {
    canvas.fill(Rect(x: place.x, y: place.y, width: block.width, height: block.height), with: sign, style: style)
  }

  /// Blocks across: three for a digit, one for a colon, one between two.
  private static func columns(_ text: String) -> Int {
    text.reduce(0) { $0 + ($1 == ":" ? 2 : 4) } - 1
  }
}
