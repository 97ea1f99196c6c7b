/// Which row of a list is focused, and which rows are in view.
public struct Selection: Equatable, Sendable {
  /// Number of rows.
  public var count: Int {
    didSet { settle() }
  }
  /// The focused row, counted from 0; 0 in an empty list.
  public var index: Int {
    didSet { settle() }
  }
  /// Rows that fit on the screen: set when the terminal's size is known.
  public var page: Int {
    didSet { settle() }
  }
  private var top = 0

  /// A selection of the first row.
  public init(count: Int = 0, index: Int = 0, page: Int = 10) {
    self.count = count
    self.index = index
    self.page = page
    settle()
  }

  /// The focused one of those that a list shows, in the order of its rows; nil in an empty list.
  public func focused<Line>(of lines: [Line]) -> Line? { lines.indices.contains(index) ? lines[index] : nil }

  /// Moves for the keys that move in every list: `j k ↓ ↑ g G Home End PgUp PgDn`. False for any other key.
  public mutating func update(_ key: Key) -> Bool {
    switch key {
    case "j", "down": index += 1
    case "k", "up": index -= 1
    case "g", "home": index = 0
    case "G", "end": index = count - 1
    case "pgdn": index += max(1, page - 1)
    case "pgup": index -= max(1, page - 1)
    default: return false
    }
    return true
  }

  /// Rows to draw in `height` rows; the focused one is always among them.
  public func visible(_ height: Int) -> Range<Int> {
    if height <= 0 { return 0..<0 }
    var first = min(top, max(0, count - height))
    if index < first { first = index }
    if index >= first + height { first = index - height + 1 }
    return first..<min(count, first + height)
  }

  /// Takes in that rows have come, gone or changed places: the focus stays with what it was on, wherever that stands now.
  mutating func follow(_ rows: [String?], were before: [String?]) {
    let focused = before.indices.contains(index) ? before[index] : nil
    count = rows.count
    if let focused, let place = rows.firstIndex(of: focused) { index = place }
  }

  private mutating func settle() {
    let last = max(0, max(0, count) - 1)
    let wanted = min(max(0, index), last)
    // Assigned only if it differs: an observer would call itself for ever.
    if wanted != index { index = wanted }
    let height = max(1, page)
    if index < top { top = index }
    if index >= top + height { top = index - height + 1 }
    top = min(top, max(0, count - height))
  }
}
