import CircuitModel
import ExamStore
import Reports
import Terminal

/// Queueing a candidate's stations for the re-run by hand, and taking them out again.
extension CandidateActions {
  /// Asks which of the candidate's stations are made up in the re-run, or no longer.
  func askQueue(_ candidate: Candidate, _ view: HallView) {
    let session = view.board.session
    attempt(in: session) {
      let choices = try context.store.read { try RerunQueue.choices(candidate.id, in: session, $0) }
      var answers = zip("123456789abcdefghijklmnopqrstuvwxyz", choices).map {
        key, choice -> (Key, SafeText, @MainActor () -> Void) in
        let round = choice.entry.round.map { ", round \($0)" } ?? ""
        return (
          .character(key), SafeText("\(choice.station.stationCode)\(round): \(choice.text)"),
          { choose(choice, candidate) }
        )
      }
      let over = view.moment.lastOver(of: view.board.rounds)
      let missed = choices.filter { !$0.isQueued && $0.isMissed(by: over) }
      if missed.count > 1 {
        let codes = missed.map(\.station.stationCode).joined(separator: ", ")
        answers.append(("A", SafeText("all that were missed: \(codes)"), { queue(missed, candidate) }))
      }
      context.ask(
        "Re-run",
        "\(candidate.number) \(candidate.name): which station to queue for the re-run? Choosing a queued one removes it.",
        answers)
    }
  }

  private func choose(_ choice: RerunChoice, _ candidate: Candidate) {
    if choice.isQueued, let item = choice.item { return withdraw(item) }
    if choice.isSigned {
      return context.showMessage(
        SafeText("\(choice.station.stationCode) is signed: its assessor reopens it first if it is to be redone"),
        .warning)
    }
    queue([choice], candidate)
  }

  private func queue(_ choices: [RerunChoice], _ candidate: Candidate) {
    let codes = choices.map(\.station.stationCode).joined(separator: ", ")
    let keys = choices.map(\.entry.key)
    context.confirm(SafeText("Queue \(candidate.number) at \(codes) for the re-run?"), reason: .required) { reason in
      context.save(
        reason: reason, saying: { (_: Void) in SafeText("\(candidate.number): at \(codes), in the re-run queue") }
      ) {
        for key in keys { try RerunQueue.add(entry: key, reason: reason, $0) }
      }
    }
  }

  /// Takes a station out of the queue after a question.
  func withdraw(_ item: RerunItem) {
    let number = item.entry.candidate?.number ?? ""
    context.confirm(
      SafeText("Remove \(number) at \(item.station.stationCode) from the re-run queue?"), reason: .required
    ) { reason in
      context.save(reason: reason, saying: { (_: Void) in "removed from the re-run queue" }) {
        try RerunQueue.withdraw(item.key, $0)
      }
    }
  }
}
