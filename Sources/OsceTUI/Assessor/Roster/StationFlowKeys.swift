import CircuitModel
import ExamStore
import Reports
import Terminal

/// The keys that a roster and a sheet share for what goes on round the marking.
@MainActor
enum StationFlowKeys {
  private static let group = "Session"

  static func bindings(onEntry: Availability) -> [Binding<Command>] {
    [
      Binding(
        "station.wrongCandidate", ["M"], "wrong candidate", help: "Move, swap or shift sheets marked on the wrong one",
        group: group, onEntry, inFooter: false, action: .wrongCandidate),
      missing,
      Binding(
        "station.person", ["p"], "to a person", help: "A general comment to a candidate or staff", group: group,
        inFooter: false, action: .personComment),
      Binding(
        "station.paper", ["P"], "paper", help: "Type marks from paper in the name of who judged", group: group,
        inFooter: false, action: .paper),
      Binding(
        "station.lock", ["L"], "lock", help: "Lock this terminal; the clock stays", group: group, inFooter: false,
        action: .lock),
    ]
  }

  /// What is missing, on every screen of a station session.
  static var missing: Binding<Command> {
    Binding(
      "station.missing", ["m"], "missing", help: "What is missing; again m: of all who have been",
      group: group, action: .missing)
  }

  static func perform(
    _ command: Command, _ context: AppContext, _ session: StationSession, seat: Seat, entry: RosterEntry?
  ) {
    switch command {
    case .wrongCandidate: if let entry { WrongCandidateQuestion.ask(context, session, seat, entry) }
    case .missing: context.push(MissingScreen(context, session, seat, entry: nil))
    case .personComment: RemarksScreen.choose(context, session, seat, entry)
    case .paper: PaperQuestion.ask(context)
    case .lock: context.lockScreen()
    default: break
    }
  }
}
