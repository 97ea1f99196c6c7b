import CircuitModel
import ExamStore
import Reports
import Terminal
import Timer

/// Everybody of the session: absent, late, swapped, added, queued for the re-run.
@MainActor
final class CandidatesPage: DeskListing {
  let desk: Desk
  var table = Table([])
  private var view: HallView?
  private var excuses = Excuses()
  /// Who was in the rooms when the signs were made.
  private var shownRooms = Rooms()
  /// The columns of the terminal.
  private var width = 80
  /// Whether a column stands for each station; in a re-run, and where they have no room, where somebody is and goes next.
  private var isGrid = false
  private var notes: [String] = []

  init(_ desk: Desk) { self.desk = desk }

  nonisolated private static let group = "Candidates"
  nonisolated static let keys = KeyTable<CandidatesPage>(
    "People", at: .desk,
    [
      KeyBinding(
        "people.ledger", [.enter], "ledger", help: "What the candidate met, for the board", group: group,
        when: { $0.onCandidate }
      ) { page, _ in page.withCandidate { actions, candidate, _ in actions.showLedger(candidate.id) } },
      KeyBinding(
        "people.attendance", ["a"], "attendance", help: "Absent, late or here", group: group,
        when: { $0.context.changing($0.onCandidate) }
      ) { page, _ in page.withCandidate { $0.askAttendance($1, $2) } },
      KeyBinding(
        "people.swap", ["w"], "swap", help: "Change places with another from a round on", group: group,
        when: { $0.context.changing($0.onCandidate) }
      ) { page, _ in page.withCandidate { $0.askSwap($1, $2) } },
      KeyBinding(
        "people.extra", ["n"], "extra", help: "Add a candidate to a free slot", group: group,
        when: { $0.view == nil ? .disabled("there is no session") : $0.context.changing() }
      ) { page, _ in if let view = page.view { CandidateActions(desk: page.desk).askExtra(view) } },
      KeyBinding(
        "people.time", ["x"], "extra time", help: "Give time beyond everybody's, in minutes or percent", group: group,
        inFooter: false, when: { $0.context.changingExam($0.onCandidate) }
      ) { page, _ in page.withCandidate { $0.askExtraTime($1, $2.board.session) } },
      KeyBinding(
        "people.rerun", ["m"], "missed", help: "Queue missed stations for the re-run, or take them out", group: group,
        when: { $0.context.changing($0.onCandidate) }
      ) { page, _ in page.withCandidate { $0.askQueue($1, $2) } },
    ])

  private var onCandidate: Availability { focused == nil ? .disabled("nobody is chosen") : .enabled }

  private func withCandidate(_ act: (CandidateActions, Candidate, HallView) -> Void) {
    if let candidate = focused?.candidate, let view { act(CandidateActions(desk: desk), candidate, view) }
  }

  func fit(width: Int) {
    guard self.width != width else { return }
    self.width = width
    if let view { fill(view) }
  }

  let emptyText: SafeText = "Nobody is on the rosters of this session"

  /// The focused candidate's notes; where there are none, what the signs of the grid say.
  var detail: String {
    let glyphs = context.theme.glyphs
    let note = table.selection.focused(of: notes) ?? ""
    if !note.isEmpty || !isGrid { return note }
    return "\(glyphs.pointer) in the room  \(glyphs.tick) signed  \(glyphs.half) not signed  ? not seen  A absent  "
      + "\(glyphs.separator) to come"
  }

  private var focused: HallCandidate? {
    view.flatMap { table.selection.focused(of: $0.board.candidates) }
  }

  func clockMoved() throws {
    if view?.board.session != desk.session || view?.isOf(desk.now) == false { return try reload() }
    if let view, rooms != shownRooms { fill(view) }
  }

  /// Who is in the rooms by the clock: from the bell on those of its round, and until their time is over those who have
  /// more of it than others.
  private struct Rooms: Equatable {
    var round: Int?
    /// How many are in a room after the bell.
    var staying = 0
  }

  private var rooms: Rooms {
    let state = desk.state
    return Rooms(
      round: state?.phase?.type == .rotation ? state?.round : nil,
      staying: desk.watch.hall(of: desk.session)?.view.stopping(desk.circuit?.fold, at: desk.now).count ?? 0)
  }

  private func isInRoom(_ person: HallCandidate, round: Int) -> Bool {
    round == shownRooms.round
      || desk.circuit?.fold?.leftAfterBell(
        round: round, extraSeconds: person.candidate.extraStationSeconds, at: desk.now) != nil
  }

