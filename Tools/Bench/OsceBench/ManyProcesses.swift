import ArgumentParser
import CircuitModel
import ExamStore
import Rig

/// Many processes on one store: one alone, forty at five saves a second each, forty as fast as they go.
struct ManyProcesses: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "processes", abstract: "Saves of one process, of many at a steady rate, and of many without pause.")

  @Option(help: "How many processes.") var processes = 40
  @Option(help: "Saves a second of each, in the steady part.") var rate = 5
  @Option(help: "Seconds of the steady part.") var seconds = 30
  @Option(help: "Saves of each, in the part without pause.") var burst = 50
  @OptionGroup var place: FolderOption

  func run() throws {
    print("saves through the writer thread, from the key to the moment the screen may draw, on \(place.folder)")
    try measure("1 process, 5 a second", count: 1, rate: 5, saves: min(200, seconds * 5))
    try measure("1 process, no pause", count: 1, rate: 0, saves: 500)
    try measure("\(processes) processes, \(rate) a second each", count: processes, rate: rate, saves: seconds * rate)
    try measure("\(processes) processes, no pause", count: processes, rate: 0, saves: burst)
  }

  private func measure(_ name: String, count: Int, rate: Int, saves: Int) throws {
    let scratch = try ScratchFolder(in: place.folder)
    defer { scratch.remove() }
    let exam = BenchExam(candidates: 100)
    let path = scratch.file("store.sqlite")
    let store = try exam.load(into: path)
    let sheets = try exam.openSheets(count, in: store)
    store.close()
    var crowd = try MarkingCrowd(store: path, sheets: sheets, rate: rate, count: saves)
    let result = crowd.finish()
    let audit = try StoreAudit(path)
    var faults = result.errors + audit.problems + audit.missing(result.drawn)
    if result.drawn.count != count * saves { faults.append("\(result.drawn.count) of \(count * saves) marks drawn") }
    print("  \(name): \(decimal(Double(result.drawn.count) / result.seconds, 0)) saves a second")
    print("    \(result.times.line)")
    print("    first save of each process: median \(text(result.firstTimes.median)) µs")
    guard faults.isEmpty else { throw RigError(faults.prefix(5).joined(separator: "; ")) }
    print("    no error, every mark there, \(audit.operations) operations in one gapless chain, integrity ok")
  }
}
