import CircuitModel
import ExamStore
import Journal
import Reports
import Terminal
import Timer

/// The roster of a station session: one row a round, empty slots and absentees included, and practice.
@MainActor
final class RosterScreen: TableScreen {
  let context: AppContext
  let session: StationSession
  let seat: Seat
  /// Changes that could not be taken back: older ones are offered in their place.
  var passedOver: Set<OperationID> = []
  private var entries: [RosterEntry] = []
  private var rounds = 0
  private var lines: [Line] = []
  var table = Table([
    .init("Round", width: 8), .init("Number", width: 9), .init("Candidate", width: 20, stretch: 3),
    .init("Attendance", width: 10), .init("Sheet", width: 16),
  ])

  /// What a row of the table stands for.
  private enum Line {
    case practice
    case entry(RosterEntry)
    case empty(round: Int)
  }

  init(_ context: AppContext, _ session: StationSession, seat: Seat) {
    self.context = context
    self.session = session
    self.seat = seat
    refresh(nil)
    focusCurrentRound()
  }

  var bindings: BindingTable<Command> {
    let isEntry = if case .entry = focused { true } else { false }
    let onEntry: Availability = isEntry ? .enabled : .disabled("there is no candidate on this row")
    return BindingTable(
      "Roster",
      [
        Binding(
          "roster.open", [.enter], "open sheet", help: "Open the mark sheet of this row", group: "Roster",
          session.isRest ? .disabled("a rest station has no mark sheet") : .enabled, action: .open),
        Binding(
          "roster.attendance", ["a"], "attendance", help: "Present, absent, late, identity; add somebody",
          group: "Roster", session.isRest ? .disabled("nobody is marked at a rest station") : .enabled,
          action: .attendance),
        Binding(
          "roster.next", [">"], "now in the room", help: "Open the sheet of the candidate of this round",
          group: "Roster", action: .nextRound),
      ] + RosterFlowKeys.bindings(self) + StationKeys.bindings(onEntry: onEntry))
  }

  var isAtStation: Bool { true }

  var heading: Heading {
    let people = session.assessors.first { $0.seat == seat }?.name ?? ""
    return Heading(
      text: SafeText("\(people) \(context.theme.glyphs.separator) \(session.session.name)"),
      trailing: SafeText(
        [context.modes.paper?.note, seat == .lead ? nil : "co-marker"].compactMap { $0 }.joined(separator: "  ")))
  }

  private var focused: Line? {
    lines.indices.contains(table.selection.index) ? lines[table.selection.index] : nil
  }

  func perform(_ command: Command, _ key: KeyEvent?) {
    switch command {
    case .move: if let key { _ = table.update(key.key) }
    case .open: open()
    case .nextRound:
      focusCurrentRound()
      open()
    case .undo: askUndo()
    case .redo: askRedo()
    case .attendance: askAttendance()
    default:
      let entry: RosterEntry? = if case .entry(let entry) = focused { entry } else { nil }
      StationKeys.perform(command, context, session, seat: seat, entry: entry)
    }
  }

  private func open() {
    switch focused {
    case .practice:
      let timetable = session.timetable
      context.save(isAwaited: true, { try Attendance.practiceEntry(timetable: timetable, in: $0) }) { [self] result in
        if case .success(let key) = result { openSheet(key) }
      }
    case .entry(let entry):
      if context.clock.isAway(entry) {
        context.say("recorded absent: press \(context.key(.rosterAttendance)) to change that before marking", .warning)
      } else {
        openSheet(entry.key)
      }
    case .empty(let round): context.say("round \(round) is an empty slot: nobody comes", .warning)
    case nil: context.say("nobody is planned at this station", .warning)
    }
  }

  private func openSheet(_ entry: String) {
    context.push(SheetScreen(context, session, seat: seat, entry: entry))
  }

  private func askAttendance() {
    switch focused {
    case .entry(let entry): AttendanceQuestion.ask(context, session, entry)
    case .empty(let round): AddedCandidate.ask(context, session, round: round)
    case .practice, nil: AddedCandidate.ask(context, session, round: nil)
    }
  }

  func follow(_ rows: Set<RowKey>) -> Bool {
    let timetable = session.timetable
    let isShown = (try? context.store.read { try Roster.concerns(rows, timetable: timetable, in: $0) }) ?? true
    if isShown { refresh(nil) }
    return isShown
  }

  func followHub() { refresh(nil) }

