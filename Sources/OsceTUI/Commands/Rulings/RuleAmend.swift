import ArgumentParser
import CircuitModel
import Console
import ExamStore
import Reports

/// `osce rule amend`.
struct RuleAmend: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "amend", abstract: "Change one answer of a locked exam: two people, each with a passcode.",
    discussion: """
      The lock is kept, the amendment gets the next number and a final hash of its own. Passcodes are taken as by osce \
      close --lock. An amendment that leaves something open, such as two assessors who are too far apart then, is not \
      made without --waive or --stands; both rule for the same reason.
      """)

  @Argument(help: "The mark sheet, by its key in osce export marks.")
  var sheet: String
  @Argument(help: "The item, by its key.")
  var item: String
  @Argument(help: "What it is to hold: the value of one of its levels, unable, or blank.")
  var answer: String
  @Option(name: .long, help: "Which copy of the item's section, from 1.")
  var copy: Int = 1
  @Option(name: .long, help: "Who amends with the exam lead: a username.")
  var second: String
  @Flag(name: .long, help: "Accept what the amendment leaves open.")
  var waive = false
  @Option(
    name: .long,
    help: "Whose score stands where it leaves two assessors apart: mean, a seat, or its assessor's username.")
  var stands: String?
  @OptionGroup var ruling: RulingOptions

  func validate() throws { _ = try amendment() }

  private func amendment() throws -> Amendment {
    switch answer {
    case "unable": return Amendment(sheet: sheet, item: item, copy: copy, answer: .unable)
    case "blank": return Amendment(sheet: sheet, item: item, copy: copy, answer: .blank)
    default:
      guard let value = Double(answer).flatMap({ MarkValue($0) }) else {
        throw ValidationError("an answer is a value, unable or blank; got \"\(answer)\"")
      }
      return Amendment(sheet: sheet, item: item, copy: copy, answer: .value(value))
    }
  }

  func run() throws {
    let store = try ruling.options.open()
    defer { store.close() }
    let people = try ruling.acting.two(with: second, in: store)
    let look = try ClosingLook.examine(store)
    let amendment = try amendment()
    let author = Author(staff: people.first.member.id, at: store.clock)
    let made = try store.write(author) {
      try Locking.amend(amendment, .init(waives: waive, stands: stands), look, reason: ruling.reason, by: people, $0)
    }
    let old = made.before.isUnable ? "unable" : made.before.value?.description ?? "blank"
    let lines =
      [
        "\(made.before.text): \(old), now \(answer)", "before: \(made.results.before.summary)",
        "after:  \(made.results.after.summary)",
      ] + made.ruled.map { "ruled: \($0)" } + ["final hash \(made.content.hash)"]
    Output.standard.text(lines.joined(separator: "\n") + "\n")
  }
}
