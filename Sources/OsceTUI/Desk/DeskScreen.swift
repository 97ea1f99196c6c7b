import CircuitModel
import ExamStore
import Journal
import Reports
import Terminal
import Timer

/// The invigilator's desk: the clocks' controls, and a page for each thing that she looks after.
@MainActor
final class DeskScreen: Searchable {
  let desk: Desk
  private let pages: [any DeskPage]
  private var shown = 0
  private var announcer: Announcer
  private var lookedAt = Instant.earliest
  private let attention: DeskAttention
  private var lastClocks: [DeskClocks.Line] = []
  private var lastAttention = DeskAttention.Line()
  private var lastChases: [String] = []
  private var lastStops: [Int64] = []
  private var lastTick: Int64?
  var context: AppContext { desk.context }

  /// What the desk begins with.
  struct Setup {
    var circuits: [Circuit] = []
    /// The sessions to look after; a circuit without one shows what is on.
    var sessions: [Session] = []
    /// How announcements and calls for help are made known; nil: as the configuration has it, else calls alone are.
    var bell: Bell?
  }

  init(_ context: AppContext, _ beginning: Setup) {
    let desk = Desk(context, circuits: beginning.circuits, sessions: beginning.sessions)
    self.desk = desk
    pages = DeskScreen.pages.map { $0.init(desk) }
    let configuration = context.configuration
    let bell = beginning.bell ?? configuration.bell
    attention = DeskAttention(desk, bell: bell)
    announcer = Announcer(
      bell: bell ?? .none, hook: configuration.hook(context.store),
      now: context.store.clock.now)
    readPages()
    readAttention()
    askIfUndecided()
  }

  /// - Parameter entities: those of which rows were changed; nil: any.
  private func readAttention(_ entities: Set<String>? = nil) {
    do {
      if entities?.contains(Stored.AssistanceRequested.entityName) != false { try attention.readCalls() }
      if entities.map({ !$0.isDisjoint(with: DeskAttention.entities) }) != false {
        try attention.readActions(entities)
      }
    } catch { context.noteUnread(error) }
  }

  // MARK: Keys

  nonisolated static let keys = KeyTable<DeskScreen>("Desk", at: .desk, DeskKeys.all)

  /// The pages, in the order in which the desk shows them.
  nonisolated static let pages: [any DeskPage.Type] = [
    HallPage.self, HelpPage.self, ClearancePage.self, IncidentsPage.self, TimelinePage.self, CandidatesPage.self,
    RerunPage.self, MessagesPage.self, ReadinessPage.self,
  ]

  /// The keys of each page, in the order of the pages.
  nonisolated static let pageTables: [(name: String, names: [KeyName])] = pages.map { table(of: $0) }

  nonisolated private static func table<Page: DeskPage>(of page: Page.Type) -> (name: String, names: [KeyName]) {
    (page.keys.title, page.keys.names)
  }

  var title: String { "Desk, \(pages[shown].name)" }

  /// A page's own keys before those of the desk.
  var keySources: [any KeySource] { [pages[shown].keySource, BoundTable(DeskScreen.keys, self)] }

  var pollInterval: Int64 { 100 }

  var canPrerender: Bool { false }

  /// When a digit of any circuit or of anybody's extra time changes, or the announcer wants to act.
  var deadline: Int64? {
    let now = desk.now
    let clocks = desk.circuits.compactMap { $0.fold?.nextChange(after: lookedAt) }
    // Extra time runs on while the clock waits or is paused.
    let stops = desk.extraTimeLeft(at: lookedAt).map { lookedAt + $0 - (PhaseText.shownSeconds($0) - 1) * 1000 }
    let changes = (clocks + stops).map { context.monotonic() + max(0, $0 - now) }
    return (changes + [announcer.deadline].compactMap { $0 }).min()
  }

  var isFlashing: Bool { announcer.isFlashing }

  /// Looks at every clock and makes the announcements that are due; silent unless the configuration says otherwise.
  func passTime(_ now: Int64) -> Bool {
    // Who was stopped for a while first reads what was done meanwhile, and announces by that.
    if let lastTick, now - lastTick > Announcements.graceMs { desk.reload() }
    lastTick = now
    let (announced, wasFlashing) = (announcer.line, announcer.isFlashing)
    context.effects += announcer.tick(desk.runs, now: desk.now, loop: now)
    if let said = announcer.line, announcer.line != announced { context.showMessage(said, .warning) }
    lookedAt = desk.now
    let clocks = DeskClocks.lines(desk, at: lookedAt)
    let line = attention.line(at: lookedAt)
    var hasRead = false
    do {
      hasRead = try desk.watch.passTime(desk.circuits, now)
      hasRead = try pages[shown].passTime(now) || hasRead
    } catch { context.noteUnread(error) }
    let chases = desk.chases
    let stops = desk.extraTimeLeft(at: lookedAt).map(PhaseText.shownSeconds)
    defer { (lastClocks, lastAttention, lastChases, lastStops) = (clocks, line, chases, stops) }
    return hasRead || chases != lastChases || stops != lastStops || clocks != lastClocks || line != lastAttention
      || announcer.line != announced
      || announcer.isFlashing != wasFlashing
  }

