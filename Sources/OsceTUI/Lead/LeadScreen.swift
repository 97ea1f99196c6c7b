import Characters
import CircuitModel
import ExamStore
import Journal
import Reports
import Terminal
import Timer

/// The live grid: candidates by stations of one session, and whom to call.
@MainActor
final class LeadScreen: Searchable {
  /// Which candidates are listed.
  enum Filter: String {
    case all, chase, concern, conflict

    var next: Filter {
      switch self {
      case .all: .chase
      case .chase: .concern
      case .concern: .conflict
      case .conflict: .all
      }
    }

    /// Whom it lists.
    var people: String {
      switch self {
      case .all: "candidate"
      case .chase: "candidate to chase"
      case .concern: "candidate with a concern"
      case .conflict: "candidate with a conflict"
      }
    }
  }

  let context: AppContext
  private var sessions: [(circuit: Circuit, session: Session)] = []
  private var shown = 0
  private var reading = LeadReading()
  private var halls: LeadHalls
  private(set) var filter = Filter.all
  /// Whether there is room for the same start in another circuit.
  private var isWide = false
  /// The candidates that are listed.
  private(set) var rows: [LeadGrid.Row] = []
  private(set) var selection = Selection(count: 0)
  private(set) var column = 0

  var grid: LeadGrid? { reading.grid }

  init(_ context: AppContext) {
    self.context = context
    halls = LeadHalls(context)
    readSessions()
    follow()
  }

  // MARK: Keys

  enum Keys {
    static let filter = KeyBinding<LeadScreen>(
      "lead.filter", ["f"], "filter", help: "All, those to chase, with a concern, with a conflict", group: group
    ) { screen, _ in screen.turnFilter() }
  }

  nonisolated private static let group = "Grid"
  nonisolated static let keys = KeyTable<LeadScreen>(
    "Exam lead", at: .desk,
    [
      KeyBinding(
        "lead.open", [.enter], "sheet", help: "Read the focused sheet, of each assessor", group: group,
        when: { $0.cell?.sheets.isEmpty == false ? .enabled : .disabled("there is no sheet yet") }
      ) { screen, _ in screen.openSheet() },
      KeyBinding(
        "lead.station.next", ["l", .right], "station", help: "The next station", group: group, inFooter: false
      ) { screen, _ in screen.move(by: 1) },
      KeyBinding(
        "lead.station.previous", ["h", .left], "station before", help: "The station before", group: group,
        inFooter: false
      ) { screen, _ in screen.move(by: -1) },
      KeyBinding(
        "lead.session.next", ["]", .tab], "session", help: "The next session", group: group,
        when: { $0.hasSessions }
      ) { screen, _ in screen.show(screen.shown + 1) },
      KeyBinding(
        "lead.session.previous", ["["], "session before", help: "The session before", group: group, inFooter: false,
        when: { $0.hasSessions }
      ) { screen, _ in screen.show(screen.shown - 1) },
      KeyBinding(
        "lead.message", ["t"], "message", help: "Send a line to the focused station", group: group,
        when: { $0.cell?.entry != nil ? .enabled : .disabled("nobody comes here") }
      ) { screen, _ in screen.message() },
      Keys.filter,
      KeyBinding(
        "lead.chase", ["m"], "chase", help: "Whom to call, for what, and where they are", group: group
      ) { screen, _ in
        if screen.grid != nil { screen.context.push(ChaseScreen(screen.context, screen)) }
      },
      KeyBinding(
        "lead.results", ["v"], "results", help: "Scores, cuts and who passes", group: group
      ) { screen, _ in screen.context.push(ResultsScreen(screen.context)) },
      KeyBinding(
        "lead.closing", ["c"], "closing", help: "What is open before the exam is locked", group: group
      ) { screen, _ in screen.context.push(ClosingScreen(screen.context)) },
    ])

  private var hasSessions: Availability { sessions.count > 1 ? .enabled : .disabled("the exam has one session") }

  var heading: Heading {
    guard let grid, sessions.indices.contains(shown) else { return Heading(text: "Exam lead") }
    var counts: [String] = []
    let cells = rowsOfAll.flatMap(\.visits)
    func count(_ number: Int, _ label: String) { if number > 0 { counts.append("\(number) \(label)") } }
    count(
      cells.count { if case .begun = $0.state { $0.isToChase && $0.rerun == nil } else { $0.state == .oneAssessor } },
      "unsigned")
    count(cells.reduce(0) { if case .blank(let blanks) = $1.state { $0 + blanks } else { $0 } }, "required blank")
    count(cells.count { $0.rerun != nil }, "re-run")
    count(cells.count { $0.state == .notSeen }, "not seen")
    count(cells.count { $0.state == .unmarked }, "seen, no marks")
    count(grid.concerns.count, Plural.noun(grid.concerns.count, "concern"))
    count(grid.conflicts, Plural.noun(grid.conflicts, "conflict"))
    let place = filter == .all ? sessionName : "\(sessionName) · \(filter.rawValue)"
    if let lock = grid.lock {
      let by = lock.staff.isEmpty ? "" : "by \(lock.staff.joined(separator: " and "))"
      return Heading(
        badge: lock.amendment == 0 ? "LOCKED" : "AMENDED",
        text: SafeText(counts.isEmpty ? by : counts.joined(separator: " · ")), trailing: SafeText(place))
    }
    // Above a line that sends somebody to a station nothing says that there is nothing to chase.
    let text = !counts.isEmpty ? counts.joined(separator: " · ") : halls.chases.isEmpty ? "nothing to chase" : ""
    return Heading(
      badge: counts.isEmpty ? "" : "CHASE", text: SafeText(text),
      trailing: SafeText(place))
  }

