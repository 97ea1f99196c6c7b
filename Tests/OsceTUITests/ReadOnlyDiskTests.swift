import CircuitModel
import ExamStore
import Foundation
import SystemTesting
import Testing

/// The program itself on a disk that was mounted anew to be read only, as a failing one is.
@Suite("A store on a read-only disk", .enabled(if: ReadOnlyDisk.canMount, "no mounts, or osce is not built"))
struct ReadOnlyDiskTests {
  @Test(
    "what only reads works, and says that it reads a copy",
    arguments: [
      "plan", "status", "missing", "differences", "journal", "export marks", "export attendance",
      "clock all status --at 2026-12-07T09:30:00Z",
      "clock all log --json", "doctor",
    ], [true, false])
  func reading(command: String, hasLock: Bool) async throws {
    let runner = try CommandRunner()
    // What only reads makes none.
    if hasLock { try ExamStore(StoreLocation(path: runner.store)).close() }
    let ready = try await ReadOnlyDisk.run(command, runner.store, isReadOnly: false)
    #expect(!hasLock || FileManager.default.fileExists(atPath: runner.store + ".lock"))
    if !hasLock { try? FileManager.default.removeItem(atPath: runner.store + ".lock") }
    #expect(hasLock || !FileManager.default.fileExists(atPath: runner.store + ".lock"))
    let copies = try ScratchFolder.make()
    defer { try? FileManager.default.removeItem(atPath: copies) }
    let result = try await ReadOnlyDisk.run(command, runner.store, isReadOnly: true, copies: copies)
    #expect(result.code == 0, "\(result.failure)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: copies) == [])
    if command == "doctor" {
      #expect(result.output.hasPrefix("sound"))
    } else {
      #expect(result.output == ready.output)
      #expect(!result.output.isEmpty)
      #expect(result.failure.hasSuffix("Read-only file system): read from a copy\n"))
      #expect(result.failure.filter { $0 == "\n" }.count == 1)
    }
  }

  @Test("what the exam lead's passcode guards is had with it there, and not with another", arguments: [true, false])
  func guarded(isRight: Bool) async throws {
    let runner = try CommandRunner()
    try runner.givePasscode("the right one", to: "cdubois")
    let file = runner.folder + "/passcode"
    try (isRight ? "the right one" : "another").write(toFile: file, atomically: true, encoding: .utf8)
    chmod(file, 0o600)
    for command in ["export marks", "journal", "results", "print list", "differences"] {
      let result = try await ReadOnlyDisk.run(
        command + " --staff cdubois", runner.store, isReadOnly: true, environment: ["OSCE_PASSCODE_FILE": file])
      #expect(result.code == (isRight ? 0 : 1) && result.output.isEmpty != isRight, "\(command): \(result.failure)")
      #expect(isRight || result.failure.contains("wrong passcode"), "\(result.failure)")
    }
  }

  @Test("a backup to another disk holds the store") func backup() async throws {
    let runner = try CommandRunner()
    let other = try CommandRunner()
    let path = other.folder + "/rescued.sqlite"
    #expect(try await ReadOnlyDisk.run("backup \(path)", runner.store, isReadOnly: true).code == 0)
    #expect(CommandRunner.run(["restore", path, "--store", other.folder + "/fresh.sqlite"]).code == 0)
    #expect(
      CommandRunner.run(["plan", "--store", other.folder + "/fresh.sqlite"]).output == runner.run("plan").output)
  }

  @Test(
    "what writes says in one line that nothing can be written, and what still works",
    arguments: ["mark --timetable 1 --staff nokafor", "clock all start", "import fixtures/all-kinds", "wall --desk"])
  func writing(command: String) async throws {
    let runner = try CommandRunner()
    let result = try await ReadOnlyDisk.run(command, runner.store, isReadOnly: true)
    #expect(result.code == 1 && result.output.isEmpty)
    #expect(
      result.failure.hasPrefix("osce: nothing can be written to the store (\(runner.folder): Read-only file system)"))
    #expect(result.failure.contains("backup to another disk"))
    #expect(result.failure.filter { $0 == "\n" }.count == 1)
  }
}

private enum ReadOnlyDisk {
  static let canMount =
    Tmux.program != nil && system("unshare -m sh -c 'mount -t tmpfs tmpfs /mnt' 2>/dev/null") == 0

  /// Runs a command on a store in a world of mounts of its own, where the store's folder may be read only.
  /// - Parameter copies: where copies are made; nil: where they are made by default.
  static func run(
    _ command: String, _ store: String, isReadOnly: Bool, copies: String? = nil, environment: [String: String] = [:]
  ) async throws -> EndedProgram {
    let folder = (store as NSString).deletingLastPathComponent
    let mount = isReadOnly ? "mount --bind '\(folder)' '\(folder)' && mount -o remount,bind,ro '\(folder)' && " : ""
    return try await EndedProgram.run(
      "/usr/bin/env",
      ["unshare", "-m", "sh", "-c", mount + "exec '\(Tmux.program!)' \(command) --store '\(store)'"],
      environment: copies.map { environment.merging(["TMPDIR": $0]) { $1 } } ?? environment)
  }
}
