import ArgumentParser
import Rig

/// Fault tests of the store and of the terminal program: processes that are killed, stopped and crowded.
@main struct OsceFaults: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "osce-faults", abstract: "Kills, stops and crowds the programs on a store, and looks at what is left.",
    subcommands: [
      Crowd.self, StoppedHolder.self, KilledSaves.self, KilledBackups.self, KilledCalls.self, KilledScreens.self,
      FailingDisk.self, StalledLine.self, HangUps.self, RandomKeys.self, RandomSizes.self, StoppedWall.self,
      Restart.self, ClockJumps.self, ExamDay.self, PowerCuts.self, Corruptions.self, TypedChanges.self,
      WrongBundles.self, BusyHall.self, HubUnderFaults.self, DistantHosts.self,
      Worker.self, DamageWorker.self, Backer.self, Looker.self,
    ])

  static func main() { runPrintingByLines() }
}

/// A store with one sheet open for each of some assessors.
struct PreparedStore {
  let scratch: ScratchFolder
  let path: String
  let sheets: [(sheet: String, staff: Int)]

  init(in folder: String, sheets count: Int) throws {
    scratch = try ScratchFolder(in: folder)
    path = scratch.file("store.sqlite")
    let exam = BenchExam(candidates: 50)
    let store = try exam.load(into: path)
    sheets = try exam.openSheets(count, in: store)
    guard store.close() else { throw RigError("the store could not be closed") }
  }

  /// The arguments of a process that marks one of the sheets.
  func arguments(sheet: Int, rate: Int, count: Int) -> [String] {
    MarkingProcess.Plan(
      store: path, sheet: sheets[sheet].sheet, staff: sheets[sheet].staff, rate: rate, count: count
    ).arguments
  }
}

/// Ends the command with what was found, if anything was.
func report(_ test: String, _ faults: [String]) throws {
  guard faults.isEmpty else {
    for fault in faults.prefix(10) { print("  FAULT \(fault)") }
    throw RigError("\(test): \(faults.count) faults")
  }
}
