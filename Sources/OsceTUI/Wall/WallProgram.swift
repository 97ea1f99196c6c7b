import CircuitModel
import ExamStore
import Reports
import Terminal
import Timer

/// The public clock: big digits, phase and round, and nothing about any person.
@MainActor
struct WallProgram: TerminalProgram {
  /// What is shown and how it is made known.
  struct Options {
    var bell: Bell = .audible
    /// One circuit a page instead of all side by side.
    var hasPages = false
    /// The session to show, `DATE START`; nil: the current one.
    var session: String?
    var configuration = Configuration()
  }

  private let store: ExamStore
  private let theme: Theme
  private var circuits: [Circuit]
  private let options: Options
  private let monotonic: @MainActor () -> Int64
  private let state: WallState
  private var announcer: Announcer
  private var shown: [WallCircuit] = []
  /// Every run of the store: what another wall shows is announced from here too.
  private var runs: [MonitoredRun] = []
  private var messages = WallMessages()
  /// Whether another file lies where the store was.
  private var isLost = false
  /// Why the clocks could not be read the last time: they are shown as they were before.
  private var unread: SafeText = ""
  /// That the timed backup could not be made.
  private var backupWarning: SafeText = ""
  private var watch: StoreWatch
  /// How the store stands with its hub.
  private var hub = HubContact.none
  private var pollDue: Int64 = 0
  private var chooseDue: Int64 = 0
  private var backupDue: Int64 = 0
  private var changeDue = Instant.earliest
  /// When a start that is set for later comes: other runs may be shown from then on.
  private var nextStart: Instant?
  private var lastPicture = WallPicture()
  /// When the help that is open goes, by the loop's clock.
  private var helpEnd: Int64 = 0
  private static let pollInterval: Int64 = 100
  /// Milliseconds for which the help may cover the clock that everybody in the hall looks at.
  private static let helpLasts: Int64 = 15_000
  /// How often the current session is looked for again, in milliseconds.
  private static let chooseInterval: Int64 = 10_000
  /// How often the timed backup is looked at, in milliseconds.
  private static let backupInterval: Int64 = 60_000

  /// - Parameter monotonic: the loop's clock; tests give one that they set.
  init(
    _ store: ExamStore, circuits: [Circuit], theme: Theme, options: Options,
    monotonic: @escaping @MainActor () -> Int64 = { MonotonicClock.now }
  ) {
    self.store = store
    self.circuits = circuits
    self.theme = theme
    self.options = options
    self.monotonic = monotonic
    state = WallState(options, theme: theme, circuits: circuits.count)
    announcer = Announcer(bell: options.bell, hook: options.configuration.hook(store), now: store.clock.now)
    watch = StoreWatch(store)
    if let settings = try? store.read({ try ExamSettings.read($0) }) { watch.follow(zone: settings.timeZone) }
    reload()
  }

  // MARK: Update

  mutating func update(_ event: TerminalEvent) -> [TerminalEffect] {
    switch event {
    case .resized, .resumed: return []
    case .key(let key): return press(key.key)
    case .paste, .unreadable, .woken, .suspending: return [.unchanged]
    case .prerenderShown:
      reachPrerendered()
      return [.unchanged]
    case .deadline(let now): return tick(now)
    case .hangup: return leave(129)
    case .terminated(let signal): return leave(128 + signal)
    }
  }

  private func leave(_ code: Int32) -> [TerminalEffect] {
    announcer.close()
    store.close(within: 500)
    return [.exit(code)]
  }

  private mutating func press(_ key: Key) -> [TerminalEffect] {
    state.message = ""
    if state.isHelpOpen {
      state.isHelpOpen = false
      return []
    }
    if state.isLeaving {
      state.isLeaving = false
      guard key == .enter else { return [] }
      announcer.close()
      return [.exit(0)]
    }
    guard let found = state.find(key) else { return [.unchanged] }
    if case .disabled(let reason) = found.availability(state) {
      state.message = SafeText(reason)
      return []
    }
    found.handler(state, nil)
    helpEnd = monotonic() + WallProgram.helpLasts
    defer { state.effects = [] }
    return state.effects
  }

  private mutating func tick(_ now: Int64) -> [TerminalEffect] {
    let isHelpOver = state.isHelpOpen && now >= helpEnd
    if isHelpOver { state.isHelpOpen = false }
    var mayHaveChanged = isHelpOver || store.clock.now >= changeDue
    if let nextStart, store.clock.now >= nextStart {
      reload()
      mayHaveChanged = true
    }
    if now >= pollDue {
      pollDue = now + WallProgram.pollInterval
      if store.isReplaced != isLost {
        isLost.toggle()
        mayHaveChanged = true
      }
      if keepBackup(now) { mayHaveChanged = true }
      if hasNews() || !unread.isEmpty || now >= chooseDue {
        chooseDue = now + WallProgram.chooseInterval
        reload()
        mayHaveChanged = true
      }
    }
    let (line, wasFlashing) = (announcer.line, announcer.isFlashing)
    let effects = announcer.tick(runs, now: store.clock.now, loop: now)
    if line != announcer.line || wasFlashing != announcer.isFlashing { mayHaveChanged = true }
    guard mayHaveChanged else { return effects.isEmpty ? [.unchanged] : effects }
    changeDue = nextChange(after: store.clock.now)
    let picture = picture
    if picture == lastPicture, !isHelpOver { return effects.isEmpty ? [.unchanged] : effects }
    lastPicture = picture
    return effects
  }

