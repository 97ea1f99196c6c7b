import Terminal
import Testing

@testable import CircuitModel
@testable import ExamStore
@testable import OsceTUI
@testable import Reports

/// What the invigilator tells, at an assessor's screens.
@MainActor @Suite("Messages at a station")
struct HallMessageTests {
  private static let hold = "Please hold: fire drill soon"
  private static let long =
    "Please leave by the north stairs at once, assemble in car park B, leave bags and coats"
    + " behind and wait there for the all clear"

  private func told(_ texts: String...) throws -> Rehearsed {
    let play = try Rehearsed().mark("nokafor", at: "CHEST").press(.escape)
    let session = try play.session("CHEST")
    for (place, text) in texts.enumerated() {
      play.clocks.pass(1000)
      _ = try play.elsewhere("psharma") {
        try HallMessages.send(text, circuit: nil, station: place == 0 ? nil : session.station, $0)
      }
    }
    return play.pass(seconds: 1)
  }

  private var row: Int { 22 }

  @Test("a newer message takes turns with the older ones, and hides none for ever")
  func turns() throws {
    let play = try told(HallMessageTests.hold, "bring the key")
    #expect(play.lines[row].hasPrefix(" MESSAGE 1 of 2: bring the key"))
    #expect(play.lines[row].hasSuffix("w all"))
    play.passTime(HallNotice.turn)
    #expect(play.lines[row].hasPrefix(" MESSAGE 2 of 2: " + HallMessageTests.hold))
    play.passTime(HallNotice.turn)
    #expect(play.lines[row].contains("bring the key"))
  }

  @Test("an answer to a key covers a message until the next key, or for some seconds")
  func covered() throws {
    let play = try told(HallMessageTests.hold)
    play.press("=", .escape, "J")
    #expect(play.lines[row].contains("J does nothing here"))
    play.press("j")
    #expect(play.lines[row].contains(HallMessageTests.hold))
    play.press("J")
    #expect(!play.lines[row].contains("MESSAGE"))
    play.passTime(HallNotice.cover)
    #expect(play.lines[row].contains(HallMessageTests.hold))
  }

  @Test("a long message is read to its end, line after line, and by a key as a whole")
  func long() throws {
    let play = try told(HallMessageTests.long)
    #expect(play.lines[row].contains("north stairs") && play.lines[row].contains("..."))
    var read = ""
    for _ in 0..<3 {
      read += play.lines[row]
      play.passTime(HallNotice.turn)
    }
    #expect(read.contains("for the all clear"))
    play.press("w")
    #expect(play.lines[0].contains("CHEST") && play.lines[1].contains("30101"))
    #expect(play.screen.contains("for the all clear") && play.screen.contains("Please leave"))
    play.press(.escape)
    #expect(play.focus == 1)
  }

  @Test("for a screen reader the line stands still, and the key reads all")
  func still() throws {
    var notice = HallNotice(isStill: true)
    notice.follow([HallMessageTests.hold, "bring the key"], width: 80, at: 0)
    let isTurned = notice.turn(at: 5 * HallNotice.turn)
    #expect(!isTurned)
    #expect(notice.page?.plain.contains("bring the key") == true)
  }
}
