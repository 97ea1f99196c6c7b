import Terminal

/// Where the parts of every screen stand.
struct ProgramLayout {
  let clock: Rect
  let heading: Rect
  let body: Rect
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

  /// Whether a terminal shows too little to be marked on: under 64 columns five levels with their word leave no room
  /// for the item's text; under 18 rows the focused item in full leaves fewer than five rows of the list.
  static func isTooSmall(_ size: Size) -> Bool { size.width < 64 || size.height < 18 }
}
