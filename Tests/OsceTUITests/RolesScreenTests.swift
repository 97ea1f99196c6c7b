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
}
