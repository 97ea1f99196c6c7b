import CircuitModel
import ExamStore
import Reports
import Terminal
import Timer

/// The terminal program: hands events to what they belong to, and puts the screen together.
@MainActor
struct ScreenProgram: TerminalProgram {
  let context: AppContext
  private var pollDue: Int64 = 0
  private var editorDue: Int64 = 0
  private var housekeepingDue: Int64 = 0
  private var renewalDue: Int64 = 0
  /// What was said last of a timed backup that fails; nil: nothing is wrong with it.
  private var backupWarning: SafeText?
  private var lastKey: Int64
  var size = Size(width: 80, height: 24)

  init(_ context: AppContext) {
    self.context = context
    lastKey = context.monotonic()
    if let lost = context.store.lostLog { context.showMessage(SafeText(lost), .warning, stays: true) }
  }

  /// The keys that act now.
  var keys: ActiveKeys { ActiveKeys(context) }

  // MARK: Update

  mutating func update(_ event: TerminalEvent) -> [TerminalEffect] {
    if case .prerenderShown = event {
      if let prerenderedChange { context.clock.reach(prerenderedChange) }
      prerenderedChange = nil
      return [.unchanged]
    }
    if case .deadline(let now) = event, !tick(now) {
      defer { context.effects = [] }
      return context.effects.isEmpty ? [.unchanged] : context.effects
    }
    if prerenderedChange != nil {
      // Something else is drawn first: back to the present.
      prerenderedChange = nil
      context.screen?.clockMoved()
    }
    let pending = context.store.pendingWrites
    defer {
      context.messages.leaveSubject()
      // Lists are fitted before they are drawn, so that drawing changes nothing.
      layOut(size)
      context.effects = []
    }
    switch event {
    case .resized(let size): self.size = size
    case .key(let key):
      lastKey = context.monotonic()
      receive(.key(key))
    case .paste(let text): receive(.paste(text))
    case .unreadable:
      lastKey = context.monotonic()
      context.say("letter lost: this terminal sends no UTF-8; set it to UTF-8, and LANG=C.UTF-8", .warning, stays: true)
    case .woken: context.store.deliver()
    case .deadline, .prerenderShown: break
    case .hangup: return context.leave(129)
    case .terminated(let signal): return context.leave(128 + signal)
    case .suspending: context.overlay?.commit()
    case .resumed:
      context.clock.reload()
      context.screen?.reload()
    }
    takeWaiting()
    context.leaveOnceSaved()
    if case .key = event, context.store.pendingWrites > pending, context.effects.isEmpty, heldUntil == nil {
      heldUntil = context.monotonic() + ScreenProgram.patience
      return [.unchanged]
    }
    heldUntil = nil
    return context.effects
  }

  /// A key that saves something is drawn with what came of it; only if the disk takes longer than this, in
  /// milliseconds, is it drawn as waiting first.
  private static let patience: Int64 = 20
  private var heldUntil: Int64?

  /// Looks at the clock and, five times a second, at the store.
  /// - Returns: whether the screen shows something else now.
  private mutating func tick(_ now: Int64) -> Bool {
    let hasStarted = context.clock.followStarts()
    // What a screen reads of results does not hang on a clock that has begun.
    if hasStarted { _ = context.screen?.follow([]) }
    let hasChanged = context.screen?.passTime(now) == true
    var isChanged = context.clock.noteShown() || hasChanged || hasStarted
    if isChanged { context.screen?.clockMoved() }
    if let held = heldUntil, now >= held {
      heldUntil = nil
      isChanged = true
    }
    if now >= pollDue {
      pollDue = now + (context.screen?.pollInterval ?? 200)
      let message = context.message
      if context.follower.look(for: context.sitting?.staff.id) { isChanged = true }
      context.presence.tell(context.sitting, at: now)
      context.saves.watchPending()
      runHousekeeping(now)
      context.message.expire(at: now)
      if context.messages.hall.turn(at: now) { isChanged = true }
      if renewOverlay(now) { isChanged = true }
      if context.message != message { isChanged = true }
      if context.isIdle(since: lastKey) {
        context.overlay?.commit()
        context.lockScreen()
        isChanged = true
      }
      if now >= editorDue {
        editorDue = now + 2000
        context.overlay?.commit()
      }
    }
    return isChanged
  }

