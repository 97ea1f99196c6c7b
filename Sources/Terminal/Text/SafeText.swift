import Characters
import Glibc

/// One line of text that can be shown on a terminal: the only text type that a canvas draws.
///
/// Whatever a name, a comment or an import contains, no control sequence reaches the terminal. Control characters become
/// visible, bidi controls and zero-width characters vanish, combining marks are capped, and the width of every cell
/// agrees with libc. A tab is a space; a line break shows as a control picture (see `WordWrap` for paragraphs).
public struct SafeText: Equatable, Sendable {
  /// Most UTF-8 bytes of one text that are looked at; the rest is cut off.
  public static let byteLimit = 65_536

  /// The cells, left to right.
  public private(set) var glyphs: [Glyph]
  /// Columns taken on the terminal.
  public private(set) var width: Int

  /// Makes any string safe for the terminal.
  public init(_ string: String, encoding: TerminalEncoding = .current) {
    self.init(bytes: string.utf8.count, scalars: string.unicodeScalars, encoding: encoding)
  }

  /// Makes any part of a string safe for the terminal.
  public init(_ string: Substring, encoding: TerminalEncoding = .current) {
    self.init(bytes: string.utf8.count, scalars: string.unicodeScalars, encoding: encoding)
  }

  init(glyphs: [Glyph], width: Int) {
    self.glyphs = glyphs
    self.width = width
  }

  /// The empty text.
  public init() {
    self.init(glyphs: [], width: 0)
  }

  private init(bytes: Int, scalars: some Sequence<Unicode.Scalar>, encoding: TerminalEncoding) {
    self.init()
    glyphs.reserveCapacity(min(bytes, Self.byteLimit))
    var used = 0
    for scalar in scalars {
      used += UTF8.width(scalar)
      if used > Self.byteLimit { break }
      append(SanitisedScalar(scalar, encoding: encoding))
    }
  }

  private mutating func append(_ scalar: SanitisedScalar) {
    switch scalar {
    case .glyph(let glyph):
      glyphs.append(glyph)
      width += Int(glyph.width)
    case .mark(let mark):
      if glyphs.isEmpty {
        glyphs.append(.placeholder)
        width += 1
      }
      glyphs[glyphs.count - 1].add(mark: mark)
    case .dropped:
      break
    }
  }

  /// True if nothing would be shown.
  public var isEmpty: Bool { glyphs.isEmpty }

  /// What is shown, as a string without control characters.
  public var plain: String {
    var text = ""
    for glyph in glyphs { glyph.write(to: &text) }
    return text
  }

  /// One text after the other.
  public static func + (first: SafeText, second: SafeText) -> SafeText {
    SafeText(glyphs: first.glyphs + second.glyphs, width: first.width + second.width)
  }

  /// Appends a text.
  public static func += (first: inout SafeText, second: SafeText) {
    first.glyphs += second.glyphs
    first.width += second.width
  }
}

extension SafeText: ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
  /// Text of the program's own, or an interpolation; the whole is made safe.
  public init(stringLiteral value: String) {
    self.init(value)
  }
}

extension SafeText: CustomStringConvertible {
  /// What is shown, as a string without control characters.
  public var description: String { plain }
}

extension SafeText {
  /// Where a text stands in a wider space.
  public enum Alignment: Sendable {
    /// At the left edge.
    case left
    /// In the middle; an odd column stays on the right.
    case centre
    /// At the right edge.
    case right
  }

  /// The columns `columns` of the text; a wide character cut by an edge becomes a space.
  public func slice(_ columns: Range<Int>) -> SafeText {
    var result = SafeText()
    var column = 0
    for glyph in glyphs {
      if column >= columns.upperBound { break }
      let end = column + Int(glyph.width)
      if column >= columns.lowerBound && end <= columns.upperBound {
        result.append(.glyph(glyph))
      } else if end > columns.lowerBound {
        let visible = min(end, columns.upperBound) - max(column, columns.lowerBound)
        for _ in 0..<max(0, visible) { result.append(.glyph(.blank)) }
      }
      column = end
    }
    return result
  }

  /// The text cut to `columns`, its last column an ellipsis if anything is missing (`~` where the locale is not UTF-8).
  public func truncated(to columns: Int, encoding: TerminalEncoding = .current) -> SafeText {
    if width <= columns { return self }
    if columns <= 0 { return SafeText() }
    let ellipsis = Glyph(scalar: encoding == .utf8 ? 0x2026 : 0x7E)
    return slice(0..<(columns - 1)) + SafeText(glyphs: [ellipsis], width: 1)
  }

  /// The text in exactly `columns` columns: truncated, or filled with spaces.
  public func padded(to columns: Int, _ alignment: Alignment = .left) -> SafeText {
    let cut = truncated(to: columns)
    let missing = max(0, columns - cut.width)
    let before =
      switch alignment {
      case .left: 0
      case .centre: missing / 2
      case .right: missing
      }
    return .spaces(before) + cut + .spaces(missing - before)
  }

  /// `count` spaces.
  public static func spaces(_ count: Int) -> SafeText {
    SafeText(glyphs: Array(repeating: .blank, count: max(0, count)), width: max(0, count))
  }
}

/// What the terminal can be sent: any Unicode text, or ASCII only.
public enum TerminalEncoding: Sendable, Equatable {
  /// The locale's character set is UTF-8.
  case utf8
  /// Any other locale: characters outside ASCII show as `?`.
  case ascii

  /// The encoding of the locale as the program last set it with `setlocale`; `.ascii` before that.
  public static var current: TerminalEncoding {
    guard let name = nl_langinfo(nl_item(CODESET)) else { return .ascii }
    return strcasecmp(name, "UTF-8") == 0 || strcasecmp(name, "UTF8") == 0 ? .utf8 : .ascii
  }

  /// Takes the user's locale from the environment (`LC_ALL`, `LC_CTYPE`, `LANG`) for characters only, so that numbers
  /// are still written with a point. One that is not installed but named as UTF-8 is taken for that. Call once, before
  /// any text is made.
  public static func adoptUserLocale() {
    if setlocale(LC_CTYPE, "") == nil, UserLocale.namesUTF8 { setlocale(LC_CTYPE, "C.UTF-8") }
  }
}
