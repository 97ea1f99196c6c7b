import Characters
import CircuitModel
import ExamStore
import GRDB
import Journal
import Reports
import Terminal

/// What hangs on whether a change is saved.
struct SaveOptions: OptionSet {
  let rawValue: Int

  /// What the next keys mean: they wait for the outcome in the order of their typing, and where it fails nothing of them
  /// is done.
  static let awaited = SaveOptions(rawValue: 1)
  /// Nothing to anyone: a failure is not said.
  static let quiet = SaveOptions(rawValue: 2)
}

/// The changes that are on their way to the disk, the keys that wait for what comes of them, and what the disk did not
/// take.
@MainActor
final class SaveQueue {
  private let store: ExamStore
  private let messages: Messages
  private let monotonic: @MainActor () -> Int64
  /// When each change was given that is under way.
  private var pendingSince: [Int64] = []
  /// What was typed and waits for the outcome of a change.
  var waiting = WaitingKeys()
  /// What was said last of that.
  private var waitingLine: SafeText?
  /// The line about waiting for another process, while it is shown.
  private var waitingShown: SafeText?
  /// What was typed here and is not saved.
  var unsaved = UnsavedWork()
  /// The line of text that is being dealt with, and what it is about.
  private var answered: (topic: String, text: String)?

  init(_ store: ExamStore, _ messages: Messages, monotonic: @escaping @MainActor () -> Int64) {
    (self.store, self.messages, self.monotonic) = (store, messages, monotonic)
  }

  /// Whether a change waits for the disk, or the screen has not heard of it yet.
  var isSaving: Bool { !pendingSince.isEmpty }

  /// Queues a change, and reads what it leaves behind.
  func save<T: Sendable, R: Sendable>(
    by author: Author, with options: SaveOptions = [],
    _ body: @escaping @Sendable (JournalTransaction) throws -> T,
    reading: @escaping @Sendable (Database) throws -> R,
    then: @escaping @MainActor @Sendable (Result<(result: T, read: Result<R, any Error>), any Error>) -> Void
  ) {
    pendingSince.append(monotonic())
    let isAwaited = options.contains(.awaited)
    if isAwaited { waiting.awaited += 1 }
    let answered = answered
    store.submit(author, body, reading: reading) { [weak self] result in
      guard let self else { return }
      pendingSince.removeFirst()
      if pendingSince.isEmpty, let line = waitingShown {
        waitingShown = nil
        if messages.line.text == line { messages.line.clear() }
      }
      if let (topic, text) = answered {
        let isLost = if case .failure(let error) = result { Self.loses(error) } else { false }
        let isSaved = (try? result.get()) != nil
        unsaved.keep(isSaved ? nil : [text], as: topic, named: isLost ? UnsavedWork.name(ofLine: text) : nil)
      }
      if isAwaited { waiting.awaited -= 1 }
      if !options.contains(.quiet), case .failure(let error) = result { messages.showError(error) }
      then(result)
      if isAwaited, case .failure = result { dropWaitingForFailure() }
    }
  }

  /// Whether a typed line is nowhere but here after a failure: one that a rule refused is in the question that is asked
  /// again, but not where another candidate comes by now.
  private static func loses(_ error: any Error) -> Bool {
    if case RosterRefusal.slotsChanged = error { return true }
    return !isRefusal(error)
  }

  private static let patience: Int64 = 3000

  /// For how long it is believed who holds the lock, in milliseconds: it is asked at each key, and the kernel's table is
  /// as long as the machine has locks.
  private static let holderIsKnownFor: Int64 = 500
  /// Who held the lock when it was last looked, as the line says it.
  private var holder: (at: Int64, text: String)?

  private func holderText() -> String {
    let now = monotonic()
    if let holder, now - holder.at < SaveQueue.holderIsKnownFor { return holder.text }
    let text = store.lock.blocker().map { "\($0.name) has the store locked" } ?? "the disk is slow"
    holder = (now, text)
    return text
  }

  /// After three seconds of waiting, says who holds the lock.
  /// - Returns: whether so long has passed.
  @discardableResult func watchPending() -> Bool {
    guard let oldest = pendingSince.first, monotonic() - oldest >= SaveQueue.patience else { return false }
    let count = Plural.count(pendingSince.count, "change waits", "changes wait")
    let keys = waiting.count == 0 ? "" : "; \(waitingText.plain), Esc drops \(dropped)"
    let line = SafeText("NOT YET SAVED: \(count)\(keys); \(holderText())")
    waitingShown = line
    messages.line.show(line, .warning)
    return true
  }

  /// Deals with a typed text; what is saved meanwhile and fails keeps it.
  func keeping(_ text: String, as topic: String?, _ deal: @MainActor () -> Void) {
    answered = text.hasWords ? topic.map { ($0, text) } : nil
    deal()
    answered = nil
  }

  // MARK: What waits, in words

  /// Whether everything is on the disk, in words.
  /// - Parameter most: how much of what is not saved is named; the rest is counted.
  func savedText(naming most: Int) -> SafeText {
    let count = store.pendingWrites
    let waiting = count == 0 ? nil : SafeText(Plural.count(count, "change") + " not saved yet")
    let typed = self.waiting.count == 0 ? nil : waitingText + " for that, NOT done yet"
    let parts = [waiting, typed, unsaved.text(naming: most)].compactMap { $0 }
    return parts.dropFirst().reduce(parts.first ?? "everything is saved") { $0 + "; " + $1 }
  }

  /// Says how much waits, and how it is given up. What went wrong stays in view.
  func showWaiting() {
    if watchPending() { return }
    guard waiting.count > 0, messages.line.role != .error else { return }
    messages.line.show(waitingText + " for the last change; Esc drops " + SafeText(dropped), .muted)
    waitingLine = messages.line.text
  }

  /// How many keys wait, in words.
  var waitingText: SafeText { SafeText(Plural.count(waiting.count, "key waits", "keys wait")) }

  /// What waits, once it was named.
  private var dropped: String { Plural.noun(waiting.count, "it", "them") }

  /// Takes the line about waiting keys away once none waits.
  func clearWaiting() {
    guard waiting.count == 0, let line = waitingLine else { return }
    if messages.line.text == line { messages.line.clear() }
    waitingLine = nil
  }

  /// Forgets what waits, and says so.
  /// - Parameter reason: why it is not done; nil where a person gave it up.
  func dropWaiting(reason: SafeText?) {
    let count = waiting.drop()
    if count == 0 { return }
    let keys = SafeText(Plural.count(count, "key"))
    messages.show(
      reason.map { keys + " NOT done: " + $0 } ?? "dropped " + keys + ": nothing of that was done", .warning)
  }

  /// Forgets what waited for a change that failed: what it was typed for is not there.
  func dropWaitingForFailure() {
    let count = waiting.drop()
    if count == 0 { return }
    let keys: SafeText = count == 1 ? "the key typed after it was" : "\(count) keys typed after it were"
    messages.show(messages.line.text + "; " + keys + " NOT done", .error)
  }
}
