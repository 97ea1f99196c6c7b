import Foundation
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

/// A screen that is one table.
@MainActor
protocol TableScreen: Searchable {
  var table: Table { get set }
}

extension TableScreen {
  var searchedLines: [String] { table.words }
  var focusedLine: Int? { table.selection.index }
  func focus(line: Int) { table.selection.index = line }
  var focusSubject: Subject { Subject(ObjectIdentifier(self), table.focusSubject) }
  func move(_ key: Key) { _ = table.update(key) }
}

extension Table {
  /// What the focused row stands for, else its place.
  var focusSubject: Subject {
    let row = rows.indices.contains(selection.index) ? rows[selection.index] : nil
    return row?.id.map { Subject($0) } ?? Subject(selection.index)
  }
  /// Its rows as words.
  var words: [String] { rows.map { $0.cells.map(\.plain).joined(separator: " ") } }
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

/// Looking for words in lines.
enum LineSearch {
  /// The first line after another that holds all words, in any order, from the top again after the last. Case and
  /// accents make no difference.
  static func next(_ words: String, in lines: [String], after focused: Int?) -> Int? {
    func plain(_ text: String) -> String {
      text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
    }
    let wanted = plain(words).split(separator: " ")
    let start = (focused ?? -1) + 1
    let order = Array(lines.indices.dropFirst(start)) + Array(lines.indices.prefix(start))
    return order.first { index in
      let line = plain(lines[index])
      return wanted.allSatisfy { line.contains($0) }
    }
  }
}
