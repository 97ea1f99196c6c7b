import ArgumentParser
import CircuitModel

/// `osce rule withdraw`.
struct RuleWithdraw: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "withdraw", abstract: "Withdraw a ruling; the journal keeps it.",
    discussion: """
      A mark sheet that a waiver signed on behalf of its assessor is open again, and values that were settled contradict \
      each other again.
      """)

  @Argument(help: "The ruling's key, as osce rule printed it and osce export rulings has it.")
  var key: String
  @OptionGroup var ruling: RulingOptions

  func run() throws {
    try ruling.act { lead, transaction in
      try Rulings.withdraw(key, reason: ruling.reason, by: lead, transaction)
      return "withdrawn: \(key)\n"
    }
  }
}
