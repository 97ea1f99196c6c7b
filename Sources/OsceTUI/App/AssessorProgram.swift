import CircuitModel
import Terminal
import Timer

/// The terminal program: hands events to what they belong to, and puts the screen together.
@MainActor
struct AssessorProgram: TerminalProgram {
  let context: AppContext
  private var pollDue: Int64 = 0
  private var editorDue: Int64 = 0
  private var backupDue: Int64 = 0
  private var lastKey: Int64
  private var size = Size(width: 80, height: 24)

  init(_ context: AppContext) {
    self.context = context
    lastKey = context.monotonic()
  }

  // MARK: Keys of every screen

  static let common = BindingTable<Command>(
    "Everywhere",
    [
      Binding(
        "move", ["j", "k", "down", "up", "g", "G", "home", "end", "pgup", "pgdn"], "move",
        help: "Next, previous, first, last, a page", group: "Everywhere", inFooter: false,
        keysLabel: "j k g G arrows page", action: .move),
      Binding(
        "help", ["?"], "keys", help: "All keys of this screen", group: "Everywhere", inFooter: false,
        action: .help),
      Binding(
        "palette", [":"], "actions", help: "Every action by name", group: "Everywhere", inFooter: false,
        action: .palette),
      Binding(
        "repaint", ["ctrl-l"], "repaint", help: "Paint the screen anew", group: "Everywhere", inFooter: false,
        action: .repaint),
      Binding("back", ["q"], "back", help: "Back to the screen before", group: "Everywhere", action: .back),
      Binding(
        "quit", ["Q"], "quit", help: "Leave the program; asks if work is open", group: "Everywhere",
        inFooter: false, action: .quit),
      Binding(
        "leave", ["esc"], "leave", help: "Leave what lies over the screen; never the program",
        group: "Everywhere", inFooter: false, action: .escape),
      Binding(
        "interrupt", ["ctrl-c"], "how to quit", help: "Says how to quit", group: "Everywhere",
        inFooter: false, action: .explainQuit),
    ])

  /// The keys of the shown screen and of every screen, made once for each event.
  var table: BindingTable<Command> {
    if let made, made.screen === context.screen { return made.table }
    return makeTable()
  }

  private var made: (screen: (any AppScreen)?, table: BindingTable<Command>)?

  private func makeTable() -> BindingTable<Command> {
    let common = AssessorProgram.common
    guard let own = context.screen?.bindings else { return common.remapped(context.configuration.keys) }
    let taken = Set(own.bindings.flatMap(\.keys))
    let types = context.screen?.typesText == true
    let fitting = common.bindings.filter { binding in
      // Where letters are typed they mean nothing else.
      let isTyped = types && binding.keys.contains { $0.typed != nil && $0 != "?" && $0 != ":" }
      return !isTyped && Set(binding.keys).isDisjoint(with: taken)
    }
    return own.appending(BindingTable("", fitting)).remapped(context.configuration.keys)
  }

  // MARK: Update

