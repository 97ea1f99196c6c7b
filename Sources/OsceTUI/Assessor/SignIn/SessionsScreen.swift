import CircuitModel
import ExamStore
import Journal
import Reports
import Terminal
import Timer

/// The station sessions of the person who signed in, the one that is on now chosen.
@MainActor
final class SessionsScreen: TableScreen {
  let context: AppContext
  private let member: StaffMember
  private var showsAll = false
  private var isLead = false
  /// What the heading said last of the start.
  private var said = ""
  /// The sessions whose clock runs, and the minute in which that was read.
  private var running: Set<Session> = []
  private var minute: Int64 = 0
  private var withdrawn: [WithdrawnStation] = []
  private var sessions: [StationSession] = []
  var table = Table([
    .init("Date", width: 10), .init("Start", width: 5), .init("Circuit", width: 12, stretch: 1),
    .init("Station", width: 24, stretch: 3), .init("You are", width: 12),
  ])

  init(_ context: AppContext, _ member: StaffMember) {
    self.context = context
    self.member = member
    reload()
    selectCurrentSession()
  }

  enum Keys {
    static let all = KeyBinding<SessionsScreen>(
      "sessions.all", [.tab], "all stations", help: "Show every station session, or only yours", group: "Choosing"
    ) { screen, _ in screen.toggleAll() }
    .labelled { $0.showsAll ? "only mine" : "all stations" }

    static let lead = KeyBinding<SessionsScreen>(
      "sessions.lead", ["D"], "lead's desk", help: "The exam lead's desk: grid, results, closing", group: "Choosing",
      when: { $0.isLead ? .enabled : .disabled("it is the exam lead's") }
    ) { screen, _ in
      if !SignInFlow.isSigningIn(screen.context) { LeadTerminal.openDesk(screen.member, in: screen.context) }
    }
    .inFooter { $0.isLead }
  }

  nonisolated static let keys = KeyTable<SessionsScreen>(
    "Station sessions",
    [
      KeyBinding(
        "sessions.open", [.enter], "open", help: "Open this station", group: "Choosing",
        when: { $0.sessions.isEmpty ? .disabled("there is nothing to open") : .enabled }
      ) { screen, _ in screen.open() },
      Keys.all, Keys.lead,
    ])

  /// Who has signed in, and whether the focused session runs, or how soon it starts.
  var heading: Heading {
    Heading(text: SafeText(member.name + startsSoon), trailing: showsAll ? "all stations" : "your stations")
  }

  private var startsSoon: String {
    guard let session = table.selection.focused(of: sessions) else { return "" }
    let isRunning = running.contains(session.session)
    let text = isRunning ? ", running" : session.session.startsSoon(at: context.store.clock.now)
    return text.isEmpty ? "" : " \(context.theme.glyphs.separator.plain) \(session.stationCode)\(text)"
  }

  func passTime(_ now: Int64) -> Bool {
    // A start that was set for later comes by time alone.
    if context.store.clock.now.milliseconds / 60_000 != minute { readRunning() }
    let text = startsSoon
    defer { said = text }
    return text != said
  }

  private func toggleAll() {
    showsAll.toggle()
    reload()
    selectCurrentSession()
  }

  private func open() {
    guard let session = table.selection.focused(of: sessions), !SignInFlow.isSigningIn(context) else { return }
    SignInFlow.ask(session, member, in: context)
  }

  /// Puts the focus on a station session.
  func choose(_ session: StationSession) {
    if let index = sessions.firstIndex(where: { $0.timetable == session.timetable }) { table.selection.index = index }
  }

  private func readRunning() {
    let now = context.store.clock.now
    minute = now.milliseconds / 60_000
    let circuits = Set(sessions.map(\.circuit))
    do { running = try context.store.read { try Session.running(in: circuits, at: now, $0) } } catch {
      context.noteUnread(error)
    }
  }

  func follow(_ rows: Set<RowKey>) -> Bool {
    let shown = [
      Stored.Timetable.entityName, Stored.ActivityType.entityName, Stored.AdditionalStaff.entityName,
    ]
    if rows.contains(where: { shown.contains($0.entity) }) {
      reload()
    } else if rows.isEmpty || rows.contains(where: { $0.entity == Stored.ClockEvent.entityName }) {
      // None: a clock has begun at its time.
      readRunning()
    } else {
      return false
    }
    return true
  }

  func reload() {
    do {
      (sessions, isLead, withdrawn) = try context.store.read { [member, showsAll] in
        (
          try showsAll ? StationSession.all(in: $0) : StationSession.all(concerning: member.id, in: $0),
          try ExamLead.all(in: $0).contains { $0.id == member.id },
          try WithdrawnStation.all(in: $0).filter { showsAll || $0.staff.contains(member.id) }
        )
      }
    } catch { context.noteUnread(error) }
    table.rows = sessions.map { session in
      let absent = session.isCovered(member.id) ? "covered" : session.isRest ? "rest" : "-"
      let role = session.assessors.first { $0.staff == member.id }?.role.shortName ?? absent
      return Table.Row(
        [
          SafeText(session.session.date), SafeText(session.session.startTime), SafeText(session.circuit.name),
          SafeText(session.isCovered(member.id) ? covered(session) : session.stationTitle), SafeText(role),
        ], id: "\(session.timetable)")
    }
    readRunning()
  }

  private func covered(_ session: StationSession) -> String {
    "\(session.stationCode): \(session.lead?.name ?? "somebody else") covers"
  }

  /// Chooses the session whose clock runs, else the one that comes next, else the nearest; of several, one where the
  /// person marks.
  private func selectCurrentSession() {
    let now = context.store.clock.now
    let circuits = Set(sessions.map(\.circuit))
    do {
      let next = try context.store.read { db in
        Set(try circuits.map { try Session.upcoming(of: $0, at: now, in: db) })
      }
      func rank(_ session: StationSession) -> (Int, Int, Int64) {
        let place = running.contains(session.session) ? 0 : next.contains(session.session) ? 1 : 2
        return (
          place, session.seat(of: member.id) == nil ? 1 : 0, abs((session.session.plannedStart ?? .latest) - now)
        )
      }
      if let meant = sessions.indices.min(by: { rank(sessions[$0]) < rank(sessions[$1]) }) {
        table.selection.index = meant
      }
    } catch { context.showError(error) }
  }

  /// The stations that were taken out of the exam, each once with the reason: who stands before one must not look for it.
  private var withdrawnLines: [String] {
    var lines: [String] = []
    for station in withdrawn {
      let line = "withdrawn: \(station.title), \(station.circuit)" + (station.reason.map { ": \($0)" } ?? "")
      if !lines.contains(line) { lines.append(line) }
    }
    return lines
  }

  func draw(on canvas: inout Canvas, in region: Rect) {
    for (index, line) in withdrawnLines.enumerated() {
      canvas.draw(SafeText(line), in: region, row: max(sessions.count + 2, 4) + index, style: context.theme[.muted])
    }
    table.draw(on: &canvas, in: region, theme: context.theme)
    if sessions.isEmpty {
      canvas.draw(
        showsAll
          ? "This exam has no station sessions"
          : isLead
            ? "You are not assigned to a station; \(context.key(of: Keys.lead)) opens the exam lead's desk"
            : "You are not assigned to a station; \(context.key(of: Keys.all)) lists all stations",
        in: region, row: 2, style: context.theme[.muted])
    }
  }
}
