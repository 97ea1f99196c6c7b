import CircuitModel
import Terminal

/// What the hall is told: messages to all, to a circuit, or to one station, the newest first.
struct WallMessages: Equatable {
  private var messages: [HallMessage] = []

  /// The messages that are up.
  static func read(_ store: ExamStore) -> WallMessages {
    let messages = try? store.read { try HallMessages.shown(circuit: nil, station: nil, in: $0) }
    return WallMessages(messages: (messages ?? []).reversed())
  }

  /// The lines for these circuits: a station's with its code, a circuit's with its name where there are others.
  func lines(for circuits: [Circuit]) -> [String] {
    messages.compactMap { message in
      let circuit = message.circuit.map { id in circuits.first { $0.id == id } }
      if case .some(.none) = circuit { return nil }
      let name = circuits.count > 1 ? circuit??.name : nil
      let head = [name, message.stationCode].compactMap { $0 }.joined(separator: " ")
      return head.isEmpty ? message.text : "\(head): \(message.text)"
    }
  }

  /// Rows that the lines take at the bottom of a body: a quarter, or a third if large letters need that.
  static func height(_ lines: [String], in body: Size, _ glyphs: Glyphs) -> Int {
    if lines.isEmpty || body.height < 4 { return 0 }
    if body.height < 16 { return min(lines.count, body.height / 4) }
    let quarter = max(4, body.height / 4)
    let fits = largest(lines, in: Size(width: body.width, height: quarter - 1), glyphs) != nil
    return fits ? quarter : body.height / 3
  }

  /// Draws lines in letters as large as fit, else in ordinary ones.
  static func draw(_ lines: [String], on canvas: inout Canvas, in region: Rect, theme: Theme) {
    if region.isEmpty { return }
    let style = theme[.heading]
    let area = region.height > 3 ? region.rows(1, region.height) : region
    if region.height > 3 { canvas.horizontalLine(region, glyphs: theme.glyphs, style: theme[.border]) }
    if let rows = largest(lines, in: area.size, theme.glyphs) {
      let height = height(rows)
      var y = max(0, (area.height - height) / 2)
      for row in rows {
        row.draw(on: &canvas, in: area.rows(y, row.size.height), style: style, glyphs: theme.glyphs)
        y += row.size.height + gap(row)
      }
      return
    }
    let wrapped = lines.flatMap { SafeText.wrap($0, to: max(1, area.width - 2)) }
    let top = max(0, (area.height - wrapped.count) / 2)
    for (row, line) in wrapped.prefix(area.height).enumerated() {
      canvas.draw(" " + line + " ", in: area, row: top + row, .centre, style: style.with(.reverse))
    }
  }

  /// All lines, wrapped, in the largest letters that leave none out; nil if none do.
  private static func largest(_ lines: [String], in space: Size, _ glyphs: Glyphs) -> [BigText]? {
    for height in stride(from: space.height, through: BigText.halfHeight, by: -1) {
      guard let rows = wrapped(lines, height, space, glyphs) else { continue }
      if Self.height(rows) <= space.height { return rows }
    }
    return nil
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
