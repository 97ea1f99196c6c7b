import ArgumentParser
import CRig
import CircuitModel
import ExamStore
import Reports
import Rig
import Timer

/// What the exam lead waits for in a large exam: the grid, the results and the exports.
struct LeadGridCost: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lead", abstract: "Time and memory of the lead's grid, results and exports.",
    discussion: """
      Of an exam as osce-bench scale makes it: 1000 candidates have 360,000 marks. The grid is read as the screen reads it; \
      it shows one session, however large the exam is. The others are whole processes; without osce-xlsx beside osce no \
      workbook is made.
      """)

  @Option(help: "The candidates of the exam.") var candidates = 1000
  @Option(help: "How often the grid is read again.") var runs = 50
  @Option(help: "How often each command runs; the median is given.") var commands = 3
  @Option(help: "A store to be used again, made there if it is missing.") var store: String?
  @OptionGroup var measuring: MeasuringOptions

  func run() throws {
    let scratch = try ScratchFolder(in: measuring.folder)
    defer { scratch.remove() }
    let path = store ?? scratch.file("store.sqlite")
    try Scale.expectSuccess(ProcessFacts.ownPath, ["exam", "--candidates", String(candidates), "--marked", "36", path])
    try grid(path)
    try command("results", ["results", "--sheets", "held", "--json"], path, goal: 1000)
    try command("marks, CSV", ["export", "marks", "--format", "csv", "--out", scratch.file("m.csv")], path, goal: 3000)
    if Files.size(osce + "-xlsx") > 0 {
      try command(
        "marks, XLSX", ["export", "marks", "--format", "xlsx", "--out", scratch.file("m.xlsx")], path, goal: 15_000)
    } else {
      print("marks, XLSX: left out, there is no osce-xlsx beside osce (script/xlsx)")
    }
  }

  private func grid(_ path: String) throws {
    let store = try ExamStore.toRead(StoreLocation(path: path))
    defer { store.close() }
    var seen: Set<Session> = []
    let sessions = try store.read { try StationSession.all(in: $0) }.map(\.session).filter { seen.insert($0).inserted }
    guard let session = sessions.first else { throw RigError("the exam has no session") }
    var again = Timings()
    var begin = rig_now()
    let grid = try store.read { try LeadGrid.read(session, at: store.clock.now, in: $0) }
    var first = Timings()
    first.add(rig_now() - begin)
    for _ in 0..<runs {
      begin = rig_now()
      _ = try store.read { try LeadGrid.read(session, at: store.clock.now, in: $0) }
      again.add(rig_now() - begin)
    }
    let marks = try store.read { try LargeExam.marks($0) }
    print(
      "\(candidates) candidates, \(marks) marks, store of \(Files.size(path) >> 20) MB, \(sessions.count) sessions;")
    print("the grid is \(grid.rows.count) candidates x \(grid.columns.count) stations")
    print("what               median       goal      most memory")
    print(line("grid, first read", first.median / 1000, goal: 100))
    print(line("grid, read again", again.median / 1000, goal: 16))
  }

  private var osce: String { measuring.osce }

  private func command(_ name: String, _ arguments: [String], _ store: String, goal: Double) throws {
    var times = Timings()
    var peak: Int64 = 0
    for _ in 0..<max(1, commands) {
      let begin = rig_now()
      let used = try Child(onPipe: osce, arguments + ["--store", store]).finish()
      times.add(rig_now() - begin)
      guard used.code == 0 else { throw RigError("osce \(arguments[0]) ended with \(used.code)") }
      peak = max(peak, used.peak)
    }
    print(line(name, times.median / 1000, goal: goal) + pad(decimal(Double(peak) / 1024, 1), to: 9) + " MB")
  }

  private func line(_ name: String, _ milliseconds: Double, goal: Double) -> String {
    let missed = milliseconds >= goal ? " MISSED" : ""
    return name + String(repeating: " ", count: max(1, 17 - name.count)) + pad(decimal(milliseconds, 1), to: 8) + " ms"
      + pad("< " + decimal(goal, 0), to: 9) + " ms" + missed
  }
}
