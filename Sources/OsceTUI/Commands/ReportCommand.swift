import ArgumentParser
import CircuitModel
import Console
import ExamStore
import Reports

/// `osce report`: the page for the exam board.
struct ReportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report", abstract: "Write the report to the exam board as one page of HTML.",
    discussion: """
      Decisions, policy, figures, pass list, close calls, what if, every station with its scatter, and the closing page. \
      The page needs no network and prints well. Until the exam is locked it says NOT FINAL.
      """)

  @Argument(help: "The file to write, FILE.html.")
  var file: String
  @Flag(name: .long, help: "Candidates by name, and assessors by username; without it by number and code.")
  var names = false
  @OptionGroup var acting: ActingStaff
  @OptionGroup var options: StoreOptions

  func validate() throws {
    guard file.hasSuffix(".html") else {
      throw ValidationError("report takes a file that ends in .html; got \"\(file)\"")
    }
  }

  func run() throws {
    let (store, closing) = try ClosingLook.take(options, for: acting)
    defer { store.close() }
    let report = try store.read { try BoardReport.read(closing, showsNames: names, in: $0, at: store.clock.now) }
    let file = try AtomicFile(self.file)
    try file.write(report.page.bytes)
    try file.finish()
  }
}
