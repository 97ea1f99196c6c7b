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
      "help.call", ["!"], "help call", help: "Call for help at this station, or withdraw the call",
      group: "Comments and help",
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
    let about = SafeText(context.title(of: entry.candidate))
    // The words at once: a kind to be chosen first would be chosen by the first letter of the words.
    context.prompt(
      "Concern:", keptAs: "concern \(entry.key)",
      note: { _ in "A concern about " + about + ", in your words. Only the exam lead reads it. Esc raises none." }
    ) { text in
      guard text.contains(where: { !$0.isWhitespace }) else {
        return context.say("no concern raised: nothing was written", .muted)
      }
      context.save({
        try Comments.add(text, to: .candidate(entry.key), isConcern: true, timetable: session, in: $0)
      }) { result in
        guard case .success = result else { return }
        let (comment, undo) = (context.key(.comment), context.key(.undo))
        context.noteNotMarking("\(comment) lists the concern, and \(context.key(.concern)) there takes it back")
        context.say(
          "concern raised about \(about); \(comment) lists it; \(undo) undoes marks only", .warning)
        context.screen?.refresh(nil)
      }
    }
  }

  /// Asks what the matter is, and calls for help.
  static func askHelp(_ context: AppContext) {
    guard let session = context.clock.place else { return }
    func preset(_ text: String) -> @MainActor () -> Void { { callHelp(text, context, session) } }
    let open = context.clock.help.flatMap { $0.status == .resolved ? nil : $0 }
    var answers: [(Key, SafeText, @MainActor () -> Void)] = []
    if let open { answers.append(("w", "withdraw the call: not needed any more", { withdraw(open, context) })) }
    let ownWords: @MainActor () -> Void = {
      context.prompt("What is the matter:", keptAs: "help") { text in
        if text.contains(where: { !$0.isWhitespace }) {
          callHelp(text, context, session)
        } else {
          context.say("nobody was called")
        }
      }
    }
    answers += [
      ("p", "patient or simulated patient", preset("Patient or simulated patient")),
      ("k", "equipment", preset("Equipment")), ("c", "candidate unwell", preset("Candidate unwell")),
      ("d", "this device, the terminal", preset("Terminal")), ("a", "please come", preset("Please come")),
      ("o", "in your own words", ownWords),
    ]
    let standing = open.map { call in
      let who = call.status == .responding ? "\(call.responder ?? "someone") is on the way" : "no one is on the way yet"
      return "Called already: \(call.text); \(who).\n"
    }
    context.ask(
      open == nil ? "Call for help?" : "Help was called",
      (standing ?? "")
        + "The invigilator's desk shows station \(session.stationCode) and this text; the answer is shown here.",
      answers)
  }

  /// Withdraws a call that is not over.
  private static func withdraw(_ call: HelpCall, _ context: AppContext) {
    context.save({ try HelpCalls.withdraw(call, $0) }) { result in
      guard case .success = result else { return }
      _ = context.clock.readHelp()
      context.say("help call withdrawn: \(SafeText(call.text))", .good)
    }
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
