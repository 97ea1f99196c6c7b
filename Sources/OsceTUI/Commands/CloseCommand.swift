import ArgumentParser
import CircuitModel
import ExamFiles
import ExamStore
import Reports

/// `osce close`: what stands between the exam and its closing.
struct CloseCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "close", abstract: "Account for every planned sheet, and list what is open before the exam can close.",
    discussion: """
      Expected sheets follow from the plan alone; each is held, absent, excluded, queued, or open. Nothing is changed: \
      locking is not built yet.
      """)

  @Flag(name: .long, help: "Print JSON.")
  var json = false
  @Option(name: .long, help: "Write the report: FILE.txt with every open line, FILE.csv with each sheet's class.")
  var report: String?
  @OptionGroup var options: StoreOptions

  func validate() throws {
    if let report, !report.hasSuffix(".txt"), !report.hasSuffix(".csv") {
      throw ValidationError("--report takes a file that ends in .txt or .csv; got \"\(report)\"")
    }
  }

  func run() throws {
    let backup = BackupChoice.chosen(nil, environment: ProcessEnvironment.current)
    let diagnosis = try Doctor(try options.location(), program: ProgramVersion.text, backup: backup).examine()
    let store = try options.openToRead()
    defer { store.close() }
    let readiness = try Readiness.read(store, backup: backup)
    let closing = try store.read { try ClosingReport.read(diagnosis, readiness, in: $0, at: store.clock.now) }
    if let report {
      let file = try AtomicFile(report, keeping: store.location.files)
      if report.hasSuffix(".csv") {
        try closing.writeSheets { try file.write($0) }
      } else {
        let lines = closing.lines(listing: .max) + ["", "signed: ____________________   ____________________"]
        try file.write(Array(PlainText.lines(lines.joined(separator: "\n") + "\n").utf8))
      }
      try file.finish()
    }
    if json { return try Output.standard.json(closing.json) }
    Output.standard.text(closing.lines(listing: 5).joined(separator: "\n") + "\n")
  }
}
