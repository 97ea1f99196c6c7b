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
    #expect(!InterruptedDemo(changed: now, earlier: 0).text.contains(","))
    play.context.push(RolesScreen(play.context, offering: InterruptedDemo(changed: now, earlier: 2)))
    play.press("j")
    #expect(play.lines.contains { $0.contains("Resume the demo interrupted at ") && $0.contains(", the newest of 3") })
  }

  @Test("a digit opens its role, the first line shows the clock that runs, and the way to an own exam is named")
  func digits() throws {
    let play = try Rehearsed()
    try play.startClock()
    play.context.push(RolesScreen(play.context))
    play.send(.resized(Size(width: 80, height: 24)))
    #expect(play.lines[0].contains("ROUND 1 of 8  STATION") && play.lines[0].contains("07:45"), "\(play.screen)")
    #expect(play.screen.contains("Your own exam:  osce new FOLDER · osce check FOLDER · osce import FOLDER"))
    #expect(play.lines[23].hasPrefix("Enter start  1-4 choose and start  q quit"), "\(play.screen)")
    play.press("5")
    #expect(play.message == "there is no role 5: press 1 to 4")
    play.press("4")
    #expect(play.context.screen is SignInScreen && !play.lines[0].contains("STATION"), "\(play.screen)")
    play.press(.escape)
    #expect(play.lines[0].contains("STATION") && play.lines.contains { $0.hasPrefix("▸ 4  Exam lead") })
    play.press("3")
    #expect(play.hasExited && play.context.navigator.chosenDestination == .wall)
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
