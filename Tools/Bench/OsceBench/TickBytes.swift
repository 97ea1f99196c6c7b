import ArgumentParser
import CRig
import CircuitModel
import ExamStore
import Glibc
import Rig
import Timer

/// Bytes that a mark sheet sends for each second of the clock.
struct TickBytes: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ticks", abstract: "Bytes per clock tick: plain, amber and red.")

  @Option(help: "Seconds of each, 18 at most.") var seconds = 18
  @Option(help: "The terminal's type.") var terminal = "xterm-256color"
  @OptionGroup var measuring: MeasuringOptions

  func run() throws {
    let exam = BenchExam(candidates: 10, circuits: 1)
    let (scratch, path, store) = try measuring.prepare(exam)
    defer { scratch.remove() }
    try exam.startClock(in: store)
    let when = exam.session(1)
    let session = Session(circuit: 1, date: when.date, startTime: when.startTime)
    let osce = measuring.osce
    let screen = try exam.openTerminal(osce, store: path, terminal: terminal)
    print("bytes for each second of the clock on a mark sheet, \(terminal)")
    // The first rotation ends at a known instant, which is moved to leave so many seconds.
    var end = rig_now() + 80_478 * 1_000_000_000
    for (name, wanted) in [("plain", 400), ("amber", 110), ("red", 26)] {
      let change = Int64(wanted) - (end - rig_now()) / 1_000_000_000
      try store.write(.program) {
        _ = try ClockLog.append(.extend(seconds: change), to: session, at: store.clock.now, in: $0)
      }
      end += change * 1_000_000_000
      screen.pump(until: rig_now() + 2_500_000_000)
      var ticks: [Int] = []
      for _ in 0..<min(seconds, 18) {
        let bytes = screen.bytes
        screen.pump(until: rig_now() + 1_000_000_000)
        ticks.append(screen.bytes - bytes)
      }
      ticks.sort()
      let header = screen.screen.lines[0].suffix(30).drop { $0 == " " }
      print("  \(name): median \(ticks[ticks.count / 2]), most \(ticks.last!)   [\(header)]")
    }
    screen.child.signal(SIGKILL)
    store.close()
  }
}
