import Journal
import Terminal

/// Chooses a person: type to filter, Enter takes who is shown.
@MainActor
final class PersonScreen: AppScreen {
  /// Somebody who can be chosen.
  struct Person: Equatable {
    let id: Int
    let name: String
    /// What else is shown: a username, a candidate number.
    let detail: String
  }

  let context: AppContext
  private let question: SafeText
  private let people: [Person]
  private let choose: @MainActor (Person) -> Void
  private var filter = TextField(prompt: "Name: ", placeholder: "type part of the name")
  private var list = List()

  init(
    _ context: AppContext, _ question: SafeText, _ people: [Person], choose: @escaping @MainActor (Person) -> Void
  ) {
    (self.context, self.question, self.people, self.choose) = (context, question, people, choose)
    fill()
  }

  nonisolated static let keys = KeyTable<PersonScreen>(
    "Choosing a person", at: .station, typesText: true,
    [
      KeyBinding(
        "person.choose", [.enter], "take", help: "Take the person shown", group: "Choosing",
        when: { $0.shown.isEmpty ? .disabled("nobody has that name") : .enabled }
      ) { screen, _ in screen.take() },
      KeyBinding(
        "person.move", [.down, .up, .pageDown, .pageUp], "choose", help: "Next, previous, a page", group: "Choosing",
        inFooter: false, range: "arrows page"
      ) { screen, key in if let key { screen.move(key.key) } },
      KeyBinding(
        "person.back", [.escape], "back", help: "Back without choosing anybody", group: "Choosing", reach: .small
      ) { screen, _ in screen.context.goBack() },
    ])

  var heading: Heading { Heading(text: question) }

  private var shown: [Person] {
    let words = TypedWords(filter.text)
    return people.filter { words.fit("\($0.name) \($0.detail)") }
  }

  func takes(_ key: KeyEvent) -> Bool {
    switch key.key {
    case .down, .up, .pageDown, .pageUp:
      _ = list.update(key.key)
      return true
    case "?", ":", "!": return false
    default:
      guard filter.update(key.key) else { return false }
      fill()
      return true
    }
  }

  func paste(_ text: String) {
    filter.paste(text)
    fill()
  }

  func move(_ key: Key) { _ = list.update(key) }

  private func take() {
    let people = shown
    guard people.indices.contains(list.selection.index) else { return }
    choose(people[list.selection.index])
  }

  private func fill() {
    list.rows = shown.map { List.Row(SafeText($0.name).padded(to: 44) + " " + SafeText($0.detail)) }
  }

  func layOut(_ region: Rect) { list.selection.page = max(1, region.height - 3) }

  func draw(on canvas: inout Canvas, in region: Rect) {
    list.draw(on: &canvas, in: region.rows(2, region.height), theme: context.theme)
    if list.rows.isEmpty { canvas.draw("Nobody has that name", in: region, row: 3, style: context.theme[.muted]) }
    filter.draw(on: &canvas, in: region.row(0), theme: context.theme)
  }
}