  func refresh(_ rows: Set<RowKey>?) {
    let (session, seat) = (session, seat)
    do {
      (entries, rounds) = try context.store.read {
        (try Roster.entries(timetable: session.timetable, seat: seat, in: $0), try session.session.roundsNeeded($0))
      }
    } catch { context.noteUnread(error) }
    fill()
  }

  func clockMoved() { fill() }

  private func fill() {
    let clock = context.clock
    let rounds = clock.isRerun ? clock.state?.rounds ?? 1 : rounds
    let byRound = Dictionary(grouping: entries) { clock.round(of: $0) ?? 0 }
    var lines: [Line] = [.practice]
    for round in 1...max(1, rounds) {
      let here = byRound[round] ?? []
      lines += here.isEmpty ? [.empty(round: round)] : here.map { .entry($0) }
    }
    // Whoever has no round by this clock, or one beyond its end.
    let others = byRound.keys.filter { $0 < 1 || $0 > max(1, rounds) }.sorted()
    lines += others.flatMap { byRound[$0] ?? [] }.map { .entry($0) }
    self.lines = lines
    let current = context.clock.state?.round
    table.rows = lines.map { row($0, current: current) }
  }

  private func row(_ line: Line, current: Int?) -> Table.Row {
    let glyphs = context.theme.glyphs
    switch line {
    case .practice: return Table.Row(["-", "", "Practice sheet (never counts)", "", ""], role: .muted, id: "practice")
    case .empty(let round):
      return Table.Row([SafeText("\(round)"), "", "- empty slot -", "", ""], role: .muted, id: "round \(round)")
    case .entry(let entry):
      let place = context.clock.round(of: entry)
      let round = place.map { "\($0)" } ?? "-"
      let presence = context.clock.presence(of: entry)
      let isNext = presence == .notYetHere && place != nil && place == current
      let here: SafeText =
        presence == .inTheRoom ? " " + glyphs.pointer + " now" : isNext ? " " + glyphs.pointer + " next" : ""
      let attendance: SafeText =
        switch entry.isPresent {
        case false? where entry.rerunRound != nil: SafeText("re-run \(entry.rerunRound ?? 0)")
        case true?: glyphs.tick + (entry.lateAt == nil ? " present" : " late")
        case false?: glyphs.cross + " absent"
        case nil: ""
        }
      let doubt: SafeText = entry.identityNote == nil ? "" : " id?"
      return Table.Row(
        [
          SafeText(round) + here, SafeText(entry.candidate?.number ?? ""),
          SafeText(entry.candidate == nil ? "nobody" : context.name(of: entry.candidate)),
          attendance + doubt, progress(entry),
        ], role: entry.isPresent == false ? .muted : .normal, id: entry.key)
    }
  }

  private func progress(_ entry: RosterEntry) -> SafeText {
    guard !entry.sheets.isEmpty else { return "" }
    let answered = entry.sheets.reduce(0) { $0 + $1.answered }
    let items = entry.sheets.reduce(0) { $0 + $1.items }
    let signed = entry.sheets.allSatisfy(\.isSigned)
    let places = entry.sheets.map(\.place)
    let sign: MarkSign =
      places.contains(.attention)
      ? .attention : answered == 0 ? .optional : places.allSatisfy { $0 == .hub } ? .hub : .disk
    let state: SafeText = sign == .attention ? " conflict" : signed ? " signed" : ""
    return sign.glyph(context.theme.glyphs) + SafeText(" \(answered)/\(items)") + state
  }

  /// Puts the focus on somebody's row.
  func focus(_ entry: String) {
    if let index = lines.firstIndex(where: { if case .entry(let one) = $0 { one.key == entry } else { false } }) {
      table.selection.index = index
    }
  }

  private func focusCurrentRound() {
    let clock = context.clock
    let current = clock.state?.round ?? 1
    let index = lines.firstIndex { if case .entry(let entry) = $0 { clock.round(of: entry) == current } else { false } }
    table.selection.index = index ?? min(1, lines.count - 1)
  }

  func patience(for command: Command) -> WaitingKeys.Patience {
    // Undoing takes the last change, which may still be on its way to the disk.
    command == .undo || command == .redo ? .everything : .outcome
  }

  func mayGoBack() -> Bool { StationLeaving.begin(context, session, seat) }

  func layOut(_ region: Rect) { table.selection.page = max(1, region.height - 1) }

  func draw(on canvas: inout Canvas, in region: Rect) {
    table.draw(on: &canvas, in: region, theme: context.theme)
    if entries.isEmpty {
      canvas.draw(
        "Nobody is planned here; the practice sheet can be used", in: region, row: region.height - 1,
        style: context.theme[.muted])
    }
  }
}
