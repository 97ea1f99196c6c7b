import CircuitModel
import Journal
import Terminal
import Timer

/// The invigilator's desk: the clocks' controls, and a page for each thing that she looks after.
@MainActor
final class DeskScreen: AppScreen {
  private let desk: Desk
  private let pages: [any DeskPage]
  private var shown = 0
  private var announcer: Announcer
  private var context: AppContext { desk.context }

  init(_ context: AppContext, circuits: [Circuit]) {
    let desk = Desk(context, circuits: circuits)
    self.desk = desk
    pages = [
      HallPage(desk), HelpPage(desk), ClearancePage(desk), IncidentsPage(desk), TimelinePage(desk),
      CandidatesPage(desk), RerunPage(desk), MessagesPage(desk), ReadinessPage(desk),
    ]
    let configuration = context.configuration
    announcer = Announcer(
      bell: configuration.bell ?? .none, hook: configuration.hook(context.store), now: context.store.clock.now)
    reloadPages()
    if desk.circuit?.trouble != nil { chooseSession() }
  }

  // MARK: Keys

  var bindings: BindingTable<Command> {
    let own = pages[shown].bindings
    let taken = Set(own.flatMap(\.keys))
    return BindingTable(
      "Desk, \(pages[shown].name)",
      own
        + DeskKeys.all(desk, pages: pages.map(\.name)).filter { binding in
          Set(binding.keys).isDisjoint(with: taken)
        })
  }

  var isAtStation: Bool { true }

  var pollInterval: Int64 { 100 }

  var canForesee: Bool { false }

  var deadline: Int64? { announcer.deadline }

  var isFlashing: Bool { announcer.isFlashing }

  /// Makes the announcements that are due; silent unless the configuration says otherwise.
  func passTime(_ now: Int64) {
    let line = announcer.line
    let folds = desk.circuits.compactMap { circuit in circuit.fold.map { (circuit.circuit.name, $0) } }
    context.effects += announcer.tick(folds: folds, now: desk.now, loop: now)
    if let said = announcer.line, announcer.line != line { context.say(said, .warning) }
  }

  var heading: Heading {
    let now = desk.now
    let status = desk.state?.status
    let forecast = desk.circuit?.fold?.forecast(at: now)
    var text = desk.session.map { "\($0.date) \($0.startTime)" } ?? desk.circuit?.trouble ?? "no circuit"
    if let forecast {
      text += "   ends \(LocalTime.reading(of: forecast.end).minute)"
      let delay = abs(forecast.delayMs) / 1000
      if delay > 0 { text += ", \(PhaseText.digits(delay * 1000)) \(forecast.delayMs > 0 ? "late" : "early")" }
    }
    let scope = desk.actsOnAll && desk.circuits.count > 1 ? "keys act on ALL circuits" : ""
    return Heading(
      badge: status == .paused ? "PAUSED" : status == .waiting ? "WAITING" : "", isAlarm: status == .paused,
      text: SafeText(text), trailing: SafeText(scope))
  }

  func perform(_ command: Command, _ key: KeyEvent?) {
    switch command {
    case .move: if let key { _ = pages[shown].table.update(key.key) }
    case .desk(.page(let number)):
      shown = min(max(0, number - 1), pages.count - 1)
      reloadPages()
    case .desk(.nextCircuit):
      desk.next()
      reloadPages()
    case .desk(.allCircuits): desk.actsOnAll.toggle()
    case .desk(.chooseSession): chooseSession()
    case .desk(.whichTime): DeskTime(desk: desk).ask()
    case .desk(let asked) where asked.isOfTheClock: DeskControls(desk: desk).perform(asked, key)
    default: pages[shown].perform(command)
    }
  }

  /// Asks which session of the circuit is looked after: never a silent choice where two are open.
  private func chooseSession() {
    guard let circuit = desk.circuit?.circuit else { return }
    do {
      let now = desk.now
      let sessions = try context.store.read { db in
        try Session.all(of: circuit.id, in: db).map { session in
          (session, try Run.all(of: session, in: db).contains { $0.isOpen(at: now) })
        }
      }
      let keys = Array("123456789")
      context.ask(
        "Which session of \(SafeText(circuit.name))?", desk.circuit?.trouble ?? "The one looked after from now on.",
        zip(keys, sessions).map { key, offered in
          (
            .character(key), SafeText(offered.0.name + (offered.1 ? "  (its clock is open)" : "")),
            { [self] in
              desk.choose(offered.0)
              reloadPages()
            }
          )
        })
    } catch { context.complain(error) }
  }

  // MARK: Reading

  func refresh(_ rows: Set<RowKey>?) {
    desk.reload()
    reloadPages()
  }

  /// Reads the shown page, and those whose count calls for the invigilator; the others are read when they are shown.
  private func reloadPages() {
    do {
      for (index, page) in pages.enumerated() where index == shown || page.callsForAttention { try page.reload() }
    } catch { context.complain(error) }
  }

  func clockMoved() {
    guard pages[shown].followsTheClock else { return }
    do { try pages[shown].reload() } catch { context.complain(error) }
  }

  // MARK: Drawing

  private func parts(_ region: Rect) -> (clocks: Rect, tabs: Rect, page: Rect) {
    let (clocks, rest) = region.splitTop(region.height >= 30 ? 9 : desk.circuits.count > 1 ? 1 : 0)
    let (tabs, page) = rest.splitTop(1)
    return (clocks, tabs, page.rows(0, page.height))
  }

  func layOut(_ region: Rect) {
    pages[shown].fit(width: region.width)
    pages[shown].table.selection.page = max(1, parts(region).page.height - 1 - DeskListingLayout.detailHeight)
  }

  func draw(on canvas: inout Canvas, in region: Rect) {
    let (clocks, tabs, page) = parts(region)
    DeskClocks(desk: desk).draw(on: &canvas, in: clocks, theme: context.theme)
    drawTabs(on: &canvas, in: tabs)
    pages[shown].draw(on: &canvas, in: page)
  }

  private func drawTabs(on canvas: inout Canvas, in region: Rect) {
    let theme = context.theme
    var x = region.x
    for (index, page) in pages.enumerated() {
      let count = page.count > 0 ? " \(page.count)" : ""
      let text = SafeText(" \(index + 1) \(page.name)\(count)")
      let role: Role = index == shown ? .focus : page.count > 0 ? .warning : .muted
      canvas.draw(text, at: Point(x: x, y: region.y), style: theme[role], in: region)
      x += text.width
    }
  }
}

extension DeskCommand {
  /// Whether it moves a clock.
  var isOfTheClock: Bool {
    switch self {
    case .start, .pause, .resume, .addTime, .takeTime, .extend, .skip, .restart, .jump, .rounds, .stop, .undo: true
    default: false
    }
  }
}
