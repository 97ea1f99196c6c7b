import ArgumentParser
import CRig
import Glibc
import Rig

/// What a wall costs while nobody touches it, beside other clocks of the terminal.
struct WallCost: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "wallcost", abstract: "Processor time, bytes and memory of an idle wall, tty-clock -s and termdown.")

  @Option(help: "Seconds of watching.") var seconds = 60
  @Option(help: "Where tty-clock is.") var ttyClock = "/usr/bin/tty-clock"
  @Option(help: "Where termdown is; left out where there is none.") var termdown = "/usr/local/bin/termdown"
  @Option(help: "The program; by default osce beside this one.") var program: String?
  @Option(help: "A folder on a local disk.") var folder = "/var/tmp"

  func run() throws {
    guard access(ttyClock, X_OK) == 0 else { throw RigError("\(ttyClock) is not there: apt-get install tty-clock") }
    let scratch = try ScratchFolder(in: folder)
    defer { scratch.remove() }
    let exam = BenchExam(candidates: 10, circuits: 1)
    let path = scratch.file("store.sqlite")
    let store = try exam.load(into: path)
    try exam.startClock(in: store)
    store.close()
    let osce = program ?? ProcessFacts.ownFolder + "/osce"
    var clocks: [(name: String, session: TerminalSession)] = [
      ("osce wall, 80x24", try TerminalSession(osce, ["wall", "C1", "--bell", "none", "--store", path])),
      (
        "osce wall, 60x10",
        try TerminalSession(osce, ["wall", "C1", "--bell", "none", "--store", path], rows: 10, columns: 60)
      ),
      ("tty-clock -s -c, 80x24", try TerminalSession(ttyClock, ["-s", "-c"])),
    ]
    if access(termdown, X_OK) == 0 {
      clocks.append(("termdown 3600, 80x24", try TerminalSession(termdown, ["3600"])))
    } else {
      print("termdown is not at \(termdown) (pip install termdown): left out")
    }
    pump(clocks.map(\.session), for: 3)
    let before = clocks.map { ($0.session.bytes, ProcessFacts.processorTime(of: $0.session.child.process)) }
    pump(clocks.map(\.session), for: seconds)
    for (clock, start) in zip(clocks, before) {
      let process = clock.session.child.process
      let time = Double(ProcessFacts.processorTime(of: process) - start.1) / 1e9
      let bytes = Double(clock.session.bytes - start.0) / Double(seconds)
      let name = clock.name + String(repeating: " ", count: max(0, 24 - clock.name.count))
      print(
        "\(name) \(decimal(time / Double(seconds) * 100, 3)) % of a processor  \(decimal(bytes, 0)) bytes a second  "
          + "\(ProcessFacts.proportionalSetSize(of: process)) kB")
      clock.session.child.signal(SIGKILL)
    }
  }

  private func pump(_ sessions: [TerminalSession], for seconds: Int) {
    let end = rig_now() + Int64(seconds) * 1_000_000_000
    while rig_now() < end {
      for session in sessions { session.pump(quiet: 0) }
      usleep(20_000)
    }
  }
}