  /// Once a second: what is asked to be confirmed says what would be done by now, and what is read what holds by now.
  private mutating func renewOverlay(_ now: Int64) -> Bool {
    guard now >= renewalDue else { return false }
    switch context.overlay {
    case .confirmation(var question):
      renewalDue = now + 1000
      guard question.renew() else { return false }
      context.overlay = .confirmation(question)
      return true
    case .reader(var reader):
      let began = context.monotonic()
      // Where there is much to read, that takes no more than a small part of the time.
      defer { renewalDue = max(now + 1000, began + (context.monotonic() - began) * 20) }
      do {
        guard try reader.renew() else { return false }
      } catch {
        context.noteUnread(error)
        return true
      }
      context.overlay = .reader(reader)
      return true
    default: return false
    }
  }

  /// Trims freed memory, runs the timed backup and sees whether the store has a place at a hub by now, once a minute.
  private mutating func runHousekeeping(_ now: Int64) {
    let isDue = now >= housekeepingDue
    if isDue {
      housekeepingDue = now + 60_000
      IdleMemory.trim()
      context.store.timedBackup.keep()
      UploaderKeeper.lookAgain()
    }
    warnOfBackup(isReminder: isDue)
  }

  /// Warns of a timed backup that fails, and takes the warning away once copies are made again; marking continues.
  /// - Parameter isReminder: whether what was said before is said again.
  private mutating func warnOfBackup(isReminder: Bool) {
    let warning = context.store.timedBackup.warning.map { SafeText($0) }
    defer { backupWarning = warning }
    if let warning {
      if isReminder || warning != backupWarning { context.showMessage(warning, .warning, stays: true) }
    } else if let backupWarning, context.message.text == backupWarning {
      context.showMessage("timed backup made again")
    }
  }

  var deadline: Int64? {
    var wanted = min(pollDue, heldUntil ?? .max, context.screen?.deadline ?? .max)
    let changes = [context.clock.nextChange, context.clock.nextStart].compactMap { $0 }
    if let change = changes.min() {
      wanted = min(wanted, context.monotonic() + max(0, change - context.store.clock.now))
    }
    return wanted
  }

  // MARK: Frames before their time

  /// The change of the clock for which a frame has been made.
  private var prerenderedChange: Instant?

  var prerenderDue: Int64? {
    let now = context.store.clock.now
    guard heldUntil == nil, context.screen?.canPrerender == true, let change = context.clock.nextChange, change > now
    else {
      return nil
    }
    return context.monotonic() + (change - now)
  }

  mutating func prerender(_ size: Size) -> Canvas {
    guard let change = context.clock.nextChange else { return view(size) }
    prerenderedChange = change
    return context.clock.prerendering(change) {
      context.screen?.clockMoved()
      context.messages.leaveSubject()
      return view(size)
    }
  }

  /// Does what was typed, by the screen as it is now. Whether keys are a burst is told by when they were typed.
  func take(_ input: WaitingKeys.Input) {
    switch input {
    case .key(let key):
      context.keyTimes.add(key)
      context.messages.keyCount += 1
      press(key)
    case .paste(let text): paste(text)
    }
  }

  private func press(_ key: KeyEvent) {
    // An answer that was seen does not go on covering what the invigilator tells.
    if !context.clock.messages.isEmpty { context.message.clear() }
    // Nothing is done on a screen that cannot be seen.
    if ProgramLayout.isTooSmall(size) { return pressBlind(key) }
    if context.navigator.lock != nil { return pressLocked(key.key) }
    if let overlay = context.overlay { return pressThrough(overlay, key) ? () : pressOverlay(key) }
    if context.screen?.takes(key) == true { return }
    let keys = keys
    guard let found = keys.find(key.key) else {
      return context.showMessage("\(key.key.label(context.theme.glyphs)) does nothing here; ? lists the keys", .muted)
    }
    if case .disabled(let reason) = found.availability {
      // Another row, or another screen, has another reason.
      return context.showMessage(SafeText(reason), .warning, about: context.screen?.focusSubject)
    }
    act(found, key, keys)
  }

