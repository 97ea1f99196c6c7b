import CircuitModel
import ExamStore
import Reports
import Terminal
import Timer

/// All circuits at a glance: a line each, or big digits where there is room.
@MainActor
enum DeskClocks {
  /// What is shown of one circuit.
  struct Line: Equatable {
    let name: String
    /// Whether the clock's keys act on it.
    let isFollowed: Bool
    let digits: String
    let alert: AlertLevel
    /// What the digits are, where it is not the time that is left: `PAUSED, ON IN`.
    var coming = ""
    /// Phase and round, and what is unlike the others.
    let phase: String

    /// The alert in a word; empty for none.
    var word: String { alert == .none ? "" : alert.name.uppercased() }
  }

  /// The least columns of a circuit that stands beside another.
  private static let leastWidth = 38
  /// The least columns for big digits.
  private static let bigWidth = 24
  /// From this height of a body on there is room for big digits.
  private static let bigBody = 30
  private static let bigHeight = 9

  static func lines(_ desk: Desk, at now: Instant) -> [Line] {
    let behind = CircuitDrift.between(desk.circuits.compactMap(\.drifting), at: now)
    return desk.circuits.enumerated().map { index, circuit in
      let state = circuit.fold?.state(at: now)
      let coming = state.flatMap { circuit.fold?.goesOn(after: $0.at) }
      let late = behind.first { $0.name == circuit.circuit.name }?.seconds ?? 0
      return Line(
        name: circuit.circuit.name, isFollowed: desk.actsOnAll || index == desk.index,
        digits: (coming.map { $0 - now } ?? state?.remainingMs).map { PhaseText.digits($0) } ?? "",
        alert: state?.alert ?? .none,
        coming: coming == nil ? "" : state?.status == .paused ? "PAUSED, ON IN" : "STARTS IN",
        phase: (late > 0 ? "\(PhaseText.digits(late * 1000)) BEHIND, " : "") + circuit.phaseText(at: now))
    }
  }

  /// Rows that the circuits take of a body.
  static func height(_ count: Int, in body: Size) -> Int {
    if body.height >= bigBody, body.width / max(1, count) >= bigWidth { return bigHeight }
    return count > 1 ? min(rows(count, width: body.width), body.height / 3) : 0
  }

  private static func across(_ count: Int, width: Int) -> Int { max(1, min(count, width / leastWidth)) }

  private static func rows(_ count: Int, width: Int) -> Int {
    let across = across(count, width: width)
    return (count + across - 1) / across
  }

  static func draw(_ lines: [Line], on canvas: inout Canvas, in region: Rect, theme: Theme) {
    if lines.isEmpty || region.isEmpty { return }
    let isBig = region.height == bigHeight
    let across = isBig ? lines.count : across(lines.count, width: region.width)
    for (index, line) in lines.enumerated() {
      let left = region.width * (index % across) / across
      let right = region.width * (index % across + 1) / across
      let place = region.columns(left, right - left - (index % across == across - 1 ? 0 : 1))
      if isBig {
        drawBig(line, on: &canvas, in: place, theme)
      } else {
        drawLine(line, on: &canvas, in: place.row(index / across), theme, digits: line.digits)
      }
    }
  }

  private static func drawLine(
    _ line: Line, on canvas: inout Canvas, in place: Rect, _ theme: Theme, digits: String
  ) {
    let style = theme[line.isFollowed ? .heading : .muted]
    let mark: SafeText = line.isFollowed ? theme.glyphs.pointer + " " : "  "
    let word = line.coming.isEmpty ? line.word : line.coming
    let time = SafeText(digits.isEmpty ? "" : " \(word)\(word.isEmpty ? "" : " ")\(digits) ")
    // What is not seen of a long name is less than what is not seen of the time.
    let room = max(4, place.width - time.width - (line.coming.isEmpty ? 14 : 2))
    let end = canvas.draw(mark + SafeText(line.name).truncated(to: room) + " ", in: place, style: style)
    let timed = canvas.draw(
      time, in: place.columns(end - place.x, place.width), style: line.alert == .none ? style : alertStyle(line, theme))
    canvas.draw(SafeText(" " + line.phase), in: place.columns(timed - place.x, place.width), style: style)
  }

  private static func drawBig(_ line: Line, on canvas: inout Canvas, in place: Rect, _ theme: Theme) {
    let space = place.rows(2, place.height - 3).inset(columns: 2, rows: 0)
    guard let big = BigText(line.digits, in: space.size, theme.glyphs) else {
      return drawLine(line, on: &canvas, in: place, theme, digits: line.digits)
    }
    drawLine(line, on: &canvas, in: place, theme, digits: "")
    big.draw(on: &canvas, in: space, style: alertStyle(line, theme), glyphs: theme.glyphs)
    let word = [line.word, line.coming].filter { !$0.isEmpty }.joined(separator: ", ")
    if !word.isEmpty {
      canvas.draw(
        SafeText(" \(word) "), in: place, row: 1, .centre, style: alertStyle(line, theme))
    }
  }

  private static func alertStyle(_ line: Line, _ theme: Theme) -> Style {
    switch line.alert {
    case .amber: theme[.amber]
    case .red: theme[.red]
    case .none: theme[.normal]
    }
  }
}
