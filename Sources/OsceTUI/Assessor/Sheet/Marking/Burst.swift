/// Recognises a key that is held: only its first press acts.
struct HeldKey {
  private var last: Int64?
  /// How many presses without a gap were dropped.
  private(set) var dropped = 0

  /// Whether a press comes too soon after the one before to be a person's.
  mutating func isHeld(at time: Int64) -> Bool {
    let isHeld = last.map { time - $0 < KeyPace.gap } ?? false
    last = time
    dropped = isHeld ? dropped + 1 : 0
    return isHeld
  }
}

/// Recognises mark keys that come faster than a person presses them: a held key, a line that stalled.
struct Burst {
  private var last: Int64?
  private var length = 0
  private var run = 0
  private var isSwallowing = false
  /// How many keys that came without a gap after the run's marks were not done.
  private(set) var dropped = 0

  /// Whether the last mark key was the third or a later one without a gap.
  var isBurst: Bool { length >= 3 }

  /// Notes a mark key.
  /// - Parameter new: the run's number, if the key begins one.
  /// - Returns: the run that the key belongs to.
  mutating func add(_ time: Int64, _ new: @autoclosure () -> Int) -> Int {
    if isNear(time) {
      length += 1
    } else {
      length = 1
      dropped = 0
      run = new()
    }
    last = time
    return run
  }

  /// Whether a key at this time comes without a gap after a burst.
  func isOn(at time: Int64) -> Bool { isBurst && isNear(time) }

  /// Drops what follows without a gap: it was typed at a screen that nobody has seen.
  mutating func swallow() {
    isSwallowing = true
    dropped += 1
  }

  /// Whether a key is dropped.
  mutating func swallows(_ time: Int64) -> Bool {
    guard isSwallowing, isNear(time) else {
      isSwallowing = false
      return false
    }
    last = time
    dropped += 1
    return true
  }

  private func isNear(_ time: Int64) -> Bool { last.map { time - $0 < KeyPace.gap } ?? false }
}
