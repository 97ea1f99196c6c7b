import ArgumentParser
import CRig
import CircuitModel
import ExamStore
import Glibc
import Rig

/// Fifty terminals that mark at fifty stations of one store: memory of each, and processor time while nobody types.
struct Crowded: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "memory", abstract: "Memory and idle processor time of each of many running terminals.")

  @Option(help: "How many terminals.") var terminals = 50
  @Option(help: "Seconds of idleness to be measured.") var seconds = 35
  @OptionGroup var measuring: MeasuringOptions

  func run() throws {
    let exam = BenchExam(candidates: 1000)
    let (scratch, path, store) = try measuring.prepare(exam)
    defer { scratch.remove() }
    for circuit in 1...exam.circuits { try exam.startClock(circuit: circuit, in: store) }
    store.close()
    let osce = measuring.osce
    let sessions = try (0..<terminals).map { index in
      let session = try exam.openTerminal(
        osce, store: path, circuit: index / BenchExam.stations + 1, station: index % BenchExam.stations + 1)
      session.child.type("1")
      try session.wait("the mark") { MarkSheetScreen($0).marks[1] == 1 }
      return session
    }
    drain(sessions, seconds: 5)
    func sizes() -> [Double] {
      sessions.map { Double(ProcessFacts.proportionalSetSize(of: $0.child.process)) / 1024 }.sorted()
    }
    let marking = sizes()
    let before = sessions.map { ProcessFacts.processorTime(of: $0.child.process) }
    let wakeUps = sessions.map { ProcessFacts.use(of: $0.child.process).wakeUps }
    let begin = rig_now()
    drain(sessions, seconds: seconds)
    let elapsed = Double(rig_now() - begin)
    let shares = zip(sessions, before)
      .map { Double(ProcessFacts.processorTime(of: $0.child.process) - $1) / elapsed * 100 }.sorted()
    let wakes = zip(sessions, wakeUps)
      .map { Double(ProcessFacts.use(of: $0.child.process).wakeUps - $1) / elapsed * 1e9 }.sorted()
    let idle = sizes()
    for session in sessions { session.child.signal(SIGKILL) }
    print("\(terminals) terminals on one store of \(exam.candidates) candidates, a mark sheet open in each")
    for (when, sizes) in [("5 s after a mark", marking), ("\(seconds + 5) s after it", idle)] {
      print(
        "  memory (PSS) of one, \(when): median \(decimal(sizes[terminals / 2], 2)) MB, most "
          + "\(decimal(sizes.last!, 2)) MB")
    }
    print(
      "  idle, clock running, \(seconds) s: median \(decimal(shares[terminals / 2], 3)) % of a processor, most "
        + "\(decimal(shares.last!, 3)) %; median \(decimal(wakes[terminals / 2], 1)) wake-ups a second")
  }

  /// Takes in what the programs write, as their terminals do.
  private func drain(_ sessions: [TerminalSession], seconds: Int) {
    let end = rig_now() + Int64(seconds) * 1_000_000_000
    while rig_now() < end {
      for session in sessions { session.pump(quiet: 0) }
      rig_sleep_until(rig_now() + 50_000_000)
    }
  }
}
