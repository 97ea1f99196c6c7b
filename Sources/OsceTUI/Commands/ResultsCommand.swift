import ArgumentParser
import CircuitModel
import Console
import ExamFiles
import ExamStore
import Glibc
import Reports
import Standards

/// `osce results`: what the marks come to.
struct ResultsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "results", abstract: "Compute scores, cuts, reliability and who passes.",
    discussion: """
      Each station's cut is found by regressing scores on global grades, unless the exam says otherwise; 'results:' in \
      exam.yaml holds the exam's choices. An option changes a choice for this print and nothing else.
      """)

  @Flag(name: .long, help: "Print JSON.")
  var json = false
  @Option(name: .long, help: "Write a table as csv, or as xlsx with --out (without --table: a sheet for each).")
  var format: ResultsFormat?
  @Option(name: .long, help: "Which table: \(ResultsTable.allCases.map(\.rawValue).joined(separator: ", ")).")
  var table: ResultsTable?
  @Option(name: .long, help: "The file to write the table to (default: standard output).")
  var out: String?
  @Option(name: .long, help: "Read the scores from a CSV file instead of a store (-: standard input).")
  var from: String?
  @OptionGroup var choices: ResultsChoices
  @OptionGroup var acting: ActingStaff
  @OptionGroup var options: StoreOptions

  func validate() throws {
    if json && (format != nil || table != nil) { throw ValidationError("--json and --format exclude each other") }
    if out != nil && !writesTable { throw ValidationError("--out needs --format csv or xlsx") }
    if format == .xlsx && out == nil { throw ValidationError("a workbook is a file: --format xlsx needs --out FILE") }
    _ = try choices.document()
  }

  private var writesTable: Bool { format != nil || table != nil }

  func run() throws {
    let document = try choices.document()
    if let from {
      let file = try ScoreFile.read(from) { try ResultsCommand.standardInput() }
      var document = document
      document.exclude =
        (document.exclude ?? [])
        + file.excluded.map {
          var exclusion = PolicyDocument.Exclusion(reason: "left out by the file")
          exclusion.candidate = $0
          return exclusion
        }
      let report = ResultsReport(file.scores, PolicyInForce(options: document, fileName: ScoreFile.name(of: from)))
      try choices.check(report)
      try print(report)
    } else {
      let store = try options.openToRead()
      defer { store.close() }
      try acting.permit(.reveal, store, options)
      try PartNote.say(of: store)
      let report = try store.read { try ResultsReport.read(document, in: $0, at: store.clock.now) }
      try choices.check(report, of: store)
      try print(report)
    }
  }

  private func print(_ report: ResultsReport) throws {
    if json { return try Output.standard.json(report.json) }
    guard writesTable else { return Output.standard.text(report.lines.joined(separator: "\n") + "\n") }
    let format: ExportFormat = format == .xlsx ? .xlsx : .csv
    guard let out else {
      try report.write(table ?? .candidates, as: format) { try Output.standard.data($0) }
      return
    }
    let file = try AtomicFile(out)
    let tables = table.map { [$0] } ?? (format == .xlsx ? ResultsTable.allCases : [.candidates])
    try TableFile.write(to: file, format, ProgressLine()) { write in
      for table in tables { try report.write(table, as: format, to: write) }
    }
  }

  /// More than this is no file of scores.
  private static let longestInput = 16 * 1_024 * 1_024

  private static func standardInput() throws -> [UInt8] {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = chunk.withUnsafeMutableBytes { Glibc.read(STDIN_FILENO, $0.baseAddress, $0.count) }
      if count < 0 && errno == EINTR { continue }
      if count < 0 { throw StoreError("cannot read standard input: \(String(cString: strerror(errno)))") }
      if count == 0 { return bytes }
      bytes += chunk[0..<count]
      if bytes.count > longestInput { throw StoreError("standard input is larger than 16 MB: no file of scores") }
    }
  }
}

/// How a table of results is written.
enum ResultsFormat: String, CaseIterable, ExpressibleByArgument {
  case csv
  case xlsx
}

extension ResultsTable: ExpressibleByArgument {}
