import ArgumentParser
import CircuitModel
import Console
import ExamStore
import Reports

/// `osce doctor`: whether the store can be relied on.
struct DoctorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor", abstract: "Examine the store without changing it.",
    discussion: "Exit status 0: sound, with or without warnings; 1: not sound.")

  @Flag(name: .long, help: "Also look at what must be ready before an exam; what failed comes first.")
  var before = false

  @Option(
    name: .long,
    help: ArgumentHelp(
      "The hash that was printed as the chain's end: is it still in the chain? May be repeated.", valueName: "hash"))
  var since: [ChainHash] = []

  @Flag(name: .long, help: "First note that lost changes are known: they are not said again.")
  var acknowledge = false

  @Flag(name: .long, help: "Print JSON.")
  var json = false

  @OptionGroup var options: StoreOptions

  func run() throws {
    if acknowledge {
      let store = try options.open()
      defer { store.close() }
      try store.acknowledgeLostLog()
    }
    let doctor = Doctor(try options.location(), program: ProgramVersion.text, backup: Configuration.backup())
    let line = ProgressLine()
    defer { line.end() }
    let diagnosis = try doctor.examine(
      before: before, since: since, comparesLocks: true, progress: line.progress)
    line.end()
    let headline = before ? diagnosis.goNoGo : diagnosis.verdict
    if json {
      try Output.standard.json(diagnosis.json)
    } else {
      var table = TextTable()
      for check in diagnosis.checks {
        // Before an exam each of them is somebody's errand; a damaged store has as many as it has rows.
        let lines = before && !check.problems.isEmpty ? check.problems : [check.detail]
        for (index, line) in lines.enumerated() {
          table.row(index == 0 ? [DoctorCommand.word(check.result), check.name, line] : ["", "", line])
        }
      }
      Output.standard.text(PlainText.cell(headline) + "\n" + table.text(within: Output.standard.columns))
    }
    if diagnosis.isSound { return }
    let failed = diagnosis.checks.filter { $0.result == .failed }
    throw StoreError(failed.count == 1 && failed[0].name == "since" ? failed[0].detail : headline)
  }

  private static func word(_ result: Diagnosis.Result) -> String {
    switch result {
    case .ok: "ok"
    case .warning: "warn"
    case .failed: "FAIL"
    }
  }
}

extension ChainHash: ExpressibleByArgument {
  /// Reads 64 hexadecimal digits.
  public init?(argument: String) { self.init(argument) }
}
