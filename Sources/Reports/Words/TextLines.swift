/// Lines for a terminal of 80 columns.
enum TextLines {
  private static let width = 80

  /// A line in lines of at most 80 columns, broken between words; what follows the first is indented.
  static func wrapped(_ line: String) -> [String] {
    if line.count <= width { return [line] }
    var lines: [String] = []
    var current = ""
    for word in line.split(separator: " ", omittingEmptySubsequences: false) {
      if current.count + word.count + 1 > width && !current.isEmpty {
        lines.append(current)
        current = "      " + word
      } else {
        current += lines.isEmpty && current.isEmpty ? String(word) : " " + word
      }
    }
    return lines + [current]
  }
}
