import ArgumentParser
import Glibc
import Rig

/// A connection that stands still while keys are typed.
struct StalledLine: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stalled",
    abstract: "sshd stopped, then a terminal that is not read: nothing lost, nothing on the wrong sheet, clock right.")

  @Option(help: "How long the line stands still, in seconds.") var seconds = 30
  @OptionGroup var measuring: MeasuringOptions

  func run() throws {
    try checkServer()
    try checkReader()
  }

  private var osce: String { measuring.osce }

  /// The digits of the clock in a screen's first line.
  private static func clock(_ session: TerminalSession) -> Substring {
    session.screen.lines[0].split(separator: " ").last ?? ""
  }

  /// Two marks of a person's pace, seen.
  private static func begin(_ session: TerminalSession) throws {
    for (index, key) in ["1", "0"].enumerated() {
      session.child.type(key)
      try session.wait("item \(index + 1)") { MarkSheetScreen($0).marks[index + 1] != nil }
      session.pump(until: now() + 100_000_000)
    }
  }

  /// Looks at a line that goes on again: its clock against that of a terminal that never stood still, and its marks.
  /// - Returns: after how many milliseconds the clock was right.
  private static func goOn(
    _ session: TerminalSession, beside control: TerminalSession, _ faults: inout [String]
  ) -> Int64 {
    let begin = now()
    var right: Int64?
    while now() < begin + 2_000_000_000 {
      _ = control.pump(quiet: 0)
      session.pump(until: now() + 2_000_000)
      if right == nil, clock(session) == clock(control) { right = now() - begin }
    }
    if right.map({ $0 > 500_000_000 }) ?? true {
      faults.append("half a second later the clock shows \(clock(session))")
    }
    let marks = MarkSheetScreen(session.screen).marks
    if marks != [1: 1, 2: 0, 3: 1, 4: 0, 5: 1, 6: 0, 7: 1] { faults.append("the sheet shows \(marks)") }
    return (right ?? 0) / 1_000_000
  }

  // MARK: sshd

  private func checkServer() throws {
    let station = try MarkingStation(in: measuring.folder)
    defer { station.scratch.remove() }
    let server = try LoopbackServer(in: station.scratch)
    defer { server.remove() }
    let session = try server.open([osce] + station.exam.markArguments(store: station.path))
    try session.passIdentityStep()
    try session.wait("the mark sheet") { MarkSheetScreen($0).isOpen }
    let control = try station.exam.openTerminal(osce, store: station.path, station: 2)
    let candidate = session.screen.lines[1]
    try StalledLine.begin(session)

    let stopped = try server.stop(below: session.child.process)
    let begin = now()
    // A person goes on marking, then believes to be at the next candidate.
    for (index, key) in ["1", "0", "1", "0", "1", ">", "1", "1"].enumerated() {
      session.pump(until: begin + Int64(index + 1) * Int64(seconds) * 100_000_000)
      session.child.type(key)
    }
    session.pump(until: begin + Int64(seconds) * 1_000_000_000)
    var faults: [String] = []
    if MarkSheetScreen(session.screen).marks != [1: 1, 2: 0] { faults.append("something came through") }
    for process in stopped { kill(process, SIGCONT) }
    let right = StalledLine.goOn(session, beside: control, &faults)
    if session.screen.lines[1] != candidate { faults.append("another candidate: \(session.screen.lines[1])") }
    let said = session.screen.lines.first { $0.contains("fast keys") } ?? ""
    if said.isEmpty {
      faults.append("nothing says that it is one step:\n" + session.screen.lines.joined(separator: "\n"))
    }
    session.child.type("z")
    do {
      try session.wait("one undo of all five") { MarkSheetScreen($0).marks == [1: 1, 2: 0] && $0.shows("5 changes") }
    } catch { faults.append("\(error)") }
    faults += end(session, control, station, history: [[1], [0], [1], [0], [1], [0], [1], []])
    try report("stalled, sshd", faults)
    print(
      "stalled: sshd stopped \(seconds) s: 5 marks typed meanwhile came, > and the keys after it did nothing, one undo "
        + "took all five back; the clock was right \(right) ms after it went on; the line: \(said)")
  }

  // MARK: A terminal that is not read

  private func checkReader() throws {
    let station = try MarkingStation(in: measuring.folder)
    defer { station.scratch.remove() }
    let session = try station.open(osce)
    let control = try station.exam.openTerminal(osce, store: station.path, station: 2)
    try StalledLine.begin(session)
    // Whole screens until the terminal takes no more.
    let begin = now()
    for _ in 0..<100 {
      session.child.type("\u{C}")
      usleep(20_000)
    }
    for key in ["1", "0", "1", "0", "1"] {
      session.child.type(key)
      usleep(300_000)
    }
    while now() < begin + Int64(min(10, seconds)) * 1_000_000_000 {
      _ = control.pump(quiet: 0)
      usleep(10_000)
    }
    var faults: [String] = []
    // The program's own view: all five are on the disk while nobody reads the terminal.
    let saved = try StoreAudit.marks(in: station.path, of: station.items)
    if saved.prefix(7) != [1, 0, 1, 0, 1, 0, 1] { faults.append("while nobody read, the store had \(saved)") }
    let right = StalledLine.goOn(session, beside: control, &faults)
    faults += end(session, control, station, history: [[1], [0], [1], [0], [1], [0], [1], []])
    try report("stalled, terminal", faults)
    print(
      "stalled: a terminal not read for \(min(10, seconds)) s: all keys were taken and saved meanwhile, the screen and "
        + "its clock right \(right) ms after it was read again")
  }

  /// Ends both terminals and looks at the store.
  private func end(
    _ session: TerminalSession, _ control: TerminalSession, _ station: MarkingStation, history: [[Int64]]
  ) -> [String] {
    for terminal in [session, control] {
      terminal.child.signal(SIGTERM)
      while terminal.pump(quiet: 2000) {}
      terminal.child.wait()
    }
    // The program behind sshd ends by itself when the line is gone.
    usleep(1_000_000)
    guard let audit = try? StoreAudit(station.path) else { return ["the store cannot be read"] }
    return audit.problems
      + zip(station.items, history).compactMap { item, marks in
        let kept = (audit.history[item] ?? []).map { $0 / 1_000_000 }
        return kept == marks ? nil : "item \(item) was given \(kept), typed was \(marks)"
      }
  }
}
