import Terminal
import Timer

/// Everything that the wall says at one moment, and its places.
struct WallPicture: Equatable {
  /// One clock for all circuits in step, else one for each.
  var panels: [WallPanel] = []
  /// Messages to the hall, the newest first.
  var messages: [String] = []
  /// The same without whom they are for.
  var messageTexts: [String] = []
  /// That the store is not the one any more that the exam is in.
  var lost: SafeText = ""
  /// That the timed backup could not be made.
  var backup: SafeText = ""
  /// What could not be sounded, or why the announcement command did not run.
  var missed: SafeText = ""
  /// The time of day.
  var time = ""
  /// That the wall clock and the exam's time stand apart.
  var clockNote = ""
  /// Whether the screen flashes.
  var isReversed = false

  /// How far the wall clock may stand off the exam's time without a word, in milliseconds.
  private static let quietLead: Int64 = 30_000

  /// The line about a wall clock that was set, or stands wrong; empty while it is right.
  static func clockNote(lead: Int64) -> String {
    if abs(lead) <= quietLead { return "" }
    return "system clock is \(PhaseText.span(abs(lead) / 1000 * 1000)) \(lead > 0 ? "ahead of" : "behind")"
      + " exam time; the countdown is correct"
  }

  /// - Parameter message: the answer to the last key.
  func canvas(_ size: Size, theme: Theme, message: SafeText) -> Canvas {
    var canvas = Canvas(size: size, style: theme[.normal])
    // A few rows are for the clock; what must be known has some of them while there is something to say.
    let isSmall = size.height < 8
    let (footer, body) = Rect(size).splitBottom(isSmall ? 0 : 1)
    let said = noteRows(size.width).prefix(max(1, size.height - grid(body.size, theme.glyphs).down))
    let (noted, rest) = body.splitBottom(isSmall ? (size.height >= 3 ? said.count : 0) : max(1, said.count))
    let (told, hall) = rest.splitBottom(WallMessages.height(messages, in: rest.size, theme.glyphs))
    drawPanels(on: &canvas, in: hall, theme)
    WallMessages.draw(messages, texts: messageTexts, on: &canvas, in: told, theme: theme)
    drawNotes(Array(said), on: &canvas, in: noted, theme)
    drawFooter(on: &canvas, in: footer, theme, message)
    if isSmall && !message.isEmpty { canvas.draw(message, in: Rect(size).row(size.height - 1), style: theme[.heading]) }
    if isReversed { canvas.reverse() }
    return canvas
  }

  private func drawPanels(on canvas: inout Canvas, in region: Rect, _ theme: Theme) {
    if panels.isEmpty {
      canvas.draw("This exam has no circuit", in: region, row: region.height / 2, .centre, style: theme[.normal])
      return
    }
    let (across, down) = grid(region.size, theme.glyphs)
    // Lines between clocks take room from what is blank alone. All clocks have as many rows, so that they look alike.
    let hasRules = down > 1 && region.height / down >= 7
    let height = max(0, region.height - (hasRules ? down - 1 : 0)) / down
    let step = height + (hasRules ? 1 : 0)
    var cells: [(panel: WallPanel, place: Rect)] = []
    for (index, panel) in panels.enumerated() {
      let (column, row) = (index % across, index / across)
      let (left, right) = (region.width * column / across, region.width * (column + 1) / across)
      let edge = column > 0 ? 1 : 0
      cells.append(
        (panel, Rect(x: region.x + left + edge, y: region.y + step * row, width: right - left - edge, height: height)))
    }
    for column in 1..<max(1, across) {
      let edge = Rect(x: region.x + region.width * column / across, y: region.y, width: 1, height: region.height)
      canvas.verticalLine(edge, glyphs: theme.glyphs, style: theme[.border])
    }
    for row in 1..<max(1, down) where hasRules {
      canvas.horizontalLine(region.row(step * row - 1), glyphs: theme.glyphs, style: theme[.border])
    }
    let form = cells.count > 1 ? WallPanelView.CellForm(cells, theme) : nil
    for (panel, place) in cells { WallPanelView(panel, form, theme: theme).draw(on: &canvas, in: place) }
  }

  /// How many clocks stand beside and above each other: bands for two, halves for four, then three or four beside each
  /// other, unless the digits are larger the other way.
  private func grid(_ size: Size, _ glyphs: Glyphs) -> (across: Int, down: Int) {
    func grid(_ across: Int) -> (across: Int, down: Int) { (across, max(1, (panels.count + across - 1) / across)) }
    func digits(_ grid: (across: Int, down: Int)) -> Int {
      WallPanelView.digits(
        in: Size(width: size.width / grid.across - 1, height: (size.height - grid.down + 1) / grid.down), glyphs)
    }
    let wanted =
      switch panels.count {
      case ...2: 1
      case ...4: 2
      case ...6: 3
      default: 4
      }
    let others = (1...max(1, panels.count)).filter { $0 != wanted }
    return ([wanted] + others).map(grid).reduce(grid(wanted)) { digits($1) > digits($0) ? $1 : $0 }
  }

  private typealias Note = (text: SafeText, role: Role)

  /// What must be known beside the clocks, the most urgent first.
  private var notes: [Note] {
    [(lost, .alarm), (missed, .warning), (backup, .warning), (SafeText(clockNote), .normal)].filter { !$0.0.isEmpty }
  }

  private static let noteGap = 3

  private static func width(_ row: [Note]) -> Int { row.reduce(-noteGap) { $0 + $1.text.width + noteGap } }

  /// The notes in rows: beside each other where they fit, so that none hides another.
  private func noteRows(_ width: Int) -> [[Note]] {
    notes.reduce(into: []) { rows, note in
      if let last = rows.last, WallPicture.width(last + [note]) <= width {
        rows[rows.count - 1].append(note)
      } else {
        rows.append([note])
      }
    }
  }

  private func drawNotes(_ rows: [[Note]], on canvas: inout Canvas, in region: Rect, _ theme: Theme) {
    for (index, row) in rows.enumerated() {
      let line = region.row(index)
      var place = line.columns(max(0, (line.width - WallPicture.width(row)) / 2), line.width)
      for note in row {
        let end = canvas.draw(note.text, in: place, style: theme[note.role])
        place = place.columns(end - place.x + WallPicture.noteGap, place.width)
      }
    }
  }

  /// What a person before the wall must know, or the answer to a key, and the time of day.
  private func drawFooter(on canvas: inout Canvas, in region: Rect, _ theme: Theme, _ message: SafeText) {
    let inner = region.inset(columns: 2, rows: 0)
    let (right, left) = inner.splitRight(min(6, inner.width))
    canvas.draw(SafeText(time), in: right, .right, style: theme[.heading])
    canvas.draw(
      message.isEmpty ? said.truncated(to: left.width) : message, in: left,
      style: theme[message.isEmpty ? .normal : .heading])
  }

  private var said: SafeText {
    if panels.count > 1 { return "Each circuit follows its own clock" }
    guard let panel = panels.first else { return "" }
    if case .starting = panel.face { return SafeText(panel.notice) }
    if case .word = panel.face { return "" }
    return SafeText([panel.notice, panel.end].first { !$0.isEmpty } ?? "")
  }
}
