/// When the last two keys were pressed, by the loop's clock in milliseconds. Keys that a stalled line hands over in one
/// go were typed before anybody can have read what the first of them asked.
struct KeyTimes {
  private var before: Int64?
  private var last: Int64?

  /// Milliseconds within which keys come in one go: no person and no held key is that fast.
  private static let instant: Int64 = 10

  mutating func add(_ time: Int64) { (before, last) = (last, time) }

  /// Whether the last key came in one go with the one before.
  var areTogether: Bool {
    guard let before, let last else { return false }
    return last - before < KeyTimes.instant
  }
}
