import ArgumentParser
import Characters
import CircuitModel
import Console
import ExamStore
import Reports

/// `osce rule admit`.
struct RuleAdmit: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "admit", abstract: "Let in changes that are held back.",
    discussion: """
      Such changes are kept and count for nothing; osce outbox and osce close list them. What a hub keeps or refused an \
      exam lead rules on alone, any number at once, and the hub says what comes of it. Without a hub they are from \
      terminals that did not know of the lock, and two people rule on one at a time: one that is let in is an amendment, \
      and the lock gets a further final hash. Passcodes are taken as by osce close --lock.
      """)

  @OptionGroup var held: HeldBackChanges
  @OptionGroup var ruling: RulingOptions

  func run() throws { try held.settle(admits: true, ruling) }
}

/// `osce rule dismiss`.
struct RuleDismiss: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "dismiss", abstract: "Rule that changes that are held back do not count.",
    discussion: "They stay in the journal. Who rules is as with osce rule admit.")

  @OptionGroup var held: HeldBackChanges
  @OptionGroup var ruling: RulingOptions

  func run() throws { try held.settle(admits: false, ruling) }
}

/// Which changes that are held back are ruled on, and by whom.
struct HeldBackChanges: ParsableArguments {
  @Argument(help: "The key of what a change is on, as osce close --json names it, or the change's own.")
  var keys: [String]
  @Option(name: .long, help: "Who rules with the exam lead, where the exam has no hub: a username.")
  var second: String?

  /// Rules on them, each with all that was changed together with it.
  func settle(admits: Bool, _ ruling: RulingOptions) throws {
    let store = try ruling.options.open()
    let isEnrolled = try store.read { try Enrolment.exists($0) }
    store.close()
    guard isEnrolled else { return try settleByTwo(admits: admits, ruling) }
    if second != nil { throw StoreError("the hub keeps such changes: an exam lead rules on them, without --second") }
    try ruling.act { lead, transaction in
      let changes = try KeptChange.named(keys, in: transaction.db)
      try KeptChanges.rule(on: changes, admits: admits, reason: ruling.reason, by: lead, transaction)
      let count = changes.count == 1 ? "" : " \(changes.count) changes"
      return "ruled: \(admits ? "let in" : "dismissed")\(count); the hub says what comes of it\n"
    }
  }

  private func settleByTwo(admits: Bool, _ ruling: RulingOptions) throws {
    guard let second else { throw StoreError("two people rule on it: name the other one with --second USERNAME") }
    guard keys.count == 1, let key = keys.first else {
      throw StoreError("two people rule on one change at a time, for each has an amendment of its own; name one KEY")
    }
    let store = try ruling.options.open()
    defer { store.close() }
    let people = try ruling.acting.two(with: second, in: store)
    let look = try ClosingLook.examine(store)
    let author = Author(staff: people.first.member.id, at: store.clock)
    let (count, made) = try store.write(author) { transaction in
      let late = try LateOperation.named(key, in: transaction.db)
      return (
        late.count, try Locking.settle(late, admits: admits, look, reason: ruling.reason, by: people, transaction)
      )
    }
    var lines = ["\(admits ? "admitted" : "dismissed"): \(Plural.count(count, "change"))"]
    if let content = made.content {
      lines += [
        "before: \(made.results.0.summary)", "after:  \(made.results.1.summary)",
        "final hash \(content.hash)",
      ]
    }
    Output.standard.text(lines.joined(separator: "\n") + "\n")
  }
}
