import Characters

/// Text from the store made fit for a terminal: no name, comment or path can send a control sequence.
package enum PlainText {
  /// One line: unsafe characters and line breaks are written as `\u{…}`, joiners and selectors left out.
  package static func cell(_ text: String) -> String { VisibleText.of(text, dropsJoiners: true) }

  /// Several lines: as `cell`, but line feeds stay.
  package static func lines(_ text: String) -> String {
    VisibleText.of(text, keepsLines: true, dropsJoiners: true)
  }

  /// Data for a terminal alone: as `lines`, and whether a line break of CSV is all that had to be changed.
  package static func shown(_ bytes: [UInt8]) -> (bytes: [UInt8], isExact: Bool) {
    // CSV ends its lines in CR LF; Swift takes both for one character.
    let text = String(decoding: bytes, as: UTF8.self).replacing("\r\n", with: "\n")
    let shown = lines(text)
    return (Array(shown.utf8), shown == text)
  }
}

/// Lines that are broken between words where an output has so many columns, and left whole where it has none.
package struct LineFold {
  private let columns: Int?

  package init(_ output: Output) { columns = output.columns }

  /// A line in as many as it takes; what follows the first is indented.
  package func lines(_ line: String) -> [String] {
    columns.map { TextLines.wrapped(line, indent: 2, width: $0) } ?? [line]
  }
}

/// Rows of text in columns that line up.
package struct TextTable {
  private var rows: [[String]] = []

  /// Without rows yet.
  package init() {}

  /// Adds a row of cells; each is made safe.
  package mutating func row(_ cells: [String]) { rows.append(cells.map { PlainText.cell($0) }) }

  /// The rows, two blanks between columns, each ended by a line feed.
  package var text: String { text(within: nil) }

  /// The rows within some columns: the widest are narrowed, and what they hold is broken between words.
  /// - Parameter width: how many columns a line has; nil: as many as it takes.
  package func text(within width: Int?) -> String {
    let widths = widths(within: width)
    var text = ""
    for row in rows {
      let cells = zip(row, widths).map { TextLines.broken($0, $1) }
      for place in 0..<(cells.map(\.count).max() ?? 0) {
        var line = ""
        for (column, cell) in cells.enumerated() {
          let part = place < cell.count ? cell[place] : ""
          line += part
          if column < cells.count - 1 {
            line += String(repeating: " ", count: max(0, widths[column] - ColumnWidth.of(part)) + 2)
          }
        }
        while line.last == " " { line.removeLast() }
        text += line + "\n"
      }
    }
    return text
  }

  /// A column is not narrowed below this: a number or a time stays whole.
  private static let narrowest = 10

  private func widths(within width: Int?) -> [Int] {
    var widths: [Int] = []
    for row in rows {
      for (column, cell) in row.enumerated() {
        if column == widths.count { widths.append(0) }
        widths[column] = max(widths[column], ColumnWidth.of(cell))
      }
    }
    guard let width else { return widths }
    while widths.reduce(0, +) + 2 * (widths.count - 1) > width,
      let widest = widths.indices.max(by: { widths[$0] < widths[$1] }), widths[widest] > TextTable.narrowest
    { widths[widest] -= 1 }
    return widths
  }
}
