/// The few signs that screens are drawn with, in Unicode or in ASCII.
public struct Glyphs: Equatable, Sendable {
  /// Lines and corners of a box.
  public let horizontal, vertical, topLeft, topRight, bottomLeft, bottomRight: SafeText
  /// Joins of a line with a box's sides.
  public let teeLeft, teeRight: SafeText
  /// The focused row.
  public let pointer: SafeText
  /// Chosen, not to be left blank, done and refused.
  public let chosen, required, tick, cross: SafeText
  /// Something is under way and not yet on the disk.
  public let pending: SafeText
  /// More above, below, left, right.
  public let up, down, left, right: SafeText
  /// A folded and an open group.
  public let folded, open: SafeText
  /// Separates facts on one line.
  public let separator: SafeText
  /// Filled and empty parts of a bar.
  public let barFull, barEmpty: SafeText
  /// Done and remaining parts of a line that shows progress.
  public let stepDone, stepLeft: SafeText
  /// The two ends of the row that the keys act on.
  public let barStart, barEnd: SafeText
  /// The two ends of a field that is read at a glance.
  public let fieldStart, fieldEnd: SafeText
  /// A half, nothing that could be judged, and a text.
  public let half, unable, written: SafeText

  /// Signs of Unicode's box drawing and geometric shapes, each one column wide.
  public static let unicode = Glyphs([
    "─", "│", "┌", "┐", "└", "┘", "├", "┤", "▸", "●", "*", "✓", "✗", "…", "↑", "↓", "←", "→", "▸", "▾", "·", "█", "░",
    "▰", "▱", "▌", "▐", "½", "–", "✎", "▐", "▌",
  ])

  /// Signs that every terminal has.
  public static let ascii = Glyphs([
    "-", "|", "+", "+", "+", "+", "+", "+", ">", "*", "*", "v", "x", "~", "^", "v", "<", ">", "+", "-", ".", "#", ".",
    "#", ".", ">", "<", "h", "u", "c", "[", "]",
  ])

  /// The signs that an encoding can show.
  public static func fitting(_ encoding: TerminalEncoding) -> Glyphs {
    encoding == .utf8 ? unicode : ascii
  }

  private init(_ signs: [String]) {
    let texts = signs.map { SafeText(glyphs: $0.unicodeScalars.map { Glyph(scalar: $0.value) }, width: 1) }
    horizontal = texts[0]
    vertical = texts[1]
    topLeft = texts[2]
    topRight = texts[3]
    bottomLeft = texts[4]
    bottomRight = texts[5]
    teeLeft = texts[6]
    teeRight = texts[7]
    pointer = texts[8]
    chosen = texts[9]
    required = texts[10]
    tick = texts[11]
    cross = texts[12]
    pending = texts[13]
    up = texts[14]
    down = texts[15]
    left = texts[16]
    right = texts[17]
    folded = texts[18]
    open = texts[19]
    separator = texts[20]
    barFull = texts[21]
    barEmpty = texts[22]
    stepDone = texts[23]
    stepLeft = texts[24]
    barStart = texts[25]
    barEnd = texts[26]
    half = texts[27]
    unable = texts[28]
    written = texts[29]
    fieldStart = texts[30]
    fieldEnd = texts[31]
  }

  /// How far something has come, as a line of steps: full only where all is done, empty only where nothing is.
  public func progress(_ done: Int, of total: Int, width: Int) -> SafeText {
    let share = total > 0 ? max(done > 0 ? 1 : 0, min(width - 1, done * width / total)) : 0
    let filled = total > 0 && done >= total ? width : share
    return (0..<max(0, width)).reduce("") { $0 + ($1 < filled ? stepDone : stepLeft) }
  }
}
