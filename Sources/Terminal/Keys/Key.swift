/// A key as a person names it.
public struct Key: Hashable, Sendable {
  /// What the key is, apart from modifiers.
  public enum Code: Hashable, Sendable {
    /// A character key. Its case is part of the character: there is no shift modifier here.
    case character(Character)
    /// Keys with a name.
    case enter, tab, escape, backspace, delete, insert
    /// Movement.
    case up, down, left, right, home, end, pageUp, pageDown
    /// A function key, 1 to 24.
    case function(Int)
  }

  /// Keys held while another is pressed.
  public struct Modifiers: OptionSet, Hashable, Sendable {
    /// One bit for each modifier.
    public let rawValue: UInt8
    /// Modifiers from their bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    /// Shift, with keys that are not characters.
    public static let shift = Modifiers(rawValue: 1)
    /// Alt or Meta.
    public static let alt = Modifiers(rawValue: 2)
    /// Control.
    public static let control = Modifiers(rawValue: 4)
  }

  /// What the key is.
  public var code: Code
  /// What is held with it.
  public var modifiers: Modifiers

  /// A key.
  public init(_ code: Code, _ modifiers: Modifiers = []) {
    self.code = code
    self.modifiers = modifiers
  }

  /// A character key without modifiers.
  public static func character(_ character: Character) -> Key { Key(.character(character)) }
  /// Enter.
  public static let enter = Key(.enter)
  /// Tab.
  public static let tab = Key(.tab)
  /// Escape.
  public static let escape = Key(.escape)
  /// Backspace.
  public static let backspace = Key(.backspace)
  /// Delete.
  public static let delete = Key(.delete)
  /// Arrows.
  public static let up = Key(.up), down = Key(.down), left = Key(.left), right = Key(.right)
  /// Home and End.
  public static let home = Key(.home), end = Key(.end)
  /// Page keys.
  public static let pageUp = Key(.pageUp), pageDown = Key(.pageDown)
  /// The space bar.
  public static let space = Key.character(" ")

  /// The character that the key types, nil if it types none.
  public var typed: Character? {
    if case .character(let character) = code, modifiers.isEmpty { return character }
    return nil
  }
}

/// A key with the time at which its bytes were read.
public struct KeyEvent: Hashable, Sendable {
  /// The key.
  public let key: Key
  /// Milliseconds of the event loop's clock at the read that brought the key. Keys of one read have the same time.
  public let at: Int64
  /// Whether Alt is an escape byte before the key: a terminal sends the same for Esc and then the key.
  public let isEscaped: Bool

  /// A key pressed at a time in milliseconds.
  public init(_ key: Key, at: Int64, isEscaped: Bool = false) {
    self.key = key
    self.at = at
    self.isEscaped = isEscaped
  }

  /// Esc and then the key, for what came as the key with Alt.
  public var parts: [KeyEvent] {
    [KeyEvent(.escape, at: at), KeyEvent(Key(key.code, key.modifiers.subtracting(.alt)), at: at)]
  }
}
