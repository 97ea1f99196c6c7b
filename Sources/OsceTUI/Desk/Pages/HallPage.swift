import CircuitModel
import ExamStore
import Reports
import Terminal
import Timer

import class GRDB.Database

/// Who is at which station this round, and who comes next: absent and empty slots included, in a re-run by its queue.
@MainActor
final class HallPage: DeskListing {
  let desk: Desk
  var table = Table([])
  private var hall: HallWatch.Hall?
  private var view: HallView? { hall?.view }
  private var calls: [HelpCall] = []
  /// The columns of the terminal.
  private var width = 80
  /// Whether there is room for people's full names.
  private var isWide: Bool { width >= 100 }
  /// Whether there is room for the stations' names beside their codes as well.
  private var namesStations: Bool { width >= 150 }
  /// The steps of a sheet's bar.
  private var steps: Int { width >= 132 ? 12 : isWide ? 6 : 4 }
  /// Whether who assesses and who comes next have no room.
  private var isNarrow: Bool { width < 76 }
  /// The stations of the other circuits, each under its name, where there is room for them.
  private var others: [(name: String, table: Table)] = []
  /// Which reading of the halls is shown.
  private var shown = 0

  init(_ desk: Desk) { self.desk = desk }

  enum Keys {
    static let incident = KeyBinding<HallPage>(
      "hall.incident", ["i"], "incident", help: "Something went wrong at this station", group: "This station",
      when: { $0.context.changing($0.ofStation) }
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
        "hall.attendance", ["a"], "attendance", help: "Absent, late or here", group: group,
        when: { $0.context.changing($0.ofCandidate) }
      ) { page, _ in page.withCandidate { $0.askAttendance($1, $2) } },
      Keys.incident,
      KeyBinding(
        "hall.tell", ["t"], "tell", help: "Send a message to this station", group: group, when: { $0.ofStation }
      ) { page, _ in page.withStation { MessageForm(context: page.context).ask(to: $0) } },
      KeyBinding(
        "hall.rerun", ["m"], "missed", help: "Queue missed stations for the re-run, or take them out", group: group,
        inFooter: false, when: { $0.context.changing($0.ofCandidate) }
      ) { page, _ in page.withCandidate { $0.askQueue($1, $2) } },
      KeyBinding(
        "hall.time", ["x"], "extra time", help: "Give the candidate time beyond everybody's", group: group,
        inFooter: false, when: { $0.context.changingExam($0.ofCandidate) }
      ) { page, _ in page.withCandidate { $0.askExtraTime($1, $2.board.session) } },
      KeyBinding(
        "hall.cover", ["c"], "cover", help: "Say who stands in at this station", group: group, inFooter: false,
        when: { $0.context.changing($0.ofStation) }
      ) { page, _ in page.withStation { StationActions(desk: page.desk).askCover($0) } },
      KeyBinding(
        "hall.broken", ["O"], "out of order", help: "This station cannot be used this round", group: group,
        inFooter: false, when: { $0.context.changing($0.ofStation) }
      ) { page, _ in
        guard let view = page.view else { return }
        page.withStation {
          StationActions(desk: page.desk).askOutOfOrder($0, view, isBetween: page.isBetween(view, page.desk.circuit))
        }
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
    view.flatMap { table.selection.focused(of: $0.board.stations) }
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
    return
      "\(station.stationTitle): \(when(view, desk.circuit).lowercased()) \(who(view.now))\(next). \(station.assessors.first?.name ?? "")"
  }

  /// How many sheets are signed of those that are due, of the rounds whose rotation is over at stations that mark, and
  /// how many are queued for the re-run.
  private var tally: [String] {
    let (due, unsigned) = hall?.sheets ?? (0, 0)
    let queued = view?.queue.count(where: \.isDue) ?? 0
    return (due == 0 ? [] : ["SIGNED \(due - unsigned) of \(due) due"])
      + (queued > 0 ? ["RE-RUN \(queued) queued"] : [])
  }

  let showsMarks = true

  func clockMoved() throws { fill() }