  /// Does what a key is for, unless the screen keeps it from that.
  /// - Parameter key: nil where it was chosen in the palette.
  func act(_ found: any BoundKey, _ key: KeyEvent?, _ keys: ActiveKeys) {
    if key == nil, found.name.range != nil {
      return context.showMessage("press the key itself; ? lists the keys", .muted)
    }
    if keys.isOwn(found.name.id), context.screen?.begins(found.name.id) == false { return }
    found.act(key)
  }

  /// A key on a terminal too small to see what it does: only what must be possible anyway.
  private func pressBlind(_ key: KeyEvent) {
    if let question = smallQuestion, context.navigator.lock == nil {
      guard passesSmallQuestion(key) else {
        // It is answered where it can be read, and left anywhere.
        return hasRoom(for: question) || key.key == .escape ? pressOverlay(key) : ()
      }
      context.overlay = nil
    }
    // What is typed into a text that is open is no command, seen or not.
    if let overlay = context.overlay, !overlay.leaves(key.key) {
      return key.key == .escape && context.navigator.lock == nil ? pressOverlay(key) : ()
    }
    let keys = keys
    guard let found = keys.find(key.key), found.availability == .enabled else { return }
    if found.name.id == EveryScreen.repaint.name.id { return found.act(key) }
    guard context.navigator.lock == nil, found.name.reach != .seen else { return }
    act(found, key, keys)
  }

  /// Whether a key does what must be possible whatever is asked: a call for help, in an alarm a pause.
  private func passesSmallQuestion(_ key: KeyEvent) -> Bool {
    guard let found = keys.find(key.key), found.availability == .enabled else { return false }
    return found.name.reach == .urgent
  }

  /// The question before the program is left as it stands where no box has room; nil where it is not asked.
  var smallQuestion: SafeText? {
    guard context.navigator.asksToQuit, case .question(let question) = context.overlay else { return nil }
    return question.line(context.theme.glyphs)
  }

  private func hasRoom(for question: SafeText) -> Bool {
    SafeText.wrap(question.plain, to: max(1, size.width)).count <= size.height - 2
  }

  private func pressLocked(_ key: Key) {
    switch key {
    case "ctrl-l": context.effects.append(.repaint)
    case "ctrl-q": quitLocked()
    default:
      switch context.navigator.lock?.update(key) {
      case .unlocked:
        context.navigator.lock = nil
        context.screen?.reload()
      case .passcode(let typed): unlock(typed)
      case .open, nil: break
      }
    }
  }

  /// Leaves once everything is saved. Where that does not come about, the key says what would be lost, and then leaves.
  private func quitLocked() {
    if !context.navigator.isLeaving {
      context.overlay?.commit()
      context.unsaved = UnsavedWork()
      context.navigator.isLeaving = true
    } else if context.navigator.lock?.hasWarned == true, let since = context.keyTimes.sinceSame,
      since >= KeyPace.reading
    {
      context.effects += context.leave(0)
    } else {
      // Anybody reads what stands under the lock: no change is named.
      let saved = context.savedText(naming: 0).plain.withCapital
      context.navigator.lock?.warn("\(saved). Ctrl-Q again quits now and LOSES these changes.")
    }
  }

  private func unlock(_ typed: String) {
    guard let member = context.navigator.lock?.member else { return }
    context.prove(member, typed) { [context] result in
      context.navigator.lock?.take(result)
      guard context.navigator.lock?.isOpened == true else { return }
      context.navigator.lock = nil
      // The store may have been enrolled since this person sat down.
      HubPresence.keep(typed, of: member, at: context.store.location)
    }
  }

  func layOut(_ size: Size) {
    let body = ProgramLayout(size).body
    context.navigator.isTooSmall = ProgramLayout.isTooSmall(size)
    context.messages.hall.follow(context.clock.notices, width: size.width, at: context.monotonic())
    context.screen?.layOut(under(candidateLine, body))
    if case .editor(let editor) = context.overlay { editor.area.viewport = overlayLayout(size).body.size }
  }
}
