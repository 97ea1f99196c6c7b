import Terminal

/// Lines of large letters, wrapped to a space.
struct BigLines {
  private let rows: [BigText]

  /// All lines, wrapped, in the largest letters that leave none out.
  /// - Returns: nil if none do, or if a sign has no shape.
  init?(_ lines: [String], in space: Size, _ glyphs: Glyphs) {
    for height in stride(from: space.height, through: BigText.halfHeight, by: -1) {
      guard let rows = BigLines.wrapped(lines, height, space, glyphs) else { continue }
      if BigLines.height(rows) <= space.height {
        self.rows = rows
        return
      }
    }
    return nil
  }

  /// Columns of one block of the letters; 0 where blocks are half rows.
  var blockWidth: Int { rows.map(\.blockWidth).min() ?? 0 }

  /// Draws in the middle of a region.
  func draw(on canvas: inout Canvas, in region: Rect, style: Style, glyphs: Glyphs) {
    var y = max(0, (region.height - BigLines.height(rows)) / 2)
    for row in rows {
      row.draw(on: &canvas, in: region.rows(y, row.size.height), style: style, glyphs: glyphs)
      y += row.size.height + BigLines.gap(row)
    }
  }

  /// Letters of half rows have half a blank row of their own.
  private static func gap(_ row: BigText) -> Int { row.size.height == BigText.halfHeight ? 0 : 1 }

  private static func height(_ rows: [BigText]) -> Int {
    rows.reduce(0) { $0 + $1.size.height + gap($1) } - (rows.last.map(gap) ?? 0)
  }

  /// Lines wrapped to letters of one height; nil if they have no shape, or a word is too long.
  private static func wrapped(_ lines: [String], _ height: Int, _ space: Size, _ glyphs: Glyphs) -> [BigText]? {
    let blocks = height / BlockLetters.height
    let limit = space.width / max(1, 2 * blocks - 1)
    var rows: [(text: String, columns: Int)] = []
    for line in lines {
      var isFirst = true
      for word in line.split(separator: " ") {
        let longer = isFirst ? String(word) : rows[rows.count - 1].text + " " + word
        guard let columns = BigText.columns(of: longer), let own = BigText.columns(of: String(word)), own <= limit
        else {
          return nil
        }
        if isFirst {
          rows.append((longer, columns))
        } else if columns <= limit {
          rows[rows.count - 1] = (longer, columns)
        } else {
          rows.append((String(word), own))
        }
        isFirst = false
      }
    }
    let widest = rows.map(\.columns).max() ?? 0
    let width = BigText.block(columns: widest, in: Size(width: space.width, height: height))?.width ?? 1
    let big = rows.compactMap { row in
      BigText(row.text, in: Size(width: row.columns * width, height: height), glyphs)
    }
    return big.count == rows.count ? big : nil
  }
}
