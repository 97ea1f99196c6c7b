import CircuitModel
import Terminal

/// The keys that a roster and a sheet share: comments, concern, help call, instructions.
@MainActor
enum StationKeys {
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
      Binding(
        "help.call", ["!"], "help call", help: "Call for help at this station", group: group,
        action: .helpCall),
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
      context.push(CommentsScreen(context, session, .candidate(entry.key), about: SafeText("candidate \(name)")))
    case .stationComment:
      let about = SafeText("station \(session.stationTitle)")
      context.push(CommentsScreen(context, session, .station(session.station), about: about))
    case .circuitComment:
      context.push(
        CommentsScreen(
          context, session, .circuit(session.circuit.id), about: SafeText("circuit \(session.circuit.name)")))
    case .concern: if let entry { askConcern(context, session, entry) }
    case .helpCall: askHelp(context, session)
    case .instructions: showInstructions(context, session)
    default: StationFlowKeys.perform(command, context, session, seat: seat, entry: entry)
    }
  }

  private static func askConcern(_ context: AppContext, _ session: StationSession, _ entry: RosterEntry) {
    func raise(_ kind: String) -> @MainActor () -> Void {
      {
        context.save({
          try Comments.add(kind, to: .candidate(entry.key), isConcern: true, timetable: session, in: $0)
        }) { result in
          if case .success = result { context.say("concern raised: \(SafeText(kind)); c adds words to it", .warning) }
        }
      }
    }
    context.ask(
      "Raise a concern",
      "About \(context.title(of: entry.candidate)). It stands in the comments that are exported to the lead.",
      [
        ("u", "unsafe practice", raise("Unsafe practice")), ("p", "professionalism", raise("Professionalism")),
        ("o", "other", raise("Concern")),
      ])
  }

  private static func askHelp(_ context: AppContext, _ session: StationSession) {
    func call(_ text: String) -> @MainActor () -> Void {
      {
        context.save({ try HelpCalls.request(text, at: session, in: $0) }) { result in
          if case .success = result { context.say("help called: \(SafeText(text))", .warning) }
        }
      }
    }
    context.ask(
      "Call for help",
      "Recorded with station \(session.stationCode) and this text. No screen shows it yet: also raise your hand.",
      [
        ("p", "patient or simulated patient", call("Patient or simulated patient")),
        ("k", "equipment", call("Equipment")), ("c", "candidate unwell", call("Candidate unwell")),
        ("t", "terminal", call("Terminal")), ("h", "please come", call("Please come")),
      ])
  }

  private static func showInstructions(_ context: AppContext, _ session: StationSession) {
    do {
      let text = try context.store.read { try StationInstructions.text(station: session.station, in: $0) }
      context.overlay = .reader(
        Reader(title: SafeText("\(session.stationTitle) (Esc leaves)"), text: text))
    } catch { context.complain(error) }
  }
}

/// Asks whether a candidate is here.
@MainActor
enum AttendanceQuestion {
  static func ask(_ context: AppContext, _ entry: RosterEntry) {
    func record(_ isPresent: Bool?, _ word: String) -> @MainActor () -> Void {
      {
        context.save({ try Attendance.record(isPresent, for: entry, in: $0) }) { result in
          guard case .success = result else { return }
          context.say("\(SafeText(entry.candidate?.number ?? "")): \(SafeText(word))")
          context.screen?.refresh(nil)
        }
      }
    }
    let now =
      switch entry.isPresent {
      case true?: "present"
      case false?: "absent"
      case nil: "not recorded"
      }
    context.ask(
      "Attendance", "\(context.title(of: entry.candidate)): now \(now).",
      [
        ("p", "present", record(true, "present")), ("a", "absent", record(false, "absent")),
        ("x", "not recorded", record(nil, "attendance taken back")),
      ])
  }
}
