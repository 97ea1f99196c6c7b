import Terminal

/// Which screens lie over each other, and what lies over the shown one.
@MainActor
final class Navigator {
  private let messages: Messages
  /// The screens, the shown one last.
  private(set) var screens: [any AppScreen] = []
  /// What lies over the screen.
  var overlay: Overlay? {
    didSet {
      asksToQuit = false
      messages.follow(OverlayChange(from: oldValue, to: overlay))
    }
  }
  /// Whether what lies over the screen is the question before the program is left, which has room on any terminal.
  private(set) var asksToQuit = false
  /// Whether the terminal is too small for the screens.
  var isTooSmall = false
  /// The terminal is locked.
  var lock: ScreenLock?
  /// What was chosen in the demonstration and another program shows.
  var chosenDestination: RolesScreen.Destination?
  /// Whether the program ends as soon as nothing waits for the disk.
  var isLeaving = false

  init(_ messages: Messages) { self.messages = messages }

  var screen: (any AppScreen)? { screens.last }

  func push(_ screen: any AppScreen) {
    screens.append(screen)
    messages.line.clear()
  }

  func replace(with screen: any AppScreen) {
    let left = screens.popLast()
    push(screen)
    left?.leave()
  }

  /// Goes back to the screen before.
  /// - Returns: false if this is the first.
  func pop() -> Bool {
    guard screens.count > 1 else { return false }
    screens.removeLast().leave()
    messages.line.clear()
    return true
  }

  /// Notes that the question that was just opened is the one before the program is left.
  func noteAsksToQuit() { asksToQuit = true }
}
