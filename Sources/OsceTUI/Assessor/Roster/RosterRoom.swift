import Terminal

/// What a row of the roster has room for.
enum RosterRoom {
  /// Neither bars nor words of the attendance.
  case signs
  /// Each in its words.
  case words
  /// Also who signed, and when, the adjustments and the comments.
  case everything

  /// - Parameter width: of the terminal, in columns.
  init(width: Int) { self = width < 78 ? .signs : width < 118 ? .words : .everything }

  /// - Parameter namesBlanks: whether a sheet was signed with something blank, which takes words.
  func columns(namesBlanks: Bool) -> [Table.Column] {
    let (isNarrow, hasAll) = (self == .signs, self == .everything)
    return [
      .init("Rd", width: 2, .right), .init("Number", width: 8, fits: true),
      .init("Candidate", width: isNarrow ? 12 : 17, stretch: 3, fits: hasAll),
      isNarrow ? .init("Here", width: 4) : .init("Attendance", width: 12), .init("Sheet", width: isNarrow ? 5 : 12),
      isNarrow ? .init("Notes", width: 5) : .init("Notes", width: 7, stretch: 1, fits: true),
      .init("To do", width: namesBlanks ? (isNarrow ? 17 : 18) : 12, stretch: self == .words && !namesBlanks ? 1 : 0),
    ] + (hasAll ? RosterRoom.ofEverything : [])
  }

  /// What is empty takes no more than its heading.
  private static let ofEverything: [Table.Column] = [
    .init("Signed", width: 6), .init("By", width: 20, stretch: 1, fits: true),
    .init("Adjustments", width: 12, stretch: 2, fits: true), .init("Comments", width: 12, stretch: 2, fits: true),
  ]
}
