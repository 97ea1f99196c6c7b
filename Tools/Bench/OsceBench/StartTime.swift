import ArgumentParser
import CRig
import Glibc
import Rig

/// From the start of the process to its first full screen, with a large exam in the store.
struct StartTime: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "start", abstract: "Start to first full frame with a 1,000-candidate exam, beside tig and htop.")

  @Option(help: "How many starts of each.") var rounds = 40
  @Option(help: "How many candidates.") var candidates = 1000
  @OptionGroup var measuring: MeasuringOptions

  func run() throws {
    let exam = BenchExam(candidates: candidates)
    let (scratch, path, store) = try measuring.prepare(exam)
    defer { scratch.remove() }
    try exam.startClock(in: store)
    try exam.openSheets(1, in: store)
    store.close()
    let history = scratch.file("history.git")
    try History.make(history, commits: 500)
    defer { History.remove(history) }
    let osce = measuring.osce
    // The clock lives for as long as one process has the store open, and so does the log's index.
    let keeper = try exam.openTerminal(osce, store: path, station: 2)
    var times: [(name: String, times: Timings)] = [
      ("osce, mark sheet", Timings()), ("osce, identity step", Timings()), ("tig", Timings()), ("htop", Timings()),
      ("/bin/true on a terminal", Timings()),
    ]
    try exam.openTerminal(osce, store: path).child.signal(SIGKILL)
    for _ in 0..<rounds {
      times[0].times.add(
        try start(osce, exam.markArguments(store: path)) { MarkSheetScreen($0).isOpen && $0.shows("? all keys") })
      times[1].times.add(
        try start(osce, exam.markArguments(store: path, station: 3)) {
          $0.shows("Check the candidate") && $0.shows("? all keys")
        })
      times[2].times.add(try start("/usr/bin/tig", ["-C", history]) { $0.shows("commit 1 of") })
      times[3].times.add(try start("/usr/bin/htop", ["-d", "100"]) { $0.lines.last?.contains("Quit") == true })
      times[4].times.add(try startTrue())
      keeper.pump(quiet: 20)
    }
    keeper.child.signal(SIGKILL)
    print("start to first full frame, \(rounds) starts of each by turns, \(exam.candidates) candidates")
    for (name, times) in times { print("  " + (name + String(repeating: " ", count: 24 - name.count)) + times.line) }
  }

  private func start(_ program: String, _ arguments: [String], _ isFull: (ScreenText) -> Bool) throws -> Int64 {
    let begin = rig_now()
    let session = try TerminalSession(program, arguments)
    let pieces = session.collect(since: begin, quiet: 250)
    session.child.signal(SIGKILL)
    session.child.wait()
    guard let piece = pieces.first(where: { isFull($0.screen) }) else {
      throw RigError("\(program) drew no full frame:\n" + session.screen.lines.joined(separator: "\n"))
    }
    return piece.time
  }

  private func startTrue() throws -> Int64 {
    let begin = rig_now()
    let session = try TerminalSession("/bin/true", [])
    session.child.wait()
    return rig_now() - begin
  }
}
