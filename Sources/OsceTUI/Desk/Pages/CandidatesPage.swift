import CircuitModel
import Terminal
import Timer

/// Everybody of the session: absent, late, swapped, added.
@MainActor
final class CandidatesPage: DeskListing {
  let desk: Desk
  var table = Table([
    .init("Slot", width: 4, .right), .init("Number", width: 8), .init("Name", width: 18, stretch: 2),
    .init("Now", width: 8), .init("Next", width: 8), .init("Adjustments", width: 20, stretch: 2),
  ])
  private var board: HallBoard?
  private var notes: [String] = []

  init(_ desk: Desk) { self.desk = desk }

  let name = "People"
  let emptyText: SafeText = "Nobody is on the rosters of this session"
  let followsTheClock = true

  var bindings: [Binding<Command>] {
    let group = "Candidates"
    let any: Availability = focused == nil ? .disabled("nobody is chosen") : .enabled
    return [
      Binding(
        "people.ledger", [.enter], "ledger", help: "What the candidate met, for the board", group: group,
        any, action: .open),
      Binding(
        "people.attendance", ["a"], "attendance", help: "Absent, late or here", group: group, any,
        action: .desk(.attendance)),
      Binding(
        "people.swap", ["w"], "swap", help: "Change places with another from a round on", group: group,
        any, action: .desk(.swap)),
      Binding(
        "people.extra", ["n"], "extra", help: "Add a candidate to a free slot", group: group,
        board == nil ? .disabled("there is no session") : .enabled, action: .desk(.add)),
    ]
  }

  var detail: String { notes.indices.contains(table.selection.index) ? notes[table.selection.index] : "" }

  private var round: Int { max(1, desk.state?.round ?? 1) }

  private var focused: HallCandidate? {
    guard let board, board.candidates.indices.contains(table.selection.index) else { return nil }
    return board.candidates[table.selection.index]
  }

  func perform(_ command: Command) {
    guard let board, let session = desk.session else { return }
    let actions = CandidateActions(desk: desk)
    switch command {
    case .open: if let focused { actions.showLedger(focused.candidate.id) }
    case .desk(.attendance):
      if let focused { actions.askAttendance(focused.candidate, round: round, session: session) }
    case .desk(.swap): if let focused { actions.askSwap(focused, board: board, round: round) }
    case .desk(.add): actions.askExtra(board: board, round: round)
    default: break
    }
  }

  func reload() throws {
    guard let session = desk.session else {
      board = nil
      table.rows = []
      return
    }
    let board = try context.store.read { try HallBoard.read(session, in: $0) }
    self.board = board
    let phases = try desk.state?.phases ?? context.store.read { try session.plannedPhases($0) }
    notes = board.candidates.map { self.notes(on: $0, board, phases).joined(separator: "; ") }
    table.rows = zip(board.candidates, notes).map { person, note in
      let now = station(of: person, round: round, board)
      let next = station(of: person, round: round + 1, board)
      let slot = person.slots.indices.contains(round - 1) ? person.slots[round - 1] : 0
      return Table.Row(
        [
          SafeText(slot > 0 ? "\(slot)" : "-"), SafeText(person.candidate.number), SafeText(person.candidate.name),
          SafeText(now?.stationCode ?? "-"), SafeText(next?.stationCode ?? "-"),
          SafeText(note),
        ], role: note.hasPrefix("ABSENT") ? .muted : .normal)
    }
  }

  /// What is special about a candidate in this round.
  private func notes(on person: HallCandidate, _ board: HallBoard, _ phases: PhaseList?) -> [String] {
    let now = station(of: person, round: round, board)
    let entry = now.flatMap { place in
      board.entries(station: place.timetable, round: round).first { $0.candidate?.id == person.candidate.id }
    }
    var notes: [String] = []
    if entry?.isPresent == false { notes.append("ABSENT") }
    if entry?.lateAt != nil { notes.append("late") }
    if person.isAdditional { notes.append("added") }
    if let adjustments = person.candidate.adjustments { notes.append(adjustments) }
    if let now, let phases { notes += fit(person.candidate, now, board, phases) }
    return notes
  }

  private func station(of person: HallCandidate, round: Int, _ board: HallBoard) -> StationSession? {
    board.stations.first { place in
      board.entries(station: place.timetable, round: round).contains { $0.candidate?.id == person.candidate.id }
    }
  }

  private func fit(
    _ candidate: Candidate, _ station: StationSession, _ board: HallBoard, _ phases: PhaseList
  ) -> [String] {
    switch AdjustmentFit.of(candidate, at: station.timetable, round: round, board: board, phases: phases) {
    case .none: []
    case .absorbed(let by, _): ["\(candidate.stopsAt ?? ""), taken up by the \(by)"]
    case .late(let seconds): ["\(candidate.stopsAt ?? ""), LATE by \(seconds) s at the next"]
    }
  }
}
