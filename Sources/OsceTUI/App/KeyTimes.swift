import Terminal

/// The last two keys and when they were pressed, by the loop's clock in milliseconds. Keys that a stalled line hands over
/// in one go were typed before anybody can have read what the first of them asked.
struct KeyTimes {
  private var before: KeyEvent?
  private var last: KeyEvent?

  /// Milliseconds within which keys come in one go: no person and no held key is that fast.
  private static let instant: Int64 = 10

  mutating func add(_ key: KeyEvent) { (before, last) = (last, key) }

  /// Whether the last key came in one go with the one before.
  var areTogether: Bool {
    guard let before, let last else { return false }
    return last.at - before.at < KeyTimes.instant
  }

  /// How long before the last press the same key was pressed; nil where another came between.
  var sinceSame: Int64? {
    guard let before, let last, before.key == last.key else { return nil }
    return last.at - before.at
  }
}
