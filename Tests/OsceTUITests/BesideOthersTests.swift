import CircuitModel
import ExamStore
import Foundation
import GRDB
import SeededNumbers
import Synchronization
import SystemTesting
import Testing
import Timer

/// The program itself, beside another that holds what it needs.
@Suite("Commands beside other processes", .enabled(if: Tmux.program != nil, "osce is not built"), .ahead)
struct BesideOthersTests {
  private static func start(_ arguments: [String]) throws -> StartedProgram {
    try StartedProgram(Tmux.program!, arguments)
  }

  private static func run(_ arguments: [String]) async throws -> EndedProgram {
    try await EndedProgram.run(Tmux.program!, arguments)
  }

  @Test(
    "a command behind a process that holds the store gives up in one line that names it, and changes nothing",
    .timeLimit(.minutes(15)),
    arguments: [
      "status", "clock 1 start", "import fixtures/year3-osce", "backup", "restore --force",
      "mark --timetable 1 --staff nokafor", "",
    ])
  func held(command: String) async throws {
    let exam = try CommandRunner()
    #expect(exam.run("status").code == 0 && exam.run("clock", "1", "pause").code == 1)
    let copy = exam.folder + "/copy.sqlite"
    #expect(exam.run("backup", copy).code == 0)
    let lock = try HeldLock(exam.store + ".lock")
    let file = command == "backup" ? [exam.folder + "/new.sqlite"] : command.hasPrefix("restore") ? [copy] : []
    let words = command.split(separator: " ").map(String.init) + file
    let result = try await Self.run(words + ["--wait", "1", "--store", exam.store])
    #expect(HeldLock.isHeld(exam.store + ".lock"), "the lock was not held to the end")
    lock.release()
    #expect(result.code == 1 && result.output.isEmpty)
    let who = "the store is held by process \(getpid()) ("
    #expect(result.failure.hasPrefix("osce: " + who), "\(command): \(result.failure)")
    #expect(result.failure.contains("gave up after 1 s, nothing was changed"))
    #expect(result.failure.filter { $0 == "\n" }.count == 1)
    #expect(try FileManager.default.contentsOfDirectory(atPath: exam.folder).filter { $0.hasPrefix(".") } == [])
  }

  @Test("a pause that waits for the store stops the clock when it was given", .timeLimit(.minutes(15)))
  func heldPause() async throws {
    let exam = try CommandRunner()
    #expect(exam.run("clock", "1", "start").code == 0)
    let lock = try HeldLock(exam.store + ".lock")
    let pause = try Self.start(["clock", "1", "pause", "--wait", "60", "--store", exam.store])
    let line = String(decoding: await offPool { pause.failure.availableData }, as: UTF8.self)
    #expect(line.hasPrefix("osce: waiting: "), "\(line)")
    let freed = SystemClock.live.boot()
    lock.release()
    #expect(await pause.ended().code == 0)
    let events = exam.run("clock", "1", "log", "--json").object["events"] as? [[String: Any]] ?? []
    #expect(events.last?["kind"] as? String == "pause")
    let paused = try #require((events.last?["at"] as? String).flatMap { Timestamp.parse($0) })
    #expect(try exam.withStore { paused < $0.clock.now + (freed - $0.clock.boot) })
  }

  @Test("nothing waits for the other end of a queue", .timeLimit(.minutes(15))) func queues() async throws {
    let exam = try CommandRunner()
    let queue = exam.folder + "/queue"
    #expect(mkfifo(queue, 0o600) == 0 && mkfifo(exam.store + "-journal", 0o600) == 0)
    for arguments in [
      ["verify", queue], ["restore", queue, "--store", exam.folder + "/new.sqlite"],
      ["clock", "1", "start", "--store", exam.store],
      ["doctor", "--store", exam.store], ["import", "fixtures/all-kinds", "--store", exam.store],
    ] {
      let result = try await Self.run(arguments)
      #expect(result.code == 1, "\(arguments): \(result.output)\(result.failure)")
      #expect((result.output + result.failure).contains("is not a "), "\(arguments): \(result.failure)")
    }
  }

