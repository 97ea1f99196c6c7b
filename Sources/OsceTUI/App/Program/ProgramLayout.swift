import Terminal

/// Where the parts of every screen stand.
struct ProgramLayout {
  let clock: Rect
  let heading: Rect
  private(set) var body: Rect
  let message: Rect
  let footer: Rect

  init(_ size: Size) {
    let all = Rect(size)
    clock = all.row(0)
    heading = all.row(1)
    footer = all.row(size.height - 1)
    message = all.row(size.height - 2)
    body = all.rows(2, max(0, size.height - 4))
  }

  /// The same with a body that begins so many rows lower.
  func under(_ rows: Int) -> ProgramLayout {
    var layout = self
    layout.body = body.rows(rows, max(0, body.height - rows))
    return layout
  }

  /// The least that can be marked on: with fewer columns the levels leave no room for the item's text, with fewer rows
  /// the focused item in full leaves fewer than five rows of the list.
  static let least = Size(width: 60, height: 18)

  static func isTooSmall(_ size: Size) -> Bool { size.width < least.width || size.height < least.height }
}
