import CircuitModel
import Terminal

/// The keys that a roster and a sheet share for what goes on round the marking.
@MainActor
enum StationFlowKeys {
  static func bindings(onEntry: Availability) -> [Binding<Command>] {
    let group = "Session"
    return [
      Binding(
        "station.wrongCandidate", ["M"], "wrong candidate", help: "Move, swap or shift sheets marked on the wrong one",
        group: group, onEntry, inFooter: false, action: .wrongCandidate)
    ]
  }

  static func perform(
    _ command: Command, _ context: AppContext, _ session: StationSession, seat: Seat, entry: RosterEntry?
  ) {
    switch command {
    case .wrongCandidate: if let entry { WrongCandidateQuestion.ask(context, session, seat, entry) }
    default: break
    }
  }
}
