/// Texts as JSON strings. The journal's canonical bytes are their own.
public enum JSONString {
  /// Which characters are escaped, beside the quotation mark and the backslash.
  public enum Escaping: Sendable {
    /// What JSON asks for, all as `\u00xx`: how JSON attributes are stored. These bytes are compared, and stay.
    case stored
    /// Every unsafe character, line feed, carriage return and tab by their short names, and each combining mark beyond
    /// those that `CombiningMarks` has room for: a document shown on a terminal cannot steer it.
    case shown
  }

  /// The text between quotation marks.
  public static func quoted(_ text: String, _ escaping: Escaping) -> String {
    var bytes: [UInt8] = []
    append(text, escaping, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends the text between quotation marks.
  public static func append(_ text: String, _ escaping: Escaping, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    let isWritten = text.utf8.withContiguousStorageIfAvailable { utf8 in
      guard utf8.allSatisfy({ (0x20..<0x7F).contains($0) && $0 != 0x22 && $0 != 0x5C }) else { return false }
      bytes.append(contentsOf: utf8)
      return true
    }
    if isWritten != true {
      var marks = CombiningMarks()
      for scalar in text.unicodeScalars {
        if marks.isBeyond(scalar), escaping == .shown {
          code(scalar, to: &bytes)
        } else {
          append(scalar, escaping, to: &bytes)
        }
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private static func append(_ scalar: Unicode.Scalar, _ escaping: Escaping, to bytes: inout [UInt8]) {
    switch (scalar, escaping) {
    case ("\"", _): bytes += "\\\"".utf8
    case ("\\", _): bytes += "\\\\".utf8
    case ("\n", .shown): bytes += "\\n".utf8
    case ("\r", .shown): bytes += "\\r".utf8
    case ("\t", .shown): bytes += "\\t".utf8
    case (_, .shown) where UnsafeCharacter(scalar) != nil, (_, .stored) where scalar.value < 0x20:
      code(scalar, to: &bytes)
    default: bytes += Array(String(scalar).utf8)
    }
  }

  private static func code(_ scalar: Unicode.Scalar, to bytes: inout [UInt8]) {
    // A character beyond U+FFFF is written as its two surrogates.
    for unit in UTF16.encode(scalar)! {
      let digits = String(unit, radix: 16)
      bytes += ("\\u" + String(repeating: "0", count: 4 - digits.count) + digits).utf8
    }
  }
}
