/// The few signs that screens are drawn with, in Unicode or in ASCII.
public struct Glyphs: Equatable, Sendable {
  /// The encoding that shows them.
  public let encoding: TerminalEncoding
  /// Lines and corners of a box.
  public let horizontal, vertical, topLeft, topRight, bottomLeft, bottomRight: SafeText
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
  /// The filled part of a bar.
  public let barFull: SafeText
  /// Done and remaining parts of a line that shows progress.
  public let stepDone, stepLeft: SafeText
  /// The two ends of the row that the keys act on.
  public let barStart, barEnd: SafeText
  /// The two ends of a field that is read at a glance.
  public let fieldStart, fieldEnd: SafeText
  /// A half, nothing that could be judged, and a text.
  public let half, unable, written: SafeText
  /// Nothing is due, something is begun, and seen without a mark.
  public let nothing, begun, unmarked: SafeText
  /// Two values of one field, and a concern: each stands before another sign.
  public let conflict, concern: SafeText
  /// Concerns, before their number.
  public let concerns: SafeText
  /// What comes next in an order.
  public let next: SafeText

  /// Signs of Unicode's box drawing and geometric shapes, each one column wide.
  public static let unicode = Glyphs(
    encoding: .utf8,
    horizontal: .sign("─"), vertical: .sign("│"), topLeft: .sign("┌"), topRight: .sign("┐"), bottomLeft: .sign("└"),
    bottomRight: .sign("┘"), pointer: .sign("▸"), chosen: .sign("●"), required: .sign("*"), tick: .sign("✓"),
    cross: .sign("✗"), pending: .sign("…"), up: .sign("↑"), down: .sign("↓"), left: .sign("←"), right: .sign("→"),
    folded: .sign("▸"), open: .sign("▾"), separator: .sign("·"), barFull: .sign("█"), stepDone: .sign("▰"),
    stepLeft: .sign("▱"), barStart: .sign("▌"), barEnd: .sign("▐"), fieldStart: .sign("▐"), fieldEnd: .sign("▌"),
    half: .sign("½"), unable: .sign("–"), written: .sign("✎"), nothing: .sign("–"), begun: .sign("◐"),
    unmarked: .sign("○"), conflict: .sign("≠"), concern: .sign("⚑"), concerns: .sign("⚑"), next: .sign("▶"))

  /// Signs that every terminal has.
  public static let ascii = Glyphs(
    encoding: .ascii,
    horizontal: .sign("-"), vertical: .sign("|"), topLeft: .sign("+"), topRight: .sign("+"), bottomLeft: .sign("+"),
    bottomRight: .sign("+"), pointer: .sign(">"), chosen: .sign("*"), required: .sign("*"), tick: .sign("v"),
    cross: .sign("x"), pending: .sign("~"), up: .sign("^"), down: .sign("v"), left: .sign("<"), right: .sign(">"),
    folded: .sign("+"), open: .sign("-"), separator: .sign("."), barFull: .sign("#"), stepDone: .sign("#"),
    stepLeft: .sign("."), barStart: .sign(">"), barEnd: .sign("<"), fieldStart: .sign("["), fieldEnd: .sign("]"),
    half: .sign("h"), unable: .sign("u"), written: .sign("c"), nothing: .sign("-"), begun: .sign("o"),
    unmarked: .sign("u"), conflict: .sign("#"), concern: .sign("!"), concerns: .sign("f"), next: .sign(">"))

  /// The signs that an encoding can show.
  public static func fitting(_ encoding: TerminalEncoding) -> Glyphs {
    encoding == .utf8 ? unicode : ascii
  }

  /// How far something has come, as a line of steps: full only where all is done, empty only where nothing is.
  public func progress(_ done: Int, of total: Int, width: Int) -> SafeText {
    let share = total > 0 ? max(done > 0 ? 1 : 0, min(width - 1, done * width / total)) : 0
    let filled = total > 0 && done >= total ? width : share
    return (0..<max(0, width)).reduce("") { $0 + ($1 < filled ? stepDone : stepLeft) }
  }
}

extension SafeText {
  /// A sign as it is, whatever the terminal's encoding.
  fileprivate static func sign(_ scalar: Unicode.Scalar) -> SafeText {
    SafeText(glyphs: [Glyph(scalar: scalar.value)], width: 1)
  }
}
