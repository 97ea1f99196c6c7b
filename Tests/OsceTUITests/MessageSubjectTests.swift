import Terminal
import Testing

@testable import OsceTUI

/// A message goes when what it is about leaves the screen.
@MainActor @Suite("What a message is about")
struct MessageSubjectTests {
  @Test("what was said of one of a candidate's sheets is not said over the other")
  func sheet() throws {
    let play = try Rehearsed()
    try play.addSheet(of: "ABDO", to: "CHEST")
    try play.mark("nokafor", at: "CHEST").press("1")
    #expect(play.message.hasPrefix("item 1: 1"))
    play.press(.tab)
    #expect(play.lines[2].hasPrefix("sheet 2 of 2") && play.message.isEmpty, "\(play.message)")
  }

  @Test("a refusal about an item goes with the focus; what was marked stays beside the next item")
  func item() throws {
    let play = try Rehearsed().mark("nokafor", at: "CHEST").press("9")
    #expect(play.message.contains("9"))
    play.press("j")
    #expect(play.message.isEmpty, "\(play.message)")
    play.press("1")
    #expect(play.message.hasPrefix("item 2: 1"))
    play.press("j")
    #expect(play.message.hasPrefix("item 2: 1"))
  }
}
