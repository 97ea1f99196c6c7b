import Terminal

/// A list of people, and the field above it that filters them by what is typed.
struct FilteredList {
  /// What a key was for.
  enum Use { case nothing, moving, typing }

  private var field: TextField
  var list = List()

  /// - Parameter placeholder: what the empty field says.
  init(placeholder: SafeText) { field = TextField(prompt: "Name: ", placeholder: placeholder) }

  /// What is typed.
  var text: String { field.text }

  /// Those of whom a text holds every typed word, whatever the case and accents.
  /// - Parameter text: what is looked for words.
  func matches<Person>(of people: [Person], by text: (Person) -> String) -> [Person] {
    let words = TypedWords(field.text.folded)
    return people.filter { words.fit(text($0).folded) }
  }

  mutating func update(_ key: Key) -> Use {
    switch key {
    case .down, .up, .pageDown, .pageUp:
      _ = list.update(key)
      return .moving
    default: return field.update(key) ? .typing : .nothing
    }
  }

  mutating func paste(_ text: String) { field.paste(text) }

  mutating func clear() { field.clear() }

  mutating func move(_ key: Key) { _ = list.update(key) }

  mutating func layOut(_ region: Rect) { list.selection.page = max(1, region.height - 3) }

  /// - Parameter empty: what stands in the place of an empty list.
  func draw(on canvas: inout Canvas, in region: Rect, theme: Theme, empty: SafeText) {
    list.draw(on: &canvas, in: region.rows(2, region.height), theme: theme)
    if list.rows.isEmpty { canvas.draw(empty, in: region, row: 3, style: theme[.muted]) }
    field.draw(on: &canvas, in: region.row(0), theme: theme)
  }
}