  func reload() throws {
    guard let session = desk.session else {
      view = nil
      table.rows = []
      return
    }
    let now = desk.now
    let (view, excuses) = try context.store.read { db in
      let excuses = try Excuses.read(in: db)
      return (try HallView.read(session, at: now, excusing: excuses.isExcused, in: db), excuses)
    }
    (self.view, self.excuses) = (view, excuses)
    let phases = try desk.state?.phases ?? context.store.read { try session.plannedPhases($0) }
    notes = view.board.candidates.map { self.notes(on: $0, view, phases).joined(separator: "; ") }
    fill(view)
  }

  private func fill(_ view: HallView) {
    shownRooms = rooms
    let stations = view.board.stations
    let nothing = context.theme.glyphs.nothing
    // Columns of three cells, where all of them have room beside who it is and a note.
    let isSession = if case .session = view.now { true } else { false }
    isGrid = isSession && width >= 44 + 4 * stations.count
    table.columns =
      [
        .init("Slot", width: 4, .right), .init("Number", width: 8, fits: true),
        .init("Name", width: isGrid ? 15 : 18, stretch: 2),
      ]
      + (isGrid
        ? stations.map { .init($0.isRest ? " " + nothing : SafeText(String($0.stationCode.prefix(3))), width: 3) } + [
          .init("Due", width: 3, .right)
        ]
        : [.init("Now", width: 8), .init("Next", width: 8)])
      + [.init("Notes", width: isGrid ? 8 : 20, stretch: 2)]
    table.rows = zip(view.board.candidates, notes).map { person, note in
      let cells = isGrid ? signs(of: person, view) : places(of: person, view)
      return Table.Row(
        [slot(of: person, view.now), SafeText(person.candidate.number), SafeText(person.candidate.name)] + cells
          + [SafeText(isGrid ? CandidatesPage.short(note, of: person.candidate) : note)],
        role: note.hasPrefix("ABSENT") ? .muted : .normal, id: "\(person.candidate.id)")
    }
  }

  /// A note in the grid's few columns: of extra time, when to stop is all of it.
  private static func short(_ note: String, of candidate: Candidate) -> String {
    guard let extra = candidate.extraAtStation, let adjustments = candidate.adjustments else { return note }
    let isSaid = note.contains("stop at \(extra)")
    return note.replacing("stop at \(extra)", with: extra, maxReplacements: 1)
      .replacing(isSaid ? "; \(adjustments)" : adjustments, with: isSaid ? "" : extra, maxReplacements: 1)
  }

  /// Where somebody is and goes next.
  private func places(of person: HallCandidate, _ view: HallView) -> [SafeText] {
    let now = view.place(of: person.candidate.id, view.now)
    let next = view.next.flatMap { view.place(of: person.candidate.id, $0) }
    return [SafeText(now?.station.stationCode ?? "-"), SafeText(next?.station.stationCode ?? "-")]
  }

  /// How far somebody is at each station, and how many sheets are still due.
  private func signs(of person: HallCandidate, _ view: HallView) -> [SafeText] {
    // Who was added without a round is marked and signed like everybody.
    let visits = Dictionary(grouping: view.board.everywhere(person.candidate.id)) { $0.timetable }
    let glyphs = context.theme.glyphs
    let over = view.moment.lastOver(of: view.board.rounds)
    // What waits in the re-run queue is due, whatever became of it in the session's own rounds.
    var due = Set(queued(person, view).map(\.entry.key))
    let signs = view.board.stations.map { station -> SafeText in
      guard let visits = visits[station.timetable], isMarked(person, at: station) else { return " " + glyphs.nothing }
      let signs = visits.map { visit in
        let round = visit.entry.round
        return sign(
          visit.entry, view, isNow: round.map { isInRoom(person, round: $0) } ?? false,
          isOver: round.map { $0 <= over } ?? false)
      }
      due.formUnion(zip(visits, signs).filter { !$0.1.isDone }.map(\.0.entry.key))
      // Who comes twice after a swap has the sign of the visit that needs more.
      return " " + (signs.max { $0.urgency < $1.urgency }?.text ?? glyphs.nothing)
    }
    if !due.isEmpty { return signs + [SafeText("\(due.count)")] }
    let marked = view.board.stations.filter { isMarked(person, at: $0) }.flatMap { visits[$0.timetable] ?? [] }
    // Of somebody who came nowhere, or is excused everywhere, nothing was signed.
    return signs + [marked.allSatisfy { $0.entry.isPresent == false } ? glyphs.nothing : glyphs.tick]
  }

  /// Whether anything is due of somebody at a station.
  private func isMarked(_ person: HallCandidate, at station: StationSession) -> Bool {
    !station.isRest && !isExcused(person, at: station)
  }

  private func isExcused(_ person: HallCandidate, at station: StationSession) -> Bool {
    excuses.isExcused(person.candidate.label, at: station)
  }