  /// Marks come several times a second, and change nothing here but how many sheets are signed: the halls are read
  /// again at their own pace.
  func followMarks() throws {}

  func passTime(_ now: Int64) throws -> Bool {
    guard desk.watch.readings != shown else { return false }
    fill()
    return true
  }

  func reload() throws {
    calls = try context.store.read { try HelpCalls.open(in: $0) }
    fill()
  }

  func draw(on canvas: inout Canvas, in region: Rect) {
    let own = table.rows.count + 2 + HallPage.detailHeight(region.width)
    let needed = others.reduce(own) { $0 + $1.table.rows.count + 3 }
    let hasRoom = region.height >= needed + HallPage.leastActions && region.width >= HallPage.wholeWidth
    guard region.height >= needed, !others.isEmpty || hasRoom else { return drawOwn(on: &canvas, in: region) }
    drawOwn(on: &canvas, in: region.rows(0, own))
    var y = own + 1
    for other in others {
      canvas.draw(SafeText(other.name), in: region.row(y), style: context.theme[.title])
      other.table.draw(
        on: &canvas, in: region.rows(y + 1, other.table.rows.count + 1), theme: context.theme, focused: false)
      y += other.table.rows.count + 3
    }
    if hasRoom { drawActions(on: &canvas, in: region.rows(y, region.height)) }
  }

  /// Rows and columns from which on the last actions of every desk are listed.
  private static let (leastActions, wholeWidth) = (3, 118)

  /// Lines under the list: wide ones are fewer.
  private static func detailHeight(_ width: Int) -> Int {
    DeskListingLayout.detailHeight - (width < wholeWidth ? 0 : 1)
  }

  /// Draws the stations of the circuit, and how far it has come: as bars where all stations leave a row for them.
  private func drawOwn(on canvas: inout Canvas, in region: Rect) {
    let height = HallPage.detailHeight(region.width)
    guard region.height >= table.rows.count + 2 + height else {
      return drawListing((tally + [detail]).joined(separator: ". "), on: &canvas, in: region)
    }
    drawListing(detail, height: height, on: &canvas, in: region)
    drawProgress(on: &canvas, in: region.row(region.height - height - 1))
  }

  /// How far round and session have come, and how many sheets are signed.
  private func drawProgress(on canvas: inout Canvas, in line: Rect) {
    let theme = context.theme
    let counts = SafeText(tally.joined(separator: "  "))
    canvas.draw(counts, in: line.columns(0, line.width - 1), .right, style: theme[.normal])
    let bars = bars(line.width)
    let room = (line.width - counts.width - 2) / max(1, bars.count)
    for (place, bar) in bars.enumerated() {
      let field = line.columns(1 + place * room, room - 2)
      let end = canvas.draw(bar.title + "  ", in: field, style: theme[.muted])
      let steps = theme.glyphs.progress(bar.progress, of: 1000, width: field.x + field.width - end)
      canvas.draw(steps, in: field.columns(end - field.x, field.width), style: theme[.key])
    }
  }

  private func bars(_ width: Int) -> [(title: SafeText, progress: Int)] {
    guard let circuit = desk.circuit, let state = circuit.fold?.state(at: desk.now), let round = state.round else {
      return []
    }
    let isRerun = circuit.run?.isRerun == true
    let ofRound = round > 0 ? state.roundProgress : nil
    let ofRun = width >= HallPage.wholeWidth ? state.runProgress : nil
    return [
      ofRound.map { (SafeText(isRerun ? "RE-RUN ROUND \(round)" : "ROUND \(round)"), $0) },
      ofRun.map { (isRerun ? "RE-RUN" : "SESSION", $0) },
    ].compactMap(\.self)
  }

