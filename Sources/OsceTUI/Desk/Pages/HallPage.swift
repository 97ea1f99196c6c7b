import CircuitModel
import Terminal
import Timer

/// Who is at which station this round, and who comes next: absent and empty slots included.
@MainActor
final class HallPage: DeskListing {
  let desk: Desk
  var table = Table([])
  private var board: HallBoard?
  private var calls: [HelpCall] = []
  /// Whether there is room for the stations' names beside their codes.
  private var isWide = false

  init(_ desk: Desk) { self.desk = desk }

  let name = "Hall"
  let emptyText: SafeText = "No station is planned for this session"
  let followsTheClock = true

  var bindings: [Binding<Command>] {
    let group = "This station"
    let station: Availability = focused == nil ? .disabled("no station is chosen") : .enabled
    let candidate: Availability = entryNow == nil ? .disabled("the slot is empty") : .enabled
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
    ]
  }

  /// The round that is on, or the first.
  private var round: Int { max(1, desk.state?.round ?? 1) }

  private var focused: StationSession? {
    guard let board, board.stations.indices.contains(table.selection.index) else { return nil }
    return board.stations[table.selection.index]
  }

  private var entryNow: RosterEntry? {
    focused.flatMap { board?.entries(station: $0.timetable, round: round).first { $0.candidate != nil } }
  }

  func perform(_ command: Command) {
    guard let station = focused, let session = desk.session else { return }
    switch command {
    case .open:
      if let candidate = entryNow?.candidate { CandidateActions(desk: desk).showLedger(candidate.id) }
    case .desk(.attendance):
      if let candidate = entryNow?.candidate {
        CandidateActions(desk: desk).askAttendance(candidate, round: round, session: session)
      }
    case .desk(.incident): IncidentForm(desk: desk).ask(at: station)
    case .desk(.tell):
      context.prompt(SafeText("To station \(station.stationCode):")) { [self] text in
        MessageForm(desk: desk).send(text, circuit: station.circuit.id, station: station)
      }
    default: break
    }
  }

  func reload() throws {
    guard let session = desk.session else {
      board = nil
      table.rows = []
      return
    }
    (board, calls) = try context.store.read { db in (try HallBoard.read(session, in: db), try HelpCalls.open(in: db)) }
    fill()
  }

  func fit(width: Int) {
    guard isWide != (width >= 100) else { return }
    isWide.toggle()
    fill()
  }

  private func fill() {
    guard let board else { return }
    let next = round + 1
    let selection = table.selection
    let code = min(8, board.stations.map { SafeText($0.stationCode).width }.max() ?? 4)
    table = Table([
      isWide ? .init("Station", width: code + 16, stretch: 2) : .init("", width: code),
      .init(SafeText(desk.state == nil ? "First" : "Now: round \(round)"), width: 24, stretch: 3),
      .init(SafeText(next > board.rounds ? "Then nobody" : "Next: round \(next)"), width: 20, stretch: 2),
      .init("", width: 13),
    ])
    table.rows = board.stations.map { station in row(station, board) }
    table.selection.index = min(selection.index, max(0, table.rows.count - 1))
    table.selection.page = selection.page
  }

  private func row(_ station: StationSession, _ board: HallBoard) -> Table.Row {
    let now = board.entries(station: station.timetable, round: round)
    let later = board.entries(station: station.timetable, round: round + 1)
    let help = calls.filter { $0.circuit == station.circuit.id && $0.stationCode == station.stationCode }
    var note = SafeText(stopping(now.first?.candidate, station, board))
    if let call = help.first { note = SafeText(call.status == .requested ? "HELP" : "help comes") }
    let role: Role = help.contains { $0.status == .requested } ? .alarm : station.isRest ? .muted : .normal
    return Table.Row(
      [
        SafeText(isWide ? "\(station.stationCode)  \(station.stationName)" : station.stationCode), text(now),
        text(later),
        note,
      ], role: role)
  }

  private func text(_ entries: [RosterEntry]) -> SafeText {
    guard let entry = entries.first, let candidate = entry.candidate else {
      return round > (board?.rounds ?? 0) ? "" : "- empty slot -"
    }
    let glyphs = context.theme.glyphs
    let mark: SafeText =
      switch entry.isPresent {
      case true?: glyphs.tick + " "
      case false?: glyphs.cross + " "
      case nil: "  "
      }
    let state = entry.isPresent == false ? "ABSENT " : entry.lateAt != nil ? "late " : ""
    let several = entries.count > 1 ? "+\(entries.count - 1) " : ""
    return mark + SafeText("\(candidate.number) \(several)\(state)\(candidate.name)")
  }

  /// When the candidate of a station stops later than everybody else.
  private func stopping(_ candidate: Candidate?, _ station: StationSession, _ board: HallBoard) -> String {
    guard let candidate, let stop = candidate.stopsAt, !station.isRest else { return "" }
    return stop
  }
}
