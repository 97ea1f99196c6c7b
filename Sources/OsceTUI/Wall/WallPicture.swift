import Terminal
import Timer

/// Everything that the wall says at one moment, and its places.
struct WallPicture: Equatable {
  var panels: [WallPanel] = []
  /// Messages to the hall, the newest first.
  var messages: [String] = []
  /// Which circuits are behind which.
  var drift = ""
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
    // A few rows are for the clock; what must be known has one of them while there is something to say.
    let isSmall = size.height < 8
    let hasNotes = !isSmall || (size.height >= 3 && !notes.isEmpty)
    let (footer, body) = Rect(size).splitBottom(isSmall ? 0 : 1)
    let (noted, rest) = body.splitBottom(hasNotes ? 1 : 0)
    let (told, hall) = rest.splitBottom(WallMessages.height(messages, in: rest.size, theme.glyphs))
    drawPanels(on: &canvas, in: hall, theme)
    WallMessages.draw(messages, on: &canvas, in: told, theme: theme)
    drawNotes(on: &canvas, in: noted, theme)
    drawFooter(on: &canvas, in: footer, theme, bindings, message)
    if isReversed { canvas.reverse() }
    return canvas
  }

  private func drawPanels(on canvas: inout Canvas, in region: Rect, _ theme: Theme) {
    if panels.isEmpty {
      canvas.draw("This exam has no circuit", in: region, row: region.height / 2, .centre, style: theme[.muted])
      return
    }
    // Side by side while each has the width that its digits need, else one above the other.
    let across = max(1, min(panels.count, region.width / WallPicture.leastWidth))
    let down = (panels.count + across - 1) / across
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

  /// What must be known beside the clocks, the most urgent first.
  private var notes: [(text: SafeText, role: Role)] {
    [(missed, .warning), (SafeText(clockNote), .muted), (SafeText(drift), .heading)].filter { !$0.0.isEmpty }
  }

  private func drawNotes(on canvas: inout Canvas, in region: Rect, _ theme: Theme) {
    let said = notes.map { ($0.text, theme[$0.role]) }
    let width = said.reduce(-3) { $0 + $1.0.width + 3 }
    var place = region.columns(max(0, (region.width - width) / 2), region.width)
    for (text, style) in said {
      let end = canvas.draw(text, in: place, style: style)
      place = place.columns(end - place.x + 3, place.width)
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
