extension SafeText {
  /// The paragraphs of a longer text: parts between line breaks (LF, CR LF or CR), each safe, in order.
  public static func paragraphs(_ string: String, encoding: TerminalEncoding = .current) -> [SafeText] {
    string.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" || $0 == "\r" }
      .map { SafeText($0, encoding: encoding) }
  }

  /// A longer text in lines of at most `columns` (at least 1) columns, its own line breaks kept.
  public static func wrap(_ string: String, to columns: Int) -> [SafeText] {
    paragraphs(string).flatMap { $0.wrapped(to: columns) }
  }

  /// The text in lines of at most `columns` (at least 1) columns, broken at spaces; a longer word is cut.
  /// An empty text is one empty line.
  public func wrapped(to columns: Int) -> [SafeText] {
    WordWrap.ranges(widths: glyphs.map { Int($0.width) }, blanks: glyphs.map(\.isBlank), columns: columns)
      .map { range in
        let line = Array(glyphs[range])
        return SafeText(glyphs: line, width: line.reduce(0) { $0 + Int($1.width) })
      }
  }
}

/// Where a paragraph breaks into lines. Shared by drawn text and by the editor, whose lines must agree.
enum WordWrap {
  /// Ranges of the elements on each line. The spaces at a break belong to no line. At least one range.
  static func ranges(widths: [Int], blanks: [Bool], columns: Int) -> [Range<Int>] {
    let columns = max(1, columns)
    var lines: [Range<Int>] = []
    var start = 0
    var used = 0
    var lastBlank: Int?
    var index = 0
    while index < widths.count {
      if used + widths[index] > columns && index > start {
        if blanks[index] {
          lines.append(start..<index)
          start = firstWord(after: index, blanks)
        } else if let blank = lastBlank, blank > start {
          lines.append(start..<lineEnd(before: blank, start: start, blanks))
          start = blank + 1
        } else {
          lines.append(start..<index)
          start = index
        }
        index = start
        used = 0
        lastBlank = nil
        continue
      }
      if blanks[index] { lastBlank = index }
      used += widths[index]
      index += 1
    }
    lines.append(start..<widths.count)
    return lines
  }

  private static func firstWord(after index: Int, _ blanks: [Bool]) -> Int {
    var index = index
    while index < blanks.count && blanks[index] { index += 1 }
    return index
  }

  private static func lineEnd(before blank: Int, start: Int, _ blanks: [Bool]) -> Int {
    var end = blank
    while end > start && blanks[end - 1] { end -= 1 }
    return end
  }
}
