import CircuitModel
import ExamStore
import Reports
import Terminal
import Testing

@testable import OsceTUI

/// Rules of marking that no other test holds.
@MainActor @Suite("Rules of marking")
struct RulesOfMarkingTests {
  @Test("the candidate's badge is an alarm in reverse video unless the candidate is in the room")
  func badge() throws {
    let play = try Rehearsed().mark("nokafor", at: "CHEST")
    #expect(!play.sheetScreen.heading.isAlarm)
    try play.clock(.jump(index: 7))
    play.pass(seconds: 1)
    #expect(play.lines[1].hasPrefix(" LEFT (round 1)") && play.sheetScreen.heading.isAlarm)
    play.press(">", ">")
    #expect(play.lines[1].hasPrefix(" NOT YET HERE") && play.sheetScreen.heading.isAlarm)
    play.press("<")
    try play.clock(.jump(index: 4))
    play.pass(seconds: 1).press(">")
    #expect(play.lines[1].hasPrefix(" NOT YET HERE  30108"))
    play.press(.enter)
    #expect(play.lines[1].hasPrefix(" READING OUTSIDE  30108") && !play.sheetScreen.heading.isAlarm)
    for theme in [Theme.standard(), .highContrast(), .colourBlindSafe(), .monochrome()] {
      #expect(theme[.alarm].attributes.contains(.reverse) || theme[.alarm] != theme[.heading], "\(theme.name)")
    }
    #expect(Theme.monochrome()[.alarm].attributes.contains(.reverse))
  }

  @Test("the global rating comes last and has no threshold words")
  func globalRating() throws {
    let play = try Rehearsed((132, 43)).mark("nokafor", at: "CHEST")
    let last = try #require(play.sheet.items.last)
    #expect(last.template.link == play.sheet.template.globalRating)
    play.press("'").type("\(play.sheet.items.count)\n")
    for word in ["satisfactory", "below"] { #expect(!play.screen.contains("(\(word))")) }
  }

  @Test("the roster has one row a round, empty slots and absentees included")
  func rosterRows() throws {
    let play = try Rehearsed()
    try play.startClock("Green circuit")
    try play.sit("gmoreau", at: "CHEST", "Green circuit")
    play.press("q", "a", "a")
    let rounds = play.lines[3...].compactMap { line in
      line.dropFirst(2).split(separator: " ").first.flatMap { Int($0) }
    }
    #expect(rounds == Array(1...8))
    #expect(play.screen.contains("ABSENT") && play.screen.contains("- empty slot -"))
  }

  @Test("Ctrl-Z is undo, and Ctrl-C says how to quit and does not")
  func controlKeys() throws {
    let play = try Rehearsed().mark("nokafor", at: "CHEST")
    play.type("1").press("ctrl-z")
    #expect(play.item(1).isBlank)
    play.press("ctrl-c")
    #expect(play.message == "to quit press Q; everything is saved")
    #expect(!play.hasExited)
  }

  @Test("a filled sheet is complete only once it is signed")
  func filledIsNotComplete() throws {
    let play = try Rehearsed().mark("nokafor", at: "CHEST")
    for item in play.sheet.blanks {
      play.press("'").type("\(play.sheet.items.firstIndex { $0.key == item.key }! + 1)\n")
      if item.template.kind.isWritten { play.press(.enter).type("text").press(.escape) } else { play.type("1") }
    }
    #expect(play.sheet.isFilled && !play.sheet.isSigned)
    play.press("s", .enter)
    #expect(play.sheet.isSigned)
  }

  @Test("every item of twenty is marked with one key after the identity step, and any is reached in four")
  func keysCounted() throws {
    let play = try Rehearsed().mark("nokafor", at: "CHEST")
    let items = play.sheet.items.filter { !$0.template.kind.isWritten }
    for number in 1...play.sheet.items.count {
      play.press("G")
      let keys = ["'"] + "\(number)".map(String.init) + ["\n"]
      #expect(keys.count <= 4)
      for key in keys { play.type(key) }
      #expect(play.focus == number)
    }
    play.press("'").type("1\n")
    var keys = 0
    while let item = play.sheetScreen.focusedItem {
      let isWritten = item.template.kind.isWritten
      play.press(isWritten ? "j" : "1")
      if !isWritten { keys += 1 }
    }
    #expect(keys == items.count)
    #expect(!play.sheet.items.contains { !$0.template.kind.isWritten && $0.isBlank })
  }
}
