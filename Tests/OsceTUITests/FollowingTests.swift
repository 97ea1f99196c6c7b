import CircuitModel
import ExamStore
import Journal
import Reports
import Terminal
import Testing

@testable import OsceTUI

/// What others save costs a terminal what it shows of it.
@MainActor @Suite("Following what others save")
struct FollowingTests {
  /// Whether the next look at the store finds anything that is shown.
  private func hasNews(_ play: Rehearsed) -> Bool { play.context.follower.look(for: play.context.sitting?.staff.id) }

  /// One terminal with a marked sheet, which has heard of everything.
  private func sheet() throws -> Rehearsed {
    let play = try Rehearsed().mark("nokafor", at: "CHEST")
    return play.type("1").pass(seconds: 1)
  }

  @Test("a mark that was given here is read once: the next look finds nothing new")
  func ownMark() throws {
    let play = try sheet()
    #expect(!hasNews(play))
    play.type("1")
    #expect(!hasNews(play))
    #expect(play.sheet.items.prefix(3).map(\.isBlank) == [false, false, true])
    play.press("z")
    #expect(!hasNews(play))
    #expect(play.sheet.items.prefix(3).map(\.isBlank) == [false, true, true])
  }

  @Test("a station, a circuit and an assessor that an import renames have their new names on every open screen")
  func renamed() throws {
    let play = try sheet()
    let desk = try play.atSameStore().desk()
    let station = try play.session("CHEST")
    let lead = try #require(station.lead).staff
    try play.store.write(.program) {
      try $0.set("ActivityType", String(station.station), ["name": .text("Cough history")])
      try $0.set("ClinicGroup", String(station.circuit.id), ["name": .text("Indigo circuit")])
      try $0.set("Staff", String(lead), ["surname": .text("Okonkwo")])
    }
    play.pass(seconds: 1)
    #expect(play.lines[0].contains("Cough history"))
    #expect(play.press("q").lines[1].contains("Okonkwo"))
    desk.pass(seconds: 1)
    #expect(desk.screen.contains("Indigo") && !desk.screen.contains("Blue"), "\(desk.screen)")
    #expect(desk.screen.contains("Okonkwo"))
  }

  @Test("marks, sittings and new sheets of other stations draw nothing here")
  func otherSheets() throws {
    let play = try sheet()
    let other = try play.atSameStore()
    try other.sit("hyamamoto", at: "ABDO").press(.enter).type("1")
    #expect(other.sheet.items[0].isBlank == false)
    #expect(!hasNews(play))
    let before = play.screen
    play.send(.deadline(play.clocks.loop))
    #expect(play.screen == before && play.effects.last == .unchanged)
  }

  @Test("a mark that was given elsewhere on this sheet is shown, and only that item read anew")
  func sameSheet() throws {
    let play = try sheet()
    let item = play.item(3)
    let untouched = play.item(4)
    try play.elsewhere("fhaddad") { _ = try Marking($0).mark(item, level: item.template.levels[1]) }
    play.pass(seconds: 1)
    #expect(play.item(3).rating == MarkValue(1) && play.item(4) == untouched)
    #expect(play.lines.contains { $0.contains("3 ✓  ") && $0.hasSuffix(" 0        [1]") })
  }

  @Test("a sheet that is signed, and a section that is copied, at another terminal are shown")
  func wholeSheet() throws {
    let play = try sheet()
    try play.signElsewhere()
    play.pass(seconds: 1)
    #expect(play.screen.contains("SIGNED"))
    let dental = try Rehearsed.allKinds()
    let sheet = dental.sheet
    let section = try #require(sheet.sections.first { $0.template.isDuplicable })
    _ = try dental.elsewhere("nokafor") { try SectionCopies.add(section, of: sheet, in: $0) }
    dental.pass(seconds: 1)
    #expect(dental.sheet.sections.count == sheet.sections.count + 1)
  }

  @Test("a mark that is saved under another screen is read by that screen too")
  func underAnotherScreen() throws {
    let play = try sheet()
    let holder = try play.holdLock()
    play.type("1").press("m")
    let before = play.screen
    #expect(before.contains("2 "))
    play.isHeld = false
    holder.release()
    play.settle()
    #expect(hasNews(play))
  }

  @Test("the roster follows the marks of its own station only")
  func roster() throws {
    let play = try sheet()
    let other = try play.atSameStore()
    try other.sit("hyamamoto", at: "ABDO").press("q")
    #expect(other.context.screen is RosterScreen)
    _ = hasNews(other)
    play.type("1")
    #expect(!hasNews(other))
    let third = try play.atSameStore()
    try third.sit("hyamamoto", at: "ABDO").press(.enter).type("1")
    #expect(hasNews(other))
  }
}