  private var sessionName: String {
    let place = sessions[shown]
    return "\(place.circuit.name) · \(place.session.startTime)"
  }

  private var rowsOfAll: [LeadGrid.Row] { grid?.rows ?? [] }

  var cell: LeadGrid.Cell? {
    guard let row = selection.focused(of: rows), row.cells.indices.contains(column) else { return nil }
    return row.cells[column]
  }

  private var place: StationSession? {
    grid.flatMap { $0.columns.indices.contains(column) ? $0.columns[column].place : nil }
  }

  func move(_ key: Key) { _ = selection.update(key) }

  private func turnFilter() {
    filter = filter.next
    list()
    context.showMessage(SafeText("listed: \(filter == .all ? "every candidate" : filter.rawValue)"))
  }

  private func move(by step: Int) {
    let count = grid?.columns.count ?? 0
    if count > 0 { column = min(max(0, column + step), count - 1) }
  }

  private func show(_ index: Int) {
    guard !sessions.isEmpty else { return }
    shown = (index + sessions.count) % sessions.count
    (selection, column, reading.beside) = (Selection(count: 0), 0, nil)
    follow()
  }

  /// Goes to the candidate and station of a line.
  func focus(_ line: ChaseScreen.Line) {
    filter = .all
    list()
    if let index = rows.firstIndex(where: { $0.number == line.number }) { selection.index = index }
    column = line.column
  }

  private func openSheet() {
    guard let cell, !cell.sheets.isEmpty, let row = selection.focused(of: rows) else { return }
    do {
      let texts = try context.store.read { db in try cell.sheets.map { try SheetText.lines($0, width: 76, in: db) } }
      context.overlay = .reader(
        Reader(
          title: SafeText("\(row.number) \(context.name(row)) at \(place?.stationTitle ?? "")"),
          text: texts.map { $0.joined(separator: "\n") }.joined(separator: "\n\n")))
    } catch { context.noteUnread(error) }
  }

  private func message() {
    if let place { MessageForm(context: context).ask(to: place) }
  }

  // MARK: Reading

  private func readSessions() {
    do {
      let now = context.store.clock.now
      let (found, open) = try context.store.read { db in
        var seen: Set<Session> = []
        let places = try StationSession.all(in: db).filter { seen.insert($0.session).inserted }
        let found = places.map { (circuit: $0.circuit, session: $0.session) }
        let open = try places.map(\.circuit).flatMap { circuit in try Session.open(of: circuit, at: now, in: db) }
        return (found, Set(open))
      }
      sessions = found
      func distance(_ index: Int) -> (Int, Int64) {
        (open.contains(found[index].session) ? 0 : 1, abs((found[index].session.plannedStart ?? .latest) - now))
      }
      shown = found.indices.min { distance($0) < distance($1) } ?? 0
    } catch { context.noteUnread(error) }
  }

  private func follow() {
    guard sessions.indices.contains(shown) else { return }
    context.clock.follow(sessions[shown].session, of: sessions[shown].circuit)
    reload()
  }

  func reload() {
    guard sessions.indices.contains(shown) else { return }
    let began = context.monotonic()
    reading.phase = LeadReading.Phase(context.clock.state)
    do {
      reading.grid = try read(sessions[shown].session)
      let other = isWide ? parallel : nil
      reading.beside = try other.map { LeadReading.Beside(index: $0, grid: try read(sessions[$0].session)) }
    } catch { context.noteUnread(error) }
    halls.areOld = true
    reading.finish(began: began, at: context.monotonic())
    list()
  }

  private func read(_ session: Session) throws -> LeadGrid {
    try context.store.read { try LeadGrid.read(session, at: context.store.clock.now, in: $0) }
  }

  /// Another circuit's session with the same start.
  private var parallel: Int? {
    let own = sessions[shown].session
    return sessions.indices.first {
      $0 != shown && sessions[$0].session.date == own.date && sessions[$0].session.startTime == own.startTime
    }
  }

  private func isListed(_ row: LeadGrid.Row) -> Bool {
    switch filter {
    case .all: true
    case .chase: row.cells.contains(where: \.isToChase)
    case .concern: row.cells.contains(where: \.hasConcern)
    case .conflict: row.cells.contains(where: \.hasConflict)
    }
  }

  private func list() {
    let number = selection.focused(of: rows)?.number
    rows = rowsOfAll.filter(isListed)
    let page = selection.page
    selection = Selection(count: rows.count, index: rows.firstIndex { $0.number == number } ?? 0, page: page)
  }

