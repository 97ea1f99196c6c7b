import Terminal

/// What is known of a key without a screen: its name, its keys and its words. It is made once and handed on often, so it
/// is no value that would be copied.
final class KeyName: Sendable {
  /// Where a key acts.
  enum Reach: Sendable {
    /// On a screen that is seen.
    case seen
    /// Also on a terminal too small for the screen.
    case small
    /// Also over a question, and while changes are being saved: what an alarm needs.
    case urgent
  }

  let id: BindingID
  /// The keys that it has where a person has chosen no others.
  let keys: [Key]
  let label: String
  let help: String
  let group: String
  /// Whether a footer names it, if only while the screen says so.
  let inFooter: Bool
  /// How much it is needed in a footer without room for all: the highest come first.
  let rank: Int
  /// Stands for the keys where they are a range: each means something of its own, so they cannot be changed.
  let range: String?
  let reach: Reach

  init(
    id: BindingID, keys: [Key], label: String, help: String, group: String, inFooter: Bool, rank: Int, range: String?,
    reach: Reach
  ) {
    (self.id, self.keys, self.label, self.help, self.group) = (id, keys, label, help, group)
    (self.inFooter, self.rank, self.range, self.reach) = (inFooter, rank, range, reach)
  }

  /// The keys that do it at a terminal.
  func keys(_ choices: [BindingID: [Key]]) -> [Key] { choices[id] ?? keys }
}

/// A key of a screen, the one place that says all of it. What varies is asked of the screen, and only when the key is
/// pressed or a list of keys is drawn.
struct KeyBinding<Screen>: Sendable {
  typealias Asked<Answer> = @MainActor @Sendable (Screen) -> Answer

  let name: KeyName
  fileprivate(set) var label: Asked<String>
  fileprivate(set) var help: Asked<String>
  fileprivate(set) var footerKeys: Asked<String?> = { _ in nil }
  fileprivate(set) var isInFooter: Asked<Bool>
  fileprivate(set) var patience: Asked<WaitingKeys.Patience>
  fileprivate(set) var actsOver: @MainActor @Sendable (Screen, Overlay) -> Bool
  let availability: Asked<Availability>
  let handler: @MainActor @Sendable (Screen, KeyEvent?) -> Void

  /// - Parameters:
  ///   - label: one or two words for the footer.
  ///   - help: one sentence for help, palette and documents.
  ///   - group: the heading under which the help lists it.
  ///   - availability: whether it can be done now, or why not.
  ///   - handler: does it; the key is nil where it was chosen in the palette.
  init(
    _ id: BindingID, _ keys: [Key], _ label: String, help: String, group: String, inFooter: Bool = true, rank: Int = 0,
    range: String? = nil, reach: KeyName.Reach = .seen, patience: WaitingKeys.Patience? = nil,
    when availability: @escaping Asked<Availability> = { _ in .enabled },
    does handler: @escaping @MainActor @Sendable (Screen, KeyEvent?) -> Void
  ) {
    name = KeyName(
      id: id, keys: keys, label: label, help: help, group: group, inFooter: inFooter, rank: rank, range: range,
      reach: reach)
    self.label = { _ in label }
    self.help = { _ in help }
    isInFooter = { _ in true }
    let waits = patience ?? (reach == .urgent ? .none : .outcome)
    self.patience = { _ in waits }
    actsOver = { _, _ in reach == .urgent }
    self.availability = availability
    self.handler = handler
  }

  /// The same key with a label that changes.
  func labelled(_ label: @escaping Asked<String>) -> KeyBinding { changed { $0.label = label } }

  /// The same key with a sentence that changes.
  func explained(_ help: @escaping Asked<String>) -> KeyBinding { changed { $0.help = help } }

  /// The same key with other words for its keys in the footer, where it names those of several bindings.
  func footerKeys(_ keys: @escaping Asked<String?>) -> KeyBinding { changed { $0.footerKeys = keys } }

  /// The same key, which footers name, but only while something holds.
  func inFooter(_ isShown: @escaping Asked<Bool>) -> KeyBinding { changed { $0.isInFooter = isShown } }

  /// The same key, waiting for what is being saved by the state of the screen.
  func waiting(_ patience: @escaping Asked<WaitingKeys.Patience>) -> KeyBinding { changed { $0.patience = patience } }

  /// The same key, acting also while certain things lie over the screen, which are then left.
  func over(_ acts: @escaping @MainActor @Sendable (Screen, Overlay) -> Bool) -> KeyBinding {
    changed { $0.actsOver = acts }
  }

  private func changed(_ change: (inout KeyBinding) -> Void) -> KeyBinding {
    var copy = self
    change(&copy)
    return copy
  }
}

/// All keys of a screen's own.
struct KeyTable<Screen>: Sendable {
  /// Who is at the terminal while the screen is shown.
  enum Place: Sendable {
    /// Nobody yet.
    case nowhere
    /// Somebody who has signed in, at no station.
    case desk
    /// An assessor at a station, whose screens all have the keys of a station.
    case station
  }

  /// The screen's name, as the documents head its keys.
  let title: String
  let place: Place
  /// Whether letters are typed on the screen, so that they cannot be keys of every screen.
  let typesText: Bool
  let bindings: [KeyBinding<Screen>]
  let names: [KeyName]
  /// The keys that they have where a person has chosen no others.
  let keys: Set<Key>

  init(_ title: String, at place: Place = .nowhere, typesText: Bool = false, _ bindings: [KeyBinding<Screen>]) {
    (self.title, self.place, self.typesText, self.bindings) = (title, place, typesText, bindings)
    names = bindings.map(\.name)
    keys = Set(names.flatMap(\.keys))
  }

  /// What a key is here; nil where it means nothing.
  func name(of key: Key, _ choices: [BindingID: [Key]]) -> KeyName? {
    names.first { $0.keys(choices).contains(key) }
  }
}

extension AppContext {
  /// What the key of a binding is called that a text names, as it is bound here; the palette's where it has none.
  func key<Screen>(of binding: KeyBinding<Screen>) -> SafeText {
    (binding.name.keys(configuration.keys).first ?? ":").label(theme.glyphs)
  }
}
