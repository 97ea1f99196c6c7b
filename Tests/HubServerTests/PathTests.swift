import Console
import Testing

@testable import OsceHub
@testable import OsceSync

@Suite("Paths on a command line") struct PathTests {
  @Test("that are empty are refused: another place would stand for the one that was to be named") func empty() {
    for arguments in [["--data", ""], ["--postgres", ""]] {
      #expect(throws: (any Error).self) { try HubOptions.parse(arguments) }
    }
    #expect(throws: (any Error).self) { try StoreOptions.parse(["--store", ""]) }
  }
}
