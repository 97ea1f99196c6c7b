import ArgumentParser
import Characters
import CircuitModel
import Console
import ExamStore
import Reports

/// `osce rule waive`.
struct RuleWaive: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "waive", abstract: "Accept what osce close lists as open, with a reason of at least 10 characters.",
    discussion: """
      Name one line with --line, or all lines of one station with --station. A waived sheet without signature is \
      signed by the lead on behalf of its assessor, and so counts. A waiver is void as soon as its line changes.
      """)

  @Argument(help: "The check, as osce close --json names it.")
  var check: ClosingReport.Code
  @Option(name: .long, help: "One line, by its id: osce close shows it, --json of every line.")
  var line: String?
  @Option(name: .long, help: "Every line of one station.")
  var station: String?
  @OptionGroup var ruling: RulingOptions

  func validate() throws {
    if line == nil && station == nil {
      throw ValidationError("waive takes --line or --station: one line, or all of one station")
    }
  }

  func run() throws {
    guard check.isWaivable else { throw StoreError("\(check.rawValue) is not waived: it has to be settled") }
    let (store, closing) = try ClosingLook.take(ruling.options)
    store.close()
    let open = closing.checks.first { $0.code == check }?.open ?? []
    let chosen = open.filter { (line ?? $0.id) == $0.id && (station ?? $0.station) == $0.station }
    if chosen.isEmpty {
      let what = [line.map { "with the id \($0)" }, station.map { "at \($0)" }].compactMap { $0 }.joined(separator: " ")
      throw StoreError("no open line of \(check.rawValue) \(what); osce close --json lists every line with its id")
    }
    let progress = ProgressLine()
    defer { progress.end() }
    try ruling.act { lead, transaction in
      for (index, line) in chosen.enumerated() {
        try line.waive(check, reason: ruling.reason, by: lead, transaction)
        progress.say("waived \(index + 1) of \(chosen.count) lines")
      }
      progress.end()
      return "waived: \(Plural.count(chosen.count, "line")) of \(check.rawValue)\n"
    }
  }
}

extension ClosingReport.Code: ExpressibleByArgument {}
