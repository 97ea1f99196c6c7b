import Terminal
import Testing

@testable import CircuitModel
@testable import ExamStore
@testable import OsceTUI
@testable import Reports

/// What holds on whatever is opened over a sheet: help can be called, and who is in the room stays in view.
@MainActor @Suite("Over a sheet")
struct OverSheetTests {
  private static let ways: [(String, [Key])] = [
    ("comments", ["c"]), ("station comments", ["C"]), ("missing", ["m"]), ("wrong candidate", ["M", "m"]),
    ("to whom", ["p"]), ("remarks", ["p", .enter]), ("instructions", ["i"]), ("keys", ["?"]),
  ]

  @Test("! calls for help from every screen and text that is opened over a sheet")
  func helpCall() throws {
    for (name, keys) in OverSheetTests.ways {
      let play = try Rehearsed().mark("nokafor", at: "CHEST")
      for key in keys { play.press(key) }
      play.press("!", "p")
      #expect(play.message.contains("help called"), "\(name)")
      #expect(try play.store.read { try HelpCalls.all(in: $0) }.count == 1, "\(name)")
    }
  }

  @Test("the candidate and whether he is in the room stay in view over each of them, beside the screen's own title")
  func candidateLine() throws {
    for (name, keys) in OverSheetTests.ways {
      let play = try Rehearsed().mark("nokafor", at: "CHEST")
      let line = play.lines[1]
      #expect(line.contains("IN THE ROOM") && line.contains("30101"))
      for key in keys { play.press(key) }
      #expect(play.lines[1] == line, "\(name)")
    }
    let play = try Rehearsed().mark("nokafor", at: "CHEST").press("c")
    #expect(play.lines[2].hasPrefix("Comments on candidate 30101"))
    play.pass(seconds: 600)
    #expect(play.lines[1].contains("LEFT (round 1)"))
  }

  @Test("on a terminal too small for the sheet ! calls somebody at once, says so, and calls nobody twice")
  func small() throws {
    let play = try Rehearsed().mark("nokafor", at: "CHEST")
    play.resize(59, 20)
    #expect(play.screen.contains("! calls for help"))
    play.press("!")
    #expect(play.screen.contains("help called: Please come"))
    play.pass(seconds: 1).press("!")
    #expect(play.screen.contains("help was called already"))
    #expect(try play.store.read { try HelpCalls.all(in: $0) }.count == 1)
    play.resize(80, 24)
    #expect(play.item(1).isBlank)
  }
}
