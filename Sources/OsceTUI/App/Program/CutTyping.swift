/// Typing that somebody else's action has cut off: what lay over the screen was taken away under it. The keys that follow
/// were typed for what is gone, and are dropped until a pause in which it can be seen.
struct CutTyping {
  /// When it was cut off, or the last key after that was typed, by the loop's clock.
  private var lastAt: Int64?

  /// What lay over the screen is gone.
  mutating func begin(at time: Int64) { lastAt = time }

  /// Whether a key is still typed for what is gone.
  mutating func takes(at time: Int64) -> Bool {
    guard let last = lastAt else { return false }
    lastAt = time - last < KeyPace.reading ? time : nil
    return lastAt != nil
  }
}
