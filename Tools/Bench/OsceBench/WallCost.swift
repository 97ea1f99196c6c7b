import ArgumentParser
import CRig
import Glibc
import Rig

/// What a wall costs while nobody touches it, beside other clocks of the terminal.
struct WallCost: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "wallcost", abstract: "Processor time, bytes and memory of an idle wall, tty-clock -s and termdown.",
    discussion: """
      Each clock is on a terminal of its own, all at the same time. Glyphs are compared by their height: tty-clock has one
      of five rows, termdown those of its fonts. The height is measured on the screen.
      """)

  @Option(help: "Seconds of watching.") var seconds = 60
  @Option(help: "Where tty-clock is.") var ttyClock = "/usr/bin/tty-clock"
  @Option(help: "Where termdown is; left out where there is none.") var termdown = "/usr/local/bin/termdown"
  @Option(help: "Fonts of termdown.") var fonts = ["standard", "roman"]
  @OptionGroup var measuring: MeasuringOptions

  func run() throws {
    guard access(ttyClock, X_OK) == 0 else { throw RigError("\(ttyClock) is not there: apt-get install tty-clock") }
    let exam = BenchExam(candidates: 10, circuits: 1)
    let (scratch, path, store) = try measuring.prepare(exam)
    defer { scratch.remove() }
    try exam.startClock(extendedBy: 3000, in: store)
    store.close()
    let osce = measuring.osce
    let wall = ["wall", "C1", "--bell", "none", "--store", path]
    var clocks: [(name: String, session: TerminalSession)] = [
      ("osce wall, 80x24", try TerminalSession(osce, wall)),
      ("osce wall, 60x10", try TerminalSession(osce, wall, rows: 10, columns: 60)),
      ("tty-clock -s -c, 80x24", try TerminalSession(ttyClock, ["-s", "-c"])),
    ]
    if access(termdown, X_OK) == 0 {
      for font in fonts {
        clocks.append(("termdown -a -f \(font)", try TerminalSession(termdown, ["-a", "-f", font, "3400"])))
      }
    } else {
      print("termdown is not at \(termdown) (pip install termdown): left out")
    }
    pump(clocks.map(\.session), for: 4)
    let before = clocks.map { ($0.session.bytes, ProcessFacts.processorTime(of: $0.session.child.process)) }
    pump(clocks.map(\.session), for: seconds)
    print("\(seconds) s, all at the same time, 80x24 unless said otherwise")
    for (clock, start) in zip(clocks, before) {
      let process = clock.session.child.process
      let time = Double(ProcessFacts.processorTime(of: process) - start.1) / 1e9
      let bytes = Double(clock.session.bytes - start.0) / Double(seconds)
      let name = clock.name + String(repeating: " ", count: max(0, 26 - clock.name.count))
      print(
        "\(name) glyphs of \(pad(String(WallCost.height(clock.session.screen)), to: 2)) rows  "
          + "\(decimal(time / Double(seconds) * 100, 3)) % of a processor  \(pad(decimal(bytes, 0), to: 4)) bytes a second  "
          + "\(ProcessFacts.ownMemory(of: process)) kB of its own")
    }
    for clock in clocks { clock.session.child.signal(SIGKILL) }
  }

  /// Rows of the digits: those with blocks, else all that are not blank. tty-clock colours blanks; its glyphs have five.
  private static func height(_ screen: ScreenText) -> Int {
    let blocks = screen.lines.count { $0.contains("█") }
    let written = screen.lines.count { !$0.isEmpty }
    return blocks > 0 ? blocks : written > 1 ? written : 5
  }

  private func pump(_ sessions: [TerminalSession], for seconds: Int) {
    let end = rig_now() + Int64(seconds) * 1_000_000_000
    while rig_now() < end {
      for session in sessions { session.pump(quiet: 0) }
      rig_sleep_until(rig_now() + 20_000_000)
    }
  }
}
