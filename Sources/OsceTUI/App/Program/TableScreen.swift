import Terminal

/// A screen that is one table.
@MainActor
protocol TableScreen: Searchable {
  var table: Table { get set }
  /// Where in the screen's region the table stands.
  func tableRegion(_ region: Rect) -> Rect
}

extension TableScreen {
  var searchedLines: [String] { table.lines }
  var focusedLine: Int? { table.selection.index }
  func focus(line: Int) { table.selection.index = line }
  var focusSubject: Subject { Subject(ObjectIdentifier(self), table.focusSubject) }
  func move(_ key: Key) { _ = table.update(key) }
  func tableRegion(_ region: Rect) -> Rect { region }
  func layOut(_ region: Rect) { table.fit(tableRegion(region)) }
}

extension Table {
  /// What the focused row stands for, else its place.
  var focusSubject: Subject {
    selection.focused(of: rows)?.id.map { Subject($0) } ?? Subject(selection.index)
  }
  /// Its rows as words.
  var lines: [String] { rows.map { $0.cells.map(\.plain).joined(separator: " ") } }
}
