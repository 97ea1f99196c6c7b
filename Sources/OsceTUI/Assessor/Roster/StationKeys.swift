import CircuitModel
import ExamStore
import Reports
import Terminal

/// The keys that a roster and a sheet share: comments, concern, help call, instructions.
@MainActor
enum StationKeys {
  /// The keys of every screen at which somebody sits at a station.
  static var everywhere: [Binding<Command>] {
    [
      helpCall,
      Binding(
        "station.told", ["w"], "what is told", help: "Read in full what the invigilator tells this station",
        group: "Comments and help", inFooter: false, action: .hallMessages),
    ]
  }

  private static var helpCall: Binding<Command> {
    Binding(
      "help.call", ["!"], "help call", help: "Call for help at this station", group: "Comments and help",
      action: .helpCall)
  }

  static func bindings(onEntry: Availability) -> [Binding<Command>] {
    let group = "Comments and help"
    return [
      Binding(
        "comment.candidate", ["c"], "comment", help: "Comments on this candidate at this station", group: group,
        onEntry, action: .candidateComment),
      Binding(
        "comment.station", ["C"], "station comment", help: "Comments on the station", group: group,
        inFooter: false, action: .stationComment),
      Binding(
        "comment.circuit", ["ctrl-o"], "circuit comment", help: "Comments on the circuit", group: group,
        inFooter: false, action: .circuitComment),
      Binding(
        "comment.concern", ["f"], "concern", help: "Raise a concern about this candidate",
        group: group, onEntry, inFooter: false, action: .concern),
      helpCall,
      Binding(
        "instructions", ["i"], "instructions", help: "Read the station's instructions", group: group,
        inFooter: false, action: .instructions),
    ] + StationFlowKeys.bindings(onEntry: onEntry)
  }

  static func perform(
    _ command: Command, _ context: AppContext, _ session: StationSession, seat: Seat, entry: RosterEntry?
  ) {
    switch command {
    case .candidateComment:
      guard let entry else { return }
      let name = entry.candidate == nil ? "practice" : context.title(of: entry.candidate)
      context.push(
        CommentsScreen(context, session, seat: seat, .candidate(entry.key), about: SafeText("candidate \(name)")))
    case .stationComment:
      let about = SafeText("station \(session.stationTitle)")
      context.push(CommentsScreen(context, session, seat: seat, .station(session.station), about: about))
    case .circuitComment:
      context.push(
        CommentsScreen(
          context, session, seat: seat, .circuit(session.circuit.id), about: SafeText("circuit \(session.circuit.name)")
        ))
    case .concern: if let entry { askConcern(context, session, entry) }
    case .instructions: showInstructions(context, session)
    default: StationFlowKeys.perform(command, context, session, seat: seat, entry: entry)
    }
  }

  private static func askConcern(_ context: AppContext, _ session: StationSession, _ entry: RosterEntry) {
    if entry.isPractice { return context.say("practice: a concern is raised about a candidate", .warning) }
    func raise(_ kind: String) -> @MainActor () -> Void {
      {
        context.save({
          try Comments.add(kind, to: .candidate(entry.key), isConcern: true, timetable: session, in: $0)
        }) { result in
          guard case .success = result else { return }
          let (comment, undo) = (context.key(.comment), context.key(.undo))
          context.noteNotMarking("\(comment) lists the concern, and \(context.key(.concern)) there takes it back")
          context.say(
            "concern raised: \(SafeText(kind)); \(comment) adds words to it; \(undo) undoes marks only", .warning)
        }
      }
    }
    context.ask(
      "Raise a concern",
      "About \(context.title(of: entry.candidate)). The lead's lists count it and show it.",
      [
        ("s", "unsafe practice (safety)", raise("Unsafe practice")), ("p", "professionalism", raise("Professionalism")),
        ("o", "other", raise("Concern")),
      ])
  }

  /// Asks what the matter is, and calls for help.
  static func askHelp(_ context: AppContext) {
    guard let session = context.clock.place else { return }
    @MainActor func call(_ text: String) { callHelp(text, context, session) }
    func preset(_ text: String) -> @MainActor () -> Void { { call(text) } }
    context.ask(
      "Call for help",
      "The invigilator's desk shows station \(session.stationCode) and this text; the answer is shown here.",
      [
        ("p", "patient or simulated patient", preset("Patient or simulated patient")),
        ("k", "equipment", preset("Equipment")), ("c", "candidate unwell", preset("Candidate unwell")),
        ("d", "this device, the terminal", preset("Terminal")), ("a", "please come", preset("Please come")),
        (
          "o", "in your own words",
          {
            context.prompt("What is the matter:", keptAs: "help") { text in
              if text.contains(where: { !$0.isWhitespace }) { call(text) } else { context.say("nobody was called") }
            }
          }
        ),
      ])
  }

  /// Calls for help without a question, where none can be read.
  static func callHelpUnasked(_ context: AppContext) {
    guard let session = context.clock.place else { return }
    if context.clock.help?.status == .requested { return context.say("help was called already", .warning) }
    callHelp("Please come", context, session)
  }

  private static func callHelp(_ text: String, _ context: AppContext, _ session: StationSession) {
    context.save({ try HelpCalls.request(text, at: session, in: $0) }) { result in
      if case .success = result { context.say("help called: \(SafeText(text)); who comes is said here", .warning) }
    }
  }

  private static func showInstructions(_ context: AppContext, _ session: StationSession) {
    do {
      let text = try context.store.read { try StationInstructions.text(station: session.station, in: $0) }
      context.overlay = .reader(
        Reader(title: SafeText("\(session.stationTitle) (Esc leaves)"), text: text))
    } catch { context.complain(error) }
  }
}
