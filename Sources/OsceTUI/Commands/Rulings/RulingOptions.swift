import ArgumentParser
import CircuitModel
import Console
import ExamStore

/// What every ruling takes.
struct RulingOptions: ParsableArguments {
  @Option(name: .long, help: "Why.")
  var reason: String
  @OptionGroup var acting: ActingStaff
  @OptionGroup var options: StoreOptions

  func validate() throws { try ReasonOption.check(reason) }

  /// Makes one ruling and prints its key.
  /// - Parameter decision: found in the store in which it is made.
  func rule(
    on scope: ExamRuling.Scope = .init(), _ decision: (JournalTransaction) throws -> Rulings.Decision
  ) throws {
    try act { lead, transaction in
      let decision = try decision(transaction)
      var scope = scope
      scope.circuit = try Circuit.name(of: scope.circuit, at: transaction.clock.now, in: transaction.db)
      scope.candidate = try scope.candidate.map { try CandidateLabel.known($0, in: transaction.db) }
      let key = try Rulings.make(decision, on: scope, reason: reason, by: lead, transaction)
      return "ruled: \(key)\n"
    }
  }

  /// Does something as the exam lead and prints what came of it.
  func act(_ change: (ExamLead, JournalTransaction) throws -> String) throws {
    let store = try options.open()
    defer { store.close() }
    let lead = try acting.lead(in: store)
    let author = Author(staff: lead.member.id, reason: reason, at: store.clock)
    let line = try store.write(author) { try change(lead, $0) }
    Output.standard.text(line)
  }
}

/// What a ruling is about.
struct RulingScope: ParsableArguments {
  @Option(name: .long, help: "The station's code.")
  var station: String?
  @Option(name: .long, help: "The item's key.")
  var item: String?
  @Option(name: .long, help: "The circuit, by number, code or name.")
  var circuit: String?
  @Option(name: .long, help: "The session: \"2026-12-01 08:30\".")
  var session: String?
  @Option(name: .long, help: "The candidate's number.")
  var candidate: String?

  var scope: ExamRuling.Scope {
    ExamRuling.Scope(circuit: circuit, session: session, station: station, candidate: candidate, item: item)
  }
}
