import Characters

/// What field and editor have in common.
enum EditableText {
  /// Typed or pasted text without what no typed line holds: control characters, and what turns the direction of text.
  /// Line breaks are LF, tabs are spaces.
  static func cleaned(_ text: String) -> [Character] {
    var result = String.UnicodeScalarView()
    var previous: Unicode.Scalar?
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x0B...0x0D, 0x85, 0x2028...0x2029: result.append("\n")
      case 0x0A: if previous != "\r" { result.append("\n") }
      case 0x09: result.append(" ")
      default: if !TypedText.isRefused(scalar) { result.append(scalar) }
      }
      previous = scalar
    }
    return Array(String(result))
  }

  /// A cleaned text on one line: line ends are blanks.
  static func line(_ text: String) -> [Character] {
    cleaned(text).map { $0 == "\n" ? " " : $0 }
  }

  /// Characters to insert after another one. A combining mark joins that one: then it is replaced.
  static func joining(
    _ inserted: [Character], to previous: Character?
  ) -> (characters: [Character], replaced: Int) {
    guard let previous, previous != "\n", let first = inserted.first, first != "\n" else { return (inserted, 0) }
    let joined = Array(String([previous, first]))
    return joined.count == 1 ? (joined + inserted.dropFirst(), 1) : (inserted, 0)
  }

  static func wordStart(before place: Int, _ characters: [Character]) -> Int {
    var place = place
    while place > 0 && !isWord(characters[place - 1]) { place -= 1 }
    while place > 0 && isWord(characters[place - 1]) { place -= 1 }
    return place
  }

  static func wordEnd(after place: Int, _ characters: [Character]) -> Int {
    var place = place
    while place < characters.count && !isWord(characters[place]) { place += 1 }
    while place < characters.count && isWord(characters[place]) { place += 1 }
    return place
  }

  private static func isWord(_ character: Character) -> Bool { character.isLetter || character.isNumber }

  /// Columns that a character takes on the screen.
  static func width(_ character: Character) -> Int {
    if let ascii = character.asciiValue { return ascii >= 0x20 ? 1 : 0 }
    return SafeText(String(character)).width
  }
}
