import Synchronization

/// What was read of stored texts that never change, kept for the next look. Once it is full it begins again: what is in
/// use is soon in it once more.
final class ReadingCache<Reading: Sendable>: Sendable {
  private let known = Mutex<[String: Reading]>([:])
  private let most: Int

  /// - Parameter most: how many are kept.
  init(most: Int) { self.most = most }

  /// What a text, or what it is known by, was read as; nil where it is not kept.
  subscript(key: String) -> Reading? {
    get { known.withLock { $0[key] } }
    set {
      known.withLock { readings in
        if readings.count >= most { readings.removeAll() }
        readings[key] = newValue
      }
    }
  }
}
