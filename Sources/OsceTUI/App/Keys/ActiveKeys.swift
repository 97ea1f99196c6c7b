import Terminal

/// A key together with the screen that it acts on.
@MainActor
protocol BoundKey {
  var name: KeyName { get }
  var label: String { get }
  var help: String { get }
  var availability: Availability { get }
  var footerKeys: String? { get }
  var isInFooter: Bool { get }
  /// What it waits for while changes are being saved.
  var patience: WaitingKeys.Patience { get }
  /// Whether it acts though something lies over the screen.
  func acts(over overlay: Overlay) -> Bool
  /// Does it, whether it is available or not.
  func act(_ key: KeyEvent?)
}

/// A table of keys together with the screen that they act on.
@MainActor
protocol KeySource {
  var names: [KeyName] { get }
  var keys: Set<Key> { get }
  func bound(_ index: Int) -> any BoundKey
}

/// A table of a screen's own type, bound to that screen.
struct BoundTable<Screen>: KeySource {
  let table: KeyTable<Screen>
  let screen: Screen

  init(_ table: KeyTable<Screen>, _ screen: Screen) { (self.table, self.screen) = (table, screen) }

  var names: [KeyName] { table.names }
  var keys: Set<Key> { table.keys }
  func bound(_ index: Int) -> any BoundKey { Bound(binding: table.bindings[index], screen: screen) }

  private struct Bound: BoundKey {
    let binding: KeyBinding<Screen>
    let screen: Screen

    var name: KeyName { binding.name }
    var label: String { binding.label(screen) }
    var help: String { binding.help(screen) }
    var availability: Availability { binding.availability(screen) }
    var footerKeys: String? { binding.footerKeys(screen) }
    var isInFooter: Bool { binding.isInFooter(screen) }
    var patience: WaitingKeys.Patience { binding.patience(screen) }
    func acts(over overlay: Overlay) -> Bool { binding.actsOver(screen, overlay) }
    func act(_ key: KeyEvent?) { binding.handler(screen, key) }
  }
}

/// The keys that act now: those of the shown screen, and those of every screen that it leaves free. Making it costs
/// nothing: no screen is asked about a key before that is looked for.
@MainActor
struct ActiveKeys {
  let title: String
  /// The screen's own tables; an earlier one has its keys before a later.
  private let own: [any KeySource]
  /// Those and the tables of every screen.
  private let sources: [any KeySource]
  private let typesText: Bool
  private let choices: [BindingID: [Key]]

  init(_ context: AppContext) {
    let screen = context.screen
    title = screen?.title ?? ""
    own = screen?.keySources ?? []
    let common = BoundTable(EveryScreen.keys, context)
    sources = own + (context.isAtStation ? [BoundTable(StationKeys.everywhere, context), common] : [common])
    typesText = screen?.typesText == true
    choices = context.configuration.keys
  }

  /// What a key does; nil where it means nothing here.
  func find(_ key: Key) -> (any BoundKey)? { find { keys(of: $0, $1).contains(key) } }

  /// The key of a name; nil where the screen has none of that name.
  func find(_ id: BindingID) -> (any BoundKey)? { find { name, _ in name.id == id } }

  private func find(_ isMeant: (KeyName, Int) -> Bool) -> (any BoundKey)? {
    for (place, source) in sources.enumerated() {
      for (index, name) in source.names.enumerated() where isMeant(name, place) && isFree(name, place) {
        return source.bound(index)
      }
    }
    return nil
  }

  /// Whether a name of the screen's own tables is that of a key.
  func isOwn(_ id: BindingID) -> Bool { own.contains { $0.names.contains { $0.id == id } } }

  private func all(where isMeant: (KeyName) -> Bool = { _ in true }) -> [(bound: any BoundKey, keys: [Key])] {
    sources.enumerated().flatMap { place, source in
      source.names.indices.filter { isMeant(source.names[$0]) && isFree(source.names[$0], place) }
        .map { (source.bound($0), keys(of: source.names[$0], place)) }
    }
  }

  /// The keys that do it here: where letters are typed, not those that are part of the text.
  private func keys(of name: KeyName, _ place: Int) -> [Key] {
    let keys = name.keys(choices)
    return typesText && place >= own.count ? keys.filter { !name.isText($0) } : keys
  }

  /// Whether no table before that of a name takes one of its keys; where letters are typed they mean nothing else.
  private func isFree(_ name: KeyName, _ place: Int) -> Bool {
    if typesText, place >= own.count, name.isTyped { return false }
    return !sources[..<place].contains { !$0.keys.isDisjoint(with: name.keys) }
  }

  /// All of them as they stand now, for help and palette.
  var listing: BindingTable<BindingID> {
    BindingTable(
      title,
      all().map { key, keys in
        let name = key.name
        return Binding(
          name.id, keys, key.label, help: key.help, group: name.group, key.availability,
          keysLabel: name.range, action: name.id)
      })
  }

  /// What the footer says of those that can act. The keys that it never shows are not asked.
  func footer(_ screen: any AppScreen, _ glyphs: Glyphs) -> [Footer.Entry] {
    all { $0.inFooter && screen.showsInFooter($0) }.compactMap { key, keys in
      let name = key.name
      guard let first = keys.first, key.isInFooter, key.availability == .enabled else { return nil }
      let shown = (key.footerKeys ?? name.range).map { SafeText($0) } ?? first.label(glyphs)
      return Footer.Entry(shown, SafeText(key.label), rank: screen.footerRank(name))
    }
  }
}

extension KeyName {
  /// Whether one of the keys is a character that a text on the screen would take.
  var isTyped: Bool { keys.contains(where: isText) }

  /// Whether a text on the screen takes a key. A letter is always part of it, whatever a person has chosen that for.
  func isText(_ key: Key) -> Bool {
    key.typed.map { $0.isLetter || !EveryScreen.besideTyping.contains(id) } ?? false
  }

  /// Whether both have a key of their own in common.
  func overlaps(_ other: KeyName) -> Bool { keys.contains { other.keys.contains($0) } }
}

extension AppContext {
  /// What a key is on the shown screen; nil where it means nothing there.
  func boundKey(_ key: Key) -> BindingID? { ActiveKeys(self).find(key)?.name.id }

  /// Whether a key acts where letters are typed.
  func actsBesideTyping(_ key: Key) -> Bool { boundKey(key).map(EveryScreen.besideTyping.contains) == true }
}
