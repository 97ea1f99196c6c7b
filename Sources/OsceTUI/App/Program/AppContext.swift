import CircuitModel
import ExamStore
import GRDB
import Journal
import Reports
import Terminal
import Timer

/// What all screens of one terminal share, each part in a type of its own: the store and who follows it, the clock, who
/// sits here, which screens lie where, the line that answers keys, and what is on its way to the disk.
@MainActor
final class AppContext {
  let store: ExamStore
  let theme: Theme
  let clock: ClockPanel
  /// What the person at this terminal has chosen.
  let configuration: Configuration
  /// The loop's clock, in milliseconds.
  let monotonic: @MainActor () -> Int64
  let messages: Messages
  let navigator: Navigator
  let saves: SaveQueue
  let follower: StoreFollower
  let presence: HubPresence
  /// Who is signed in, once somebody is.
  var sitting: SignIn?
  /// What holds from sheet to sheet while somebody sits at a station.
  var modes = StationModes()
  /// When the last keys were pressed.
  var keyTimes = KeyTimes()
  /// What is still typed for an overlay that is gone.
  var cutTyping = CutTyping()
  /// How what was saved last at a sheet is undone, where that is no mark and `z` would undo another thing.
  private(set) var undoHint: (line: SafeText, entry: String)?
  var effects: [TerminalEffect] = []
  /// Whether the store is a demonstration's, which this program deletes when it is left.
  var isDemonstration = false
  /// The words that were looked for last.
  var sought = ""
  /// The screens from which somebody is being signed in, while that waits for the disk.
  var screensSigningIn: Set<ObjectIdentifier> = []
  /// Why the answer that is being dealt with is not taken.
  private var refused: SafeText?

  /// - Parameters:
  ///   - hasQuietClock: whether the countdown goes in steps, for a screen reader; so it does also where the
  ///     configuration says so.
  ///   - monotonic: the loop's clock; tests give one that they set.
  init(
    store: ExamStore, theme: Theme, hasQuietClock: Bool = false, configuration: Configuration = .current,
    monotonic: @escaping @MainActor () -> Int64 = { MonotonicClock.now }
  ) {
    self.store = store
    self.configuration = configuration
    self.theme = theme
    self.monotonic = monotonic
    let isQuiet = hasQuietClock || configuration.quietClock
    let clock = ClockPanel(store: store, isQuiet: isQuiet)
    self.clock = clock
    messages = Messages(isStill: isQuiet, monotonic: monotonic) { !clock.messages.isEmpty }
    navigator = Navigator(messages)
    saves = SaveQueue(store, messages, monotonic: monotonic)
    follower = StoreFollower(store, clock, navigator, messages)
    presence = HubPresence(store.location)
    messages.subjects = { [weak navigator = navigator] in navigator?.screen?.subjects ?? [] }
    messages.phase = { clock.subject }
    messages.focus = { [weak navigator = navigator] in navigator?.screen?.focusSubject }
  }

  // MARK: Who sits here

  /// Who acts now.
  var author: Author { sitting?.author(at: store.clock) ?? .program }

  /// Whether an assessor sits at a station, on a screen that has the keys of one.
  var isAtStation: Bool { screen?.isSignedIn == true && clock.place != nil }

  /// Goes back to the screen before.
  /// - Returns: false if this is the first.
  func pop() -> Bool {
    guard navigator.pop() else { return false }
    if screen?.isSignedIn == false { leaveStation() }
    screen?.reload()
    return true
  }

  /// Records that the person who sat here has gone.
  func leaveStation() {
    guard let sitting else { return }
    save({ try sitting.end(in: $0) }) { _ in }
    self.sitting = nil
    unsaved = UnsavedWork()
    sought = ""
    modes = StationModes()
    clock.leave()
  }

  /// Sets the hint shown when `z` follows a save that was not a mark, because `z` would undo a mark instead. Does nothing
  /// on the roster.
  func setUndoHint(_ line: SafeText?) {
    let sheet = screens.lazy.compactMap { $0 as? SheetScreen }.last
    undoHint = line.flatMap { line in sheet.map { (line, $0.entryKey) } }
  }

  // MARK: Questions

