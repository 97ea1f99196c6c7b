import Terminal
import Testing

@testable import CircuitModel
@testable import OsceTUI

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
    let play = try Rehearsed().mark("nokafor", at: "CHEST").type("1").press("s", .enter)
    #expect(play.sheet.isComplete)
    play.press("g", "j")
    for word in ["mark", "clear", "unable", "feedback"] { #expect(!play.lines[23].contains(word), "\(word)") }
    #expect(play.lines[23].contains("s reopen"))
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
      SheetIdentityView(entry: entry, theme: .standard(), name: name, encoding: encoding)
        .draw(on: &canvas, in: Rect(canvas.size))
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
}
