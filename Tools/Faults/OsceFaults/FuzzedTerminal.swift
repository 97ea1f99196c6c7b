import ArgumentParser
import CircuitModel
import ExamStore
import Glibc
import Rig
import Timer

/// What a run of random input is told.
struct FuzzingOptions: ParsableArguments {
  @Option(help: "Repeats a run; 0: a fresh seed.") var seed: UInt64 = 0
  @Option(help: "The exam's folder.") var exam: String
  @OptionGroup var measuring: MeasuringOptions

  /// The seed of this run, which is printed first.
  func announcedSeed(_ run: String) -> UInt64 {
    let seed = seed == 0 ? UInt64.random(in: 1...(.max)) : seed
    print("\(run): seed \(seed)")
    return seed
  }
}

/// An exam of every kind of item in a store of its own, and one of its stations in a terminal, for keys and sizes from
/// nobody in particular.
struct FuzzedTerminal {
  let scratch: ScratchFolder
  let path: String
  let osce: String
  private let arguments: [String]

  /// - Throws: `RigError` if the exam cannot be loaded or has no station to mark.
  init(_ options: FuzzingOptions) throws {
    let exam = options.exam
    scratch = try ScratchFolder(in: options.measuring.folder)
    path = scratch.file("store.sqlite")
    osce = options.measuring.osce
    try FuzzedTerminal.run(osce, ["import", exam, "--store", path])
    let store = try ExamStore(StoreLocation(path: path))
    defer { store.close() }
    let (station, staff) = try store.read { db in
      for session in try StationSession.all(in: db) where !session.isRest {
        guard let assessor = session.assessors.first else { continue }
        return (session, try StaffMember.active(db).first { $0.id == assessor.staff })
      }
      throw RigError("\(exam) has no station to mark")
    }
    guard let staff else { throw RigError("\(exam) has no assessor") }
    let begin = store.clock.now
    for (index, action) in [ClockAction.start, .skip, .extend(seconds: 80_000)].enumerated() {
      let at = Instant(milliseconds: begin.milliseconds - 3000 + Int64(index) * 1000)
      try store.write(.program) { _ = try ClockLog.append(action, to: station.session, at: at, in: $0) }
    }
    arguments = ["--store", path, "mark", "--staff", staff.username, "--timetable", String(station.timetable)]
  }

  private static func run(_ program: String, _ arguments: [String]) throws {
    let child = try Child(onPipe: program, arguments)
    let lines = child.remainingLines()
    guard child.wait() == 0 else { throw RigError("\(arguments[0]): " + lines.joined(separator: " / ")) }
  }

  /// Opens the station, past the identity step.
  func open() throws -> TerminalSession {
    let session = try TerminalSession(osce, arguments)
    try session.passIdentityStep()
    session.pump(quiet: 100)
    return session
  }

  /// Holds the closed store against the rules, `osce doctor` too.
  func faults() throws -> [String] {
    let audit = try StoreAudit(path)
    let doctor = try Child(onPipe: osce, ["doctor", "--store", path])
    let lines = doctor.remainingLines()
    let said = doctor.wait() == 0 ? [] : ["osce doctor: " + lines.joined(separator: " / ")]
    return audit.problems + audit.unexplained + said
  }

  /// Ends a session and says how.
  static func end(_ session: TerminalSession) -> Int32 {
    session.child.signal(SIGTERM)
    while session.pump(quiet: 2000) {}
    return session.child.wait()
  }
}