  /// Takes away what lies over the screen.
  /// - Parameter clearing: whether the line was about it.
  func leaveOverlay(clearing: Bool = true) {
    overlay = nil
    if clearing { messages.clear() }
  }

  /// Takes away what lies over the screen as somebody else has changed what it is about, and keeps what was typed into
  /// it. What is typed on is no command.
  func cutOverlay() {
    guard let overlay else { return }
    overlay.commit()
    if case .prompt(let prompt) = overlay { prompt.keep() }
    self.overlay = nil
    cutTyping.begin(at: monotonic())
  }

  /// Says something that is no answer of what lies over the screen, where it is seen beside that.
  /// - Parameter stays: whether it is seen until an answer is given there, whatever is typed.
  func say(_ line: SafeText, _ role: Role = .normal, stays: Bool = false) {
    switch overlay {
    case nil: showMessage(line, role)
    // The field stands where the line would.
    case .prompt(let prompt): overlay = .prompt(prompt.noted(line, stays: stays))
    case .confirmation(let confirmation): overlay = .confirmation(confirmation.noted(line, stays: stays))
    default: messages.showOfBox(line, role)
    }
  }

  /// Says why an answer is not taken. A line that is being asked for is kept open with what was typed.
  func refuse(_ why: SafeText) {
    refused = why
    showMessage(why, .warning)
  }

  /// Does what may be refused; the reason keeps the question open that asked for it.
  func attempt(_ body: () throws -> Void) {
    do { try body() } catch { refuse(SafeText("\(error)")) }
  }

  /// Whether something that changes the session that is followed can be done: what two people have locked stays.
  /// - Parameter availability: whether it can be done otherwise.
  func changing(_ availability: Availability = .enabled) -> Availability {
    clock.lock.map { .disabled("\($0)") } ?? availability
  }

  /// Whether something that belongs to no session can be done: it stays only where the whole exam is locked.
  /// - Parameter availability: whether it can be done otherwise.
  func changingExam(_ availability: Availability) -> Availability {
    clock.lock?.scope.isExam == true ? changing(availability) : availability
  }

  /// Does what asks about a change of a session: nothing is asked, and typed for nothing, where that is locked.
  func attempt(in session: Session, _ body: () throws -> Void) {
    attempt {
      try store.read { try ExamLock.refuse([session], in: $0) }
      try body()
    }
  }

  /// Deals with an answer.
  /// - Returns: why it was refused; nil if it was taken.
  func refusal(of answer: () -> Void) -> SafeText? {
    refused = nil
    answer()
    return refused
  }

  /// Asks a question in a box; each answer has a key.
  func ask(_ title: SafeText, _ text: String, _ answers: [(Key, SafeText, @MainActor () -> Void)]) {
    overlay = .question(Overlay.Question(title, text, answers.map { Overlay.Question.Choice($0, $1, $2) }))
  }

  /// Asks before the program is left.
  func askToQuit(_ title: SafeText, _ text: String, _ answer: (Key, SafeText, @MainActor () -> Void)) {
    ask(title, text, [answer])
    navigator.noteAsksToQuit()
  }

  /// Says what is going to happen and does it on Enter. A reason that could not be saved is kept: asked the same again,
  /// the line begins with it.
  /// - Parameters:
  ///   - reason: whether a reason is asked for.
  ///   - written: the reason as far as it is written already.
  ///   - renewed: what is going to happen by now, asked once a second; nil where it still holds.
  func confirm(
    _ text: SafeText, reason: Confirmation.Reason = .none, written: String = "",
    renewed: (@MainActor () -> SafeText?)? = nil, _ act: @escaping @MainActor (String?) -> Void
  ) {
    let topic = reason == .none ? nil : "reason: " + text.plain
    let kept = topic.flatMap { unsaved.texts[$0]?.first } ?? ""
    overlay = .confirmation(
      Confirmation(text, reason: reason, written: written.isEmpty ? kept : written, renewed: renewed) {
        [self] reason in
        saves.keeping(reason ?? "", as: topic) { act(reason) }
      })
  }