  /// What was done last at any desk: when, by whom, and what.
  private func drawActions(on canvas: inout Canvas, in region: Rect) {
    let theme = context.theme
    canvas.draw("LAST ACTIONS, ANY DESK", in: region, style: theme[.title])
    let rows = desk.lastActions.prefix(region.height - 1).map { action in
      (
        time: SafeText(LocalTime.reading(of: action.at).time), author: SafeText(action.author ?? "a command"),
        text: SafeText(action.account(desk.name))
      )
    }
    let width = min(24, rows.map(\.author.width).max() ?? 0)
    for (row, line) in rows.enumerated() {
      let head = "  " + line.time + "  " + line.author.truncated(to: width).padded(to: width) + "  "
      let end = canvas.draw(head, in: region, row: row + 1, style: theme[.muted])
      let rest = region.columns(end - region.x, region.width)
      canvas.draw(line.text.truncated(to: rest.width), in: rest, row: row + 1, style: theme[.normal])
    }
    if rows.isEmpty { canvas.draw("  nothing was done yet", in: region, row: 1, style: theme[.muted]) }
  }

  func fit(width: Int) {
    guard self.width != width else { return }
    self.width = width
    fill()
  }

  private func fill() {
    shown = desk.watch.readings
    hall = desk.watch.hall(of: desk.session)
    let rest = isWide ? desk.circuits.filter { $0.session != nil && $0.session != desk.session } : []
    others = rest.compactMap { circuit in
      desk.watch.hall(of: circuit.session).map { (circuit.circuit.name, table(of: $0, circuit)) }
    }
    guard let hall else { return table.rows = [] }
    let filled = table(of: hall, desk.circuit)
    table.columns = filled.columns
    table.rows = filled.rows
  }

  private func table(of hall: HallWatch.Hall, _ circuit: DeskCircuit?) -> Table {
    let stations = hall.view.board.stations
    let sheets = stations.map { progress(hall.view.entries(station: $0.timetable, hall.view.now).first, $0) }
    let hasSheets = sheets.contains { !$0.isEmpty }
    let now = desk.now
    let signals = hall.stationSignals(circuit?.fold, at: now)
    let stopping = hall.view.stopping(circuit?.fold, at: now)
    let rows = stations.indices.map { index in
      row(
        stations[index], hall, signals[index], stops: stopping.first { $0.station == stations[index] },
        sheet: hasSheets ? sheets[index] : nil)
    }
    // The signal is whole, however long a station is silent.
    let signal = rows.compactMap { $0.cells.last?.width }.max() ?? 0
    return Table(columns(hall.view, circuit, hasSheets: hasSheets, signal: signal), rows: rows)
  }

  /// Until the first sheet is begun the names have the sheets' column.
  private func columns(
    _ view: HallView, _ circuit: DeskCircuit?, hasSheets: Bool, signal width: Int
  ) -> [Table.Column] {
    let code = min(8, view.board.stations.map { SafeText($0.stationCode).width }.max() ?? 4)
    let station = namesStations ? Table.Column("Station", width: code + 12, stretch: 2) : Table.Column("", width: code)
    let sheet = Table.Column("Sheet", width: isNarrow ? 5 : steps + 6, isNarrow ? .right : .left)
    let room = Table.Column(
      title(view, circuit), width: (isNarrow ? 22 : 19) + (hasSheets ? 0 : sheet.width + 1), stretch: 3)
    let sheets = hasSheets ? [sheet] : []
    let signal = Table.Column("Signal", width: max(14, width))
    if isNarrow { return [station, room] + sheets + [signal] }
    // Names are whole before anything stretches.
    let assessor = Table.Column("Assessor", width: isWide ? 24 : 8, stretch: 2, fits: isWide)
    let next = Table.Column(view.next.map { "Next: " + name($0) } ?? "Then nobody", width: 13, stretch: 2)
    return [station, assessor, room] + sheets + [next, signal]
  }

  private func title(_ view: HallView, _ circuit: DeskCircuit?) -> SafeText {
    SafeText(when(view, circuit)) + ": " + name(view.now)
  }

  /// How those who are shown stand to the room: after the bell, the feedback over, they have left it.
  private func when(_ view: HallView, _ circuit: DeskCircuit?) -> String {
    switch view.moment {
    case .before: return "First"
    case .over: return "Last"
    case .on, .rerun: return isBetween(view, circuit) ? "Left" : "Now"
    }
  }

