import CircuitModel
import ExamStore
import Foundation
import SystemTesting
import Testing

/// The program itself where its standard output takes nothing.
@Suite("Lost output", .enabled(if: Tmux.program != nil, "osce is not built"))
struct LostOutputTests {
  private static let commands = ["status", "plan", "doctor", "clock all status", "export marks", "status --json"]

  /// Runs a command by a shell.
  private func run(
    _ command: String, _ redirection: String, store: String, after first: String = ""
  ) async throws -> EndedProgram {
    let line = "\(first) exec '\(Tmux.program!)' \(command) --store '\(store)' \(redirection)"
    return try await EndedProgram.run("/bin/sh", ["-c", line])
  }

  @Test("output that a full disk does not take is a failure, told in one line", arguments: commands + ["import --help"])
  func fullDisk(command: String) async throws {
    let runner = try CommandRunner()
    let result = try await run(command, ">/dev/full", store: runner.store)
    #expect(result.code == 1)
    #expect(result.failure.hasPrefix("osce: cannot write the output: No space left on device"), "\(result.failure)")
    #expect(result.failure.filter { $0 == "\n" }.count == 1, "\(result.failure)")
  }

  @Test(
    "what was done is said to be done where its output is lost, with JSON as with text",
    arguments: ["clock 1 start", "clock all anchor", "journal --pack PACK"], ["", "--json"])
  func doneBehindLostOutput(command: String, form: String) async throws {
    let runner = try CommandRunner()
    let line = command.replacing("PACK", with: "'\(runner.folder)/a.pack'")
    let result = try await run("\(line) \(form)", ">/dev/full", store: runner.store)
    let text = "osce: cannot write the output: No space left on device; the command itself was done\n"
    #expect(result.code == 1 && result.failure == text, "\(result.failure)")
  }

  @Test("a closed standard output is a failure, and nothing goes into the store's lock file", arguments: commands)
  func closed(command: String) async throws {
    let runner = try CommandRunner()
    let result = try await run(command, ">&-", store: runner.store)
    #expect(result.code == 1)
    #expect(result.failure.hasPrefix("osce: cannot write the output: Bad file descriptor"), "\(result.failure)")
    let lock = FileManager.default.contents(atPath: runner.store + ".lock") ?? Data()
    #expect(lock.count < 200, "\(String(decoding: lock, as: UTF8.self))")
  }

  @Test("a closed standard error is no file of the store's") func closedError() async throws {
    let runner = try CommandRunner()
    #expect(try await run("clock nowhere status", "2>&-", store: runner.store).code == 1)
    let lock = FileManager.default.contents(atPath: runner.store + ".lock") ?? Data()
    #expect(!String(decoding: lock, as: UTF8.self).contains("nowhere"))
  }

  @Test("a limit on the size of files is told like a full disk, and leaves no part of a file") func smallFiles()
    async throws
  {
    let runner = try CommandRunner()
    let line = "export marks --format json --out '\(runner.folder)/marks.json'"
    let result = try await run(line, "", store: runner.store, after: "ulimit -f 0;")
    #expect(result.code == 1 && result.failure.hasPrefix("osce: cannot write"), "\(result)")
    let left = try FileManager.default.contentsOfDirectory(atPath: runner.folder).filter { $0.contains("marks.json") }
    #expect(left == [])
  }

  @Test(
    "nothing is said beside the output, of a sheet that was opened and not marked either",
    arguments: ["export marks", "dossier 30101", "status", "missing"])
  func nothingBeside(command: String) async throws {
    let runner = try CommandRunner()
    try runner.withStore { store in
      try store.write(.program) { transaction in
        let places = try StationSession.all(in: transaction.db).filter { !$0.isRest }
        let place = try #require(places.first)
        let entries = try Roster.entries(timetable: place.timetable, seat: .lead, in: transaction.db)
        let entry = try #require(entries.first { $0.candidate?.label == "30101" })
        _ = try Attendance.passIdentityStep(entry: entry, seat: .lead, in: transaction)
      }
    }
    let result = try await run(command, ">/dev/null", store: runner.store)
    #expect(result.code == 0 && result.failure == "", "\(result)")
  }

  @Test("a reader that has gone is no failure") func goneReader() async throws {
    let runner = try CommandRunner()
    #expect(try await run("plan", "| head -c 1 >/dev/null", store: runner.store).failure == "")
  }
}
