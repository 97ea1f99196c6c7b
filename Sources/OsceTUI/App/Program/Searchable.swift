import Terminal

/// A screen whose lines `/` searches.
@MainActor
protocol Searchable: AppScreen {
  /// Its lines as words, in their order; also what is folded away.
  var searchedLines: [String] { get }
  /// Which of them has the focus; nil for none.
  var focusedLine: Int? { get }
  /// Puts the focus on one of them.
  func focus(line: Int)
}

extension Searchable {
  var focusSubject: Subject { Subject(ObjectIdentifier(self), focusedLine) }
}

extension AppContext {
  /// Asks for words and goes to the next line that holds all of them; without words, by those of before.
  func find() {
    guard let screen = screen as? any Searchable, !screen.searchedLines.isEmpty else {
      return showMessage("there is nothing to find here", .muted)
    }
    let before = sought
    let again = before.isEmpty ? "" : " (Enter repeats: \(before))"
    prompt(SafeText("Find\(again):")) { [self] text in
      let words = text.withSingleSpaces.isEmpty ? before : text.withSingleSpaces
      guard !words.isEmpty else { return }
      sought = words
      guard let line = LineSearch.next(words, in: screen.searchedLines, after: screen.focusedLine) else {
        return refuse(SafeText("nothing here holds \"\(words)\""))
      }
      screen.focus(line: line)
    }
  }
}