  /// What is queued of somebody for the re-run, and due.
  private func queued(_ person: HallCandidate, _ view: HallView) -> [RerunItem] {
    view.queue.filter { $0.isDue && $0.entry.candidate?.id == person.candidate.id }
  }

  /// How far a visit is.
  private struct Sign {
    let text: SafeText
    /// How much it needs somebody; 0 and 1: nothing is due any more.
    let urgency: Int
    var isDone: Bool { urgency < 2 }

    init(_ text: SafeText, _ urgency: Int) { (self.text, self.urgency) = (text, urgency) }
  }

  private func sign(_ entry: RosterEntry, _ view: HallView, isNow: Bool, isOver: Bool) -> Sign {
    let glyphs = context.theme.glyphs
    if view.isOwedByRerun(entry) { return Sign(glyphs.separator, 2) }
    if entry.isPresent == false { return Sign("A", 1) }
    if view.isSigned(entry) { return Sign(glyphs.tick, 0) }
    if view.isRuledOut(entry), view.unsignedSecondAssessors(of: entry).isEmpty { return Sign(glyphs.nothing, 1) }
    // A second assessor has still to sign.
    if entry.isSigned { return Sign(glyphs.half, isNow ? 3 : 5) }
    let isMarked = entry.sheets.contains { $0.answered > 0 }
    if isNow { return isMarked || entry.isPresent == true ? Sign(glyphs.pointer, 3) : Sign("?", 4) }
    if isOver { return isMarked || entry.isPresent == true ? Sign(glyphs.half, 5) : Sign("?", 6) }
    return isMarked ? Sign(glyphs.half, 5) : Sign(glyphs.separator, 2)
  }

  private func slot(of person: HallCandidate, _ round: HallView.Round) -> SafeText {
    guard case .session(let round) = round, person.slots.indices.contains(round - 1) else { return "-" }
    let slot = person.slots[round - 1]
    return SafeText(slot > 0 ? "\(slot)" : "-")
  }

  /// What is special about a candidate in this round.
  private func notes(on person: HallCandidate, _ view: HallView, _ phases: PhaseList) -> [String] {
    let now = view.place(of: person.candidate.id, view.now)
    var notes: [String] = []
    let isLate = view.board.isLate(person.candidate.id)
    // Who has come late is not absent any more, whatever was missed.
    if case .session = view.now, now?.entry.isPresent == false, !isLate { notes.append("ABSENT") }
    let identity = view.board.identityNotes(on: person.candidate.id)
    if !identity.isEmpty { notes.append("IDENTITY " + identity.joined(separator: "; ")) }
    if isLate { notes.append("late") }
    if person.isAdditional { notes.append("added") }
    let stations = view.board.stations.filter { !$0.isRest }
    let excused = stations.filter { isExcused(person, at: $0) }
    if !excused.isEmpty {
      let places = excused.count == stations.count ? "everywhere" : excused.map(\.stationCode).joined(separator: ", ")
      notes.append("excused: \(places)")
    }
    let queued = queued(person, view)
    if !queued.isEmpty { notes.append("re-run: \(queued.map(\.station.stationCode).joined(separator: ", "))") }
    notes += repeated(person, view)
    if let now { notes += fit(person.candidate, now.station, view, phases) }
    if let adjustments = person.candidate.adjustments { notes.append(adjustments) }
    return notes
  }

  /// The stations to which somebody comes more than once, as after a swap: the grid has one sign for all visits.
  private func repeated(_ person: HallCandidate, _ view: HallView) -> [String] {
    let visits = Dictionary(grouping: view.board.places(of: person.candidate.id), by: \.timetable)
    return view.board.stations.compactMap { station -> String? in
      guard isMarked(person, at: station), let here = visits[station.timetable], here.count > 1 else { return nil }
      let lines = here.map { "round \($0.round) \(text(of: $0.entry, view))" }
      return "\(station.stationCode): \(lines.joined(separator: ", "))"
    }
  }

  private func text(of entry: RosterEntry, _ view: HallView) -> String {
    if view.isOwedByRerun(entry) { return "in the re-run" }
    if entry.isPresent == false { return "absent" }
    if view.isSigned(entry) { return "signed" }
    if view.isRuledOut(entry) { return "ruled out" }
    return entry.sheets.contains { $0.answered > 0 } ? "not signed" : "not marked"
  }

  private func fit(
    _ candidate: Candidate, _ station: StationSession, _ view: HallView, _ phases: PhaseList
  ) -> [String] {
    if station.isRest { return [] }
    return switch view.fit(candidate, at: station, phases: phases) {
    case .none: []
    case .absorbed(let by, _): ["\(candidate.stopsAt ?? ""), taken up by \(by)"]
    case .late(let seconds): ["\(candidate.stopsAt ?? ""), next station delayed \(seconds) s"]
    }
  }
}
