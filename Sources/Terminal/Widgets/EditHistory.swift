/// A text with a cursor, and every change to it so that it can be undone. Characters typed in one go are one change.
struct EditHistory: Equatable, Sendable {
  private struct Edit: Equatable {
    let place: Int
    var removed: [Character]
    var inserted: [Character]
    let cursorBefore: Int
  }

  private(set) var characters: [Character]
  private(set) var cursor: Int
  /// UTF-8 bytes of the text.
  private(set) var bytes: Int
  private var done: [Edit] = []
  private var undone: [Edit] = []
  private var runIsOpen = false
  private static let depth = 1_000

  init(_ characters: [Character]) {
    self.characters = characters
    cursor = characters.count
    bytes = Self.size(characters)
  }

  private static func size(_ characters: some Sequence<Character>) -> Int {
    characters.reduce(0) { $0 + $1.utf8.count }
  }

  /// Replaces part of the text; the cursor stands after what was inserted.
  mutating func replace(_ range: Range<Int>, with inserted: [Character]) {
    let edit = Edit(
      place: range.lowerBound, removed: Array(characters[range]), inserted: inserted, cursorBefore: cursor)
    apply(edit.place, edit.removed, edit.inserted)
    undone.removeAll()
    if continuesRun(edit), let last = done.indices.last {
      done[last].inserted += edit.inserted
    } else {
      done.append(edit)
      if done.count > Self.depth { done.removeFirst() }
    }
    // A run of typing ends with its word, so that undo takes back a word.
    runIsOpen = inserted.count == 1 && edit.removed.isEmpty && inserted[0] != " " && inserted[0] != "\n"
  }

  private func continuesRun(_ edit: Edit) -> Bool {
    guard runIsOpen, edit.removed.isEmpty, edit.inserted.count == 1, let last = done.last else { return false }
    return last.place + last.inserted.count == edit.place
  }

  /// The next character typed begins a change of its own.
  mutating func breakRun() { runIsOpen = false }

  mutating func move(to place: Int) {
    cursor = min(max(0, place), characters.count)
    breakRun()
  }

  mutating func undo() -> Bool {
    guard let edit = done.popLast() else { return false }
    apply(edit.place, edit.inserted, edit.removed)
    cursor = edit.cursorBefore
    undone.append(edit)
    breakRun()
    return true
  }

  mutating func redo() -> Bool {
    guard let edit = undone.popLast() else { return false }
    apply(edit.place, edit.removed, edit.inserted)
    done.append(edit)
    breakRun()
    return true
  }

  private mutating func apply(_ place: Int, _ removed: [Character], _ inserted: [Character]) {
    characters.replaceSubrange(place..<(place + removed.count), with: inserted)
    bytes += Self.size(inserted) - Self.size(removed)
    cursor = place + inserted.count
  }
}
