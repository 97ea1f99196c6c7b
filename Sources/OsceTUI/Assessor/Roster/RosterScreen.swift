import CircuitModel
import ExamStore
import Journal
import Reports
import Terminal
import Timer

/// The roster of a station session: one row a round, empty slots and absentees included, and practice.
@MainActor
final class RosterScreen: TableScreen, EntryScreen {
  let context: AppContext
  private let opened: StationSession
  var session: StationSession { context.clock.current(opened) }
  let seat: Seat
  /// Changes that could not be undone: older ones are offered in their place.
  var passedOver: Set<OperationID> = []
  private var entries: [RosterEntry] = []
  private var rounds = 0
  private var lines: [Line] = []
  private var work: [String: RosterWork] = [:]
  /// The entries of those who have time after the bell, as they are shown.
  private var staying: Set<String> = []
  /// Whether the hub gives this terminal only part of the exam.
  private var isPartial = false
  var table = Table(RosterRoom.words.columns(namesBlanks: false))
  private var room = RosterRoom.words
  private var isNarrow: Bool { room == .signs }
  /// The comments on candidates by their entries, where they have room.
  private var comments: [String: String] = [:]

  /// What a row of the table stands for.
  private enum Line {
    case practice
    case entry(RosterEntry)
    case empty(round: Int)
  }

  init(_ context: AppContext, _ session: StationSession, seat: Seat) {
    self.context = context
    opened = session
    self.seat = seat
    reload()
    focusCurrentRound()
  }

  enum Keys {
    static let attendance = KeyBinding<RosterScreen>(
      "roster.attendance", ["a"], "attendance", help: "Present, absent, late, identity; add somebody", group: "Roster",
      when: { $0.session.isRest ? .disabled("nobody is marked at a rest station") : $0.context.changing() }
    ) { screen, _ in screen.askAttendance() }
  }

  nonisolated static let keys = KeyTable<RosterScreen>(
    "Roster", at: .station,
    [
      KeyBinding(
        "roster.open", [.enter], "open sheet", help: "Open the mark sheet of this row", group: "Roster",
        when: { screen in
          if screen.session.isRest { return .disabled(SheetScreen.noSheetAtRest) }
          return screen.entry.map(screen.context.clock.isAbsent) == true ? .disabled(screen.absentText) : .enabled
        }
      ) { screen, _ in screen.open() },
      Keys.attendance,
      KeyBinding(
        "roster.next", [">"], "in the room", help: "Open who is in the room, or comes next", group: "Roster"
      ) { screen, _ in
        screen.focusCurrentRound()
        screen.open()
      }
      .labelled { $0.isCurrentInTheRoom ? "in the room" : "next" },
      // Undoing takes the last change, which may still be on its way to the disk.
      KeyBinding(
        "roster.undo", ["z", "ctrl-z"], "undo", help: "Undo your last mark at this station (asks first)",
        group: "Roster", inFooter: false, patience: .everything, when: { $0.context.changing() }
      ) { screen, _ in screen.askUndo() },
      KeyBinding(
        "roster.redo", ["Z"], "redo", help: "Redo what was undone (asks first)", group: "Roster", inFooter: false,
        patience: .everything, when: { $0.context.changing() }
      ) { screen, _ in screen.askRedo() },
    ] + EntryKeys.all())

  nonisolated static let noEntry = "there is no candidate on this row"

  var entry: RosterEntry? { if case .entry(let entry) = focused { entry } else { nil } }

  var heading: Heading {
    let session = session
    let people =
      (session.assessors + session.covered).first { $0.staff == context.sitting?.staff.id }?.name
      ?? session.assessors.first { $0.seat == seat }?.name ?? ""
    return Heading(
      text: SafeText("\(people) \(context.theme.glyphs.separator) \(session.session.name)"),
      shorterTexts: [SafeText(people)],
      trailing: SafeText(
        [context.modes.paper?.note, seat == .lead ? nil : "second assessor", summary].compactMap { $0 }
          .joined(separator: "  ")))
  }

