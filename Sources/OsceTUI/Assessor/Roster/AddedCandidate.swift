import CircuitModel
import ExamStore
import Reports
import Terminal

/// A candidate who stands at the station and is not on its roster: asked in steps, none of which throws the others away,
/// and done after a line that says what will be.
@MainActor
enum AddedCandidate {
  /// - Parameter round: the round in which the candidate comes; nil: it is asked.
  static func ask(_ context: AppContext, _ session: StationSession, round: Int?) {
    let timetable = session.timetable
    context.prompt(
      "Number of the candidate to add to this roster:", note: { who($0.trimmingSpaces, context, session) ?? "" }
    ) { text in
      let number = text.trimmingSpaces
      context.attempt {
        let known = try context.store.read {
          try AdditionalCandidate.check(number: number, timetable: timetable, in: $0)
        }
        let entrant = Entrant(number: number)
        if known != nil { return try askRound(context, session, entrant, round) }
        context.prompt(SafeText("\(number) is not in this exam. Forename and surname (optional):")) {
          names in
          context.attempt {
            try askRound(
              context, session, Entrant(number: number, names: names.split(separator: " ").map(String.init)), round)
          }
        }
      }
    }
  }

  /// Who has a number, and where else they are planned that day; nil where the exam knows nobody of that number.
  private static func who(_ number: String, _ context: AppContext, _ session: StationSession) -> SafeText? {
    let timetable = session.timetable
    guard !number.isEmpty,
      let (candidate, places) =
        (try? context.store.read {
          try AdditionalCandidate.known(number: number, timetable: timetable, in: $0)
        }) ?? nil
    else { return nil }
    let elsewhere = places.filter { !$0.isHere }.map { "\($0.circuit) \($0.start)" }
    let isHere = places.contains(where: \.isHere)
    let where_ =
      elsewhere.isEmpty
      ? (isHere ? "is on this circuit's plan" : "is on no plan today")
      : "IS PLANNED ON ANOTHER CIRCUIT: " + elsewhere.joined(separator: ", ")
    return SafeText("\(context.title(of: candidate)) \(where_)")
  }

  private struct Entrant {
    let number: String
    var names: [String] = []
    var words: String { ([number] + names).joined(separator: " ") }
  }

  private static func askRound(
    _ context: AppContext, _ session: StationSession, _ entrant: Entrant, _ round: Int?
  ) throws {
    if let round { return confirm(context, session, entrant, round) }
    let timetable = session.timetable
    let rounds = try context.store.read { try AdditionalCandidate.rounds(timetable, in: $0) }
    context.prompt(SafeText("Round, 1 to \(rounds) (empty: no round):")) { text in
      let text = text.trimmingSpaces
      if text.isEmpty { return confirm(context, session, entrant, nil) }
      guard let round = Int(text) else { return context.refuse("the number of a round, or nothing") }
      context.attempt {
        try context.store.read { try AdditionalCandidate.check(round: round, timetable: timetable, in: $0) }
        confirm(context, session, entrant, round)
      }
    }
  }

  private static func confirm(
    _ context: AppContext, _ session: StationSession, _ entrant: Entrant, _ round: Int?
  ) {
    let timetable = session.timetable
    let place = round.map { "in round \($0)" } ?? "after the others"
    let known = who(entrant.number, context, session).map { $0 + ". " } ?? ""
    context.confirm(known + SafeText("Add \(entrant.words) to \(session.stationTitle), \(place)?")) {
      _ in
      context.save(
        isAwaited: true,
        {
          try AdditionalCandidate.add(
            number: entrant.number, names: entrant.names, timetable: timetable, round: round, in: $0)
        }
      ) { result in
        guard case .success(let key) = result else { return }
        context.say(SafeText("\(entrant.number) is on this roster \(place)"), .good)
        context.screen?.refresh(nil)
        (context.screen as? RosterScreen)?.focus(key)
      }
    }
  }

  static func askTakeOff(_ context: AppContext, _ entry: RosterEntry) {
    let key = entry.key
    let number = entry.candidate?.number ?? ""
    context.confirm(SafeText("Remove \(context.title(of: entry.candidate)) from this roster?")) {
      _ in
      context.save(isAwaited: true, { try AdditionalCandidate.takeOff(key, in: $0) }) { result in
        guard case .success = result else { return }
        context.say(SafeText("\(number) is off this roster"), .good)
        context.screen?.refresh(nil)
      }
    }
  }
}