  /// Whether the round that is shown is over and the next has not begun.
  private func isBetween(_ view: HallView, _ circuit: DeskCircuit?) -> Bool {
    let phase = circuit?.fold?.state(at: desk.now).phase?.type
    return phase == .changeover || phase == .breakTime
  }

  private func name(_ round: HallView.Round) -> SafeText {
    switch round {
    case .session(let round): SafeText("round \(round)")
    case .rerun(let round): SafeText("re-run \(round)")
    }
  }

  private func row(
    _ station: StationSession, _ hall: HallWatch.Hall, _ signal: StationSignal, stops: StoppingCandidate?,
    sheet: SafeText?
  ) -> Table.Row {
    let (view, signals) = (hall.view, hall.signals)
    let help = calls.filter { $0.circuit == station.circuit.id && $0.stationCode == station.stationCode }
    // Whom the row names needs no number.
    var note =
      stops.map { "\($0.isShown ? "" : "\($0.candidate.number) ")stops in \(PhaseText.shortDigits($0.leftMs))" }
      ?? signal.text
    if let call = help.first {
      note =
        call.status == .requested ? "HELP \(call.requestedAt.map { AgeText.text(desk.now - $0) } ?? "")" : "on the way"
    }
    let role: Role =
      help.contains { $0.status == .requested }
      ? .alarm : signal.chase != nil ? .heading : station.isRest ? .muted : .normal
    let code = SafeText(namesStations ? "\(station.stationCode)  \(station.stationName)" : station.stationCode)
    let room = text(station, view.now, view, signals)
    let sheets = sheet.map { [$0] } ?? []
    let cells: [SafeText]
    if isNarrow {
      cells = [code, room] + sheets + [SafeText(note)]
    } else {
      let next = view.next.map { text(station, $0, view, signals) } ?? ""
      cells = [code, assessor(station, signals), room] + sheets + [next, SafeText(note)]
    }
    return Table.Row(cells, role: role, id: "\(station.timetable)")
  }

  private func assessor(_ station: StationSession, _ signals: StationSignals) -> SafeText {
    guard let lead = station.lead else { return "-" }
    return SafeText(isWide ? lead.name : signals.surname(of: lead.staff, named: lead.name))
  }

  /// How far the sheet of who is there has come: always as numbers, with a bar where it has room.
  private func progress(_ entry: RosterEntry?, _ station: StationSession) -> SafeText {
    guard !station.isRest, let entry, entry.isPresent != false, !entry.sheets.isEmpty else { return "" }
    let answered = entry.sheets.reduce(0) { $0 + $1.answered }
    let items = entry.sheets.reduce(0) { $0 + $1.items }
    let numbers = SafeText("\(answered)/\(items)")
    if isNarrow { return numbers }
    return context.theme.glyphs.progress(answered, of: items, width: steps) + " " + numbers
  }

  private func text(
    _ station: StationSession, _ round: HallView.Round, _ view: HallView, _ signals: StationSignals
  ) -> SafeText {
    let entries = view.entries(station: station.timetable, round)
    let isRerun = if case .rerun = round { true } else { false }
    guard let entry = entries.first, let candidate = entry.candidate else {
      return station.isRest && isRerun ? "" : "- empty slot -"
    }
    let glyphs = context.theme.glyphs
    // A candidate who comes to a re-run was mostly recorded absent before.
    let isAbsent = entry.isPresent == false && !isRerun
    let isNow = round == view.now
    // Who comes next has come nowhere yet: no column is kept for it.
    let mark: SafeText =
      isAbsent ? glyphs.cross + " " : entry.isPresent == true ? glyphs.tick + " " : isNow ? "  " : ""
    let several = entries.count > 1 ? "+\(entries.count - 1) " : ""
    let state = isAbsent ? "ABSENT " : entry.lateAt != nil ? "late " : ""
    let name = isWide ? candidate.name : signals.surname(of: candidate.id, named: candidate.name)
    let extra = isNow && !station.isRest ? candidate.extraAtStation.map { " \($0)" } ?? "" : ""
    // Where there is no room for all, the name is needed more than the time, which the page People has too.
    return mark + SafeText("\(candidate.number) \(several)\(state)\(name)\(extra)")
  }
}
