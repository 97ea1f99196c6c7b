/// Lines for a terminal, of 80 columns where nothing else is known.
package enum TextLines {
  /// How many columns a line has.
  package static let width = 80

  /// A line in lines of at most some columns, broken between words; what follows the first is indented.
  package static func wrapped(_ line: String, indent: Int = 6, width: Int = width) -> [String] {
    if ColumnWidth.of(line) <= width { return [line] }
    let first = broken(line, width)[0]
    let rest = line.dropFirst(first.count).drop { $0 == " " }
    let margin = String(repeating: " ", count: indent)
    return [first] + (rest.isEmpty ? [] : broken(String(rest), width - indent).map { margin + $0 })
  }

  /// A text in lines of at most some columns, broken between words, and within a word that is longer than a line.
  package static func broken(_ text: String, _ width: Int) -> [String] {
    let width = max(1, width)
    var lines: [String] = []
    var rest = text[...]
    while let end = firstBeyond(width, of: rest) {
      let blank = rest[...end].lastIndex(of: " ") ?? rest.startIndex
      let isBetweenWords = rest[..<blank].contains { $0 != " " }
      lines.append(String(rest[..<(isBetweenWords ? blank : end)]))
      rest = rest[(isBetweenWords ? rest.index(after: blank) : end)...]
    }
    return lines + [String(rest)]
  }

  /// Where the first character stands that has no room in a line; nil if all have. A line holds at least one.
  private static func firstBeyond(_ width: Int, of text: Substring) -> Substring.Index? {
    var columns = 0
    for index in text.indices {
      columns += ColumnWidth.of(text[index])
      if columns > width && index > text.startIndex { return index }
    }
    return nil
  }
}
