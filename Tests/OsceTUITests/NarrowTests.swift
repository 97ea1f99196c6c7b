import CircuitModel
import ExamStore
import Terminal
import Testing

@testable import OsceTUI

/// Everything that an assessor and an invigilator need works on 60 columns by 20 rows.
@MainActor @Suite("A narrow terminal")
struct NarrowTests {
  @Test("roster, sheet and signing work on 60x20")
  func assessor() throws {
    let play = try Rehearsed((60, 20)).mark("nokafor", at: "CHEST")
    #expect(play.lines[1].contains("30101") && play.lines[0].contains("09:5") == false)
    #expect(play.lines.contains { $0.contains(" 1  ") && $0.contains("Washes hands") }, "\(play.screen)")
    play.press("1")
    #expect(play.item(1).rating == MarkValue(1) && play.message.hasPrefix("item 1: 1"))
    play.press("S", "S")
    #expect(play.sheet.isSigned)
    play.press("q")
    let row = try #require(play.lines.first { $0.contains("30101") })
    #expect(play.lines.contains { $0.hasSuffix("never counts") }, "\(play.screen)")
    #expect(row.contains("Ms Chid") && row.contains("signed 3 blank"), "\(play.screen)")
    #expect(play.lines.allSatisfy { $0.count <= 60 })
  }

  @Test("the outbox says what the state of each change is, and draws no column in part")
  func outbox() throws {
    let play = try Rehearsed((60, 20)).mark("nokafor", at: "CHEST")
    try play.acknowledge()
    play.press("1", "1", "ctrl-t").pass(seconds: 1)
    let row = try #require(play.lines.first { $0.hasPrefix("▸ 30101") })
    #expect(row.contains("not sent yet") && row.hasSuffix("09:00"), "\(play.screen)")
    let head = try #require(play.lines.first { $0.contains("Number") })
    #expect(head.contains("State") && !head.contains("…"), "\(play.screen)")
  }

  @Test("the desk shows each station with who is there, the marks and what is the matter, and every page")
  func desk() throws {
    let play = try Rehearsed((60, 20))
    try play.startClock()
    try play.desk()
    let row = try #require(play.lines.first { $0.contains("CHEST") })
    #expect(row.contains("30101 Abara") && row.contains("no sign-in"), "\(play.screen)")
    for page in 1...9 {
      play.press(.character(Character("\(page)")))
      #expect(play.screen.contains(" \(page) ") && !play.screen.contains("needs 60"))
    }
    play.press("p")
    #expect(play.screen.contains("PAUSED"))
  }
}
