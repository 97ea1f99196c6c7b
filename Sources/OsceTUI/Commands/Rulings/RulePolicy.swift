import ArgumentParser
import CircuitModel
import ExamStore
import Reports
import Standards

/// `osce rule policy`.
struct RulePolicy: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "policy", abstract: "Change by which choices results are made; the options are those of osce results.")

  @OptionGroup var choices: ResultsChoices
  @OptionGroup var ruling: RulingOptions

  func run() throws {
    var document = try choices.document()
    if document == PolicyDocument() { throw ValidationError("name what is chosen, as --k 2") }
    for place in (document.exclude ?? []).indices { document.exclude?[place].reason = ruling.reason }
    let store = try ruling.options.openToRead()
    defer { store.close() }
    // What results cannot be made by is not ruled.
    let report = try store.read { try ResultsReport.read(document, in: $0, at: store.clock.now) }
    try choices.check(report, of: store)
    let json = PolicyText.json(document)
    let names = PolicyText.names(document).joined(separator: " ")
    try ruling.rule { _ in .policy(json: json, names: names) }
  }
}
