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
  /// The stations of the other circuits, each under its name, where there is room for them.
  private var others: [(name: String, table: Table)] = []
  /// When it was read, by the loop's clock, and whether anybody has marked since.
  private var readAt: Int64 = 0
  private var hasNewMarks = false
  private static let restMs: Int64 = 5000

  init(_ desk: Desk) { self.desk = desk }

  enum Keys {
    static let incident = KeyBinding<HallPage>(
      "hall.incident", ["i"], "incident", help: "Something went wrong at this station", group: "This station",
      when: { $0.ofStation }
    ) { page, _ in page.withStation { IncidentForm(desk: page.desk).ask(at: $0) } }
  }

  nonisolated private static let group = "This station"
  nonisolated static let keys = KeyTable<HallPage>(
    "Hall", at: .desk,
    [
      KeyBinding(
        "hall.ledger", [.enter], "candidate", help: "Candidate's record so far, for the exam board", group: group,
        when: { $0.ofCandidate }
      ) { page, _ in page.withCandidate { actions, candidate, _ in actions.showLedger(candidate.id) } },
      KeyBinding(
        "hall.attendance", ["a"], "attendance", help: "Absent, late or here", group: group, when: { $0.ofCandidate }
      ) { page, _ in page.withCandidate { $0.askAttendance($1, $2) } },
      Keys.incident,
      KeyBinding(
        "hall.tell", ["t"], "tell", help: "Send a message to this station", group: group, when: { $0.ofStation }
      ) { page, _ in page.withStation { MessageForm(desk: page.desk).ask(to: $0) } },
      KeyBinding(
        "hall.rerun", ["m"], "missed", help: "Queue missed stations for the re-run, or take them out", group: group,
        inFooter: false, when: { $0.ofCandidate }
      ) { page, _ in page.withCandidate { $0.askQueue($1, $2) } },
      KeyBinding(
        "hall.time", ["x"], "extra time", help: "Give the candidate time beyond everybody's", group: group,
        inFooter: false, when: { $0.ofCandidate }
      ) { page, _ in page.withCandidate { $0.askExtraTime($1, $2.board.session) } },
      KeyBinding(
        "hall.cover", ["c"], "cover", help: "Say who stands in at this station", group: group, inFooter: false,
        when: { $0.ofStation }
      ) { page, _ in page.withStation { StationActions(desk: page.desk).askCover($0) } },
      KeyBinding(
        "hall.broken", ["O"], "out of order", help: "This station cannot be used this round", group: group,
        inFooter: false, when: { $0.ofStation }
      ) { page, _ in
        guard let view = page.view else { return }
        page.withStation { StationActions(desk: page.desk).askOutOfOrder($0, view) }
      },
    ])

  private var ofStation: Availability { focused == nil ? .disabled("no station is chosen") : .enabled }
  private var ofCandidate: Availability { candidateNow == nil ? .disabled("the slot is empty") : .enabled }

  private func withStation(_ act: (StationSession) -> Void) {
    if let focused, view != nil { act(focused) }
  }

  private func withCandidate(_ act: (CandidateActions, Candidate, HallView) -> Void) {
    if let candidateNow, let view { act(CandidateActions(desk: desk), candidateNow, view) }
  }

  let emptyText: SafeText = "No station is planned for this session"

  private var focused: StationSession? {
    guard let stations = view?.board.stations, stations.indices.contains(table.selection.index) else { return nil }
    return stations[table.selection.index]
  }

  private var candidateNow: Candidate? {
    guard let view, let station = focused else { return nil }
    return view.entries(station: station.timetable, view.now).lazy.compactMap(\.candidate).first
  }

  var detail: String {
    guard let station = focused, let view else { return "" }
    func who(_ round: HallView.Round) -> String {
      let names = view.entries(station: station.timetable, round).compactMap(\.candidate)
        .map { "\($0.number) \($0.name)" }
      return names.isEmpty ? "nobody" : names.joined(separator: ", ")
    }
    let next = view.next.map { "; next \(who($0))" } ?? ""
    return "\(tally(view))\(station.stationTitle): now \(who(view.now))\(next). \(station.assessors.first?.name ?? "")"
  }

  /// How many sheets are signed of those that are due: of the rounds whose rotation is over, at stations that mark.
  private func tally(_ view: HallView) -> String {
    let last = view.moment.lastOver(of: view.board.rounds)
    let due = view.board.stations.filter { !$0.isRest }.flatMap { station in
      (1...max(1, last)).flatMap { view.board.entries(station: station.timetable, round: $0) }
    }.filter { last > 0 && $0.candidate != nil && $0.isPresent != false }
    let signed = due.count { !$0.sheets.isEmpty && $0.sheets.allSatisfy(\.isSigned) }
    let queued = view.queue.count { $0.status == .queued }
    return (due.isEmpty ? "" : "SIGNED \(signed) of \(due.count) due. ")
      + (queued > 0 ? "RE-RUN \(queued) queued. " : "")
  }

  let showsMarks = true

  func clockMoved() throws {
    if view?.board.session != desk.session || view?.isOf(desk.now) == false { return try reload() }
    if hasExtraTime { fill() }
  }

  /// Marks come several times a second, and change nothing here but how many sheets are signed.
  func followMarks() throws {
    hasNewMarks = true
    _ = try passTime(context.monotonic())
  }

  func passTime(_ now: Int64) throws -> Bool {
    guard hasNewMarks, now - readAt >= HallPage.restMs else { return false }
    try reload()
    return true
  }

  func reload() throws {
    guard let session = desk.session else {
      view = nil
      table.rows = []
      return
    }
    let now = desk.now
    (readAt, hasNewMarks) = (context.monotonic(), false)
    let rest = isWide ? desk.circuits.filter { $0.session != nil && $0.session != session } : []
    let read = try context.store.read { db in
      (
        try HallView.read(session, at: now, in: db), try HelpCalls.open(in: db),
        try rest.compactMap { circuit in
          try circuit.session.map { (circuit, try HallView.read($0, at: now, in: db)) }
        }
      )
    }
    (view, calls) = (read.0, read.1)
    others = read.2.map { circuit, view in
      var table = Table(columns(view))
      table.rows = view.board.stations.map { row($0, view, of: circuit) }
      return (circuit.circuit.name, table)
    }
    fill()
  }

  func draw(on canvas: inout Canvas, in region: Rect) {
    let own = table.rows.count + 1 + DeskListingLayout.detailHeight
    let needed = others.reduce(own) { $0 + $1.table.rows.count + 3 }
    guard !others.isEmpty, region.height >= needed else { return drawListing(on: &canvas, in: region) }
    drawListing(on: &canvas, in: region.rows(0, own))
    var y = own + 1
    for other in others {
      canvas.draw(SafeText(other.name), in: region.row(y), style: context.theme[.title])
      other.table.draw(
        on: &canvas, in: region.rows(y + 1, other.table.rows.count + 1), theme: context.theme, focused: false)
      y += other.table.rows.count + 3
    }
  }

  func fit(width: Int) {
    guard isWide != (width >= 100) else { return }
    isWide.toggle()
    do { try reload() } catch { context.noteUnread(error) }
  }

  private func fill() {
    guard let view else { return }
    table.columns = columns(view)
    table.rows = view.board.stations.map { station in row(station, view, of: desk.circuit) }
  }

  private func columns(_ view: HallView) -> [Table.Column] {
    let code = min(8, view.board.stations.map { SafeText($0.stationCode).width }.max() ?? 4)
    return [
      isWide ? .init("Station", width: code + 16, stretch: 2) : .init("", width: code),
      .init(title(view), width: 24, stretch: 3),
      .init("", width: 14),
      .init(view.next.map { "Next: " + name($0) } ?? "Then nobody", width: 20, stretch: 2),
    ]
  }

  /// Whether somebody here is counted down after the bell.
  private var hasExtraTime: Bool {
    view?.board.candidates.contains { $0.candidate.extraStationSeconds > 0 } ?? false
  }

  /// What the assessor's screen says of somebody with extra time after the bell: `STOPS IN 0:08`, with the number where
  /// another candidate is next to come in.
  private func stops(_ station: StationSession, _ view: HallView, of circuit: DeskCircuit?) -> String? {
    guard case .session(let shown) = view.now, let fold = circuit?.fold, !station.isRest else { return nil }
    for round in [shown, shown - 1] where round > 0 {
      for entry in view.board.entries(station: station.timetable, round: round) where entry.isPresent != false {
        guard let candidate = entry.candidate,
          let left = fold.leftAfterBell(round: round, extraSeconds: candidate.extraStationSeconds, at: desk.now)
        else { continue }
        return (round == shown ? "" : "\(candidate.number) ") + "STOPS IN \(PhaseText.digits(left))"
      }
    }
    return nil
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

  private func row(_ station: StationSession, _ view: HallView, of circuit: DeskCircuit?) -> Table.Row {
    let now = view.entries(station: station.timetable, view.now)
    let help = calls.filter { $0.circuit == station.circuit.id && $0.stationCode == station.stationCode }
    let stops = stops(station, view, of: circuit)
    var note = SafeText(stops ?? (station.isRest ? "" : now.first?.candidate?.stopsAt ?? ""))
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