  var keepsUnlocked: Bool { desk.isAnyOpen }

  var smallNote: String {
    let (all, one, quit) = (DeskKeys.pauseAll, DeskKeys.pause, EveryScreen.quit)
    return "\(context.key(of: all)) pauses all, \(context.key(of: one)) one, \(context.key(of: quit)) quits. "
      + "The desk needs \(ProgramLayout.least.width) columns by \(ProgramLayout.least.height) rows."
  }

  /// Nothing lies over the screen: nothing is offered to be undone. Esc makes the next action one for one circuit
  /// again.
  func settle(before key: KeyEvent) {
    desk.undoing = nil
    if key.key == .escape { _ = desk.takeAll() }
  }

  /// What is typed after the key of a pause that is not on the disk yet is its reason: as commands the letters would
  /// let the clock go on.
  func takes(_ key: KeyEvent) -> Bool {
    let typed = desk.pausing.typed
    // A disk that takes longer is said, and must not keep the desk from everything else.
    guard desk.pausing.count > 0, context.overlay == nil, context.monotonic() - desk.pausing.since < 3000 else {
      return false
    }
    if key.key == .enter { return !typed.isEmpty }
    if key.key == .backspace, !typed.isEmpty {
      desk.pausing.typed.removeLast()
      return true
    }
    guard let letter = key.key.typed else { return false }
    // The same key again is for the next circuit.
    if typed.isEmpty, ownKey(key.key) == DeskKeys.pause.name.id { return false }
    // All are on their way to stand already.
    if typed.isEmpty, ownKey(key.key) == DeskKeys.pauseAll.name.id {
      desk.pausing.key = key
      return true
    }
    desk.pausing.typed.append(letter)
    return true
  }

  var searchedLines: [String] { pages[shown].table.lines }

  var focusedLine: Int? { pages[shown].table.selection.index }

  var focusSubject: Subject { Subject(ObjectIdentifier(self), shown, desk.session, pages[shown].table.focusSubject) }

  func focus(line: Int) { pages[shown].table.selection.index = line }

  func leave() { close() }

  func close() { announcer.close() }

  var heading: Heading {
    let now = desk.now
    let status = desk.state?.status
    let session = desk.session?.name ?? troubleLine ?? "no circuit"
    let end = desk.circuit?.forecast(at: now).map {
      "   ends \(LocalTime.reading(of: $0.saidEnd).minute), \($0.scheduleText)"
    }
    let isPaused = status == .paused
    let coming = desk.circuit?.fold?.goesOn(after: now).map {
      "\(isPaused ? "RESUMES" : "STARTS") IN \(PhaseText.digits($0 - now))"
    }
    // Who paused is of interest while the clock stands, and no longer.
    let pause = isPaused ? desk.circuit?.pause.map { $0.texts(at: now) } : nil
    // Why it stands gives way before when it ends.
    let texts = (pause ?? [session]).map { what in
      SafeText([coming, what].compactMap { $0 }.joined(separator: "   ") + (end ?? ""))
    }
    let scope = desk.actsOnAll && desk.circuits.count > 1 ? "the NEXT key is for ALL circuits" : ""
    return Heading(
      badge: isPaused ? "PAUSED" : status == .waiting ? "WAITING" : context.clock.lock == nil ? "" : "LOCKED",
      isAlarm: isPaused,
      text: texts[0], shorterTexts: Array(texts.dropFirst()),
      trailing: SafeText(scope))
  }

  func begins(_ id: BindingID) -> Bool {
    if id != DeskKeys.nextCircuit.name.id { desk.undoing = nil }
    return true
  }

  func move(_ key: Key) { _ = pages[shown].table.update(key) }

  func show(page: Int) {
    shown = min(max(0, page), pages.count - 1)
    context.message.clear()
    // The hall is the first page; the others read their own, and what calls is up to date.
    if shown == 0 { return readPages() }
    do {
      _ = try desk.watch.passTime(desk.circuits, context.monotonic())
      try pages[shown].reload()
    } catch { context.noteUnread(error) }
  }

  func goToNextCircuit() {
    if desk.undoing != nil { return DeskUndo(controls: DeskControls(desk: desk)).askEarlier() }
    desk.next()
    turnToCircuit()
  }

  func showCircuit(_ index: Int) {
    desk.showCircuit(index)
    turnToCircuit()
  }

  /// Does something with the clocks concerned: of all circuits, or of the one that is controlled.
  func moveClock(isOfOneCircuit: Bool, _ act: (DeskControls) -> Void) {
    let isForAll = desk.takeAll()
    if !isForAll, isOfOneCircuit, askIfUndecided() { return }
    act(DeskControls(desk: desk, isForAll: isForAll))
  }

  private func turnToCircuit() {
    readPages()
    askIfUndecided()
  }

