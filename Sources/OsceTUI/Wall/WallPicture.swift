import Terminal
import Timer

/// Everything that the wall says at one moment, and its places.
struct WallPicture: Equatable {
  var panels: [WallPanel] = []
  /// Messages to the hall, the newest first.
  var messages: [String] = []
  /// The same without whom they are for.
  var messageTexts: [String] = []
  /// Which circuits are behind which, one by one.
  var drift: [String] = []
  /// That the store is not the one any more that the exam is in.
  var lost: SafeText = ""
  /// What could not be sounded, or why the announcement command did not run.
  var missed: SafeText = ""
  /// The wall clock.
  var time = ""
  /// That the wall clock and the exam's time stand apart.
  var clockNote = ""
  /// Whether the screen flashes.
  var isReversed = false

  /// The least columns of a panel that stands beside another.
  private static let leastWidth = 38
  /// How far the wall clock may stand off the exam's time without a word, in milliseconds.
  private static let quietLead: Int64 = 30_000

  /// The line about a wall clock that was set, or stands wrong; empty while it is right.
  static func clockNote(lead: Int64) -> String {
    if abs(lead) <= quietLead { return "" }
    return "the machine's clock is \(PhaseText.digits(abs(lead) / 1000 * 1000)) \(lead > 0 ? "ahead of" : "behind")"
      + " the exam's; the countdown is right"
  }

  func canvas<Action>(
    _ size: Size, theme: Theme, bindings: BindingTable<Action>, message: SafeText
  ) -> Canvas {
    var canvas = Canvas(size: size, style: theme[.normal])
    // A few rows are for the clock; what must be known has some of them while there is something to say.
    let isSmall = size.height < 8
    let (footer, body) = Rect(size).splitBottom(isSmall ? 0 : 1)
    let said = noteRows(size.width).prefix(max(1, size.height - grid(size.width).down))
    let (noted, rest) = body.splitBottom(isSmall ? (size.height >= 3 ? said.count : 0) : max(1, said.count))
    let (told, hall) = rest.splitBottom(WallMessages.height(messages, in: rest.size, theme.glyphs))
    drawPanels(on: &canvas, in: hall, theme)
    WallMessages.draw(messages, texts: messageTexts, on: &canvas, in: told, theme: theme)
    drawNotes(Array(said), on: &canvas, in: noted, theme)
    drawFooter(on: &canvas, in: footer, theme, bindings, message)
    if isReversed { canvas.reverse() }
    return canvas
  }

  private func drawPanels(on canvas: inout Canvas, in region: Rect, _ theme: Theme) {
    if panels.isEmpty {
      canvas.draw("This exam has no circuit", in: region, row: region.height / 2, .centre, style: theme[.muted])
      return
    }
    let (across, down) = grid(region.width)
    let (width, height) = (region.width / across, region.height / down)
    for (index, panel) in panels.enumerated() {
      let place = Rect(
        x: region.x + (index % across) * width, y: region.y + (index / across) * height, width: width, height: height)
      WallPanelView(panel, isNamed: panels.count > 1, theme: theme).draw(on: &canvas, in: place)
      if index % across > 0 {
        canvas.verticalLine(place, glyphs: theme.glyphs, style: theme[.border])
      }
    }
  }

  /// How many panels stand beside and above each other: side by side while each has the width that its digits need.
  private func grid(_ width: Int) -> (across: Int, down: Int) {
    let across = max(1, min(panels.count, width / WallPicture.leastWidth))
    return (across, (panels.count + across - 1) / across)
  }

  private typealias Note = (text: SafeText, role: Role)

  /// What must be known beside the clocks, the most urgent first.
  private var notes: [Note] {
    ([(lost, .alarm), (missed, .warning)] + drift.map { (SafeText($0), .heading) } + [(SafeText(clockNote), .muted)])
      .filter { !$0.0.isEmpty }
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

  private func drawFooter<Action>(
    on canvas: inout Canvas, in region: Rect, _ theme: Theme, _ bindings: BindingTable<Action>, _ message: SafeText
  ) {
    let (right, left) = region.splitRight(min(10, region.width))
    canvas.draw(SafeText(time), in: right, .right, style: theme[.heading])
    if message.isEmpty {
      Footer.draw(bindings, help: "", on: &canvas, in: left, theme: theme)
    } else {
      canvas.draw(message, in: left, style: theme[.muted])
    }
  }
}
