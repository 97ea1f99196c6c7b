import Journal
import Testing

@testable import Sync

@Suite("The hash over a hub's log") struct LogHashTests {
  @Test("is the protocol's for its example") func example() throws {
    let exam = try #require(UUIDBytes("0192f0c0-0000-7000-8000-00000000e0a1"))
    let first = LogHash.next(
      after: LogHash.start(of: exam), type: "op",
      subject: "5bc066e7c0a1612fecc64bf95732ff053e7c9d3e871e6c0843192e3c28f1a647", result: "applied")
    #expect(first.seq == 1)
    #expect(
      Hexadecimal.text(first.hash) == "e9cf8d6f884ae933c177ddeecd5a7b34c06e3bbd12728af74b4715ded36abdf3")
  }
}
