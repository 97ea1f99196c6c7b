import Terminal

/// A screen of comments: their first lines, and below them the whole text of the focused one.
@MainActor
protocol CommentListScreen: Searchable {
  var list: List { get set }
  /// The whole text of the focused comment; nil where none is in focus.
  var focusedText: String? { get }
  /// What stands in the place of an empty list.
  var emptyText: SafeText { get }
}

extension CommentListScreen {
  var searchedLines: [String] { list.rows.map(\.text.plain) }
  var focusedLine: Int? { list.selection.index }
  func focus(line: Int) { list.selection.index = line }
  func move(_ key: Key) { _ = list.update(key) }

  /// A comment's text as its editor would begin with it.
  /// - Parameter text: as it is on the disk.
  func shownText(of key: String, _ text: String) -> String { context.unsaved.texts[key]?.first ?? text }

  /// What stands before a comment of which the last change could not be saved.
  func unsavedMark(of key: String) -> String { context.unsaved.texts[key] == nil ? "" : "NOT SAVED " }

  /// The row of a new comment that could not be saved.
  func keptRow(_ text: String, category: String? = nil) -> List.Row {
    let category = category.map { "\($0): " } ?? ""
    return List.Row(SafeText("NOT SAVED, Enter opens it: \(category)\(UnsavedWork.line(of: text))"))
  }

  func layOut(_ region: Rect) { list.selection.page = max(1, region.height / 2) }

  func draw(on canvas: inout Canvas, in region: Rect) {
    let theme = context.theme
    if list.rows.isEmpty {
      canvas.draw(emptyText, in: region, row: 1, style: theme[.muted])
      return
    }
    let (top, rest) = region.splitTop(region.height / 2)
    list.draw(on: &canvas, in: top, theme: theme)
    canvas.horizontalLine(rest.row(0), glyphs: theme.glyphs, style: theme[.border])
    if let focusedText { canvas.drawWrapped(focusedText, in: rest.rows(1, rest.height), style: theme[.normal]) }
  }
}