  mutating func update(_ event: TerminalEvent) -> [TerminalEffect] {
    if case .foreseenShown = event {
      if let foreseenChange { context.clock.reach(foreseenChange) }
      foreseenChange = nil
      return [.unchanged]
    }
    if case .deadline(let now) = event, !tick(now) {
      defer { context.effects = [] }
      return context.effects.isEmpty ? [.unchanged] : context.effects
    }
    if foreseenChange != nil {
      // Something else is drawn first: back to the present.
      foreseenChange = nil
      context.screen?.clockMoved()
    }
    let pending = context.store.pendingWrites
    defer {
      // Lists are fitted before they are drawn, so that drawing changes nothing.
      layOut(size)
      made = (context.screen, makeTable())
      context.effects = []
    }
    switch event {
    case .resized(let size): self.size = size
    case .key(let key):
      lastKey = context.monotonic()
      press(key)
    case .paste(let text): paste(text)
    case .woken: context.store.deliver()
    case .deadline, .foreseenShown: break
    case .hangup: return leave(129)
    case .terminated(let signal): return leave(128 + signal)
    case .suspending: commitEditor()
    case .resumed:
      context.clock.reload()
      context.screen?.refresh(nil)
    }
    if context.isLeaving && context.store.pendingWrites == 0 { context.effects += leave(0) }
    if case .key = event, context.store.pendingWrites > pending, context.effects.isEmpty, heldUntil == nil {
      heldUntil = context.monotonic() + AssessorProgram.patience
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
    let wasFlashing = context.screen?.isFlashing
    context.screen?.passTime(now)
    var isChanged = context.clock.hasMoved() || context.screen?.isFlashing != wasFlashing
    if isChanged { context.screen?.clockMoved() }
    if let held = heldUntil, now >= held {
      heldUntil = nil
      isChanged = true
    }
    if now >= pollDue {
      pollDue = now + (context.screen?.pollInterval ?? 200)
      let message = context.message
      if context.pollStore() { isChanged = true }
      context.watchPending()
      keepBackup(now)
      context.message.expire(at: now)
      if context.message != message { isChanged = true }
      if context.isIdle(since: lastKey) {
        commitEditor()
        context.lockScreen()
        isChanged = true
      }
      if now >= editorDue {
        editorDue = now + 2000
        commitEditor()
      }
    }
    return isChanged
  }

  /// Once a minute: the timed backup, whose failure is a warning and never stops marking.
  private mutating func keepBackup(_ now: Int64) {
    guard now >= backupDue else { return }
    backupDue = now + 60_000
    if let warning = context.store.timedBackup.warning { context.say(SafeText(warning), .warning) }
    context.store.timedBackup.keep()
  }

  var deadline: Int64? {
    var wanted = min(pollDue, heldUntil ?? .max, context.screen?.deadline ?? .max)
    if let change = context.clock.nextChange {
      wanted = min(wanted, context.monotonic() + max(0, change - context.store.clock.now))
    }
    return wanted
  }

  // MARK: Frames before their time

  /// The change of the clock for which a frame has been made.
  private var foreseenChange: Instant?

  var foreseen: Int64? {
    let now = context.store.clock.now
    guard heldUntil == nil, context.screen?.canForesee == true, let change = context.clock.nextChange, change > now
    else {
      return nil
    }
    return context.monotonic() + (change - now)
  }

  mutating func foresee(_ size: Size) -> Canvas {
    guard let change = context.clock.nextChange else { return view(size) }
    foreseenChange = change
    return context.clock.foreseeing(change) {
      context.screen?.clockMoved()
      return view(size)
    }
  }

  private func press(_ key: KeyEvent) {
    // Nothing is done on a screen that cannot be seen.
    if Layout.isTooSmall(size) {
      if key.key == "ctrl-l" { context.effects.append(.repaint) }
      return
    }
    if context.lock != nil { return pressLocked(key.key) }
    if context.overlay != nil { return pressOverlay(key) }
    if context.screen?.takes(key) == true { return }
    switch table.dispatch(key.key) {
    case .action(let command): perform(command, key)
    case .refused(let reason): context.say(SafeText(reason), .warning)
    case .unbound: context.say("\(key.key.label(context.theme.glyphs)) does nothing here; ? lists the keys", .muted)
    }
  }

  private func perform(_ command: Command, _ key: KeyEvent?) {
    switch command {
    case .help: context.overlay = .help(HelpOverlay())
    case .palette: context.overlay = .palette(Palette())
    case .repaint: context.effects.append(.repaint)
    case .escape: context.message.clear()
    case .explainQuit:
      let key = table.bindings.first { $0.action == .quit }?.keys.first?.label(context.theme.glyphs) ?? "Q"
      context.say("to quit press " + key + "; " + SafeText(savedText), .normal)
    case .back:
      guard context.screen?.mayGoBack() != false else { return }
      if !context.pop() { askToQuit() }
    case .quit: askToQuit()
    case .move where key == nil, .level where key == nil:
      context.say("this is done with its keys, which ? lists", .muted)
    default: context.screen?.perform(command, key)
    }
  }

  /// Whether everything is on the disk, in words.
  private var savedText: String {
    switch context.store.pendingWrites {
    case 0: "everything is saved"
    case 1: "1 change still waits for the disk"
    case let count: "\(count) changes still wait for the disk"
    }
  }

  private func askToQuit() {
    let text = savedText
    if context.isLeaving {
      return context.ask(
        "Leave without waiting?", "\(text). Leaving now LOSES what waits.",
        [
          ("L", "leave and lose it", { context.effects += leave(0) })
        ])
    }
    context.ask(
      "Quit osce?", "\(text.prefix(1).uppercased() + text.dropFirst()).",
      [
        (
          "y", "quit",
          {
            commitEditor()
            context.isLeaving = true
            context.say("osce ends when everything is on the disk", .warning)
          }
        )
      ])
  }

  private func commitEditor() {
    switch context.overlay {
    case .editor(let editor): editor.commit()
    case .form(let session): session.commit()
    default: break
    }
  }

  /// Ends the program: what is typed is saved first, within the second that a lost terminal leaves.
  private func leave(_ code: Int32) -> [TerminalEffect] {
    commitEditor()
    if let sitting = context.sitting {
      context.store.submit(context.author, { try sitting.end(in: $0) }) { _ in }
    }
    context.store.close(within: 600)
    return [.exit(code)]
  }

  // MARK: Overlays

  private func pressOverlay(_ key: KeyEvent) {
    let context = self.context
    switch context.overlay {
    case .help(var help):
      let body = Layout(size).body
      let lines = HelpOverlay.lineCount(table, width: body.width - 4)
      let isOpen = help.update(key.key, lines: lines, height: body.height - 2)
      context.overlay = isOpen ? .help(help) : nil
    case .palette(var palette):
      switch palette.update(key.key, table) {
      case .chosen(let command):
        context.overlay = nil
        perform(command, nil)
      case .refused(let reason):
        context.overlay = nil
        context.say(SafeText(reason), .warning)
      case .closed: context.overlay = nil
      case .open: context.overlay = .palette(palette)
      }
    case .question(let modal, let actions):
      switch modal.update(key.key) {
      case .answered(let index):
        context.overlay = nil
        actions[index]()
      case .dismissed: context.overlay = nil
      case .open: break
      }
    case .prompt(var field, let done):
      switch key.key {
      case .enter:
        context.overlay = nil
        done(field.text)
      case .escape: context.overlay = nil
      default:
        _ = field.update(key.key)
        context.overlay = .prompt(field, done)
      }
    case .confirmation(var confirmation):
      switch confirmation.update(key.key) {
      case .confirmed(let reason):
        context.overlay = nil
        confirmation.act(reason)
      case .refused(let text): context.say(text, .warning)
      case .dismissed: context.overlay = nil
      case .open: context.overlay = .confirmation(confirmation)
      }
    case .editor(let editor):
      switch editor.update(key.key) {
      case .finished:
        editor.commit()
        context.overlay = nil
      case .refused(let reason): context.say(SafeText(reason), .warning)
      case .edited, .moved, .ignored: break
      }
    case .form(let session):
      let step = session.update(key.key)
      if let text = step.says { context.say(SafeText(text), .warning) }
      if step.closes { context.overlay = nil }
    case .checklist(let session):
      switch session.list.update(key.key, count: session.rows().count) {
      case .toggled(let row): session.toggle(row)
      case .closed: context.overlay = nil
      case .open: break
      }
    case .reader(var reader):
      if key.key == .escape || key.key == "q" || key.key == .enter {
        context.overlay = nil
      } else {
        reader.update(key.key, Layout(size).body.size)
        context.overlay = .reader(reader)
      }
    case nil: break
    }
  }

  private func pressLocked(_ key: Key) {
    switch key {
    case "ctrl-l": context.effects.append(.repaint)
    case "ctrl-q":
      commitEditor()
      context.isLeaving = true
    default:
      switch context.lock?.update(key) {
      case .unlocked:
        context.lock = nil
        context.screen?.refresh(nil)
      case .passcode(let typed): context.lock?.check(typed, context.store)
      case .open, nil: break
      }
      if context.lock?.isOpened == true { context.lock = nil }
    }
  }

  private func paste(_ text: String) {
    if context.lock != nil { return }
    switch context.overlay {
    case .prompt(var field, let done):
      field.paste(text)
      context.overlay = .prompt(field, done)
    case .confirmation(var confirmation):
      confirmation.paste(text)
      context.overlay = .confirmation(confirmation)
    case .palette(var palette):
      palette.paste(text)
      context.overlay = .palette(palette)
    case .editor(let editor):
      if case .refused(let reason) = editor.area.paste(text) { context.say(SafeText(reason), .warning) }
    case .form(let session):
      if case .refused(let reason) = session.form.paste(text) { context.say(SafeText(reason), .warning) }
    case .help, .question, .reader, .checklist: break
    case nil: context.screen?.paste(text)
    }
  }

  // MARK: View

  private struct Layout {
    let clock: Rect
    let heading: Rect
    let body: Rect
    let message: Rect
    let footer: Rect

    init(_ size: Size) {
      let all = Rect(size)
      clock = all.row(0)
      heading = all.row(1)
      footer = all.row(size.height - 1)
      message = all.row(size.height - 2)
      body = all.rows(2, max(0, size.height - 4))
    }

    /// Whether a terminal shows too little to be marked on: under 64 columns five levels with their word leave no room
    /// for the item's text; under 18 rows the focused item in full leaves fewer than five rows of the list.
    static func isTooSmall(_ size: Size) -> Bool { size.width < 64 || size.height < 18 }
  }

  private func layOut(_ size: Size) {
    let body = Layout(size).body
    context.screen?.layOut(body)
    if case .editor(let editor) = context.overlay { editor.area.viewport = body.size }
  }

  func view(_ size: Size) -> Canvas {
    let theme = context.theme
    var canvas = Canvas(size: size, style: theme[.normal])
    let layout = Layout(size)
    guard let screen = context.screen else { return canvas }
    context.clock.draw(on: &canvas, in: layout.clock, theme: theme, screen: SafeText(table.title))
    draw(screen.heading, on: &canvas, in: layout.heading)
    if Layout.isTooSmall(size) {
      canvas.drawWrapped(
        "Make the terminal 80 by 24 to mark; nothing is lost.",
        in: Rect(size).rows(2, size.height - 2), style: theme[.warning])
      return canvas
    }
    if let lock = context.lock {
      lock.draw(on: &canvas, in: layout.body, footer: layout.footer, theme: theme)
      return canvas
    }
    screen.draw(on: &canvas, in: layout.body)
    drawMessage(on: &canvas, in: layout.message)
    if let overlay = context.overlay {
      canvas.draw(overlay.footer(theme.glyphs), in: layout.footer, style: theme[.muted])
    } else {
      let shown = BindingTable("", table.bindings.filter { screen.showsInFooter($0) })
      Footer.draw(shown, on: &canvas, in: layout.footer, theme: theme)
    }
    drawOverlay(on: &canvas, layout)
    if screen.isFlashing { canvas.reverse() }
    return canvas
  }

  /// Draws the answer to the last key; once that is gone, what the invigilator tells this station.
  private func drawMessage(on canvas: inout Canvas, in region: Rect) {
    if context.message.text.isEmpty, let told = context.clock.messages.last {
      canvas.draw(SafeText(" MESSAGE: \(told) "), in: region, style: context.theme[.alarm])
    } else {
      context.message.draw(on: &canvas, in: region, theme: context.theme)
    }
  }

  private func draw(_ heading: Heading, on canvas: inout Canvas, in region: Rect) {
    let theme = context.theme
    let waiting = context.hub.waiting
    let trailing = heading.trailing + context.clock.helpNote + (waiting > 0 ? "  \(waiting) waiting for the hub" : "")
    let (right, left) = region.splitRight(min(trailing.width, region.width / 2))
    canvas.draw(trailing, in: right, style: theme[.muted])
    let badge: SafeText = heading.badge.isEmpty ? "" : " " + heading.badge + " "
    let end = canvas.draw(badge, in: left, style: theme[heading.isAlarm ? .alarm : .heading])
    let rest = left.columns(end - left.x + (badge.isEmpty ? 0 : 1), left.width)
    canvas.draw(heading.text.truncated(to: max(0, rest.width - 1)), in: rest, style: theme[.heading])
  }

  private func drawOverlay(on canvas: inout Canvas, _ layout: Layout) {
    let theme = context.theme
    switch context.overlay {
    case .help(let help): help.draw(table, on: &canvas, in: layout.body, theme: theme)
    case .palette(let palette): palette.draw(table, on: &canvas, in: layout.body, theme: theme)
    case .question(let modal, _): modal.draw(on: &canvas, in: layout.body, theme: theme)
    case .prompt(let field, _):
      canvas.fill(layout.message, style: theme[.normal])
      field.draw(on: &canvas, in: layout.message, theme: theme)
    case .confirmation(let confirmation):
      confirmation.draw(on: &canvas, above: layout.footer, in: layout.body, theme: theme)
    case .editor(let editor):
      canvas.fill(layout.body, style: theme[.normal])
      editor.draw(on: &canvas, in: layout.body, theme: theme)
    case .form(let session): session.form.draw(on: &canvas, in: layout.body, theme: theme)
    case .checklist(let session):
      session.list.draw(title: session.title, session.rows(), on: &canvas, in: layout.body, theme: theme)
    case .reader(let reader): reader.draw(on: &canvas, in: layout.body, theme: theme)
    case nil: break
    }
  }
}