  /// Asks for a line of text.
  /// - Parameters:
  ///   - topic: what the text is about, where it is kept if it could not be saved: asked again, the line begins with
  ///     it.
  ///   - written: what was typed before the line was there.
  ///   - note: what must be known of a text while it is typed.
  ///   - leaving: what becomes of words that are left by Esc; nil: they go.
  ///   - done: takes the answer, or says by `refuse` why not.
  func prompt(
    _ label: SafeText, isSecret: Bool = false, keptAs topic: String? = nil, written: String = "",
    note: @escaping @MainActor (String) -> SafeText = { _ in "" }, leaving: Prompt.Leaving? = nil,
    echo: Prompt.Echo? = nil, _ done: @escaping @MainActor (String) -> Void
  ) {
    let text = topic.flatMap { unsaved.texts[$0]?.first } ?? written
    let field = TextField(prompt: label + " ", text: text, isSecret: isSecret)
    overlay = .prompt(
      Prompt(field, note: note, leaving: leaving, echo: echo) { [self] text in
        saves.keeping(text, as: topic) { done(text) }
      })
  }
}

/// The parts' own words, for screens.
extension AppContext {
  var screens: [any AppScreen] { navigator.screens }
  var screen: (any AppScreen)? { navigator.screen }
  var overlay: Overlay? {
    get { navigator.overlay }
    set { navigator.overlay = newValue }
  }
  var message: MessageLine {
    get { messages.line }
    set { messages.line = newValue }
  }
  var unsaved: UnsavedWork {
    get { saves.unsaved }
    _modify { yield &saves.unsaved }
  }
  var rules: StationRules { follower.rules }

  func push(_ screen: any AppScreen) { navigator.push(screen) }
  func replace(with screen: any AppScreen) { navigator.replace(with: screen) }

  /// Says what a key did, or why not.
  /// - Parameter subject: what it is about, where that is less than what the screen is about.
  func showMessage(_ text: SafeText, _ role: Role = .normal, stays: Bool = false, about subject: Subject? = nil) {
    messages.show(text, role, stays: stays, about: subject)
  }
  func showError(_ error: any Error) { messages.showError(error) }

  /// Notes that what is shown could not be read.
  func noteUnread(_ error: any Error) { follower.noteUnread(error) }

  /// Reads from the store; a read that fails is noted, so that what is shown is said not to be up to date.
  /// - Returns: nil where nothing could be read: never taken for nothing stored.
  func read<T>(_ body: (Database) throws -> T) -> T? {
    do { return try store.read(body) } catch {
      noteUnread(error)
      return nil
    }
  }

  /// Queues a change and goes on at once; `then` is called when it is on the disk, or has failed.
  func save<T: Sendable>(
    reason: String? = nil, with options: SaveOptions = [],
    _ body: @escaping @Sendable (JournalTransaction) throws -> T,
    then: @escaping @MainActor @Sendable (Result<T, any Error>) -> Void
  ) {
    save(reason: reason, with: options, body, reading: { _ in }) { then($0.map(\.result)) }
  }

  /// Queues a change, and says what came of it on the screen that is shown then, which is read again: what that finds is
  /// said over it.
  /// - Parameters:
  ///   - role: how that is said.
  ///   - then: what follows.
  func save<T: Sendable>(
    reason: String? = nil, with options: SaveOptions = [], as role: Role = .normal,
    saying said: @escaping @MainActor @Sendable (T) -> SafeText,
    _ body: @escaping @Sendable (JournalTransaction) throws -> T,
    then: @escaping @MainActor @Sendable (T) -> Void = { _ in }
  ) {
    save(reason: reason, with: options, body) { [self] result in
      guard case .success(let value) = result else { return }
      showMessage(said(value), role)
      screen?.reload()
      then(value)
    }
  }

  /// Queues a change, and reads what it leaves behind.
  func save<T: Sendable, R: Sendable>(
    reason: String? = nil, with options: SaveOptions = [],
    _ body: @escaping @Sendable (JournalTransaction) throws -> T,
    reading: @escaping @Sendable (Database) throws -> R,
    then: @escaping @MainActor @Sendable (Result<(result: T, read: Result<R, any Error>), any Error>) -> Void
  ) {
    saves.save(
      by: author.because(reason), with: options, body, reading: reading, then: then)
  }

  /// Whether everything is on the disk, in words.
  func savedText(naming most: Int) -> SafeText { saves.savedText(naming: most) }
}
