/// Text from the store made fit for a terminal: no name, comment or path can send a control sequence.
enum PlainText {
  /// One line: control characters, line breaks, bidi and zero-width controls are written as `\u{…}`.
  static func cell(_ text: String) -> String { escaped(text, keepsLines: false) }

  /// Several lines: as `cell`, but line feeds stay.
  static func lines(_ text: String) -> String { escaped(text, keepsLines: true) }

  private static func escaped(_ text: String, keepsLines: Bool) -> String {
    if text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) || (keepsLines && $0 == 0x0A) }) { return text }
    var result = ""
    for scalar in text.unicodeScalars {
      if scalar == "\n" && keepsLines || !isControl(scalar) {
        result.unicodeScalars.append(scalar)
      } else {
        result += "\\u{" + String(scalar.value, radix: 16) + "}"
      }
    }
    return result
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x00...0x1F, 0x7F...0x9F, 0xAD, 0x061C, 0x180E, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF,
      0xFFF9...0xFFFB, 0xE0000...0xE0FFF:
      true
    default: false
    }
  }
}

/// Rows of text in columns that line up.
struct TextTable {
  private var rows: [[String]] = []

  /// Adds a row of cells; each is made safe.
  mutating func row(_ cells: [String]) { rows.append(cells.map { PlainText.cell($0) }) }

  /// The rows, two blanks between columns, each ended by a line feed.
  var text: String {
    var widths: [Int] = []
    for row in rows {
      for (column, cell) in row.enumerated() {
        if column == widths.count { widths.append(0) }
        widths[column] = max(widths[column], cell.count)
      }
    }
    var text = ""
    for row in rows {
      var line = ""
      for (column, cell) in row.enumerated() {
        line += cell
        if column < row.count - 1 { line += String(repeating: " ", count: widths[column] - cell.count + 2) }
      }
      while line.last == " " { line.removeLast() }
      text += line + "\n"
    }
    return text
  }
}
