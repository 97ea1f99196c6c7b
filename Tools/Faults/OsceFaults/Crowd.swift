import ArgumentParser
import Rig

/// Many processes that save without pause on one store.
struct Crowd: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "crowd", abstract: "Many processes save without pause: no error, no lost mark, no gap.")

  @Option(help: "How many processes.") var processes = 40
  @Option(help: "Saves of each.") var saves = 25
  @OptionGroup var place: FolderOption

  func run() throws {
    let store = try PreparedStore(in: place.folder, sheets: processes)
    defer { store.scratch.remove() }
    var crowd = try MarkingCrowd(store: store.path, sheets: store.sheets, rate: 0, count: saves)
    let result = crowd.finish()
    let audit = try StoreAudit(store.path)
    var faults = result.errors + audit.problems + audit.missing(result.drawn)
    if result.drawn.count != processes * saves { faults.append("\(result.drawn.count) of \(processes * saves) drawn") }
    try report("crowd", faults)
    print("crowd: \(processes) processes, \(result.drawn.count) marks, none lost, no gap in the chain, no error shown")
  }
}
