import Terminal

/// How fast keys come, in milliseconds: what tells a person from a held key, a stalled line, and typing at a screen that
/// nobody can have read.
enum KeyPace {
  /// Keys within this come in one go: no person and no held key is that fast.
  static let instant: Int64 = 10
  /// What parts two keys of a person.
  static let gap: Int64 = 50
  /// Once a held key repeats it does so within this.
  static let repeating: Int64 = 200
  /// A second press, or a repeat of a held key, comes within this.
  static let double: Int64 = 250
  /// Within this nobody has read that the screen shows something else.
  static let reading: Int64 = 700
  /// A held key begins to repeat within this.
  static let firstRepeat: Int64 = 1000
  /// The key that brought a question up may come again within this, and is no text.
  static let echo: Int64 = 2000
}

/// The last two keys and when they were pressed, by the loop's clock in milliseconds. Keys that a stalled line hands over
/// in one go were typed before anybody can have read what the first of them asked.
struct KeyTimes {
  private var before: KeyEvent?
  private var last: KeyEvent?

  mutating func add(_ key: KeyEvent) { (before, last) = (last, key) }

  /// Whether the last key came in one go with the one before.
  var areTogether: Bool {
    guard let before, let last else { return false }
    return last.at - before.at < KeyPace.instant
  }

  /// How long before the last press the same key was pressed; nil where another came between.
  var sinceSame: Int64? {
    guard let before, let last, before.key == last.key else { return nil }
    return last.at - before.at
  }
}
