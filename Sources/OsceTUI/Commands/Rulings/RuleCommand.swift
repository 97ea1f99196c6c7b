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
}
