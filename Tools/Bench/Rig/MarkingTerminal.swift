import CRig
import CircuitModel
import ExamStore
import Timer

extension BenchExam {
  /// Starts the clock of the first session of a circuit, in its first rotation, which is made longer: by a day
  /// unless said otherwise.
  /// - Throws: what the store throws.
  public func startClock(circuit: Int = 1, extendedBy seconds: Int64 = 80_000, in store: ExamStore) throws {
    let when = session(1)
    let session = Session(circuit: circuit, date: when.date, startTime: when.startTime)
    // Seconds apart, because an event is judged at its own time.
    let begin = store.clock.now
    for (index, action) in [ClockAction.start, .skip, .extend(seconds: seconds)].enumerated() {
      let at = Instant(milliseconds: begin.milliseconds - 3000 + Int64(index) * 1000)
      try store.write(.program) { _ = try ClockLog.append(action, to: session, at: at, in: $0) }
    }
  }

  /// Opens the sheet of the first candidate of a station in a terminal, past the identity step.
  /// - Parameters:
  ///   - launcher: a program and its arguments that start the program, as strace does; none to start it directly.
  /// - Throws: `RigError` if the sheet does not appear.
  public func openTerminal(
    _ program: String, through launcher: [String] = [], store: String, circuit: Int = 1, station: Int = 1,
    terminal: String = "xterm-256color", environment: [String: String] = [:], rows: Int = 24
  ) throws -> TerminalSession {
    let words = launcher + [program] + markArguments(store: store, circuit: circuit, station: station)
    let session = try TerminalSession(
      words[0], Array(words.dropFirst()), terminal: terminal, environment: environment, rows: rows)
    try session.passIdentityStep()
    try session.wait("the mark sheet") { MarkSheetScreen($0).isOpen }
    return session
  }

  /// The arguments that open a station's mark sheet.
  public func markArguments(store: String, circuit: Int = 1, station: Int = 1) -> [String] {
    [
      "--store", store, "mark", "--staff", assessor(circuit: circuit, station: station).username, "--timetable",
      String(timetable(circuit: circuit, session: 1, station: station)),
    ]
  }
}
