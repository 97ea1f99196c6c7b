import CircuitModel
import ExamStore
import Reports
import Terminal
import Timer

/// Who is at which station this round, and who comes next: absent and empty slots included, in a re-run by its queue.
@MainActor
final class HallPage: DeskListing {
  let desk: Desk
  var table = Table([])
  private var view: HallView?
  private var calls: [HelpCall] = []
  /// Whether there is room for the stations' names beside their codes.
  private var isWide = false

  init(_ desk: Desk) { self.desk = desk }

  let name = "Hall"
  let emptyText: SafeText = "No station is planned for this session"

  var bindings: [Binding<Command>] {
    let group = "This station"
    let station: Availability = focused == nil ? .disabled("no station is chosen") : .enabled
    let candidate: Availability = candidateNow == nil ? .disabled("the slot is empty") : .enabled
    return [
      Binding(
        "hall.ledger", [.enter], "candidate", help: "What the candidate met so far, for the board",
        group: group, candidate, action: .open),
      Binding(
        "hall.attendance", ["a"], "attendance", help: "Absent, late or here", group: group, candidate,
        action: .desk(.attendance)),
      Binding(
        "hall.incident", ["i"], "incident", help: "Something went wrong at this station", group: group, station,
        action: .desk(.incident)),
      Binding(
        "hall.tell", ["t"], "tell", help: "Send a line to this station", group: group, station,
        action: .desk(.tell)),
      Binding(
        "hall.rerun", ["m"], "missed", help: "Queue missed stations for the re-run, or take them out", group: group,
        candidate, inFooter: false, action: .desk(.queue)),
    ]
  }

  private var focused: StationSession? {
    guard let stations = view?.board.stations, stations.indices.contains(table.selection.index) else { return nil }
    return stations[table.selection.index]
  }

  private var candidateNow: Candidate? {
    guard let view, let station = focused else { return nil }
    return view.entries(station: station.timetable, view.now).lazy.compactMap(\.candidate).first
  }

  func perform(_ command: Command) {
    guard let station = focused, let view else { return }
    let actions = CandidateActions(desk: desk)
    switch command {
    case .open: if let candidateNow { actions.showLedger(candidateNow.id) }
    case .desk(.attendance): if let candidateNow { actions.askAttendance(candidateNow, view) }
    case .desk(.queue): if let candidateNow { actions.askQueue(candidateNow, view) }
    case .desk(.incident): IncidentForm(desk: desk).ask(at: station)
    case .desk(.tell):
      MessageForm(desk: desk).ask(
        "To station \(station.stationCode), shown on the wall too:", circuit: station.circuit.id, station: station)
    default: break
    }
  }

  var detail: String {
    guard let station = focused, let view else { return "" }
    func who(_ round: HallView.Round) -> String {
      let names = view.entries(station: station.timetable, round).compactMap(\.candidate)
        .map { "\($0.number) \($0.name)" }
      return names.isEmpty ? "nobody" : names.joined(separator: ", ")
    }
    let next = view.next.map { "; next \(who($0))" } ?? ""
    return "\(station.stationTitle): now \(who(view.now))\(next). \(station.assessors.first?.name ?? "")"
  }

  func clockMoved() throws {
    if view?.board.session != desk.session || view?.isOf(desk.now) == false { try reload() }
  }

  func reload() throws {
    guard let session = desk.session else {
      view = nil
      table.rows = []
      return
    }
    let now = desk.now
    (view, calls) = try context.store.read { db in
      (try HallView.read(session, at: now, in: db), try HelpCalls.open(in: db))
    }
    fill()
  }

  func fit(width: Int) {
    guard isWide != (width >= 100) else { return }
    isWide.toggle()
    fill()
  }

  private func fill() {
    guard let view else { return }
    let code = min(8, view.board.stations.map { SafeText($0.stationCode).width }.max() ?? 4)
    table.columns = [
      isWide ? .init("Station", width: code + 16, stretch: 2) : .init("", width: code),
      .init(title(view), width: 24, stretch: 3),
      .init("", width: 13),
      .init(view.next.map { "Next: " + name($0) } ?? "Then nobody", width: 20, stretch: 2),
    ]
    table.rows = view.board.stations.map { station in row(station, view) }
  }

  private func title(_ view: HallView) -> SafeText {
    switch view.moment {
    case .before: "First: " + name(view.now)
    case .over: "Last: " + name(view.now)
    case .on, .rerun: "Now: " + name(view.now)
    }
  }

  private func name(_ round: HallView.Round) -> SafeText {
    switch round {
    case .session(let round): SafeText("round \(round)")
    case .rerun(let round): SafeText("re-run \(round)")
    }
  }

  private func row(_ station: StationSession, _ view: HallView) -> Table.Row {
    let now = view.entries(station: station.timetable, view.now)
    let help = calls.filter { $0.circuit == station.circuit.id && $0.stationCode == station.stationCode }
    var note = SafeText(station.isRest ? "" : now.first?.candidate?.stopsAt ?? "")
    if let call = help.first { note = SafeText(call.status == .requested ? "HELP" : "help comes") }
    let role: Role = help.contains { $0.status == .requested } ? .alarm : station.isRest ? .muted : .normal
    return Table.Row(
      [
        SafeText(isWide ? "\(station.stationCode)  \(station.stationName)" : station.stationCode),
        text(station, view.now, view), note, view.next.map { text(station, $0, view) } ?? "",
      ], role: role, id: "\(station.timetable)")
  }

  private func text(_ station: StationSession, _ round: HallView.Round, _ view: HallView) -> SafeText {
    let entries = view.entries(station: station.timetable, round)
    let isRerun = if case .rerun = round { true } else { false }
    guard let entry = entries.first, let candidate = entry.candidate else {
      return station.isRest && isRerun ? "" : "- empty slot -"
    }
    let glyphs = context.theme.glyphs
    // Whoever comes to a re-run was mostly recorded absent before.
    let isAbsent = entry.isPresent == false && !isRerun
    let mark: SafeText = isAbsent ? glyphs.cross + " " : entry.isPresent == true ? glyphs.tick + " " : "  "
    let several = entries.count > 1 ? "+\(entries.count - 1) " : ""
    let state = isAbsent ? "ABSENT " : entry.lateAt != nil ? "late " : ""
    return mark + SafeText("\(candidate.number) \(several)\(state)\(candidate.name)")
  }
}
