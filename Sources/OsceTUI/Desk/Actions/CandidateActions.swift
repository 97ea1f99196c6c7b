import CircuitModel
import ExamStore
import Journal
import Reports
import Terminal
import Timer

/// What the invigilator does with one candidate, from any page. Each change is said in a line first, with what it will
/// do, and is kept with who, when and why.
@MainActor
struct CandidateActions {
  let desk: Desk
  var context: AppContext { desk.context }

  /// Shows what the candidate met so far.
  func showLedger(_ student: Int) {
    guard let session = desk.session else { return }
    attempt {
      let now = desk.now
      let ledger = try context.store.read { try CandidateLedger.read(student, session: session, at: now, in: $0) }
      context.overlay = .reader(
        Reader(
          title: SafeText("\(ledger.candidate.number) \(ledger.candidate.name) (Esc closes)"),
          text: ledger.text().joined(separator: "\n")))
    }
  }

  // MARK: Extra time

  /// Asks how much time beyond everybody's the candidate has from now on.
  func askExtraTime(_ person: Candidate, _ session: Session) {
    attempt {
      let phases = try desk.state?.phases ?? context.store.read { try session.plannedPhases($0) }
      let now = person.adjustments.map { "now: \($0)" } ?? "now: none"
      context.prompt(
        SafeText("Extra time for \(person.number), minutes or percent:"),
        note: { _ in SafeText("2 or 2:30 at each station, 25% of reading and station, 0 for none; \(now)") }
      ) { text in
        guard let extra = ExtraTime(text, phases: phases) else {
          return context.refuse(SafeText("enter minutes or percent, as 2, 2:30 or 25%, not \"\(text)\""))
        }
        func length(_ seconds: Int) -> String { PhaseText.length(Int64(seconds) * 1000) }
        let question =
          "\(person.number) \(person.name) has \(length(extra.stationSeconds)) more at each station"
          + (extra.readingSeconds > 0 ? " and \(length(extra.readingSeconds)) more of reading" : "") + " from now on."
        context.confirm(SafeText(question), reason: .required) { reason in
          context.save(reason: reason, saying: { (_: Void) in SafeText("\(person.number): extra time recorded") }) {
            try extra.give(to: person.id, in: $0)
          }
        }
      }
    }
  }

  // MARK: Changing places

  /// Asks with whom the candidate changes places.
  func askSwap(_ person: Candidate, _ view: HallView) {
    attempt(in: view.board.session) {
      let round = try view.moment.joining(of: view.board.rounds)
      context.prompt(SafeText("Swap \(person.number) with (candidate number):")) { number in
        guard let other = candidate(number, view) else { return }
        if other.id == person.id { return context.refuse(SafeText("\(SlotSwapRefusal.sameCandidate)")) }
        askRound(ofSwap: person, other, from: round, session: view.board.session)
      }
    }
  }

  /// Asks from which round on: offered is the first that nothing stands against.
  private func askRound(ofSwap first: Candidate, _ second: Candidate, from round: Int, session: Session) {
    attempt {
      let offered = try context.store.read {
        try SlotChanges.firstRound(first.id, second.id, from: round, in: session, in: $0)
      }
      context.prompt(SafeText("From round (Enter: \(offered)):")) { text in
        let text = text.withSingleSpaces
        guard let from = text.isEmpty ? offered : Int(text) else {
          return context.refuse(SafeText("enter the number of a round, not \"\(text)\""))
        }
        confirmSwap(first, second, from: from, session: session)
      }
    }
  }

  private func confirmSwap(_ first: Candidate, _ second: Candidate, from round: Int, session: Session) {
    attempt {
      let swap = try context.store.read {
        try SlotChanges.preview(first.id, second.id, from: round, in: session, in: $0)
      }
      var text =
        "From round \(round), \(first.number) \(first.name) and \(second.number) \(second.name) swap places."
      for (candidate, stations) in swap.repeated where !stations.isEmpty {
        text += " \(candidate.number) meets \(stations.joined(separator: ", ")) twice."
      }
      for (candidate, stations) in swap.missed where !stations.isEmpty {
        text += " \(candidate.number) misses \(stations.joined(separator: ", "))."
      }
      context.confirm(SafeText(text), reason: .required) { reason in
        context.save(
          reason: reason,
          saying: { (_: SlotSwap) in SafeText("\(first.number) and \(second.number) have changed places") }
        ) {
          try SlotChanges.swap(first.id, second.id, from: round, in: session, $0)
        }
      }
    }
  }

  /// The candidate of a number in the session; nil, with a line that says so, for nobody.
  func candidate(_ number: String, _ view: HallView) -> Candidate? {
    let number = number.withSingleSpaces
    let found = view.board.candidates.first { $0.candidate.number == number }?.candidate
    if found == nil { context.refuse(SafeText("there is no candidate \(number) in this session")) }
    return found
  }

  // MARK: What all of them share

  func attempt(_ body: () throws -> Void) { context.attempt(body) }

  func attempt(in session: Session, _ body: () throws -> Void) { context.attempt(in: session, body) }
}
