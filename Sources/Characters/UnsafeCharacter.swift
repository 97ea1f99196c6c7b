// Which characters of a stored text can steer what shows it, decided once. Every output asks here: the canvas, what
// commands print, messages about files, JSON and CSV. It must never know where a text comes from.

/// A character of untrusted text that is not shown as it is.
///
/// The list is that of four Unicode properties: the general categories control, format, line separator and paragraph
/// separator, and what is ignorable by default (joiners, fillers, selectors, tags). Blanks that take a column as a space
/// does, such as U+00A0, U+3000 and U+2800, are not on it: they hide and move nothing. Nor are private characters.
public enum UnsafeCharacter: Sendable {
  /// C0, DEL or C1: a terminal obeys it.
  case control
  /// U+2028 or U+2029: breaks a line where a reader does not expect one.
  case separator
  /// Turns the direction of what follows, joins, or cannot be seen.
  case hidden

  /// Whether a text shows nothing at all: it holds white space, what cannot be seen, and the blank of Braille.
  public static func showsNothing(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { scalar in
      scalar.properties.isWhitespace || scalar.value == 0x2800 || UnsafeCharacter(scalar) != nil
    }
  }

  /// The first character of a text that is not shown as it is; nil if there is none.
  public static func first(in text: String) -> Unicode.Scalar? {
    text.unicodeScalars.first { UnsafeCharacter($0) != nil }
  }

  /// What is unsafe about a character; nil if nothing is.
  public init?(_ scalar: Unicode.Scalar) {
    switch scalar.value {
    case 0x20...0x7E: return nil
    case 0x00...0x1F, 0x7F...0x9F: self = .control
    case 0xAD, 0x34F, 0x600...0x605, 0x61C, 0x6DD, 0x70F, 0x890...0x891, 0x8E2, 0x115F...0x1160, 0x17B4...0x17B5,
      0x180B...0x180F, 0x200B...0x200F, 0x202A...0x202E, 0x2060...0x206F, 0x3164, 0xFE00...0xFE0F, 0xFEFF, 0xFFA0,
      0xFFF0...0xFFFB, 0x110BD, 0x110CD, 0x13430...0x1343F, 0x1BCA0...0x1BCA3, 0x1D173...0x1D17A, 0xE0000...0xE0FFF:
      self = .hidden
    case 0x2028...0x2029: self = .separator
    default: return nil
    }
  }
}

extension Unicode.Scalar {
  /// The character as people look it up: `U+00AD`.
  public var codePoint: String {
    let digits = String(value, radix: 16, uppercase: true)
    return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}