  /// How many sheets are signed, are to be finished, and are due.
  private var summary: String? {
    let due = entries.filter {
      $0.candidate != nil && isDue($0)
        && (!context.clock.isAbsent($0) || context.clock.rerunToCome(for: $0) != nil)
    }
    if due.isEmpty { return nil }
    let signed = due.count { $0.isSigned && !lacks($0) }
    let open = due.count { context.clock.isLeftOpen($0, work[$0.key]) }
    return
      "\(signed) signed \(context.theme.glyphs.separator.plain) \(open) to finish \(context.theme.glyphs.separator.plain) "
      + "\(due.count - signed - open) due"
  }

  private var focused: Line? { table.selection.focused(of: lines) }

  private func open() {
    switch focused {
    case .practice:
      let timetable = session.timetable
      context.save(with: .awaited, { try Attendance.practiceEntry(timetable: timetable, in: $0) }) { [self] result in
        if case .success(let key) = result { openSheet(key) }
      }
    case .entry(let entry):
      if context.clock.isAbsent(entry) {
        context.showMessage(SafeText(absentText), .warning)
      } else {
        openSheet(entry.key)
      }
    case .empty(let round): context.showMessage("round \(round) is an empty slot: nobody comes", .warning)
    case nil: context.showMessage("nobody is planned at this station", .warning)
    }
  }

