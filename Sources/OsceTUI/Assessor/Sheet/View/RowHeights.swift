import Terminal

/// Which rows of a list are in view where some take more than one line.
struct RowHeights {
  /// Lines of each row.
  let heights: [Int]
  private let room: Int

  /// - Parameter room: lines of the list.
  init(_ heights: [Int], room: Int) {
    // A row taller than the list is cut: it would never be in view otherwise.
    (self.heights, self.room) = (heights.map { min(max(1, $0), max(1, room)) }, max(1, room))
  }

  /// So many rows fit wherever the list begins: what a selection scrolls by.
  var page: Int {
    var (first, used, fewest) = (0, 0, room)
    for (index, height) in heights.enumerated() {
      used += height
      while used > room {
        // Those from the first to the one before have had room, and no more.
        fewest = min(fewest, index - first)
        used -= heights[first]
        first += 1
      }
    }
    return max(1, fewest)
  }

  /// The rows in view, the focused one always among them.
  func visible(_ selection: Selection) -> Range<Int> {
    if heights.isEmpty { return 0..<0 }
    var first = min(selection.visible(page).lowerBound, heights.count - 1)
    var (end, used) = (first, 0)
    while end < heights.count, used + heights[end] <= room {
      used += heights[end]
      end += 1
    }
    while first > 0, end == heights.count, used + heights[first - 1] <= room {
      first -= 1
      used += heights[first]
    }
    return first..<end
  }
}
