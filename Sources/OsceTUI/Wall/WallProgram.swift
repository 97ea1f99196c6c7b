import CircuitModel
import Terminal
import Timer

/// The public clock: big digits, phase and round, and nothing about any person.
@MainActor
struct WallProgram: TerminalProgram {
  private let store: ExamStore
  private let theme: Theme
  private let circuits: [Circuit]
  private let ringsBell: Bool
  private var shown: [WallCircuit] = []
  private var page = 0
  private var isHelpOpen = false
  private var message = ""
  private var lastVersion = -1
  private var pollDue: Int64 = 0
  private var chooseDue: Int64 = 0
  private var heardUntil: Instant
  private var lastPicture: [String] = []
  private static let pollInterval: Int64 = 100
  /// How often the session that is meant is looked for anew, in milliseconds.
  private static let chooseInterval: Int64 = 10_000

  init(_ store: ExamStore, circuits: [Circuit], theme: Theme, ringsBell: Bool) {
    self.store = store
    self.circuits = circuits
    self.theme = theme
    self.ringsBell = ringsBell
    heardUntil = store.clock.now
    reload()
  }

  // MARK: Keys

  private enum Action: Sendable {
    case page, help, repaint, quit, explain
  }

  private static let bindings = BindingTable<Action>(
    "Wall",
    [
      Binding(
        "wall.page", [.tab, .right, .space], "next circuit", help: "Show the next circuit, then all again",
        group: "Wall", action: .page),
      Binding(
        "wall.help", ["?"], "keys", help: "All keys of this screen", group: "Wall", inFooter: false, action: .help),
      Binding(
        "wall.repaint", ["ctrl-l"], "repaint", help: "Paint the screen anew", group: "Wall", inFooter: false,
        action: .repaint),
      Binding(
        "wall.quit", ["Q", "q"], "quit", help: "Leave the wall; the clock goes on", group: "Wall", action: .quit),
      Binding(
        "wall.interrupt", ["ctrl-c"], "how to quit", help: "Says how to quit", group: "Wall", inFooter: false,
        action: .explain),
    ])

  // MARK: Update

  mutating func update(_ event: TerminalEvent) -> [TerminalEffect] {
    switch event {
    case .resized, .resumed: return []
    case .key(let key): return press(key.key)
    case .paste, .woken, .suspending, .foreseenShown: return [.unchanged]
    case .deadline(let now): return tick(now)
    case .hangup:
      store.close(within: 500)
      return [.exit(129)]
    case .terminated(let signal):
      store.close(within: 500)
      return [.exit(128 + signal)]
    }
  }

  private mutating func press(_ key: Key) -> [TerminalEffect] {
    message = ""
    if isHelpOpen {
      isHelpOpen = false
      return []
    }
    guard case .action(let action) = WallProgram.bindings.dispatch(key) else { return [.unchanged] }
    switch action {
    case .page: page = shown.count > 1 ? (page + 1) % (shown.count + 1) : 0
    case .help: isHelpOpen = true
    case .repaint: return [.repaint]
    case .explain: message = "to quit press Q; the clock goes on"
    case .quit: return [.exit(0)]
    }
    return []
  }

  private mutating func tick(_ now: Int64) -> [TerminalEffect] {
    if now >= pollDue {
      pollDue = now + WallProgram.pollInterval
      let version = (try? store.dataVersion()) ?? lastVersion
      if version != lastVersion || now >= chooseDue {
        lastVersion = version
        chooseDue = now + WallProgram.chooseInterval
        reload()
      }
    }
    var effects: [TerminalEffect] = []
    if ring() { effects.append(.bell) }
    let picture = picture
    if picture == lastPicture { return effects.isEmpty ? [.unchanged] : effects }
    lastPicture = picture
    return effects
  }

  private mutating func reload() {
    let now = store.clock.now
    shown = circuits.map { WallCircuit.read($0, at: now, in: store) }
  }

  /// Whether something is due that may still be heard: once an instant, whatever the number of circuits, and never
  /// more than half a second late.
  private mutating func ring() -> Bool {
    let now = store.clock.now
    defer { heardUntil = now }
    guard ringsBell, now > heardUntil else { return false }
    let due = shown.flatMap { circuit in
      circuit.fold.map { Announcements.between($0, from: heardUntil, to: now) } ?? []
    }
    return !Announcements.due(due, at: now).sound.isEmpty
  }

  var deadline: Int64? {
    let now = store.clock.now
    let changes = shown.compactMap { $0.fold?.nextChange(after: now) }
    // The wall clock's second.
    let second = now + (1000 - (now.milliseconds + store.clock.wallClockLead) % 1000)
    let next = (changes + [second]).min() ?? second
    return min(pollDue, MonotonicClock.now + max(0, next - now))
  }

  /// Everything that the screen says, for telling whether it must be drawn.
  private var picture: [String] {
    let now = store.clock.now
    return shown.map { circuit in
      let panel = WallPanel(circuit, at: now)
      return [panel.title, panel.phase, panel.digits, panel.alert, panel.next, panel.plan].joined(separator: "\n")
    } + [wallTime]
  }

  private var wallTime: String { LocalTime.reading(of: Instant(milliseconds: store.clock.wall)).time }

  // MARK: View

  func view(_ size: Size) -> Canvas {
    var canvas = Canvas(size: size, style: theme[.normal])
    let all = Rect(size)
    let (footer, body) = all.splitBottom(1)
    if isHelpOpen {
      HelpOverlay().draw(WallProgram.bindings, on: &canvas, in: body, theme: theme)
      return canvas
    }
    let now = store.clock.now
    let circuits = page == 0 || !shown.indices.contains(page - 1) ? shown : [shown[page - 1]]
    // Side by side while each has the width that its digits need, else one above the other.
    let fits = max(1, min(circuits.count, size.width / 40))
    let rows = (circuits.count + fits - 1) / max(1, fits)
    for (index, circuit) in circuits.enumerated() {
      let width = body.width / fits
      let height = body.height / max(1, rows)
      let region = Rect(x: (index % fits) * width, y: (index / fits) * height, width: width, height: height)
      WallPanel(circuit, at: now).draw(on: &canvas, in: region, theme: theme)
    }
    if circuits.isEmpty { canvas.draw("This exam has no circuit", in: body, row: 2, .centre, style: theme[.muted]) }
    let (right, left) = footer.splitRight(min(10, footer.width))
    canvas.draw(SafeText(wallTime), in: right, .right, style: theme[.heading])
    canvas.draw(SafeText(message.isEmpty ? "Tab circuit  Q quit  ? keys" : message), in: left, style: theme[.muted])
    return canvas
  }
}
