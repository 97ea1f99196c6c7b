import ArgumentParser
import CircuitModel
import ExamStore
import Glibc
import Rig
import SeededNumbers

/// A hall in which everything happens at once: terminals that mark, and beside them without pause two imports, two backups to
/// one path, an examination of the store, restores of the backup beside the store and, each refused, over it.
struct BusyHall: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "hall",
    abstract: "Forty terminals, imports, backups, doctor and restores at once: every mark drawn is in the store.")

  @Option(help: "How long.") var seconds = 60
  @Option(help: "How many terminals, at most 50.") var terminals = 40
  @Option(help: "Repeats the keys of a run; 0: a fresh seed.") var seed: UInt64 = 0
  @OptionGroup var measuring: MeasuringOptions

  private var osce: String { measuring.osce }

  /// A command that is given again whenever it has ended.
  private final class Repeated {
    let words: [String]
    /// The exit codes that are right.
    let allowed: Set<Int32>
    private let osce: String
    private var child: Child?
    /// How often it ended as it most likely does: with the smallest code that is right.
    private(set) var done = 0
    private(set) var faults: [String] = []
    /// In nanoseconds.
    private static let patience: Int64 = 120_000_000_000

    init(_ osce: String, _ words: [String], allowed: Set<Int32> = [0]) {
      (self.osce, self.words, self.allowed) = (osce, words, allowed)
    }

    /// Starts it, or takes in how it ended.
    func step() throws {
      guard let running = child else {
        // What it says of a refusal is many times the same.
        child = try Child(onPipe: "/bin/sh", ["-c", "exec \"$0\" \"$@\" 2>/dev/null", osce] + words)
        return
      }
      // A full pipe would hold it.
      while running.line(within: 0) != nil {}
      guard !running.isRunning else { return }
      take(running.wait())
      child = nil
    }

    /// Waits for the one that is under way, as long as one may take.
    func finish() {
      guard let running = child else { return }
      let end = now() + Self.patience
      while running.isRunning, now() < end {
        while running.line(within: 0) != nil {}
        usleep(10_000)
      }
      if running.isRunning {
        faults.append("osce \(words.joined(separator: " ")): it does not end")
        running.signal(SIGKILL)
      }
      take(running.wait())
      child = nil
    }

    private func take(_ code: Int32) {
      if code == allowed.min() { done += 1 }
      if !allowed.contains(code) { faults.append("osce \(words.joined(separator: " ")): exit \(code)") }
    }
  }

  func validate() throws {
    guard (1...50).contains(terminals) else { throw ValidationError("--terminals takes 1 to 50; got \(terminals)") }
    guard seconds > 0 else { throw ValidationError("--seconds takes 1 or more; got \(seconds)") }
  }

  func run() throws {
    let seed = seed == 0 ? UInt64.random(in: 1...(.max)) : seed
    print("hall: seed \(seed)")
    var random = Seeded(seed: seed)
    let scratch = try ScratchFolder(in: measuring.folder)
    defer { scratch.remove() }
    let exam = BenchExam(candidates: 50)
    let (path, items) = try prepare(exam, in: scratch)
    let sessions = try (0..<terminals).map {
      try exam.openTerminal(
        osce, store: path, circuit: $0 / BenchExam.stations + 1, station: $0 % BenchExam.stations + 1, rows: 40)
    }
    let commands = try self.commands(exam, scratch, store: path)
    var drawn = sessions.map { _ in DrawnMarks() }
    for (index, session) in sessions.enumerated() {
      drawn[index].look(at: session.screen)
      session.onOutput = { drawn[index].look(at: $0) }
    }

    let end = now() + Int64(seconds) * 1_000_000_000
    var next = 0
    while now() < end {
      sessions[next % terminals].typeMark(&random)
      next += 1
      for session in sessions { session.pump(quiet: 0) }
      for command in commands { try command.step() }
      usleep(2000)
    }
    for session in sessions { session.child.signal(SIGTERM) }
    for session in sessions { while session.pump(quiet: 1000) {} }
    var faults = sessions.compactMap { session -> String? in
      let code = session.child.wait()
      return code == 128 + SIGTERM ? nil : "a terminal ended with \(code)"
    }
    for command in commands {
      command.finish()
      faults += command.faults
    }
    let audit = try StoreAudit(path)
    faults += audit.problems
    for (index, marks) in drawn.enumerated() { faults += marks.missing(in: audit, items: items[index]) }
    let counts = commands.map { "\($0.done) \($0.words[0])" }.joined(separator: ", ")
    if commands.contains(where: { $0.done == 0 }) { faults.append("a command never came to its end: \(counts)") }
    try report("hall, seed \(seed)", faults)
    print(
      "hall: \(terminals) terminals for \(seconds) s beside \(counts): \(drawn.reduce(0) { $0 + $1.count }) marks drawn, every "
        + "one in the store, chain and integrity ok")
  }

  /// The store with a sheet open for each terminal, and the items of each sheet in order.
  private func prepare(_ exam: BenchExam, in scratch: ScratchFolder) throws -> (path: String, items: [[String]]) {
    let path = scratch.file("store.sqlite")
    let store = try exam.load(into: path)
    for circuit in 1...exam.circuits { try exam.startClock(circuit: circuit, in: store) }
    let sheets = try exam.openSheets(terminals, in: store)
    let items = try sheets.map { sheet in
      try store.read { try Sheet.read(sheet.sheet, in: $0) }?.items.map(\.key) ?? []
    }
    guard store.close() else { throw RigError("the store could not be closed") }
    return (path, items)
  }

  private func commands(_ exam: BenchExam, _ scratch: ScratchFolder, store: String) throws -> [Repeated] {
    // Each import has something to change: the other has given the stations its own names.
    let imports = try ["a", "b"].map { name in
      let stations = (1...exam.circuits).flatMap { circuit in
        (1...BenchExam.stations).map { station in
          let key = circuit * 100 + station
          return "{\"dsid\":\(key),\"name\":\"Station \(station)\(name)\",\"clinicGroup\":\(circuit)}"
        }
      }
      let file = scratch.file("stations-\(name).json")
      try Files.write(Array("{\"entities\":{\"ActivityType\":[\(stations.joined(separator: ","))]}}".utf8), to: file)
      return Repeated(osce, ["import", file, "--store", store])
    }
    let copy = scratch.file("copy.sqlite")
    let first = try Child(onPipe: osce, ["backup", copy, "--store", store])
    guard first.finish().code == 0 else { throw RigError("no backup was made") }
    let beside = scratch.file("beside.sqlite")
    return imports + [
      Repeated(osce, ["backup", copy, "--store", store]), Repeated(osce, ["backup", copy, "--store", store]),
      Repeated(osce, ["doctor", "--store", store]),
      // A copy that is replaced while it is read is refused, and taken the next time.
      Repeated(osce, ["restore", copy, "--force", "--store", beside], allowed: [0, 1]),
      Repeated(osce, ["restore", copy, "--store", store], allowed: [1]),
    ]
  }
}
