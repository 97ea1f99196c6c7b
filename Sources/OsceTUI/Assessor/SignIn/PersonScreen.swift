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
  private var filter = FilteredList(placeholder: "type part of the name")

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
      .back("person.back", "Back without choosing anybody", group: "Choosing", inFooter: true),
    ])

  var heading: Heading { Heading(text: question) }

  private var shown: [Person] { filter.matches(of: people) { "\($0.name) \($0.detail)" } }

  func takes(_ key: KeyEvent) -> Bool {
    if context.actsBesideTyping(key.key) { return false }
    let use = filter.update(key.key)
    if use == .typing { fill() }
    return use != .nothing
  }

  func paste(_ text: String) {
    filter.paste(text)
    fill()
  }

  func move(_ key: Key) { filter.move(key) }

  private func take() {
    let people = shown
    if let person = filter.list.selection.focused(of: people) { choose(person) }
  }

  private func fill() {
    filter.list.rows = shown.map { List.Row(SafeText($0.name).padded(to: 44) + " " + SafeText($0.detail)) }
  }

  func layOut(_ region: Rect) { filter.layOut(region) }

  func draw(on canvas: inout Canvas, in region: Rect) {
    filter.draw(on: &canvas, in: region, theme: context.theme, empty: "Nobody has that name")
  }
}
