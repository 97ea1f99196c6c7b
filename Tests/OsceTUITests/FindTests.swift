import Terminal
import Testing

@testable import CircuitModel
@testable import OsceTUI

@MainActor @Suite("Finding a line")
struct FindTests {
  @Test("words are found in any order, whatever their case and accents, from the focus on and from the top again")
  func words() {
    let lines = ["Ms Siobhán O'Connor", "Mr Éric Dubois", "Ms Siobhan Eriksson"]
    #expect(LineSearch.next("siobhan", in: lines, after: 0) == 2)
    #expect(LineSearch.next("siobhan", in: lines, after: 2) == 0)
    #expect(LineSearch.next("DUBOIS eric", in: lines, after: nil) == 1)
    #expect(LineSearch.next("dubois", in: lines, after: 1) == 1)
    #expect(LineSearch.next("nobody", in: lines, after: 0) == nil)
    #expect(LineSearch.next("x", in: [], after: nil) == nil)
  }

  @Test("who signs in or covers a station is found by a name typed without its accents")
  func people() throws {
    let staff = try Rehearsed().read { try StaffMember.active($0) }
    var list = FilteredList(placeholder: "")
    list.paste("roisin")
    #expect(list.matches(of: staff) { $0.name }.map(\.username) == ["rfitzgerald"])
    #expect(StationActions.matches("VASQUEZ elena", staff).map(\.username) == ["evasquez"])
    #expect(StationActions.matches("gmor", staff).map(\.username) == ["gmoreau"])
  }

  @Test("/ on a roster goes to a candidate; Enter alone goes to the next of the same")
  func roster() throws {
    let play = try Rehearsed()
    try play.startClock()
    try play.sit("nokafor", at: "CHEST").press("q")
    play.press("/").type("3010 ms\n")
    let first = play.lines.first { $0.hasPrefix("▸") } ?? ""
    #expect(first.contains("Ms "))
    play.press("/")
    #expect(play.lines[22].hasPrefix("Find (Enter repeats: 3010 ms):"))
    play.press(.enter)
    let second = play.lines.first { $0.hasPrefix("▸") } ?? ""
    #expect(second.contains("Ms ") && second != first)
    play.press("/").type("zebra\n")
    #expect(play.screen.contains("nothing here holds \"zebra\""))
  }

  @Test("/ on a sheet goes to an item, unfolding its section, and marks nothing; never before the identity step")
  func sheet() throws {
    let play = try Rehearsed.allKinds()
    let text = try #require(play.sheet.items.last { !$0.template.text.isEmpty }?.template.text)
    for _ in 0..<20 { play.press(" ", "]") }
    let before = try play.count("SELECT count(*) FROM operation")
    play.press("g", "/").type("\(text.uppercased())\n")
    #expect(play.sheetScreen.focusedItem?.template.text == text)
    #expect(try play.count("SELECT count(*) FROM operation") == before)
    play.press("\\", "/")
    #expect(play.context.overlay == nil)
    let other = try Rehearsed()
    try other.startClock()
    try other.sit("nokafor", at: "CHEST").press("/")
    #expect(other.message == "there is nothing to find here" && other.sheetScreen.isAtIdentityStep)
  }

  @Test("/ at the desk searches the page that is shown")
  func desk() throws {
    let play = try Rehearsed.runningDesk().press("6", "/").type("eriksson\n")
    #expect(play.lines.first { $0.hasPrefix("▸") && $0.contains("Eriksson") } != nil)
  }
}
