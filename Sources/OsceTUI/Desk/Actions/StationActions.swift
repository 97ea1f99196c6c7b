import CircuitModel
import ExamStore
import Reports
import Terminal
import Timer

/// What the invigilator does with one station: who stands in there, and what becomes of a round in which it cannot be used.
@MainActor
struct StationActions {
  let desk: Desk
  private var context: AppContext { desk.context }
  private var people: CandidateActions { CandidateActions(desk: desk) }

  /// Asks who stands in at a station from now on.
  func askCover(_ station: StationSession) {
    people.attempt(in: station.session) {
      let staff = try context.store.read { try StaffMember.active($0) }
      let isThere = desk.watch.hall(of: desk.session)?.signals.signedIn.contains(station.timetable) == true
      let lead =
        station.lead.map { "\($0.name) is \(isThere ? "there now" : "planned there")" } ?? "nobody is planned there"
      context.prompt(
        SafeText("Who covers \(desk.name(station)) (surname or username):"),
        note: { text in SafeText(StationActions.note(text, staff) ?? lead) }
      ) { text in
        let found = StationActions.matches(text, staff)
        guard found.count == 1 else {
          return context.refuse(
            SafeText(
              found.isEmpty ? "nobody of the staff is called \(text)" : "several are: \(StationActions.list(found))"))
        }
        confirmCover(station, found[0])
      }
    }
  }

  private func confirmCover(_ station: StationSession, _ member: StaffMember) {
    let instead = station.lead.map { " instead of \($0.name), whose marks stay" } ?? ""
    context.confirm(
      SafeText("\(member.name) covers \(desk.name(station)) from now on\(instead)."), reason: .required
    ) { reason in
      context.save(reason: reason, saying: { (_: Void) in SafeText("\(member.name) covers \(desk.name(station))") }) {
        try Attendance.cover(station.timetable, by: member.id, in: $0)
      }
    }
  }

  /// Those whose name holds every word of a text, or whose username begins with it; one alone who has that username.
  static func matches(_ text: String, _ staff: [StaffMember]) -> [StaffMember] {
    let wanted = text.withSingleSpaces.folded
    if wanted.isEmpty { return [] }
    if let exact = staff.first(where: { $0.username.folded == wanted }) { return [exact] }
    let words = TypedWords(wanted)
    return staff.filter { words.fit($0.name.folded) || $0.username.folded.hasPrefix(wanted) }
  }

  private static func note(_ text: String, _ staff: [StaffMember]) -> String? {
    let found = matches(text, staff)
    return text.withSingleSpaces.isEmpty ? nil : found.isEmpty ? "nobody" : list(found)
  }

  private static func list(_ staff: [StaffMember]) -> String {
    staff.prefix(6).map { "\($0.name) (\($0.username))" }.joined(separator: ", ") + (staff.count > 6 ? " and more" : "")
  }

  /// Asks why a station is out of order, and queues who is to be there for the re-run. Between two rounds it asks first
  /// which of them is the one.
  /// - Parameter isBetween: whether the round that is shown is over and the next has not begun.
  func askOutOfOrder(_ station: StationSession, _ view: HallView, isBetween: Bool) {
    guard case .session(let round) = view.now else {
      return context.refuse("a re-run goes by its queue: its rounds are moved on the page Re-run")
    }
    guard isBetween, case .session(let next)? = view.next else { return confirmOutOfOrder(station, round, view) }
    func choice(_ round: Int) -> SafeText {
      let who = candidates(at: station, round, view)
      return SafeText("round \(round): \(who.isEmpty ? "nobody" : who)")
    }
    context.ask(
      "Out of order in which round?", "\(desk.name(station)): round \(round) is over, round \(next) is next.",
      [
        ("n", choice(next), { confirmOutOfOrder(station, next, view) }),
        ("b", choice(round), { confirmOutOfOrder(station, round, view) }),
      ])
  }

  private func candidates(at station: StationSession, _ round: Int, _ view: HallView) -> String {
    atHand(station, round, view).compactMap(\.candidate)
      .map { "\($0.number) \($0.name)" }.joined(separator: ", ")
  }

  /// Whom the station would have examined in a round: somebody absent misses nothing by its failure.
  private func atHand(_ station: StationSession, _ round: Int, _ view: HallView) -> [RosterEntry] {
    view.entries(station: station.timetable, .session(round)).filter { $0.isPresent != false }
  }

  private func confirmOutOfOrder(_ station: StationSession, _ round: Int, _ view: HallView) {
    let entries = atHand(station, round, view)
    let who = candidates(at: station, round, view)
    let queued = who.isEmpty ? "Nobody is there." : "\(who) is queued for the re-run; marks given there stay."
    context.confirm(
      SafeText("\(desk.name(station)) is OUT OF ORDER in round \(round): an incident is recorded. \(queued)"),
      reason: .required
    ) { reason in
      context.save(
        reason: reason, saying: { (_: Void) in SafeText("\(desk.name(station)): out of order in round \(round)") }
      ) {
        try StationOutage.record(station, in: round, entries: entries, reason: reason ?? "", $0)
      }
    }
  }
}