  func chooseSession() { SessionChooser(desk: desk) { [self] in readPages() }.ask() }

  /// Why no session is controlled, and the key that chooses one.
  private var troubleLine: String? {
    desk.circuit.flatMap { circuit in
      circuit.trouble.map { circuit.isUndecided ? "\($0); \(context.key(of: DeskKeys.session).plain) lists them" : $0 }
    }
  }

  /// Asks which session to control where two are open and nobody has chosen.
  @discardableResult private func askIfUndecided() -> Bool {
    guard desk.circuit?.isUndecided == true else { return false }
    if let trouble = troubleLine { context.showMessage(SafeText(trouble), .warning) }
    chooseSession()
    return true
  }

  // MARK: Reading

  func reload() {
    readAttention()
    reloadDesk()
    desk.watch.note()
    readPages()
  }

  func follow(_ rows: Set<RowKey>) -> Bool {
    // A hall full of assessors changes marks several times a second; no clock and no roster depends on them.
    let isOfMarks = !rows.isEmpty && rows.allSatisfy { $0.isSheet || $0.isSection || $0.isItem }
    if !isOfMarks { readAttention(Set(rows.map(\.entity))) }
    if !isOfMarks || desk.isOld { reloadDesk() }
    desk.watch.note()
    readPages(isOfMarks ? .marks : .followed)
    return true
  }

  private func reloadDesk() {
    let before = desk.circuits
    desk.reload()
    for (old, new) in zip(before, desk.circuits) where new.session != nil && new.open.count > 1 {
      let begun = new.open.filter { !old.open.contains($0) && $0 != new.session }
      if let first = begun.first {
        context.showMessage(
          SafeText(
            "\(new.circuit.name) \(first.name) has also started; "
              + "\(context.key(of: DeskKeys.session).plain) switches to it"), .warning)
      }
    }
  }

  /// How pages are read.
  private enum PageReading {
    /// From the beginning.
    case all
    /// For what others have saved.
    case followed
    /// The same where that is marks alone.
    case marks
  }

  /// Reads the shown page, and those whose count calls for the invigilator; the others are read when they are shown.
  private func readPages(_ reading: PageReading = .all) {
    do {
      if reading != .marks { try desk.watch.read(desk.circuits) }
      for (index, page) in pages.enumerated() where index == shown || page.callsForAttention {
        switch reading {
        case .all: try page.reload()
        case .followed: try page.follow()
        case .marks: if page.showsMarks { try page.followMarks() }
        }
      }
    } catch { context.noteUnread(error) }
  }

  func clockMoved() {
    do { try pages[shown].clockMoved() } catch { context.noteUnread(error) }
  }

  // MARK: Drawing

  private func clockLayout(_ region: Rect) -> DeskClocks.Layout {
    DeskClocks.layout(desk.circuits.count, in: region.size)
  }

  private func parts(_ region: Rect) -> (clocks: Rect, attention: Rect, tabs: Rect, page: Rect) {
    let (clocks, rest) = region.splitTop(clockLayout(region).height)
    let (attention, below) = rest.splitTop(1)
    let (tabs, page) = below.splitTop(1)
    return (clocks, attention, tabs, page.rows(0, page.height))
  }

  /// No clock is covered, and no call for help until somebody is on the way.
  func rowsInView(of region: Rect) -> Int {
    let parts = parts(region)
    return parts.clocks.height + parts.attention.height
  }

  func layOut(_ region: Rect) {
    pages[shown].fit(width: region.width)
    pages[shown].table.fit(parts(region).page.splitBottom(DeskListingLayout.detailHeight).rest)
  }

  func draw(on canvas: inout Canvas, in region: Rect) {
    let parts = parts(region)
    DeskClocks.draw(
      DeskClocks.lines(desk, at: desk.now), clockLayout(region), on: &canvas, in: parts.clocks, theme: context.theme)
    attention.draw(attention.line(at: desk.now), on: &canvas, in: parts.attention)
    drawTabs(on: &canvas, in: parts.tabs)
    pages[shown].draw(on: &canvas, in: parts.page)
  }

  private func tabs(named: (Int) -> Bool) -> [SafeText] {
    pages.enumerated().map { index, page in
      let count = page.count > 0 ? ":\(page.count)" : ""
      return SafeText(" \(index + 1)" + (named(index) ? " \(page.name)\(count)" : ""))
    }
  }

  private func drawTabs(on canvas: inout Canvas, in region: Rect) {
    let theme = context.theme
    var x = region.x
    // Where the names of all have no room, the shown page and those that call have theirs.
    let isNarrow = tabs(named: { _ in true }).reduce(0) { $0 + $1.width } > region.width
    let texts = tabs { !isNarrow || $0 == shown || pages[$0].count > 0 }
    for (index, page) in pages.enumerated() {
      let text = texts[index]
      let role: Role = index == shown ? .focus : page.count > 0 ? .warning : .muted
      canvas.draw(text, at: Point(x: x, y: region.y), style: theme[role], in: region)
      x += text.width
    }
  }
}
