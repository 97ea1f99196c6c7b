/// Where an editor's text breaks into the lines of the screen.
struct TextLayout {
  /// Characters on each line. A space or line break at the end belongs to no line.
  let lines: [Range<Int>]

  init(_ characters: [Character], columns: Int) {
    var lines: [Range<Int>] = []
    var start = 0
    while true {
      let end = characters[start...].firstIndex(of: "\n") ?? characters.count
      let part = characters[start..<end]
      let ranges = WordWrap.ranges(
        widths: part.map(EditableText.width), blanks: part.map { $0 == " " }, columns: columns)
      lines += ranges.map { ($0.lowerBound + start)..<($0.upperBound + start) }
      if end == characters.count { break }
      start = end + 1
    }
    self.lines = lines
  }

  /// The line on which a place in the text is shown.
  func line(of place: Int) -> Int {
    var low = 0
    var high = lines.count - 1
    while low < high {
      let middle = (low + high + 1) / 2
      if lines[middle].lowerBound <= place { low = middle } else { high = middle - 1 }
    }
    return low
  }

  /// Columns before a place on its line.
  func column(of place: Int, _ characters: [Character]) -> Int {
    let line = lines[line(of: place)]
    return characters[line.lowerBound..<min(place, line.upperBound)].reduce(0) { $0 + EditableText.width($1) }
  }

  /// The place on a line nearest to a column, not after it.
  func place(line: Int, column: Int, _ characters: [Character]) -> Int {
    var used = 0
    for place in lines[line] {
      let width = EditableText.width(characters[place])
      if used + width > column { return place }
      used += width
    }
    return lines[line].upperBound
  }
}
