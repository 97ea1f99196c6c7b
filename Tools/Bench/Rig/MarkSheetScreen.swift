/// What a mark sheet on the screen says, read from its lines.
public struct MarkSheetScreen: Sendable, Equatable {
  /// The level shown as chosen, by the item's number.
  public private(set) var marks: [Int: Int] = [:]
  /// The number of the item with the focus; nil on a heading or the end.
  public private(set) var focused: Int?
  /// Whether a mark sheet is shown at all.
  public private(set) var isOpen = false

  /// Reads a screen. An item is a line of a pointer or blank, its number, a sign, a star where it is required and its
  /// text, and at the right its levels with the chosen one in brackets; only levels of one digit are read.
  public init(_ screen: ScreenText) {
    for line in screen.lines {
      if line.contains(" marked") { isOpen = true }
      let words = line.split(separator: " ", omittingEmptySubsequences: true)
      var index = 0
      let isFocused = line.first != " " && words.first.map { Int($0) == nil } == true
      if isFocused { index = 1 }
      guard words.count > index + 2, let number = Int(words[index]),
        words[index + 1].count == 1 || words[index + 1].count == 2 && words[index + 1].hasSuffix("*"),
        line.contains("Item \(number):")
      else { continue }
      if isFocused { focused = number }
      if let open = line.lastIndex(of: "["), let level = line[line.index(after: open)...].first?.wholeNumberValue,
        line[open...].dropFirst(2).first == "]"
      {
        marks[number] = level
      }
    }
  }
}
