import Terminal

/// What is typed while the outcome of a change is awaited, in the order of typing. It was typed for what the change
/// brings: done at once, it would act on what is there before.
struct WaitingKeys {
  /// Something typed.
  enum Input: Equatable {
    case key(KeyEvent)
    case paste(String)
  }

  /// What a key waits for.
  enum Patience {
    /// It acts, or is refused, whatever is still being saved.
    case none
    /// The outcome of every change that what follows depends on.
    case outcome
    /// Everything that is being saved: the key acts on all of it.
    case everything
  }

  /// More than anyone types ahead on purpose.
  static let limit = 64

  private var inputs: [Input] = []
  /// How many changes are under way whose outcome decides what the next keys mean.
  var awaited = 0
  /// Whether a box was opened by a key that does not wait: until it is closed, keys are typed into it.
  var isCovered = false

  var count: Int { inputs.count }

  /// Whether a key that is typed now has to wait.
  var isHolding: Bool { awaited > 0 || !inputs.isEmpty }

  var first: Input? { inputs.first }

  /// - Returns: false if too much waits already.
  mutating func add(_ input: Input) -> Bool {
    guard inputs.count < WaitingKeys.limit else { return false }
    inputs.append(input)
    return true
  }

  mutating func removeFirst() { inputs.removeFirst() }

  /// Forgets what waits.
  /// - Returns: how much that was.
  mutating func drop() -> Int {
    defer { inputs = [] }
    return inputs.count
  }
}

/// Which keys wait, and when they act: the one place where that is decided.
extension ScreenProgram {
  /// Takes what was typed, or lets it wait for the change that it was typed for.
  mutating func receive(_ input: WaitingKeys.Input) {
    guard case .key(let key) = input, isTwoKeys(key) else { return receiveOne(input) }
    for part in key.parts {
      receiveOne(.key(part))
      layOut(size)
    }
  }

  /// Whether a key with Alt is Esc and then the key, which a stalled line hands over in one go: nothing has it with Alt
  /// here. On a sheet that nothing covers, where there is nothing to leave, Alt by mistake must not mark.
  private func isTwoKeys(_ key: KeyEvent) -> Bool {
    guard key.isEscaped, keys.find(key.key) == nil else { return false }
    if context.navigator.lock != nil { return !TextKeys.edits(key.key) }
    if let overlay = context.overlay { return !overlay.edits(key.key) }
    guard let screen = context.screen, !screen.marksByKey else { return false }
    return !(screen.typesText && TextKeys.edits(key.key))
  }

  private mutating func receiveOne(_ input: WaitingKeys.Input) {
    if isCutOff(input) { return }
    if case .key(let key) = input, key.key == .escape, context.saves.waiting.count > 0, context.overlay == nil,
      context.navigator.lock == nil
    {
      return context.saves.dropWaiting(reason: nil)
    }
    if case .key(let key) = input, isScreenFree {
      context.screen?.settle(before: key)
    }
    guard mustWait(input) else {
      take(input)
      context.saves.waiting.isCovered = context.saves.waiting.isHolding && context.overlay != nil
      return
    }
    guard context.saves.waiting.add(input) else {
      return context.showMessage("NOT TAKEN: \(WaitingKeys.limit) keys wait already; Esc drops them", .warning)
    }
    context.saves.showWaiting()
  }

  /// Whether it was typed for what somebody else's action has taken from the screen. The line that says so stays.
  private func isCutOff(_ input: WaitingKeys.Input) -> Bool {
    if context.navigator.lock != nil { return false }
    guard case .key(let key) = input else { return context.cutTyping.takes(at: context.monotonic()) }
    return context.cutTyping.takes(at: key.at)
  }

  private func mustWait(_ input: WaitingKeys.Input) -> Bool {
    guard isScreenFree else { return false }
    switch patience(of: input) {
    case .none: return false
    case .outcome: return context.saves.waiting.isHolding
    case .everything: return context.saves.waiting.isHolding || context.saves.isSaving
    }
  }

  /// Whether a key is for the screen: it can be seen, and nothing lies over it, which the key would be for.
  private var isScreenFree: Bool {
    context.navigator.lock == nil && context.overlay == nil && !ProgramLayout.isTooSmall(size)
  }

  private func patience(of input: WaitingKeys.Input) -> WaitingKeys.Patience {
    guard case .key(let key) = input else { return .outcome }
    return keys.find(key.key)?.patience ?? .outcome
  }

  /// Does what waited, as far as what it waited for has come.
  mutating func takeWaiting() {
    if context.overlay == nil { context.saves.waiting.isCovered = false }
    while let input = context.saves.waiting.first, context.saves.waiting.awaited == 0, !context.saves.waiting.isCovered,
      !ProgramLayout.isTooSmall(size)
    {
      layOut(size)
      if let reason = unseen { return context.saves.dropWaiting(reason: reason) }
      if context.overlay == nil, context.saves.isSaving, patience(of: input) == .everything { break }
      context.saves.waiting.removeFirst()
      take(input)
    }
    context.saves.clearWaiting()
  }

  /// Why what waits is not done: it would answer what nobody can have read when it was typed.
  private var unseen: SafeText? {
    if context.navigator.lock != nil { return "pressed before the terminal was locked" }
    switch context.overlay {
    case .question, .confirmation: return "pressed before the question appeared; answer it now"
    default: return context.overlay == nil ? context.screen?.refusesWaiting : nil
    }
  }
}
