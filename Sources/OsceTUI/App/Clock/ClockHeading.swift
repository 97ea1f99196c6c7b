import Terminal
import Timer

/// The first line of every screen: circuit and station, round and phase, time left.
struct ClockHeading: Equatable {
  /// The station at which somebody sits.
  var station: String?
  /// The circuit whose clock is followed; nil where none is.
  var circuit: String?
  /// Round and phase in words: `ROUND 3 of 8  STATION`.
  var phase: SafeText
  /// The digits of the time left; nil where there is none.
  var left: String?
  var alert: AlertLevel

  /// The first line of a screen where no clock is followed.
  struct Opening: Equatable {
    /// What the screen is about.
    var text: SafeText
    /// What stands at the right.
    var trailing: SafeText = ""

    func draw(on canvas: inout Canvas, in region: Rect, theme: Theme) {
      let (right, left) = region.splitRight(min(trailing.width, region.width))
      canvas.draw(trailing, in: right, style: theme[.normal])
      canvas.draw(text.truncated(to: max(0, left.width - 1)), in: left, style: theme[.title])
    }
  }

  /// Draws the line.
  /// - Parameter opening: what stands there where no clock is followed.
  func draw(on canvas: inout Canvas, in region: Rect, theme: Theme, opening: Opening) {
    guard let circuit else { return opening.draw(on: &canvas, in: region, theme: theme) }
    let rest = drawTime(on: &canvas, in: region, theme: theme)
    let (middle, left) = rest.splitRight(min(phase.width + 2, rest.width))
    canvas.draw(phase, in: middle.columns(0, max(0, middle.width - 1)), .right, style: theme[.heading])
    let place = station.map { SafeText($0) + " \(theme.glyphs.separator) " } ?? ""
    canvas.draw(place + SafeText(circuit), in: left, style: theme[.title])
  }

  /// Draws the time left between its bars, so that it is seen as one field without colour too, and before it the alert.
  /// - Returns: the columns on its left.
  private func drawTime(on canvas: inout Canvas, in region: Rect, theme: Theme) -> Rect {
    let (word, digits, style) = time(theme)
    let glyphs = theme.glyphs
    let (right, rest) = region.splitRight(digits.width + 4)
    canvas.draw(
      [(glyphs.fieldStart, theme[.heading]), (" " + digits + " ", style), (glyphs.fieldEnd, theme[.heading])], in: right
    )
    if word.isEmpty { return rest.columns(0, max(0, rest.width - 1)) }
    let (alert, left) = rest.splitRight(word.width + 1)
    canvas.draw(word, in: alert, style: style)
    return left
  }

  /// The alert in a word, the digits of the time left, and the look of both.
  private func time(_ theme: Theme) -> (word: SafeText, digits: SafeText, style: Style) {
    guard let left else { return ("", "--:--", theme[.muted]) }
    switch alert {
    case .amber: return ("AMBER", SafeText(left), theme[.amber])
    case .red: return ("RED", SafeText(left), theme[.red])
    case .none: return ("", SafeText(left), theme[.normal])
    }
  }
}