  func follow(_ rows: Set<RowKey>) -> Bool {
    reading.isStale = true
    return passTime(context.monotonic())
  }

  func clockMoved() {
    if LeadReading.Phase(context.clock.state) != reading.phase { reload() }
  }

  var canPrerender: Bool { false }

  func passTime(_ now: Int64) -> Bool {
    if let leavesAt = reading.leavesAt, context.store.clock.now >= leavesAt { reading.isStale = true }
    return readGrid(now) || followHalls(now)
  }

  /// Time alone makes a station silent, or a candidate missing.
  private func followHalls(_ now: Int64) -> Bool {
    do {
      // The other circuit's clock has moved on as well.
      if try halls.read(sessions.map(\.circuit), at: now), reading.beside != nil { reading.isStale = true }
    } catch { context.noteUnread(error) }
    return halls.look(counting: sessions.indices.contains(shown) ? sessions[shown].session : nil)
  }

  private func readGrid(_ now: Int64) -> Bool {
    guard reading.isStale, now >= reading.due else { return false }
    reload()
    return true
  }

  var deadline: Int64? {
    if reading.isStale { return reading.due }
    return reading.leavesAt.map { context.monotonic() + max(0, $0 - context.store.clock.now) }
  }

  // MARK: Finding

  var searchedLines: [String] { rows.map { "\($0.number) \(context.name($0))" } }
  var focusedLine: Int? { rows.isEmpty ? nil : selection.index }
  var focusSubject: Subject { Subject(ObjectIdentifier(self), shown, selection.index, column) }
  func focus(line: Int) { selection.index = line }

  // MARK: Drawing

  func layOut(_ region: Rect) {
    selection.page = max(1, region.height - LeadGridView.chrome)
    fitBeside(region)
    readShare()
  }

  /// Shows the same start in another circuit where there is room for it.
  private func fitBeside(_ region: Rect) {
    guard sessions.indices.contains(shown), let grid else { return }
    let wants = parallel != nil && region.width > 2 * LeadGridView.width(stations: grid.columns.count)
    if wants == isWide { return }
    isWide = wants
    if wants { reload() } else { reading.beside = nil }
  }

  func draw(on canvas: inout Canvas, in region: Rect) {
    guard let grid else { return }
    let view = LeadGridView(theme: context.theme, now: context.store.clock.now)
    view.drawAround(chases: halls.chases, detail: detail, on: &canvas, in: region)
    guard let beside = reading.beside else {
      return view.draw(grid, rows, selection, column, ifEmpty: emptyText, on: &canvas, in: region)
    }
    // A circuit keeps its side, whichever of the two the keys act on.
    let (first, second) = (region.columns(0, region.width / 2 - 1), region.columns(region.width / 2, region.width))
    let isFirst = shown < beside.index
    view.draw(
      grid, rows, selection, column, title: SafeText(sessions[shown].circuit.name), ifEmpty: emptyText, on: &canvas,
      in: isFirst ? first : second)
    let others = beside.grid.rows.filter(isListed)
    view.draw(
      beside.grid, others, Selection(count: others.count, page: selection.page), nil,
      title: SafeText(sessions[beside.index].circuit.name), ifEmpty: "", on: &canvas, in: isFirst ? second : first)
  }

  /// Why no row is shown, and the key that lists others.
  private var emptyText: SafeText {
    if filter == .all { return "No candidate is planned in this session" }
    return SafeText("No \(filter.people): ") + context.key(of: Keys.filter)
      + SafeText(" lists every \(filter.next.people)")
  }

  /// What is to be known of the focused cell.
  private var detail: String {
    guard let grid, let place, let row = selection.focused(of: rows), let cell else { return "" }
    let open = grid.terminals.first { $0.sheet.map(cell.sheets.contains) ?? false }
    let at = open.map { " · open at \($0.terminal) by \($0.username ?? "somebody")" } ?? ""
    let concern = (cell.hasConflict ? " · two values of one field" : "") + (cell.hasConcern ? " · a concern" : "")
    let who = cell.assessor.map { " · \($0.name)" } ?? ""
    let hub = reading.share.text.map { " · \($0)" } ?? ""
    return "\(place.stationCode) \(row.number) \(context.name(row)): \(cell.visitsText)\(concern)\(hub)\(who)\(at)"
  }

  /// What a hub has taken changes no row: it is read again with the clock.
  private func readShare() {
    let (sheets, now) = (cell?.sheets ?? [], context.monotonic())
    if reading.share.holds(of: sheets, at: now) { return }
    // Where it cannot be read nothing is said, least of all what holds of another cell.
    reading.share = LeadReading.Share(sheets: sheets, readAt: now)
    do { reading.share.text = try context.store.read { try HubShare.read(of: sheets, in: $0) }?.text } catch {
      context.noteUnread(error)
    }
  }
}

extension AppContext {
  /// A candidate's name where the exam shows names.
  func name(_ row: LeadGrid.Row) -> String { rules.showsNames ? row.name : "" }
}
