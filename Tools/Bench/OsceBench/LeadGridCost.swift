import ArgumentParser
import CRig
import CircuitModel
import ExamStore
import Reports
import Rig
import Timer

/// What the exam lead's grid costs in a large exam: the first read, and each after it.
struct LeadGridCost: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lead", abstract: "Time to read the lead's grid of one session, first and again.",
    discussion: "Of an exam as osce-bench scale makes it; the grid shows one session, however large the exam is.")

  @Option(help: "The candidates of the exam.") var candidates = 1000
  @Option(help: "How often the grid is read again.") var runs = 50
  @Option(help: "A store to be used again, made there if it is missing.") var store: String?
  @Option(help: "A folder on the file system to be measured.") var folder = "/var/tmp"

  func run() throws {
    let scratch = try ScratchFolder(in: folder)
    defer { scratch.remove() }
    let path = store ?? scratch.file("store.sqlite")
    try Scale.expectSuccess(ProcessFacts.ownPath, ["exam", "--candidates", String(candidates), "--marked", "36", path])
    let store = try ExamStore.toRead(StoreLocation(path: path))
    defer { store.close() }
    var seen: Set<Session> = []
    let sessions = try store.read { try StationSession.all(in: $0) }.map(\.session).filter { seen.insert($0).inserted }
    guard let session = sessions.first else { throw RigError("the exam has no session") }
    var again = Timings()
    var begin = rig_now()
    let grid = try store.read { try LeadGrid.read(session, round: 1, in: $0) }
    let first = rig_now() - begin
    for _ in 0..<runs {
      begin = rig_now()
      _ = try store.read { try LeadGrid.read(session, round: 1, in: $0) }
      again.add(rig_now() - begin)
    }
    print("\(grid.rows.count) candidates x \(grid.columns.count) stations of \(sessions.count) sessions")
    print("  first \(first / 1_000) µs, again \(Int64(again.median)) µs (median of \(runs))")
  }
}
