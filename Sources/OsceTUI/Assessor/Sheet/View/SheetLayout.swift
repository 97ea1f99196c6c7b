import Terminal

/// Where the parts of a mark sheet stand. The detail keeps its place from item to item: below the list, or beside it
/// on a wide screen.
struct SheetLayout {
  /// From this many columns on the detail stands beside the list.
  static let besideWidth = 118
  /// From this many columns on the levels stand in columns with headings.
  static let matrixWidth = 100
  /// The same of a list that has a detail beside it.
  private static let matrixBeside = 80

  let summary: Rect
  /// The heading of the section whose heading has scrolled away; empty on a narrow screen.
  let pinned: Rect
  let list: Rect
  let rule: Rect
  let detail: Rect
  /// Whether the detail stands beside the list.
  let isBeside: Bool
  /// Whether the levels stand in columns.
  let isMatrix: Bool

  /// - Parameter height: lines of a detail below the list.
  init(_ region: Rect, detail height: Int) {
    isBeside = region.width >= SheetLayout.besideWidth
    let beside = region.width - SheetLayout.detailWidth(region.width) - 3
    isMatrix = isBeside ? beside >= SheetLayout.matrixBeside : region.width >= SheetLayout.matrixWidth
    let head = region.splitTop(isMatrix ? 2 : 1)
    summary = head.top.row(0)
    pinned = head.top.row(1)
    if isBeside {
      let split = head.rest.splitRight(SheetLayout.detailWidth(region.width) + 2)
      list = split.rest.columns(0, split.rest.width - 1)
      rule = split.right.columns(0, 1)
      detail = split.right.columns(2, split.right.width)
    } else {
      let split = head.rest.splitBottom(min(height + 1, max(0, head.rest.height - 3)))
      list = split.rest
      rule = split.bottom.row(0)
      detail = split.bottom.rows(1, split.bottom.height)
    }
  }

  /// Columns of the detail on a screen of a width.
  static func detailWidth(_ width: Int) -> Int {
    width >= besideWidth ? min(80, 47 + max(0, width - 132) / 2) : width
  }
}