  /// Makes the timed backup where it is due, beside the clock, and sees whether the store has a place at a hub by now.
  /// - Returns: whether something else is to be said of it than before.
  private mutating func keepBackup(_ now: Int64) -> Bool {
    if now >= backupDue {
      backupDue = now + WallProgram.backupInterval
      store.timedBackup.keep()
      UploaderKeeper.lookAgain()
    }
    let warning = store.timedBackup.warning.map { SafeText($0) } ?? ""
    defer { backupWarning = warning }
    return warning != backupWarning
  }

  /// Entities of what the wall shows.
  private static let entities: Set<String> = [
    Stored.ClockEvent.entityName, Stored.CircuitRun.entityName, Stored.HallMessage.entityName,
    Stored.Device.entityName, Stored.Config.entityName,
  ]

  /// Whether anything that the wall shows was committed since the last look; marks, which come by the second, are not.
  private mutating func hasNews() -> Bool {
    do {
      guard let changes = try watch.look() else { return false }
      let isRefused = hub.needsPerson
      hub = changes.hub
      if hub.needsPerson != isRefused { return true }
      let entities = Set(changes.rows.lazy.map(\.entity))
      return !entities.isDisjoint(with: WallProgram.entities)
    } catch {
      noteUnread(error)
      return false
    }
  }

  private mutating func noteUnread(_ error: any Error) { unread = StoreWatch.unreadLine(error) }

  /// Reads everything that is shown. What cannot be read stays as it was, and is said not to be up to date: it takes no
  /// clock, no message and no bell away.
  private mutating func reload() {
    let now = store.clock.now
    changeDue = now
    do {
      circuits = try store.read { db in try circuits.map { try $0.renamed(in: db) } }
      let shown = try circuits.flatMap { try WallCircuit.read($0, session: options.session, at: now, in: store) }
      let all = try store.read { try HallRuns.all(at: now, in: $0) }
      nextStart = try store.read { try ClockLog.nextStart(after: now, in: $0) }
      messages = try WallMessages.read(store)
      self.shown = shown
      state.clocks = shown.count
      runs = MonitoredRun.all(all) { run in
        circuits.contains(run.circuit) && (options.session == nil || options.session == run.run.session.name)
      }
      unread = ""
    } catch {
      noteUnread(error)
      if shown.isEmpty {
        shown = circuits.map { WallCircuit(circuit: $0, session: nil, fold: nil, trouble: "CLOCK NOT READ") }
      }
      // The start that has come is not asked for again at every instant.
      if let next = nextStart, next <= now { nextStart = nil }
    }
  }

  // MARK: Time

  var deadline: Int64? {
    let now = store.clock.now
    let due = min(changeDue, nextStart ?? changeDue)
    let change = monotonic() + max(0, max(due, now) - now)
    return min(pollDue, change, announcer.deadline ?? .max, state.isHelpOpen ? helpEnd : .max)
  }

  /// When anything on the screen changes next: a digit, or the minute.
  private func nextChange(after now: Instant) -> Instant {
    let wall = now.milliseconds + store.clock.wallClockLead
    let minute = now + (60_000 - ((wall % 60_000) + 60_000) % 60_000)
    return shown.compactMap { $0.nextChange(after: now) }.reduce(minute) { min($0, $1) }
  }

  /// What the frame made before its time shows, and from when on.
  private var ahead: (instant: Instant, picture: WallPicture)?

  var prerenderDue: Int64? {
    let now = store.clock.now
    guard !state.isHelpOpen, !announcer.isFlashing, changeDue > now else { return nil }
    return monotonic() + (changeDue - now)
  }

  mutating func prerender(_ size: Size) -> Canvas {
    let picture = picture(at: changeDue)
    ahead = (changeDue, picture)
    return picture.canvas(size, theme: theme, message: state.message)
  }

  private mutating func reachPrerendered() {
    guard let reached = ahead else { return }
    lastPicture = reached.picture
    changeDue = nextChange(after: reached.instant)
    ahead = nil
  }

  private var visible: [WallCircuit] {
    state.page == 0 || !shown.indices.contains(state.page - 1) ? shown : [shown[state.page - 1]]
  }

  /// Everything that the screen says, for telling whether it must be drawn.
  var picture: WallPicture { picture(at: store.clock.now) }

  private func picture(at now: Instant) -> WallPicture {
    let visible = visible
    return WallPicture(
      panels: panels(visible, at: now), messages: messages.lines(for: visible.map(\.circuit)),
      messageTexts: messages.texts(for: visible.map(\.circuit)),
      lost: isLost ? SafeText(ExamStore.replacedText) : unread, backup: backupWarning,
      missed: announcer.line ?? "",
      time: LocalTime.reading(of: now + store.clock.wallClockLead).minute,
      clockNote: note(at: now), isReversed: announcer.isFlashing)
  }

