import ArgumentParser
import CircuitModel
import ExamStore
import Reports

/// `osce rule answer`.
struct RuleAnswer: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "answer",
    abstract: "Answer a concern or an identity note, or say that a sheet typed from paper was compared with it.",
    discussion: "The reason says what became of it. Who typed a sheet does not compare it as well.")

  @Argument(help: "Its subject, as it stands before the line in osce close.")
  var subject: String
  @OptionGroup var ruling: RulingOptions

  func run() throws {
    try ruling.rule { transaction in
      let known =
        try Concern.all(in: transaction.db).map(\.key) + IdentityNote.all(in: transaction.db).map(\.entry)
        + PaperSheet.all(in: transaction.db).keys
      guard known.contains(subject) else {
        throw StoreError(
          "there is no concern, identity note or sheet from paper \(subject); osce close --json lists them"
        )
      }
      return .answer(row: subject)
    }
  }
}
