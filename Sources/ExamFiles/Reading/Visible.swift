/// Makes text from a file safe to show inside a message.
enum Visible {
  /// The text with every control character, C1 code, bidi control, zero-width character and line separator
  /// written as `\u{…}`, and cut after `limit` characters of output.
  static func text(_ text: String, limit: Int = 80) -> String {
    var shown = ""
    var count = 0
    for scalar in text.unicodeScalars {
      if count >= limit {
        shown += "…"
        break
      }
      if hides(scalar) {
        let code = "\\u{" + String(scalar.value, radix: 16) + "}"
        shown += code
        count += code.count
      } else {
        shown.unicodeScalars.append(scalar)
        count += 1
      }
    }
    return shown
  }

  /// The text in single quotes, escaped and cut.
  static func quoted(_ text: String) -> String { "'" + Self.text(text) + "'" }

  private static func hides(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x00...0x1F, 0x7F...0x9F, 0xAD, 0x061C, 0x180E, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F,
      0xFE00...0xFE0F, 0xFEFF, 0xFFF9...0xFFFB, 0xE000...0xF8FF, 0xE0000...0x10FFFF:
      true
    default: false
    }
  }
}
