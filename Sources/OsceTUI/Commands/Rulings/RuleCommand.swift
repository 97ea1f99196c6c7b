import ArgumentParser

/// `osce rule`: what the exam lead decides.
struct RuleCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rule", abstract: "Rule as the exam lead: exclude, excuse, adjudicate, waive, answer.",
    discussion: """
      Every ruling has a reason, is journalled, and outranks exam.yaml. osce export rulings lists them, osce close the \
      lines and sheets that rulings name.
      """,
    subcommands: [
      RuleExclude.self, RuleExcuse.self, RuleAdjudicate.self, RulePolicy.self, RuleWaive.self, RuleAnswer.self,
      RuleSettle.self, RuleAmend.self, RuleAdmit.self, RuleDismiss.self, RuleWithdraw.self,
    ])

  /// Without a ruling's command the line is a mistake: a script must not take the help for a ruling.
  func run() throws { throw ValidationError("missing: a command; osce rule --help shows what it takes") }
}