  private var absentText: String { "recorded absent: \(context.key(of: Keys.attendance)) changes attendance" }

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
    let isShown = context.read { try Roster.concerns(rows, timetable: timetable, in: $0) } ?? true
    if isShown { reload() }
    return isShown
  }

  func followHub() { reload() }

  func reload() {
    let (session, seat) = (session, seat)
    do {
      (entries, rounds, work, isPartial) = try context.store.read {
        (
          try Roster.entries(timetable: session.timetable, seat: seat, in: $0), try session.session.roundsNeeded($0),
          try RosterWork.read(at: session, seat: seat, in: $0), try Enrolment.isPartial($0)
        )
      }
      if room == .everything { readComments() }
    } catch { context.noteUnread(error) }
    fill()
  }

  /// Reads what was written of each candidate but the concerns.
  private func readComments() {
    let (session, seat) = (session, seat)
    let texts = context.read { try Comments.texts(at: session, seenFrom: seat, in: $0) }
    if let texts { comments = texts.mapValues { $0.joined(separator: " / ") } }
  }

  func clockMoved() { fill() }

  /// When the next of those leaves who have time after the bell: also where the hall's clock is over.
  var deadline: Int64? {
    entries.compactMap { context.clock.leftAfterBell(of: $0) }.min().map { context.monotonic() + $0 }
  }

  func passTime(_ now: Int64) -> Bool {
    if staying == whoStays { return false }
    fill()
    return true
  }

  private var whoStays: Set<String> {
    Set(entries.filter { context.clock.leftAfterBell(of: $0) != nil }.map(\.key))
  }

  private func fill() {
    let clock = context.clock
    staying = whoStays
    let rounds = clock.isRerun ? clock.state?.rounds ?? 1 : rounds
    let byRound = Dictionary(grouping: entries) { clock.round(of: $0) ?? 0 }
    var lines: [Line] = [.practice]
    for round in 1...max(1, rounds) {
      let here = byRound[round] ?? []
      lines += here.isEmpty ? [.empty(round: round)] : here.map { .entry($0) }
    }
    // A candidate without a round by this clock, or with one beyond its end.
    let others = byRound.keys.filter { $0 < 1 || $0 > max(1, rounds) }.sorted()
    lines += others.flatMap { byRound[$0] ?? [] }.map { .entry($0) }
    self.lines = lines
    table.columns = room.columns(
      namesBlanks: entries.contains { !clock.isAbsent($0) && $0.isSigned && lacks($0) })
    table.rows = lines.map { row($0) }
  }

  private func row(_ line: Line) -> Table.Row {
    switch line {
    case .practice:
      let note: [SafeText] = (isNarrow ? ["", "", ""] : []) + ["never counts"]
      return Table.Row(["-", "", "Practice sheet"] + note, role: .muted, id: "practice")
    case .empty(let round):
      return Table.Row([SafeText("\(round)"), "", "- empty slot -"], role: .muted, id: "round \(round)")
    case .entry(let entry):
      let round = context.clock.round(of: entry).map { "\($0)" } ?? "-"
      return Table.Row(
        [
          SafeText(round), SafeText(entry.candidate?.number ?? ""),
          name(entry), attendance(entry), progress(entry), notes(entry), toDo(entry),
        ] + (room == .everything ? everything(entry) : []), role: role(of: entry), id: entry.key)
    }
  }

  private func role(of entry: RosterEntry) -> Role {
    let clock = context.clock
    if !isDue(entry) { return .muted }
    if entry.isPresent != false && entry.isSigned && lacks(entry) { return .error }
    let isInTheRoom = clock.presence(of: entry) == .inTheRoom
    if entry.isPresent == false || clock.rerunToCome(for: entry) != nil || (entry.isSigned && !isInTheRoom) {
      return .muted
    }
    return isInTheRoom ? .heading : clock.isLeftOpen(entry, work[entry.key]) ? .warning : .normal
  }

  /// The candidate's name, after the extra time at the station, which no long name may push out of view.
  private func name(_ entry: RosterEntry) -> SafeText {
    guard let candidate = entry.candidate else { return "nobody" }
    let parts = [session.isRest ? nil : candidate.extraAtStation, context.name(of: candidate)].compactMap { $0 }
    return SafeText(parts.joined(separator: " "))
  }

  /// The adjustments of the focused candidate, named in full; nil where the row has no candidate.
  private var detail: String? {
    entry?.candidate.map { "Adjustments of \(context.title(of: $0)): \($0.adjustments ?? "none")" }
  }

  /// Where the candidate is by the clock, else what is recorded of the attendance.
  private func attendance(_ entry: RosterEntry) -> SafeText {
    let clock = context.clock
    if let rerun = clock.rerunToCome(for: entry) ?? (entry.isPresent == false ? entry.rerunRound : nil) {
      return SafeText((isNarrow ? "R" : "re-run ") + "\(rerun)")
    }
    if entry.isPresent == false { return isNarrow ? "A" : "ABSENT" }
    switch clock.presence(of: entry) {
    case .inTheRoom where isRunning || clock.leftAfterBell(of: entry) != nil: return isNarrow ? "IN" : "IN THE ROOM"
    case .notYetHere where isRunning && clock.round(of: entry) == clock.roundDue: return "next"
    default: break
    }
    if entry.lateAt != nil { return isNarrow ? "L" : "late" }
    return entry.isPresent == true ? isNarrow ? "P" : "present" : ""
  }

  private var isRunning: Bool { context.clock.state?.status.isOpen == true }

  private func progress(_ entry: RosterEntry) -> SafeText {
    guard !entry.sheets.isEmpty else { return "" }
    let answered = entry.sheets.reduce(0) { $0 + $1.answered }
    let items = entry.sheets.reduce(0) { $0 + $1.items }
    let numbers = SafeText("\(answered)/\(items)")
    return isNarrow ? numbers : context.theme.glyphs.progress(answered, of: items, width: 6) + " " + numbers
  }

  /// What was written of the candidate, how late they came, whether the identity is doubted.
  private func notes(_ entry: RosterEntry) -> SafeText {
    let work = work[entry.key] ?? RosterWork()
    let glyphs = context.theme.glyphs
    var notes = WrittenNotes(comments: work.comments, concerns: work.concerns).signs(glyphs)
    if entry.identityNote != nil { notes.append("id?") }
    return SafeText(notes.joined(separator: " "))
  }

  /// Whether anything may be due of the candidate here.
  private func isDue(_ entry: RosterEntry) -> Bool { work[entry.key]?.isDue != false }

  /// Whether something is blank that is required and due.
  private func lacks(_ entry: RosterEntry) -> Bool { isDue(entry) && (work[entry.key]?.blankCount ?? 0) > 0 }

  /// What is left to do for the candidate: signed is a word, and so is what is blank.
  private func toDo(_ entry: RosterEntry) -> SafeText {
    let glyphs = context.theme.glyphs
    let work = work[entry.key] ?? RosterWork()
    let presence = context.clock.presence(of: entry)
    if entry.sheets.contains(where: { $0.place == .attention }) { return "! conflict" }
    if work.isExcused { return "- excused" }
    if work.isRuledOut { return "- ruled out" }
    if context.clock.rerunToCome(for: entry) != nil { return "to come" }
    if context.clock.isAbsent(entry) { return "- none due" }
    if entry.sheets.isEmpty { return presence == .left ? glyphs.cross + " no sheet" : "" }
    let isSigned = entry.isSigned
    if isSigned, work.blankCount == 0 { return glyphs.tick + " signed" }
    if !isSigned, presence == .inTheRoom { return work.blankCount == 0 ? "to sign" : "marking" }
    let head = glyphs.cross + (isSigned ? (isNarrow ? " signed " : " signed, ") : " ")
    if work.blankCount == 1, let blank = work.blanks.first { return head + SafeText("\(blank) blank") }
    if work.blankCount > 0 { return head + SafeText("\(work.blankCount) blank") }
    return glyphs.cross + " not signed"
  }

  /// Who signed the last sheet, and when, the adjustments and the comments.
  private func everything(_ entry: RosterEntry) -> [SafeText] {
    let last = entry.isSigned ? entry.sheets.max { ($0.signedAt ?? .earliest) < ($1.signedAt ?? .earliest) } : nil
    return [
      SafeText(last?.signedAt.map { LocalTime.reading(of: $0).minute } ?? ""), SafeText(last?.signedBy ?? ""),
      SafeText(entry.candidate?.adjustments ?? ""), SafeText(comments[entry.key] ?? ""),
    ]
  }

  /// Puts the focus on somebody's row.
  func focus(_ entry: String) {
    if let index = lines.firstIndex(where: { if case .entry(let one) = $0 { one.key == entry } else { false } }) {
      table.selection.index = index
    }
  }

  private func focusCurrentRound() { table.selection.index = currentIndex ?? min(1, lines.count - 1) }

  /// The row of who is in the room, or comes next.
  private var currentIndex: Int? {
    let clock = context.clock
    let current = clock.roundDue
    return lines.firstIndex { line in
      guard case .entry(let entry) = line, let round = clock.round(of: entry), clock.rerunToCome(for: entry) == nil
      else { return false }
      return round == current || (round > current && !clock.isAbsent(entry))
    }
  }

  private var isCurrentInTheRoom: Bool {
    guard let index = currentIndex, case .entry(let entry) = lines[index] else { return false }
    return context.clock.presence(of: entry) == .inTheRoom
  }

  func mayGoBack() -> Bool { StationExit.begin(context, session, seat) }

  /// Lines under the table for the focused candidate, the empty one above them counted; more only where the table leaves
  /// them free.
  private static let detailHeight = 3

  private func parts(_ region: Rect) -> (detail: Rect, table: Rect) {
    let wanted = detail.map { SafeText.wrap($0, to: max(1, region.width - 4)).count + 1 } ?? 0
    let free = min(wanted, region.height - 1 - table.rows.count)
    let parts = region.splitBottom(min(max(RosterScreen.detailHeight, free), max(0, region.height - 6)))
    return (parts.bottom, parts.rest)
  }

  func tableRegion(_ region: Rect) -> Rect { parts(region).table }

  func layOut(_ region: Rect) {
    table.fit(tableRegion(region))
    let room = RosterRoom(width: region.width)
    guard self.room != room else { return }
    self.room = room
    if room == .everything { readComments() }
    fill()
  }

  func draw(on canvas: inout Canvas, in region: Rect) {
    let parts = parts(region)
    table.draw(on: &canvas, in: parts.table, theme: context.theme)
    if let detail {
      canvas.drawWrapped(
        detail, in: parts.detail.rows(1, parts.detail.height).inset(columns: 2, rows: 0),
        style: context.theme[.normal])
    }
    if entries.isEmpty {
      canvas.draw(
        isPartial
          ? "The hub sends candidates only to a person with a passcode"
          : "No candidates here; try the practice sheet", in: region, row: region.height - 1,
        style: context.theme[.muted])
    }
  }
}
