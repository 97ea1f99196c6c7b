import Terminal
import TerminalTesting
import Testing

@testable import CircuitModel
@testable import ExamStore
@testable import OsceTUI
@testable import Reports

/// What the foot of a sheet, its keys and its identity step offer is what they take.
@MainActor @Suite("What a sheet offers")
struct SheetFooterTests {
  @Test("a hidden sheet offers what it takes: to be shown again")
  func hidden() throws {
    let play = try Rehearsed().mark("nokafor", at: "CHEST").press("\\")
    #expect(play.lines[23].hasPrefix("\\ show"))
    for word in ["feedback", "sign", "mark"] { #expect(!play.lines[23].contains(word), "\(word)") }
    #expect(play.lines[23].contains("! help call"))
  }

  @Test("a signed sheet offers no keys that mark")
  func signed() throws {
    let play = try Rehearsed().mark("nokafor", at: "CHEST").type("1").press("S", "S")
    #expect(play.sheet.isSigned)
    play.press("g")
    for word in ["mark", "clear", "unable", "feedback"] { #expect(!play.lines[23].contains(word), "\(word)") }
    #expect(play.lines[23].contains("s reopen"))
  }

  @Test("a read-only sheet offers no key that would be refused, and the help says why")
  func readOnly() throws {
    let play = try Rehearsed().mark("nokafor", at: "CHEST")
    play.type("1")
    let second = try play.atSameStore()
    try second.sit("nokafor", at: "CHEST")
    second.press("O")
    play.pass(seconds: 1)
    let words = ["mark", "unable", "clear", "undo", "feedback", "sign", "write", "fill in"]
    for number in 1...play.sheet.items.count {
      play.press("'").type("\(number)\n")
      for word in words { #expect(!play.lines[23].contains(" \(word)"), "\(number): \(word)") }
    }
    play.press("g")
    #expect(play.lines[23].contains("O take over") && play.lines[23].contains("> next"))
    for key: Key in ["z", "Z", "e", "s", "b", "T", "1", "u", "x"] {
      guard case .refused(let reason) = play.table.dispatch(key) else {
        Issue.record("\(key.name) is offered")
        continue
      }
      #expect(reason.hasPrefix("READ-ONLY"))
    }
    play.press("O")
    #expect(play.lines[23].contains("e feedback") && play.lines[23].contains("s sign"))
  }

  @Test("a call for help and a sheet that is read-only are bold red, not dim")
  func alarms() throws {
    let play = try Rehearsed().mark("nokafor", at: "CHEST").press("!", "k").pass(seconds: 1)
    let x = try #require(play.lines[1].range(of: "HELP")).lowerBound
    let column = play.lines[1].distance(from: play.lines[1].startIndex, to: x)
    #expect(Array(play.canvas.row(1))[column].style == play.context.theme[.error])
  }

  @Test("feedback shows as a pen in its item's row, never as a number that reads as a mark")
  func pen() throws {
    let play = try Rehearsed().mark("nokafor", at: "CHEST")
    for number in [2, 1] { play.press("'").type("\(number)\n").press("e").type("Clear").press(.escape) }
    let rows = play.lines.filter { $0.contains("Washes hands") || $0.contains("Introduces self") }
    #expect(rows.count >= 2 && rows.prefix(2).allSatisfy { $0.contains("✎") && !$0.contains("+1") }, "\(rows)")
  }

  @Test("g and G go to the first and the last item of a sheet, not to a heading")
  func ends() throws {
    let play = try Rehearsed().mark("nokafor", at: "CHEST").press("G")
    #expect(play.focus == play.sheet.items.count)
    play.press("g")
    #expect(play.focus == 1)
  }

  @Test("a sheet that waits to be taken over, and one of somebody recorded absent, offer no keys that mark")
  func notMine() throws {
    let play = try Rehearsed().mark("nokafor", at: "CHEST")
    play.type("101").press("q", "q")
    let (timetable, cover) = (try play.session("CHEST").timetable, try play.member("fhaddad").id)
    try play.store.write(.program) { try Attendance.cover(timetable, by: cover, in: $0) }
    let second = try play.atSameStore()
    try second.sit("fhaddad", at: "CHEST").press(.escape)
    for word in ["mark", "undo", "feedback", "sign"] { #expect(!second.lines[23].contains(" \(word)"), "\(word)") }
    #expect(second.lines[23].contains("O take over"))
    second.press("O")
    let entry = try #require(second.sheetScreen.entry)
    try play.store.write(.program) { try Attendance.record(false, for: entry, in: $0) }
    second.pass(seconds: 1)
    #expect(second.lines[1].contains("ABSENT"))
    for word in ["mark", "unable", "clear", "feedback"] { #expect(!second.lines[23].contains(" \(word)"), "\(word)") }
  }

  @Test("a practice sheet offers no other round, and says what there is instead")
  func practice() throws {
    let play = try Rehearsed()
    try play.sit("nokafor", at: "CHEST").press("q", "g", .enter)
    #expect(!play.lines[23].contains("> next"))
    play.press(.enter)
    #expect(play.lines[1].hasPrefix(" PRACTICE") && !play.lines[23].contains("> next"))
    play.press(">")
    #expect(play.message == "practice has no rounds; q goes back to the roster")
  }

  @Test("at the identity step the help says of the mark keys too that they wait for Enter")
  func identityStep() throws {
    let play = try Rehearsed()
    try play.startClock()
    try play.sit("nokafor", at: "CHEST")
    guard case .refused(let reason) = play.table.dispatch("1") else {
      Issue.record("a mark key acts at the identity step")
      return
    }
    #expect(reason == "press Enter once you have checked who is in the room")
  }

  @Test("where the terminal shows ? for letters of a name, the identity step says so")
  func letters() throws {
    let play = try Rehearsed()
    try play.startClock()
    try play.sit("nokafor", at: "CHEST")
    let entry = try #require(play.sheetScreen.entry)
    func text(_ name: String, _ encoding: TerminalEncoding) -> String {
      var canvas = Canvas(size: Size(width: 80, height: 20), style: .plain)
      SheetIdentityView(
        entry: entry, theme: .standard(), name: name, keys: .init(play.context), encoding: encoding
      ).draw(on: &canvas, in: Rect(canvas.size))
      return canvas.plainText
    }
    #expect(text("Dr 李", .ascii).contains("shows ? for letters of the name"))
    #expect(!text("Dr Li", .ascii).contains("shows ?") && !text("Dr 李", .utf8).contains("shows ?"))
  }

  @Test("a taller terminal gives its rows to the list as long as that needs them")
  func rows() throws {
    let play = try Rehearsed((120, 40)).mark("nokafor", at: "CHEST")
    let last = play.sheet.items.count
    #expect(play.lines.contains { $0.contains(" \(last) ") && $0.contains(play.item(last).template.text.prefix(12)) })
    #expect(play.lines.contains { $0.contains("END OF SHEET") })
  }

  @Test("a signed sheet is reopened with its key on a written item too")
  func reopenOnText() throws {
    let play = try Rehearsed().mark("nokafor", at: "CHEST").type("1").press("S", "S")
    #expect(play.sheet.isSigned)
    let written = try #require(play.sheet.items.firstIndex { $0.template.kind.isWritten })
    play.press("'").type("\(written + 1)\n")
    #expect(play.lines[23].contains("s reopen"))
    play.press("s")
    #expect(!play.message.contains("letters do nothing") && play.context.overlay != nil)
  }

  @Test("the footer names the keys that mark this item, and what stands after them keeps its place")
  func levelKeys() throws {
    let play = try Rehearsed().mark("nokafor", at: "CHEST")
    var places: Set<Int> = []
    for (index, item) in play.sheet.items.enumerated() where !item.template.kind.isWritten {
      play.press("'").type("\(index + 1)\n")
      guard let mark = play.lines[23].range(of: " mark") else { continue }
      places.insert(play.lines[23].distance(from: play.lines[23].startIndex, to: mark.lowerBound))
      let named = play.lines[23][..<mark.lowerBound]
      for (letter, key) in [("h", MarkKey.half), ("t", .ten)] {
        guard case .refused = LevelKeys.meaning(of: key, in: item.template) else { continue }
        #expect(!named.contains(" \(letter)"), "\(index + 1): \(named)")
      }
    }
    #expect(places.count == 1, "\(places)")
  }

  @Test("the second line counts comments and concerns as they are written, and the focus has a bar at both ends")
  func writtenNotes() throws {
    let play = try Rehearsed().mark("nokafor", at: "CHEST")
    #expect(!play.lines[1].contains("✎") && play.lines.contains { $0.hasPrefix("▌   1") && $0.hasSuffix("▐") })
    #expect(play.lines.contains { $0.hasPrefix("──") && $0.contains("↓ ") && $0.contains(" more ") })
    play.press("f").type("Rushed the closing\n")
    #expect(play.lines[1].hasSuffix(" ⚑1"))
    play.press("c", "c").type("Kind").press(.escape, "q")
    #expect(play.lines[1].contains("⚑1 ✎1"), "\(play.screen)")
  }
}
