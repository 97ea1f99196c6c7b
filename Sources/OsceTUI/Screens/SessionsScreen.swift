import CircuitModel
import Journal
import Terminal
import Timer

/// The station sessions of the person who signed in, the one that is on now chosen.
@MainActor
final class SessionsScreen: TableScreen {
  private let context: AppContext
  private let member: StaffMember
  private var showsAll = false
  private var sessions: [StationSession] = []
  var table = Table([
    .init("Date", width: 10), .init("Start", width: 5), .init("Circuit", width: 12, stretch: 1),
    .init("Station", width: 24, stretch: 3), .init("You are", width: 12),
  ])

  init(_ context: AppContext, _ member: StaffMember) {
    self.context = context
    self.member = member
    refresh(nil)
    chooseNearest()
  }

  var bindings: BindingTable<Command> {
    BindingTable(
      "Station sessions",
      [
        Binding(
          "sessions.open", [.enter], "open", help: "Sit down at this station session", group: "Choosing",
          sessions.isEmpty ? .disabled("there is nothing to open") : .enabled, action: .open),
        Binding(
          "sessions.all", [.tab], showsAll ? "only mine" : "all stations",
          help: "Show every station session, or only yours", group: "Choosing", action: .showAll),
      ])
  }

  var heading: Heading { Heading(text: SafeText(member.name), trailing: showsAll ? "all stations" : "your stations") }

  func perform(_ command: Command, _ key: KeyEvent?) {
    switch command {
    case .move: if let key { _ = table.update(key.key) }
    case .showAll:
      showsAll.toggle()
      refresh(nil)
      chooseNearest()
    case .open: open()
    default: break
    }
  }

  private func open() {
    guard sessions.indices.contains(table.selection.index), !SittingDown.isUnderWay(context) else { return }
    SittingDown.ask(sessions[table.selection.index], member, in: context)
  }

  /// Puts the focus on a station session.
  func choose(_ session: StationSession) {
    if let index = sessions.firstIndex(where: { $0.timetable == session.timetable }) { table.selection.index = index }
  }

  func refresh(_ rows: Set<RowKey>?) {
    if let rows, !rows.contains(where: { ["Timetable", "ActivityType", "AdditionalStaff"].contains($0.entity) }) {
      return
    }
    do {
      sessions = try context.store.read { [member, showsAll] in
        try showsAll ? StationSession.all(in: $0) : StationSession.all(concerning: member.id, in: $0)
      }
    } catch { context.complain(error) }
    table.rows = sessions.map { session in
      let absent = session.isCovered(member.id) ? "covered" : session.isRest ? "rest" : "-"
      let role = session.assessors.first { $0.staff == member.id }?.role.rawValue ?? absent
      return Table.Row(
        [
          SafeText(session.session.date), SafeText(session.session.startTime), SafeText(session.circuit.name),
          SafeText(session.isCovered(member.id) ? covered(session) : session.stationTitle), SafeText(role),
        ], id: "\(session.timetable)")
    }
  }

  private func covered(_ session: StationSession) -> String {
    "\(session.stationCode): \(session.lead?.name ?? "somebody else") covers"
  }

  /// Chooses the session whose planned start is nearest to now.
  private func chooseNearest() {
    let now = context.store.clock.now
    let distances = sessions.map { abs(($0.session.plannedStart ?? .latest) - now) }
    if let nearest = distances.indices.min(by: { distances[$0] < distances[$1] }) { table.selection.index = nearest }
  }

  func layOut(_ region: Rect) { table.selection.page = max(1, region.height - 1) }

  func draw(on canvas: inout Canvas, in region: Rect) {
    table.draw(on: &canvas, in: region, theme: context.theme)
    if sessions.isEmpty {
      canvas.draw(
        showsAll
          ? "This exam has no station sessions"
          : "You are planned at no station; \(context.key(.allStations)) shows all stations",
        in: region, row: 2, style: context.theme[.muted])
    }
  }
}
