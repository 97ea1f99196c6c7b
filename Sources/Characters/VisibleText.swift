/// Text in which every unsafe character can be seen, as `\u{1b}`. Of more combining marks on a character than
/// `CombiningMarks` has room for, one stands for the rest, as `\u{301…}`.
public enum VisibleText {
  /// Writes every unsafe character of a text as its code.
  /// - Parameters:
  ///   - keepsLines: whether line feeds stay.
  ///   - dropsJoiners: whether joiners and selectors of variants are left out, as screens leave them out: names are spelt
  ///     with them. What says what is wrong with a text shows them.
  ///   - limit: after how many characters of output it is cut, with an ellipsis; nil: never.
  public static func of(
    _ text: String, keepsLines: Bool = false, dropsJoiners: Bool = false, limit: Int? = nil
  ) -> String {
    if limit == nil, text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) || (keepsLines && $0 == 0x0A) }) { return text }
    var result = ""
    var count = 0
    var marks = CombiningMarks()
    var isFlood = false
    for scalar in text.unicodeScalars {
      if let limit, count >= limit { return result + "…" }
      // Before marks are counted: a joiner between them must not begin the count again.
      if dropsJoiners, isJoiner(scalar) { continue }
      if marks.isBeyond(scalar) {
        if !isFlood {
          let code = "\\u{" + String(scalar.value, radix: 16) + "…}"
          result += code
          count += code.count
        }
        isFlood = true
        continue
      }
      isFlood = false
      if UnsafeCharacter(scalar) == nil || keepsLines && scalar == "\n" {
        result.unicodeScalars.append(scalar)
        count += 1
      } else {
        let code = code(of: scalar)
        result += code
        count += code.count
      }
    }
    return result
  }

  private static func isJoiner(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x200C...0x200D, 0xFE00...0xFE0F: true
    default: false
    }
  }

  /// A character as its code.
  public static func code(of scalar: Unicode.Scalar) -> String { "\\u{" + String(scalar.value, radix: 16) + "}" }
}
