extension Key {
  private static let names: [(code: Code, name: String)] = [
    (.character(" "), "space"), (.enter, "enter"), (.tab, "tab"), (.escape, "esc"), (.backspace, "backspace"),
    (.delete, "del"), (.insert, "ins"), (.up, "up"), (.down, "down"), (.left, "left"), (.right, "right"),
    (.home, "home"), (.end, "end"), (.pageUp, "pgup"), (.pageDown, "pgdn"),
  ]

  /// The key's name as configuration and documents write it: `ctrl-o`, `space`, `pgup`, `shift-tab`, `f5`, `[`.
  public var name: String {
    var text = ""
    if modifiers.contains(.control) { text += "ctrl-" }
    if modifiers.contains(.alt) { text += "alt-" }
    if modifiers.contains(.shift) { text += "shift-" }
    if let known = Self.names.first(where: { $0.code == code }) { return text + known.name }
    switch code {
    case .character(let character): text.append(character)
    case .function(let number): text += "f\(number)"
    default: break
    }
    return text
  }

  /// The key's name as the screen shows it: `Ctrl-O`, `Space`, `PgUp`, arrows as signs where there are any.
  public func label(_ glyphs: Glyphs) -> SafeText {
    if modifiers.isEmpty {
      switch code {
      case .up: return glyphs.encoding == .utf8 ? glyphs.up : "Up"
      case .down: return glyphs.encoding == .utf8 ? glyphs.down : "Down"
      case .left: return glyphs.encoding == .utf8 ? glyphs.left : "Left"
      case .right: return glyphs.encoding == .utf8 ? glyphs.right : "Right"
      default: break
      }
    }
    if typed != nil && code != .character(" ") { return SafeText(name) }
    return SafeText(Self.capitalised(name))
  }

  private static func capitalised(_ name: String) -> String {
    switch name {
    case "pgup": "PgUp"
    case "pgdn": "PgDn"
    default:
      name.split(separator: "-", omittingEmptySubsequences: false)
        .map { $0.prefix(1).uppercased() + $0.dropFirst() }
        .joined(separator: "-")
    }
  }

  /// Reads a key's name; upper and lower case are the same in everything but a bare character. Nil if there is no such
  /// key.
  public init?(named name: String) {
    var rest = Substring(name)
    var modifiers: Modifiers = []
    // A table of keys is made at each event, and most of its names are one letter.
    if name.utf8.count == 1, let code = Self.code(rest, modifiers) {
      self.init(code)
      return
    }
    let prefixes: [(String, Modifiers)] = [("ctrl-", .control), ("alt-", .alt), ("shift-", .shift)]
    var found = true
    while found {
      found = false
      for (prefix, modifier) in prefixes where rest.count > prefix.count {
        if rest.prefix(prefix.count).lowercased() == prefix {
          rest = rest.dropFirst(prefix.count)
          modifiers.insert(modifier)
          found = true
        }
      }
    }
    guard let code = Self.code(rest, modifiers) else { return nil }
    self.init(code, modifiers)
  }

  /// What a terminal has a control code for. Those of `h`, `i`, `j` and `m` are Backspace, Tab and Enter.
  private static func controlled(_ character: String) -> Code? {
    "abcdefgklnopqrstuvwxyz\\]^_ ".contains(character) ? .character(Character(character)) : nil
  }

  private static func code(_ name: Substring, _ modifiers: Modifiers) -> Code? {
    if name.count == 1, let character = name.first {
      if name.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) { return nil }
      if character != " " && modifiers.contains(.shift) { return nil }
      return modifiers.contains(.control) ? controlled(character.lowercased()) : .character(character)
    }
    let lower = name.lowercased()
    if let known = names.first(where: { $0.name == lower }) { return known.code }
    if lower.hasPrefix("f"), let number = Int(lower.dropFirst()), (1...24).contains(number) { return .function(number) }
    return nil
  }
}

extension Key: ExpressibleByStringLiteral {
  /// A key by its name. A name that does not exist is a mistake in the program and stops it.
  public init(stringLiteral value: String) {
    guard let key = Key(named: value) else { preconditionFailure("no key is named \(value)") }
    self = key
  }
}
