import Foundation
import Terminal
import Testing

@testable import CircuitModel
@testable import ExamStore
@testable import OsceTUI
@testable import Reports

/// A clock for a screen reader, which would read every second out.
@MainActor @Suite("The quiet clock")
struct QuietClockTests {
  @Test("the countdown goes by the minute, in the last one by ten seconds; alerts come at their time")
  func steps() throws {
    let play = try Rehearsed(hasQuietClock: true).mark("nokafor", at: "CHEST")
    var shown: [String] = []
    for _ in 0..<480 {
      let line = play.lines[0]
      let field = line[line.range(of: "STATION")!.upperBound...]
      let time = field.split { " ▐▌".contains($0) }.joined(separator: " ")
      if shown.last != time { shown.append(time) }
      play.pass(seconds: 1)
      guard play.lines[0].contains("ROUND 1 of 8  STATION") else { break }
    }
    #expect(
      shown == [
        "08:00", "07:00", "06:00", "05:00", "04:00", "03:00", "AMBER 02:00", "AMBER 01:00", "AMBER 00:50",
        "AMBER 00:40", "RED 00:30", "RED 00:20", "RED 00:10",
      ])
  }

  @Test("a tick that shows nothing new draws nothing, and the cursor stays on the focused item")
  func quiet() throws {
    let play = try Rehearsed(hasQuietClock: true).mark("nokafor", at: "CHEST").pass(seconds: 11)
    let cursor = play.canvas.cursor
    let before = play.screen
    for _ in 0..<30 {
      play.pass(seconds: 1)
      #expect(play.screen == before)
      #expect(play.canvas.cursor == cursor)
    }
  }
}