  @Test("--wait takes whole seconds, before the command too") func wait() throws {
    let exam = try CommandRunner()
    #expect(CommandRunner.run(["--wait", "3", "--store", exam.store, "plan"]).code == 0)
    #expect(CommandRunner.run(["--wait=3", "plan", "--store", exam.store]).code == 0)
    for wrong in ["-1", "86401", "soon"] { #expect(exam.run("plan", "--wait=\(wrong)").code == 64) }
  }

  @Test(
    "behind a program that does not know the store's lock a command waits as long as it was told",
    .timeLimit(.minutes(15)))
  func foreignLock() async throws {
    let exam = try CommandRunner()
    #expect(exam.run("status").code == 0)
    let other = try DatabaseQueue(path: exam.store)
    let line = ["clock", "1", "start", "--wait", "60", "--store", exam.store]
    let (start, waited) = try await offPool {
      try other.inDatabase { db in
        try db.execute(sql: "BEGIN EXCLUSIVE")
        let start = try Self.start(line)
        // Longer than SQLite is left to wait where nobody says.
        Thread.sleep(forTimeInterval: 7)
        let waited = start.process.isRunning
        try db.execute(sql: "COMMIT")
        return (start, waited)
      }
    }
    let ended = await start.ended()
    #expect(waited && ended.code == 0, "\(ended.failure)")
  }

  @Test("a backup to a path that another backs up to gives up in one line", .timeLimit(.minutes(15))) func twoBackups()
    async throws
  {
    let exam = try CommandRunner()
    let copy = exam.folder + "/copy.sqlite"
    let path = exam.folder + "/.copy.sqlite.osce-lock"
    let lock = try HeldLock(path)
    let result = try await Self.run(["backup", copy, "--wait", "1", "--store", exam.store])
    #expect(result.code == 1 && result.output.isEmpty)
    #expect(result.failure.hasPrefix("osce: another backup to \(copy) is running, in process \(getpid()) ("))
    #expect(result.failure.filter { $0 == "\n" }.count == 1)
    lock.release()
    #expect(try await Self.run(["backup", copy, "--store", exam.store]).code == 0)
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test("two backups to one path, killed at random, and one who looks all the time: always one whole copy")
  func killedBackups() async throws {
    let exam = try CommandRunner()
    let second = exam.folder + "/second"
    try FileManager.default.createDirectory(atPath: second, withIntermediateDirectories: true)
    let copy = second + "/copy.sqlite"
    let arguments = ["backup", copy, "--store", exam.store]
    #expect(try await Self.run(arguments).code == 0)
    // When each round's process is killed: told with each fault.
    let seed = Seeded.seed
    var random = Seeded(seed: seed)
    let moments = (0..<20).map { _ in UInt32.random(in: 0...400_000, using: &random) }
    final class Findings: Sendable { let state = Mutex((isOver: false, looks: 0, bad: [String]())) }
    let findings = Findings()
    async let looking: Void = offPool {
      while findings.state.withLock({ !$0.isOver }) {
        let found = Result { () throws -> String in
          var configuration = Configuration()
          configuration.readonly = true
          return try DatabaseQueue(path: copy, configuration: configuration).read { db in
            let count = try Int.fetchOne(db, sql: "SELECT count(*) FROM operation") ?? 0
            return count == 0 ? "empty" : try String.fetchOne(db, sql: "PRAGMA quick_check") ?? "nothing"
          }
        }
        let text = (try? found.get()) ?? "\(found)"
        findings.state.withLock { state in
          state.looks += 1
          if text != "ok" { state.bad.append(text) }
        }
      }
    }
    async let killing: Void = offPool {
      for (round, moment) in moments.enumerated() {
        guard let first = try? Self.start(arguments), let other = try? Self.start(arguments) else { continue }
        usleep(moment)
        kill((round % 2 == 0 ? first : other).process.processIdentifier, SIGKILL)
        for program in [first, other] { program.waitForEnd() }
        let survivor = round % 2 == 0 ? other : first
        if survivor.process.terminationStatus != 0 {
          findings.state.withLock { $0.bad.append("a backup failed beside the other") }
        }
      }
      findings.state.withLock { $0.isOver = true }
    }
    _ = await (looking, killing)
    let seen = findings.state.withLock { $0 }
    #expect(seen.looks > 20 && seen.bad == [], "OSCE_SEED=\(seed)")
    #expect(try await Self.run(arguments).code == 0)
    #expect(try FileManager.default.contentsOfDirectory(atPath: second) == ["copy.sqlite"])
  }
}
