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
      "Number of the candidate to add to this roster:", note: { noteOn($0.withSingleSpaces, context, session) }
    ) { text in
      context.attempt {
        let typed = try read(text.withSingleSpaces, context, session)
        let known = try context.store.read {
          try AdditionalCandidate.check(number: typed.number, timetable: timetable, in: $0)
        }
        if known != nil || !typed.names.isEmpty { return try askRound(context, session, typed, round) }
        context.prompt(SafeText("\(typed.number) is not in this exam. Forename and surname (optional):")) {
          names in
          context.attempt {
            let names = names.split(separator: " ").map(String.init)
            try askRound(context, session, Entrant(number: typed.number, names: names), round)
          }
        }
      }
    }
  }

  /// Who is typed: a number that the exam knows, blanks in it included; else the number up to the first blank, and after
  /// it the names.
  /// - Throws: `StoreError` for a number that nobody can read, or that is another's than the names say.
  private static func read(_ text: String, _ context: AppContext, _ session: StationSession) throws -> Entrant {
    if try known(text, context, session) != nil { return Entrant(number: text) }
    let words = text.split(separator: " ").map(String.init)
    guard let number = words.first else { return Entrant(number: text) }
    try CandidateText.check(number: number)
    guard let (candidate, _) = try known(number, context, session) else {
      return Entrant(number: number, names: Array(words.dropFirst()))
    }
    try CandidateText.check(number, of: candidate.name, named: words.dropFirst())
    return Entrant(number: number)
  }

  /// What a text is taken for while it is typed; nothing where it cannot be said, which Enter gives the reason of.
  private static func noteOn(_ text: String, _ context: AppContext, _ session: StationSession) -> SafeText {
    guard let typed = try? read(text, context, session) else { return "" }
    if let who = try? who(typed.number, context, session) { return who }
    return typed.names.isEmpty ? "" : SafeText("number \(typed.number), name \(typed.names.joined(separator: " "))")
  }

  /// Who has a number, and where they are planned that day; nil where the exam knows nobody of that number.
  private static func known(_ number: String, _ context: AppContext, _ session: StationSession) throws
    -> (candidate: Candidate, places: [(circuit: String, start: String, isHere: Bool)])?
  {
    let timetable = session.timetable
    if number.isEmpty { return nil }
    return try context.store.read { try AdditionalCandidate.known(number: number, timetable: timetable, in: $0) }
  }

  /// Who has a number, and where else they are planned that day; nil where the exam knows nobody of that number.
  private static func who(_ number: String, _ context: AppContext, _ session: StationSession) throws -> SafeText? {
    guard let (candidate, places) = try known(number, context, session) else { return nil }
    let elsewhere = places.filter { !$0.isHere }.map { "\($0.circuit) \($0.start)" }
    let isHere = places.contains(where: \.isHere)
    let place =
      elsewhere.isEmpty
      ? (isHere ? "is on this circuit's plan" : "is on no plan today")
      : "IS PLANNED ON ANOTHER CIRCUIT: " + elsewhere.joined(separator: ", ")
    return SafeText("\(context.title(of: candidate)) \(place)")
  }

  private struct Entrant {
    let number: String
    var names: [String] = []
    var text: String { ([number] + names).joined(separator: " ") }
  }

  private static func askRound(
    _ context: AppContext, _ session: StationSession, _ entrant: Entrant, _ round: Int?
  ) throws {
    if let round { return try confirm(context, session, entrant, round) }
    let timetable = session.timetable
    let rounds = try context.store.read { try AdditionalCandidate.rounds(timetable, in: $0) }
    context.prompt(SafeText("Round, 1 to \(rounds) (empty: no round):")) { text in
      let text = text.withSingleSpaces
      context.attempt {
        if text.isEmpty { return try confirm(context, session, entrant, nil) }
        guard let round = Int(text) else { return context.refuse("the number of a round, or nothing") }
        try context.store.read { try AdditionalCandidate.check(round: round, timetable: timetable, in: $0) }
        try confirm(context, session, entrant, round)
      }
    }
  }

  private static func confirm(
    _ context: AppContext, _ session: StationSession, _ entrant: Entrant, _ round: Int?
  ) throws {
    let timetable = session.timetable
    let place = round.map { "in round \($0)" } ?? "after the others"
    let known = try who(entrant.number, context, session).map { $0 + ". " } ?? ""
    context.confirm(known + SafeText("Add \(entrant.text) to \(session.stationTitle), \(place)?")) {
      _ in
      context.save(
        with: .awaited, as: .good, saying: { _ in SafeText("\(entrant.number) is on this roster \(place)") },
        {
          try AdditionalCandidate.add(
            number: entrant.number, names: entrant.names, timetable: timetable, round: round, in: $0)
        }
      ) { key in
        (context.screen as? RosterScreen)?.focus(key)
      }
    }
  }

  static func askTakeOff(_ context: AppContext, _ entry: RosterEntry) {
    let key = entry.key
    let number = entry.candidate?.number ?? ""
    context.confirm(SafeText("Remove \(context.title(of: entry.candidate)) from this roster?")) {
      _ in
      context.save(with: .awaited, as: .good, saying: { SafeText("\(number) is off this roster") }) {
        try AdditionalCandidate.takeOff(key, in: $0)
      }
    }
  }
}
