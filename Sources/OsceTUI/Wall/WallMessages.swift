import CircuitModel
import ExamStore
import Reports
import Terminal

/// What the hall is told: messages to all or to a circuit, the newest first. A message to one station is that station's
/// alone.
struct WallMessages: Equatable {
  private var messages: [HallMessage] = []

  /// The messages that are up.
  static func read(_ store: ExamStore) throws -> WallMessages {
    WallMessages(
      messages: try store.read { try HallMessages.shown(circuit: nil, station: nil, in: $0) }
        .filter { $0.station == nil }.reversed())
  }

  /// The lines for these circuits: a circuit's with its name where there are others.
  func lines(for circuits: [Circuit]) -> [String] {
    messages(for: circuits).map { message in
      let name = circuits.count > 1 ? circuits.first { $0.id == message.circuit }?.name : nil
      return name.map { "\($0): \(message.text)" } ?? message.text
    }
  }

  /// The same lines without whom they are for.
  func texts(for circuits: [Circuit]) -> [String] { messages(for: circuits).map(\.text) }

  private func messages(for circuits: [Circuit]) -> [HallMessage] {
    messages.filter { message in message.circuit == nil || circuits.contains { $0.id == message.circuit } }
  }

  /// Rows that the lines take at the bottom of a body: a quarter, or a third if large letters need that.
  static func height(_ lines: [String], in body: Size, _ glyphs: Glyphs) -> Int {
    if lines.isEmpty || body.height < 4 { return 0 }
    if body.height < 16 { return min(lines.count, body.height / 4) }
    let quarter = max(4, body.height / 4)
    let fits = BigLines(lines, in: Size(width: body.width, height: quarter - 1), glyphs) != nil
    return fits ? quarter : body.height / 3
  }

  /// From this width on a line says whom it is for, and is cut at its end.
  private static let headWidth = 40

  /// Draws lines in letters as large as fit, else in ordinary ones.
  /// - Parameter texts: the lines without whom they are for.
  static func draw(_ lines: [String], texts: [String], on canvas: inout Canvas, in region: Rect, theme: Theme) {
    if region.isEmpty { return }
    let style = theme[.heading]
    let area = region.height > 3 ? region.rows(1, region.height) : region
    if region.height > 3 { canvas.horizontalLine(region, glyphs: theme.glyphs, style: theme[.border]) }
    if let big = BigLines(lines, in: area.size, theme.glyphs) {
      return big.draw(on: &canvas, in: area, style: style, glyphs: theme.glyphs)
    }
    let width = max(1, area.width - 2)
    var wrapped = lines.flatMap { SafeText.wrap($0, to: width) }
    if wrapped.count > area.height {
      // On a line too short for both, what is said goes before whom it is for; else a word to one station would be
      // taken for one to all.
      wrapped = zip(lines, texts).map { line, text in
        let whole = SafeText(line)
        return whole.width <= width || width >= headWidth
          ? whole.truncated(to: width) : SafeText(text).truncated(to: width)
      }
    }
    let top = max(0, (area.height - wrapped.count) / 2)
    for (row, line) in wrapped.prefix(area.height).enumerated() {
      canvas.draw(" " + line + " ", in: area, row: top + row, .centre, style: style.with(.reverse))
    }
  }
}
