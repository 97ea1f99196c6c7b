import ArgumentParser
import Rig

/// Measurements of the store and of the terminal program. Nothing here judges: it prints numbers, medians and ratios.
@main struct OsceBench: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "osce-bench", abstract: "Measures the store and the terminal program.",
    subcommands: [
      SaveCost.self, ManyProcesses.self, Latency.self, StartTime.self, Crowded.self, TickBytes.self, Spread.self,
      Ink.self, Soak.self, WallCost.self, Matrix.self, Scale.self, LeadGridCost.self, HubFigures.self, Relay.self,
      MakeExam.self,
      Worker.self,
    ])

  static func main() { runPrintingByLines() }
}

/// Writes the made-up exam into a new store.
struct MakeExam: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "exam", abstract: "Makes a store that holds a made-up exam.")

  @Option(help: "How many candidates.") var candidates = 1000
  @Option(help: "How many sheets to open; each is printed with its assessor's key.") var sheets = 0
  @Option(help: "How many items of every sheet to mark; the sheets then have forty. A store that is there grows.")
  var marked: Int?
  @Argument(help: "The store's path.") var store: String

  func run() throws {
    let exam = BenchExam(candidates: candidates, sheets: marked == nil ? .short : .matrix)
    let made = try exam.load(into: store)
    if let marked { try LargeExam.fill(exam, marked: marked, in: made) }
    for sheet in try exam.openSheets(sheets, in: made) { print(sheet.sheet, sheet.staff) }
    made.close()
  }
}
