import ExamStore
import Terminal
import Testing

@testable import OsceTUI

/// What the demonstration lets one choose.
@MainActor @Suite("The demonstration's roles")
struct RolesScreenTests {
  @Test("of several demonstrations that were broken off the newest is offered, and how many there are is said")
  func interrupted() throws {
    let play = try Rehearsed()
    let now = play.store.clock.now
    #expect(!InterruptedDemo(changed: now, earlier: 0).words.contains(","))
    play.context.push(RolesScreen(play.context, offering: InterruptedDemo(changed: now, earlier: 2)))
    play.press("j")
    #expect(play.lines.contains { $0.contains("Resume the demo interrupted at ") && $0.contains(", the newest of 3") })
  }

  @Test("who leaves a demonstration is told that it is deleted, and q says that it quits")
  func leaving() throws {
    let play = try Rehearsed()
    play.context.isDemonstration = true
    play.context.push(RolesScreen(play.context))
    play.send(.resized(Size(width: 80, height: 24)))
    #expect(play.lines[23].contains("q quit") && !play.lines[23].contains("back"), "\(play.screen)")
    play.press("ctrl-c")
    #expect(play.message == "to quit press Q; the demonstration is then deleted")
    play.press("q")
    #expect(play.flat.contains("The demonstration and its marks are deleted."), "\(play.screen)")
    #expect(!play.flat.contains("is saved"), "\(play.screen)")
    play.press(.escape, .enter).type("okafor\n").press("Q")
    #expect(play.flat.contains("The demonstration and its marks are deleted."), "\(play.screen)")
  }
}
