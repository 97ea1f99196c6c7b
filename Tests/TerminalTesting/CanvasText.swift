import Terminal

extension Canvas {
  /// The canvas as lines of text, spaces at line ends removed: readable in a review, and free of escape bytes.
  public var plainText: String {
    (0..<size.height).map(plainLine).joined(separator: "\n") + "\n"
  }

  /// The canvas as text, and under each line that is not all plain a line of style letters: lower case for the
  /// attributes, or a digit for a colour. A legend follows that names every style met.
  public var styledText: String {
    var letters: [Style: Character] = [:]
    var legend: [(Character, Style)] = []
    let names = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
    var text = ""
    for y in 0..<size.height {
      text += plainLine(y) + "\n"
      var line = ""
      for cell in row(y) {
        if cell.style == .plain {
          line.append(" ")
          continue
        }
        let letter = letters[cell.style] ?? (legend.count < names.count ? names[legend.count] : "#")
        if letters[cell.style] == nil {
          letters[cell.style] = letter
          legend.append((letter, cell.style))
        }
        line.append(letter)
      }
      let trimmed = Self.trimmed(line)
      if !trimmed.isEmpty { text += "~" + trimmed + "\n" }
    }
    if let cursor { text += "cursor \(cursor.x),\(cursor.y)\n" }
    for (letter, style) in legend { text += "\(letter) = \(style.named)\n" }
    return text
  }

  private func plainLine(_ y: Int) -> String {
    var line = ""
    for cell in row(y) where !cell.isContinuation { cell.glyph.write(to: &line) }
    return Self.trimmed(line)
  }

  private static func trimmed(_ line: String) -> String {
    var scalars = line.unicodeScalars[...]
    while scalars.last == " " { scalars.removeLast() }
    return String(scalars)
  }
}

extension Style {
  /// The style in words, for golden screens.
  public var named: String {
    var parts: [String] = []
    if attributes.contains(.bold) { parts.append("bold") }
    if attributes.contains(.dim) { parts.append("dim") }
    if attributes.contains(.reverse) { parts.append("reverse") }
    if attributes.contains(.underline) { parts.append("underline") }
    if foreground != .terminal { parts.append("\(foreground)") }
    if background != .terminal { parts.append("on \(background)") }
    return parts.isEmpty ? "plain" : parts.joined(separator: " ")
  }
}
