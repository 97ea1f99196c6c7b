import Foundation
import Testing

/// Over ssh an account can run osce and nothing else, so osce must start nothing that a person names.
@Suite("No shell, editor or pager")
struct NoOtherProgramTests {
  @Test("only the announcement command, and the two programs that lie beside osce, are ever started, each in one file")
  func sources() throws {
    let calls = [
      "posix_spawn", "Process()", "popen(", "execv", "execl", " = system(", "Glibc.system(", "fork()", "vfork()",
      "NSTask",
      "wordexp(",
    ]
    var found: Set<String> = []
    let root = Fixture.root + "/Sources"
    for name in FileManager.default.enumerator(atPath: root)?.compactMap({ $0 as? String }) ?? []
    where [".swift", ".c", ".h"].contains(where: name.hasSuffix) {
      let text = try String(contentsOfFile: root + "/" + name, encoding: .utf8)
      if calls.contains(where: { text.contains($0) }) { found.insert(name) }
    }
    #expect(
      found == [
        "OsceTUI/App/Processes/ChildProcess.swift", "OsceTUI/App/Processes/UploaderProgram.swift",
        "OsceTUI/Commands/Support/SpreadsheetProgram.swift",
      ])
  }
}
