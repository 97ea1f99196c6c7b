import Terminal

/// What a line of messages is about. It is told by the values that make it up: every key asks for it.
struct Subject: Hashable {
  private let parts: [AnyHashable]

  init(_ parts: AnyHashable...) { self.parts = parts }
}

/// The line that answers keys, and under it what the invigilator tells this station.
@MainActor
final class Messages {
  private let monotonic: @MainActor () -> Int64
  /// Whether the invigilator tells this station something now.
  private let hasHallMessages: @MainActor () -> Bool
  /// The answer to the last key.
  var line = MessageLine()
  /// What the invigilator tells this station, page after page.
  var hall: HallNotice
  /// How many keys have come.
  var keyCount = 0
  /// What was refused or warned of last, after how many keys.
  private var warned: (keys: Int, text: SafeText, role: Role)?
  /// What was said of the box that is open: it goes with it.
  private var boxMessage: SafeText?
  /// What the line answered, and after how many keys: what a later key asks stands over none of it.
  private var answered: (text: SafeText, keys: Int)?
  /// What the line is about, where it goes with that.
  private var about: (text: SafeText, subject: Subject)?
  /// What the shown screen is about now, the widest first.
  var subjects: @MainActor () -> [Subject] = { [] }
  /// What of the clock a line can be about.
  var phase: @MainActor () -> Subject? = { nil }
  /// What the focus is on now: a line about that alone goes when it moves.
  var focus: @MainActor () -> Subject? = { nil }

  init(
    isStill: Bool, monotonic: @escaping @MainActor () -> Int64, hasHallMessages: @escaping @MainActor () -> Bool
  ) {
    (hall, self.monotonic, self.hasHallMessages) = (HallNotice(isStill: isStill), monotonic, hasHallMessages)
  }

  /// Says what a key did, or why not. It goes by itself once it has had time to be read: a line that stays would be
  /// believed of what comes after it. What went wrong stays, but covers what the invigilator tells for a while only.
  /// - Parameter subject: what it is about; nil: whatever the whole screen is about. It goes when that leaves the screen.
  func show(_ text: SafeText, _ role: Role = .normal, stays: Bool = false, about subject: Subject? = nil) {
    if role == .warning || role == .error { warned = (keyCount, text, role) }
    line.show(text, role, until: stays ? nil : end(role))
    answered = stays || role == .error ? nil : (text, keyCount)
    about = (subject ?? subjects().first).map { (text, $0) }
  }

  /// Takes the line away where what it is about has left the screen.
  func leaveSubject() {
    guard let about, about.text == line.text, !subjects().contains(about.subject), about.subject != focus(),
      about.subject != phase()
    else { return }
    clear()
  }

  /// Takes the line away for good: what was refused before is not said again beside a later line.
  func clear() {
    line.clear()
    warned = nil
  }

  func showError(_ error: any Error) { show(SafeText("\(error)"), .error) }

  /// Says why the box that is open did not take a key; the line goes with the box.
  func showOfBox(_ text: SafeText, _ role: Role) {
    show(text, role)
    boxMessage = text
  }

  /// Says what a key has done once that is on the disk: beside what a later key was refused for, and not over it.
  /// - Parameters:
  ///   - keys: `keyCount` at the key.
  ///   - isPart: whether that key may have been refused the rest, which then stays to be read.
  func showDone(_ text: SafeText, _ role: Role = .normal, after keys: Int, isPart: Bool = false) {
    guard let warned, warned.keys > keys || (warned.keys == keys && (isPart || warned.role == .error)) else {
      return show(text, role)
    }
    let both = warned.text + "; " + text
    line.show(both, warned.role, until: end(warned.role))
    about = subjects().first.map { (both, $0) }
  }

  /// Takes in that what lies over the screen has changed.
  func follow(_ change: OverlayChange) {
    switch change {
    case .renewed: return
    // What was said of the screen is not said of what lies over it now.
    case .covered: line.clear()
    // Nor is the answer to an earlier key one to what is asked now.
    case .asked: if let answered, answered.text == line.text, answered.keys < keyCount { line.clear() }
    case .left: break
    }
    if boxMessage == line.text { line.clear() }
    boxMessage = nil
  }

  /// When a line that is shown now goes.
  private func end(_ role: Role) -> Int64? {
    let read: Int64? = role == .error ? nil : role == .warning ? 30_000 : 10_000
    let shown = hasHallMessages() ? min(read ?? .max, HallNotice.cover) : read
    return shown.map { monotonic() + $0 }
  }
}
