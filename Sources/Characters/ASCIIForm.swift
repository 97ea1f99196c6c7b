/// Text as a terminal is sent it whose locale is not UTF-8: there a byte of a letter can be a command.
package enum ASCIIForm {
  /// The signs of the program's own sentences; ✓ and ✗ are as the screens have them.
  private static let signs: [UInt32: Unicode.Scalar] = [
    0xB7: ".", 0x2013: "-", 0x2026: "~", 0xB2: "2", 0x2713: "v", 0x2717: "x",
  ]

  /// A character in ASCII: a sign by its like, a letter as `?`; nil for what only stands on the character before it.
  package static func of(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
    if scalar.isASCII { return scalar }
    if let sign = signs[scalar.value] { return sign }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark: return nil
    case .spaceSeparator: return " "
    default: return "?"
    }
  }

  /// A text in ASCII, each character in as many columns as it has in UTF-8: tables are padded for those.
  package static func of(_ text: String) -> String {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text }
    var result = ""
    for scalar in text.unicodeScalars {
      guard let sign = of(scalar) else { continue }
      for _ in 0..<ColumnWidth.of(scalar) { result.unicodeScalars.append(sign) }
    }
    return result
  }
}
