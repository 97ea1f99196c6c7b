import Console
import Foundation
import SystemTesting
import Testing

@testable import Hub
@testable import OsceHub

@Suite("Files that hold a hub's database") struct DatabaseFileTests {
  @Test("a backup for which there is no room is told in one line, with the name of what was to be restored")
  func noRoom() throws {
    let folder = try ScratchFolder.make()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let backup = folder + "/backup.sqlite"
    try "database".write(toFile: backup, atomically: true, encoding: .utf8)
    let failure = #expect(throws: CommandFailure.self) {
      try DatabaseFile.copy(backup, to: "/dev/full", as: "hub.sqlite")
    }
    #expect(failure?.description == "cannot write hub.sqlite: No space left on device; nothing was changed")
  }

  @Test("a copy for which there is no room is told by the name that was asked for, not by that of its part")
  func noRoomForCopy() async throws {
    let folder = try ScratchFolder.make()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let part = folder + "/part"
    let failure = await #expect(throws: CommandFailure.self) {
      try await DatabaseFile.change(part, as: "copy.sqlite") { _ in throw DiskFull(path: part) }
    }
    #expect(failure?.description == "the disk of copy.sqlite is full: it was not written; free some space")
  }

  @Test("the file is whole without the log beside it once a command has ended") func closed() async throws {
    let folder = try ScratchFolder.make()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let options = try HubOptions.parse(["--data", folder + "/hub"])
    try await options.withHub(makes: true) { hub in
      try await hub.makeExam(.random(), named: "Year 3", device: .random())
    }
    let log = try? FileManager.default.attributesOfItem(atPath: folder + "/hub/hub.sqlite-wal")[.size] as? Int
    #expect((log ?? 0) == 0)
  }
}
