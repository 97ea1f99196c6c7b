import ArgumentParser
import CRig
import Glibc
import Rig

/// Terminals that go away, and signals: the terminal is given back, nobody stays, nobody spins.
struct HangUps: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "hangup",
    abstract: "Terminals closed under many programs, signals and crashes: gone within a second, terminal restored.")

  @Option(help: "How many terminals are closed at once.") var terminals = 40
  @OptionGroup var measuring: MeasuringOptions

  private var osce: String { measuring.osce }

  func run() throws {
    let signals = [SIGHUP, SIGTERM, SIGINT, SIGQUIT, SIGSEGV, SIGABRT]
    // As at a terminal: under nohup and in the background some are ignored, and so by every program started here.
    for number in signals { signal(number, SIG_DFL) }
    for signal in signals { try end(by: signal) }
    try closeAll()
  }

  /// One program, ended by a signal while a text is open.
  private func end(by signal: Int32) throws {
    let station = try MarkingStation(in: measuring.folder)
    defer { station.scratch.remove() }
    // The modes of a terminal that no program has touched.
    let untouched = try TerminalSession("/bin/sleep", ["10"])
    let before = untouched.modes
    untouched.child.signal(SIGKILL)
    let session = try station.open(osce)
    var faults: [String] = []
    if session.modes == before { faults.append("the terminal was never raw") }
    session.child.type("e")
    try session.wait("the editor") { $0.shows("Feedback on item 1") }
    session.child.type("Cut off")
    try session.wait("the text") { $0.shows("Cut off") }
    let begin = now()
    session.child.signal(signal)
    var tail: [UInt8] = []
    while let output = session.child.read(within: 3000), !output.isEmpty { tail += output }
    let code = session.child.wait()
    let taken = now() - begin
    let isCrash = [SIGQUIT, SIGSEGV, SIGABRT].contains(signal)
    if code != 128 + signal { faults.append("it ended with \(code)") }
    if taken > 1_000_000_000 { faults.append("it took \(taken / 1_000_000) ms") }
    if session.modes != before { faults.append("the terminal's modes are not as before") }
    let text = String(decoding: tail, as: UTF8.self)
    // After a hang-up nobody is there to read.
    if signal != SIGHUP, !text.contains("\u{1B}[?1049l") || !text.contains("\u{1B}[?2004l") {
      faults.append("the screen was not left")
    }
    faults += try StoreAudit(station.path).problems
    let kept = try StoreAudit.feedback(in: station.path)
    // A crash can save nothing more; what was open two seconds is on the disk.
    if !isCrash, kept != ["Cut off"] { faults.append("the open text was not saved: \(kept)") }
    try report("hangup, signal \(signal)", faults)
    print(
      "hangup: \(String(cString: strsignal(signal))): ended after \(taken / 1_000_000) ms, terminal restored"
        + (isCrash ? "" : ", open text saved"))
  }

  /// Many programs at once, whose terminals are closed.
  private func closeAll() throws {
    let scratch = try ScratchFolder(in: measuring.folder)
    defer { scratch.remove() }
    let path = scratch.file("store.sqlite")
    let exam = BenchExam(candidates: 50)
    let store = try exam.load(into: path)
    for circuit in 1...5 { try exam.startClock(circuit: circuit, in: store) }
    store.close()
    var sessions: [TerminalSession] = []
    for number in 0..<terminals {
      sessions.append(try exam.openTerminal(osce, store: path, circuit: number / 10 + 1, station: number % 10 + 1))
    }
    for session in sessions { session.child.type("1") }
    for session in sessions { session.pump(quiet: 5) }
    let processes = sessions.map(\.child.process)
    let begin = now()
    for session in sessions { session.child.hangUp() }
    var times: [Int64?] = sessions.map { _ in nil }
    while times.contains(where: { $0 == nil }), now() < begin + 10_000_000_000 {
      for (index, session) in sessions.enumerated() where times[index] == nil && !session.child.isRunning {
        times[index] = now() - begin
      }
      usleep(2000)
    }
    var faults: [String] = []
    let left = zip(processes, times).filter { $0.1 == nil }.map(\.0)
    for process in left {
      faults.append("process \(process) is left, \(ProcessFacts.use(of: process).ticks) ticks used")
      kill(process, SIGKILL)
    }
    let codes = Set(sessions.map { $0.child.wait() })
    if codes != [129] { faults.append("they ended with \(codes.sorted())") }
    let last = times.compactMap { $0 }.max() ?? 0
    if last > 1_000_000_000 { faults.append("the last took \(last / 1_000_000) ms") }
    let audit = try StoreAudit(path)
    faults += audit.problems
    let marks = audit.history.values.reduce(0) { $0 + $1.count }
    if marks != terminals { faults.append("\(marks) of \(terminals) marks are in the store") }
    try report("hangup, \(terminals) terminals", faults)
    print(
      "hangup: \(terminals) terminals closed at once: every program gone after \(last / 1_000_000) ms, none left, "
        + "\(marks) marks typed just before all in the store")
  }
}