  /// What speaks against the time that is shown, else against what is shown at all: others' clocks come by the hub.
  private func note(at now: Instant) -> String {
    let lead = store.clock.doubt?.line ?? WallPicture.clockNote(lead: store.clock.wallClockLead)
    if !lead.isEmpty { return lead }
    if hub.needsPerson { return "the hub refuses this terminal; osce sync says why" }
    return hub.awaySince(at: now).map { "no hub since \(LocalTime.reading(of: $0).minute)" } ?? ""
  }

  /// One clock for circuits that show the same, to the second; else one for each, so that none moves while one pauses.
  private func panels(_ circuits: [WallCircuit], at now: Instant) -> [WallPanel] {
    let panels = circuits.map { WallPanel($0, at: now) }
    guard var first = panels.first, panels.count > 1 else { return panels }
    let times = circuits.map { $0.shownMs(at: now) }
    let isInStep = zip(panels, times).allSatisfy { panel, shown in
      panel.isInStep(with: first) && zip(shown, times[0]).allSatisfy { abs($0 - $1) < 1000 }
    }
    guard isInStep else { return panels }
    first.titles = panels.flatMap(\.titles)
    if panels.contains(where: { $0.ring != first.ring }) { first.ring = [] }
    if panels.contains(where: { $0.end != first.end }) { first.end = "" }
    return [first]
  }

  // MARK: View

  func view(_ size: Size) -> Canvas {
    if state.isHelpOpen {
      var canvas = Canvas(size: size, style: theme[.normal])
      HelpOverlay().draw(state.listing, on: &canvas, in: Rect(size), theme: theme)
      return canvas
    }
    return picture.canvas(size, theme: theme, message: state.message)
  }
}

/// What the keys of the wall change.
@MainActor
final class WallState {
  let configuration: Configuration
  let theme: Theme
  /// One clock a page instead of all side by side.
  let hasPages: Bool
  /// The clock that is shown, counted from 1; 0: all.
  var page: Int
  /// How many there are: one of each circuit, or one of each of its open runs.
  var clocks: Int
  var isHelpOpen = false
  /// Whether it is asked if the wall is to be left.
  var isLeaving = false
  var message: SafeText = ""
  var effects: [TerminalEffect] = []

  init(_ options: WallProgram.Options, theme: Theme, circuits: Int) {
    (configuration, self.theme, hasPages, clocks) = (options.configuration, theme, options.hasPages, circuits)
    page = hasPages && circuits > 0 ? 1 : 0
  }

  /// Whether there is another clock to go to.
  var hasSeveral: Bool { clocks > 1 }

  /// All clocks, then each by itself; with pages never all.
  func turnPage() { page = hasSeveral && page < clocks ? page + 1 : hasPages ? 1 : 0 }

  /// The keys as they stand now, for the help.
  var listing: BindingTable<Void> {
    BindingTable(
      WallProgram.keys.title,
      WallProgram.keys.bindings.map { key in
        Binding(
          key.name.id, key.name.keys(configuration.keys), key.label(self), help: key.help(self), group: key.name.group,
          key.availability(self), action: ())
      })
  }

  /// What a key does; nil where it means nothing.
  func find(_ key: Key) -> KeyBinding<WallState>? {
    WallProgram.keys.bindings.first { $0.name.keys(configuration.keys).contains(key) }
  }
}

extension WallProgram {
  nonisolated private static let group = "Wall"
  nonisolated private static let quit = KeyBinding<WallState>(
    "wall.quit", ["Q", "q"], "quit", help: "Quit; the exam clock keeps running (asks first)", group: group
  ) { wall, _ in
    wall.isLeaving = true
    wall.message = "Quit? Enter quits, Esc cancels; the clock goes on"
  }

  nonisolated static let keys = KeyTable<WallState>(
    "Wall",
    [
      KeyBinding(
        "wall.page", [.tab, .right, .space], "next circuit", help: "Show the next circuit, then all again",
        group: group, when: { $0.hasSeveral ? .enabled : .disabled("there is one circuit") }
      ) { wall, _ in wall.turnPage() }
      .inFooter { $0.hasSeveral },
      quit,
      KeyBinding("wall.help", ["?"], "keys", help: "All keys of this screen", group: group, inFooter: false) {
        wall, _ in wall.isHelpOpen = true
      },
      KeyBinding("wall.repaint", ["ctrl-l"], "repaint", help: "Repaint the screen", group: group, inFooter: false) {
        wall, _ in wall.effects.append(.repaint)
      },
      KeyBinding("wall.interrupt", ["ctrl-c"], "how to quit", help: "Says how to quit", group: group, inFooter: false) {
        wall, _ in
        let quit = quit.name.keys(wall.configuration.keys).first?.label(wall.theme.glyphs) ?? ""
        wall.message = quit + " quits; the exam clock keeps running"
      },
    ])
}
