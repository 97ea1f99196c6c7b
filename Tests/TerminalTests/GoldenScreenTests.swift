import Testing

@testable import TerminalTesting

@Suite("Golden screens")
struct GoldenScreenTests {
  @Test("a difference names the lines")
  func difference() {
    #expect(GoldenScreen.compare(expected: "a\nb\n", actual: "a\nb\n", name: "x") == nil)
    let report = GoldenScreen.compare(expected: "a\nb\n", actual: "a\nc\n", name: "sheet")
    #expect(report == "sheet differs from its golden file\n2 - b\n2 + c\nThe screen is:\na\nc\n")
  }

  @Test("a missing file is a failure that says how to write it")
  func missing() {
    #expect(GoldenScreen.difference("a", "no such screen", update: false)?.contains("OSCE_UPDATE_GOLDEN=1") == true)
  }
}
