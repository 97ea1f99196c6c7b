import Terminal

/// Lines of large letters, wrapped to a space.
struct BigLines {
  private let rows: [BigText]

  /// All lines, wrapped, in the largest letters that leave none out.
  /// - Returns: nil if none do, or if a sign has no shape.
  init?(_ lines: [String], in space: Size, _ glyphs: Glyphs) {
    for scale in BigText.Scale.all(to: space.height, glyphs) {
      guard let rows = BigLines.wrapped(lines, scale, to: space.width) else { continue }
      if BigLines.height(rows) <= space.height {
        self.rows = rows
        return
      }
    }
    return nil
  }

  /// Draws in the middle of a region.
  func draw(on canvas: inout Canvas, in region: Rect, style: Style, glyphs: Glyphs) {
    var y = max(0, (region.height - BigLines.height(rows)) / 2)
    for row in rows {
      row.draw(on: &canvas, in: region.rows(y, row.size.height), style: style, glyphs: glyphs)
      y += row.size.height + BigLines.gap
    }
  }

  private static let gap = 1

  private static func height(_ rows: [BigText]) -> Int { rows.reduce(-gap) { $0 + $1.size.height + gap } }

  /// Lines wrapped at a scale; nil if they have no shape, or a word is too long.
  private static func wrapped(_ lines: [String], _ scale: BigText.Scale, to width: Int) -> [BigText]? {
    var rows: [String] = []
    for line in lines {
      var isFirst = true
      for word in line.split(separator: " ").map(String.init) {
        guard let own = scale.columns(word), own <= width else { return nil }
        let longer = isFirst ? word : rows[rows.count - 1] + " " + word
        if !isFirst, let columns = scale.columns(longer), columns <= width {
          rows[rows.count - 1] = longer
        } else {
          rows.append(word)
        }
        isFirst = false
      }
    }
    let big = rows.compactMap { BigText($0, scale) }
    return big.isEmpty || big.count < rows.count ? nil : big
  }
}
