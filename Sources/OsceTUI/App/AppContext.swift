import CircuitModel
import ExamStore
import GRDB
import Journal
import Reports
import Terminal
import Timer

/// What all screens of one terminal share: the store, the clock, who sits here, and the line that answers keys.
@MainActor
final class AppContext {
  let store: ExamStore
  let theme: Theme
  let clock: ClockPanel
  /// What the person at this terminal has chosen.
  let configuration: Configuration
  /// The loop's clock, in milliseconds.
  let monotonic: @MainActor () -> Int64
  /// Who is signed in, once somebody is.
  var sitting: Sitting?
  /// The answer to the last key.
  var message = MessageLine()
  /// How many keys have come, and what was refused or warned of last after how many.
  var keyCount = 0
  private var warned: (keys: Int, text: SafeText, role: Role)?
  /// What the invigilator tells this station, page after page.
  var hall: HallNotice
  /// When the last keys were pressed.
  var keyTimes = KeyTimes()
  /// What lies over the screen.
  var overlay: Overlay? {
    didSet {
      asksToQuit = false
      // What was said of the screen is not said of what lies over it now.
      if oldValue == nil, overlay?.isOfItsOwn == true { message.clear() }
      // A line that is being confirmed is put back after every key.
      if case (.confirmation, .confirmation) = (oldValue, overlay) { return }
      if saidOfBox == message.text { message.clear() }
      saidOfBox = nil
    }
  }
  /// What was said of the box that is open: it goes with it.
  private var saidOfBox: SafeText?
  /// Whether what lies over the screen is the question before the program is left, which has room on any terminal.
  private(set) var asksToQuit = false
  /// Whether the terminal is too small for the screens.
  var isTooSmall = false
  /// The terminal is locked.
  var lock: ScreenLock?
  /// What holds from sheet to sheet while somebody sits at a station.
  var modes = StationModes()
  /// How what was saved last at a sheet is taken back, where that is no mark and `z` would take back another thing.
  private(set) var notMarking: (line: SafeText, entry: String)?
  /// The screens, the shown one last.
  private(set) var screens: [any AppScreen] = []
  var effects: [TerminalEffect] = []
  /// The words that were looked for last.
  var sought = ""
  /// What was chosen in the demonstration and another program shows.
  var chosenElsewhere: SeatsScreen.Elsewhere?
  /// Whether the program ends as soon as nothing waits for the disk.
  var isLeaving = false
  /// What the exam asks of every station.
  private(set) var rules = StationRules()
  /// Whether a hub takes what is stored here, and how much it does not have yet.
  private(set) var hub = HubContact.none
  /// The screens from which somebody is being sat down, while that waits for the disk.
  var sittingDownFrom: Set<ObjectIdentifier> = []
  private var pendingSince: [Int64] = []
  /// What was typed and waits for the outcome of a change.
  var waiting = WaitingKeys()
  /// What was said last of that.
  var waitingLine: SafeText?
  /// Whether a change waits for the disk, or the screen has not heard of it yet.
  var isSaving: Bool { !pendingSince.isEmpty }
  private var lastSequence: Int64 = 0

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
    clock = ClockPanel(store: store, isQuiet: hasQuietClock || configuration.quietClock)
    hall = HallNotice(isStill: hasQuietClock || configuration.quietClock)
    lastSequence = (try? store.lastSequence()) ?? 0
    readRules()
  }

  /// The exam's time zone, which the process follows; nil until it is read, as the process has it then.
  private var timeZone: String??

  private func readRules() {
    do {
      let settings = try store.read { try ExamSettings.read($0) }
      rules = settings.stations
      if let shown = timeZone, shown != settings.timeZone { LocalTime.follow(zone: settings.timeZone) }
      timeZone = .some(settings.timeZone)
    } catch { noteUnread(error) }
  }

  // MARK: Screens

  var screen: (any AppScreen)? { screens.last }

  func push(_ screen: any AppScreen) {
    screens.append(screen)
    message.clear()
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
    message.clear()
    if screen?.isAtStation == false { leaveStation() }
    screen?.refresh(nil)
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

  /// Notes how what is saved now is taken back: `z` at the sheet that it was written from would take back a mark. What
  /// is written from a roster stands in the way of no sheet.
  func noteNotMarking(_ line: SafeText?) {
    let sheet = screens.lazy.compactMap { $0 as? SheetScreen }.last
    notMarking = line.flatMap { line in sheet.map { (line, $0.entryKey) } }
  }

  // MARK: Messages and questions

  /// Says what a key did, or why not. It goes by itself once it has had time to be read: a line that stays would be
  /// believed of what comes after it. What went wrong stays, but covers what the invigilator tells for a while only.
  func say(_ text: SafeText, _ role: Role = .normal, stays: Bool = false) {
    if role == .warning || role == .error { warned = (keyCount, text, role) }
    message.show(text, role, until: stays ? nil : end(role))
  }

  /// Says why the box that is open did not take a key; the line goes with the box.
  func showBoxMessage(_ text: SafeText, _ role: Role) {
    say(text, role)
    saidOfBox = text
  }

  /// When a line that is shown now goes.
  private func end(_ role: Role) -> Int64? {
    let read: Int64? = role == .error ? nil : role == .warning ? 30_000 : 10_000
    let shown = clock.told.isEmpty ? read : min(read ?? .max, HallNotice.cover)
    return shown.map { monotonic() + $0 }
  }

  /// Takes away what lies over the screen.
  /// - Parameter clearing: whether the line was about it.
  func leaveOverlay(clearing: Bool = true) {
    overlay = nil
    if clearing { message.clear() }
  }

  /// Says why an answer is not taken. A line that is being asked for is kept open with what was typed.
  func refuse(_ why: SafeText) {
    refused = why
    say(why, .warning)
  }

  /// Does what may be refused; the reason keeps the question open that asked for it.
  func attempt(_ body: () throws -> Void) {
    do { try body() } catch { refuse(SafeText("\(error)")) }
  }

  /// Deals with an answer.
  /// - Returns: why it was refused; nil if it was taken.
  func refusal(of answer: () -> Void) -> SafeText? {
    refused = nil
    answer()
    return refused
  }

  private var refused: SafeText?

  /// Says what a key has done once that is on the disk: beside what a later key was refused for, and not over it.
  /// - Parameter keys: `keyCount` at the key.
  func sayDone(_ text: SafeText, after keys: Int) {
    guard let warned, warned.keys > keys || (warned.keys == keys && warned.role == .error) else { return say(text) }
    message.show(warned.text + "; " + text, warned.role, until: end(warned.role))
  }

  func showError(_ error: any Error) { say(SafeText("\(error)"), .error) }

  /// Asks a question in a box; each answer has a key.
  func ask(_ title: SafeText, _ text: String, _ answers: [(Key, SafeText, @MainActor () -> Void)]) {
    let choices = answers.enumerated().map { Modal<Int>.Choice($1.0, $1.1, $0) }
    overlay = .question(Modal(title, text, choices), answers.map(\.2))
  }

  /// Asks before the program is left.
  func askToQuit(_ title: SafeText, _ text: String, _ answer: (Key, SafeText, @MainActor () -> Void)) {
    ask(title, text, [answer])
    asksToQuit = true
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
        keeping(reason ?? "", as: topic) { act(reason) }
      })
  }

  /// Asks for a line of text.
  /// - Parameters:
  ///   - topic: what the text is about, where it is kept if it could not be saved: asked again, the line begins with it.
  ///   - written: what was typed before the line was there.
  ///   - note: what must be known of a text while it is typed.
  ///   - done: takes the answer, or says by `refuse` why not.
  func prompt(
    _ label: SafeText, isSecret: Bool = false, keptAs topic: String? = nil, written: String = "",
    note: @escaping @MainActor (String) -> SafeText = { _ in "" }, _ done: @escaping @MainActor (String) -> Void
  ) {
    let text = topic.flatMap { unsaved.texts[$0]?.first } ?? written
    let field = TextField(prompt: label + " ", text: text, isSecret: isSecret)
    overlay = .prompt(
      Prompt(field, note: note) { [self] text in
        keeping(text, as: topic) { done(text) }
      })
  }

  /// Deals with a typed text; what is saved meanwhile and fails keeps it.
  private func keeping(_ text: String, as topic: String?, _ deal: @MainActor () -> Void) {
    answered = text.contains { !$0.isWhitespace } ? topic.map { ($0, text) } : nil
    deal()
    answered = nil
  }

  /// What was typed here and is not saved.
  var unsaved = UnsavedWork()
  /// The line of text that is being dealt with, and what it is about.
  private var answered: (topic: String, text: String)?

  /// Whether everything is on the disk, in words.
  /// - Parameter most: how much of what is not saved is named; the rest is counted.
  func savedWords(naming most: Int) -> SafeText {
    let waiting: SafeText? =
      switch store.pendingWrites {
      case 0: nil
      case 1: "1 change still waits for the disk"
      case let count: "\(count) changes still wait for the disk"
      }
    let typed = self.waiting.count == 0 ? nil : waitingText + " for that, NOT done yet"
    let parts = [waiting, typed, unsaved.words(naming: most)].compactMap { $0 }
    return parts.dropFirst().reduce(parts.first ?? "everything is saved") { $0 + "; " + $1 }
  }

  // MARK: Saving

  /// Who acts now.
  var author: Author { sitting?.author(at: store.clock) ?? .program }

  /// Queues a change and goes on at once; `then` is called when it is on the disk, or has failed.
  /// - Parameters:
  ///   - isAwaited: whether the outcome decides what the next keys mean: they wait for it in the order of their typing,
  ///     and where it fails nothing of them is done.
  ///   - isQuiet: whether a failure is no loss to anyone, so that nothing is said of it.
  func save<T: Sendable>(
    because reason: String? = nil, isAwaited: Bool = false, isQuiet: Bool = false,
    _ body: @escaping @Sendable (JournalTransaction) throws -> T,
    then: @escaping @MainActor @Sendable (Result<T, any Error>) -> Void
  ) {
    save(because: reason, isAwaited: isAwaited, isQuiet: isQuiet, body, reading: { _ in }) { then($0.map(\.result)) }
  }

  /// Queues a change, and reads what it leaves behind.
  func save<T: Sendable, R: Sendable>(
    because reason: String? = nil, isAwaited: Bool = false, isQuiet: Bool = false,
    _ body: @escaping @Sendable (JournalTransaction) throws -> T,
    reading: @escaping @Sendable (Database) throws -> R,
    then: @escaping @MainActor @Sendable (Result<(result: T, read: Result<R, any Error>), any Error>) -> Void
  ) {
    pendingSince.append(monotonic())
    if isAwaited { waiting.awaited += 1 }
    let answered = answered
    store.submit(author.because(reason), body, reading: reading) { [weak self] result in
      guard let self else { return }
      pendingSince.removeFirst()
      if pendingSince.isEmpty, let line = waitingShown {
        waitingShown = nil
        if message.text == line { message.clear() }
      }
      if let (topic, text) = answered {
        let isLost = if case .failure(let error) = result { !isRefusal(error) } else { false }
        let isSaved = (try? result.get()) != nil
        unsaved.keep(isSaved ? nil : [text], as: topic, named: isLost ? UnsavedWork.name(ofLine: text) : nil)
      }
      if isAwaited { waiting.awaited -= 1 }
      if !isQuiet, case .failure(let error) = result { showError(error) }
      then(result)
      if isAwaited, case .failure = result { dropWaitingForFailure() }
    }
  }

  /// The line about waiting for another process, while it is shown.
  private var waitingShown: SafeText?
  private static let patience: Int64 = 3000

  /// After three seconds of waiting, says who holds the lock.
  /// - Returns: whether so long has passed.
  @discardableResult func watchPending() -> Bool {
    guard let oldest = pendingSince.first, monotonic() - oldest >= AppContext.patience else { return false }
    let holder =
      store.lock.holder().map { "\($0.name) holds the store" } ?? "the disk is slow"
    let count = pendingSince.count == 1 ? "1 change waits" : "\(pendingSince.count) changes wait"
    let keys = waiting.count == 0 ? "" : "; \(waitingText.plain), Esc drops \(waiting.count == 1 ? "it" : "them")"
    let line = SafeText("NOT YET SAVED: \(count)\(keys); \(holder)")
    waitingShown = line
    message.show(line, .warning)
    return true
  }

  // MARK: Changes from elsewhere

  private var lastVersion = 0
  /// What the screen has read since the last look, each row with the last operation that it then saw.
  private var seen: [RowKey: Int64] = [:]

  /// Notes that the shown screen has read rows, so that its own changes are not read again by the next look.
  /// - Parameter sequence: the last operation that the read saw.
  func noteRead(_ rows: some Sequence<RowKey>, upTo sequence: Int64, by screen: any AppScreen) {
    // What lies under another screen has read it for itself alone.
    guard screen === self.screen else { return }
    for row in rows { seen[row] = sequence }
  }

  /// Why what is shown could not be read the last time, so that it may be older than the store.
  private(set) var unread: SafeText?

  /// Notes that what is shown could not be read: it stays as it was, is said not to be up to date, and is read at the
  /// next looks at the store until that succeeds. What a rule refuses is not read again.
  func noteUnread(_ error: any Error) {
    if isRefusal(error) { return showError(error) }
    unread = SafeText("NOT UP TO DATE, trying again: \(error)")
    if let unread { say(unread, .error) }
  }

  /// Reads again what could not be read.
  /// - Returns: whether anything could not.
  private func readUnread() -> Bool {
    if unread == nil, let error = clock.unread { noteUnread(error) }
    guard let line = unread else { return false }
    unread = nil
    readRules()
    clock.readUnread()
    screen?.refresh(nil)
    if unread == nil, let error = clock.unread { noteUnread(error) }
    if unread == nil, message.text == line { message.clear() }
    return true
  }

  /// Looks whether anybody committed, and lets the screen read anew what was changed.
  /// - Returns: whether anything that is shown was.
  func pollStore() -> Bool {
    if store.isReplaced {
      say(SafeText(ExamStore.replacedText), .error)
      return true
    }
    var isShown = readUnread()
    let changes: StoreChanges
    do {
      let version = try store.dataVersion()
      if version == lastVersion { return isShown }
      changes = try store.changes(since: lastSequence, except: seen)
      // Not before: what could not be read is looked for again.
      lastVersion = version
    } catch {
      noteUnread(error)
      return true
    }
    lastSequence = changes.last
    seen.removeAll(keepingCapacity: true)
    if hub != changes.hub {
      hub = changes.hub
      screen?.followHub()
      isShown = true
    }
    let rows = changes.rows
    if rows.isEmpty { return isShown }
    let entities = Set(rows.lazy.map(\.entity))
    if !entities.isDisjoint(with: ["ClockEvent", "CircuitRun"]) {
      if let line = clock.readChange() { say(line, .warning) }
      isShown = true
    }
    if entities.contains("Device") {
      clock.timeWasSet()
      isShown = true
    }
    if entities.contains("Config") {
      readRules()
      // Another time zone: every time that is shown is another.
      clock.reload()
      screen?.refresh(nil)
      isShown = true
    }
    if entities.contains("AssistanceRequested") {
      if let line = clock.readHelp() { say(line, .warning) }
      isShown = true
    }
    if entities.contains("Timetable") {
      if let line = clock.readRelease() { say(line, .warning) }
      if let staff = sitting?.staff.id, let line = clock.readLead(from: staff) { say(line, .error) }
      isShown = true
    }
    if entities.contains("HallMessage") {
      clock.readMessages()
      if !clock.told.isEmpty { message.clear() }
      isShown = true
    }
    if screen?.follow(rows) == true { isShown = true }
    return isShown
  }
}
