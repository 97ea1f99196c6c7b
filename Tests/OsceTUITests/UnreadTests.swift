import CircuitModel
import Foundation
import GRDB
import Journal
import Terminal
import TerminalTesting
import Testing
import Timer

@testable import ExamStore
@testable import OsceTUI

/// A read that fails takes nothing away that is shown: it is said not to be up to date, and read again.
@MainActor @Suite("Reads that fail")
struct UnreadTests {
  /// Lets reads of a table fail, or work again; nothing that others could see is changed by it.
  private func hide(_ table: String, _ isHidden: Bool, from store: ExamStore) throws {
    try store.reader.inDatabase { db in
      try db.execute(sql: isHidden ? "CREATE TEMP TABLE \(table) (gone)" : "DROP TABLE temp.\(table)")
    }
  }

  private func chest() throws -> Rehearsed { try Rehearsed().mark("nokafor", at: "CHEST").pass(seconds: 1) }

  private func tell(_ play: Rehearsed, _ text: String) throws {
    let (circuit, author) = (try play.session("CHEST").circuit.id, try play.member("nokafor").id)
    let other = try ExamStore(play.store.location, .existing, system: play.clocks.system)
    defer { other.close() }
    try other.write(Author(staff: author)) { try HallMessages.send(text, circuit: circuit, station: nil, $0) }
  }

  @Test("the station's clock stays as it was read, is marked STALE with the reason, and is read again")
  func clock() throws {
    let play = try chest()
    #expect(play.lines[0].contains(" ROUND 1 of 8  STATION"))
    try hide("clockEvent", true, from: play.store)
    play.send(.resumed)
    #expect(play.lines[0].contains(" STALE ROUND 1 of 8  STATION"))
    play.pass(seconds: 1)
    #expect(play.lines[0].contains(" STALE ROUND 1 of 8  STATION") && play.lines[0].hasSuffix("▐ 07:43 ▌"))
    #expect(play.message.hasPrefix("NOT UP TO DATE, trying again: "))
    try hide("clockEvent", false, from: play.store)
    play.pass(seconds: 1)
    #expect(!play.screen.contains("STALE") && play.lines[0].hasSuffix("▐ 07:42 ▌") && play.message.isEmpty)
  }

  @Test("what the invigilator tells and the station's release stay where they cannot be read")
  func messages() throws {
    let play = try chest()
    try tell(play, "Hold the doors")
    play.pass(seconds: 1)
    #expect(play.screen.contains("Hold the doors"))
    try hide("hallMessage", true, from: play.store)
    play.context.clock.readMessages()
    play.pass(seconds: 1)
    #expect(play.context.clock.messages.map(\.text) == ["Hold the doors"])
    try hide("hallMessage", false, from: play.store)
    play.pass(seconds: 1)
    #expect(play.context.clock.messages.map(\.text) == ["Hold the doors"] && play.context.clock.unread == nil)
  }

  @Test("what was changed while the journal could not be read is shown once it can, though nothing more is changed")
  func retried() throws {
    let play = try chest()
    let item = play.item(3)
    try hide("operation", true, from: play.store)
    try play.elsewhere("fhaddad") { _ = try Marking($0).mark(item, level: item.template.levels[1]) }
    play.pass(seconds: 1)
    #expect(play.item(3).isBlank && play.message.hasPrefix("NOT UP TO DATE, trying again: "))
    try hide("operation", false, from: play.store)
    play.pass(seconds: 1)
    #expect(play.item(3).rating == MarkValue(1) && !play.message.contains("NOT UP TO DATE"))
  }

  @Test("a sheet that could not be read after a change elsewhere is read again")
  func sheet() throws {
    let play = try chest()
    let item = play.item(3)
    try hide("dataQuestion", true, from: play.store)
    try play.elsewhere("fhaddad") { _ = try Marking($0).mark(item, level: item.template.levels[1]) }
    play.pass(seconds: 1)
    #expect(play.item(3).isBlank && play.message.hasPrefix("NOT UP TO DATE, trying again: "))
    try hide("dataQuestion", false, from: play.store)
    play.pass(seconds: 1)
    #expect(play.item(3).rating == MarkValue(1) && !play.message.contains("NOT UP TO DATE"))
  }

  @Test("the log of the clock stays as it was read where another width cannot read it again")
  func log() throws {
    let play = try Rehearsed()
    try play.startClock()
    try play.desk().press("5")
    #expect(play.screen.contains("Lost in all"), "\(play.screen)")
    try hide("clockEvent", true, from: play.store)
    play.resize(132, 43)
    #expect(play.message.hasPrefix("NOT UP TO DATE, trying again: "), "\(play.screen)")
    #expect(play.screen.contains("Lost in all"), "\(play.screen)")
    try hide("clockEvent", false, from: play.store)
    play.pass(seconds: 1)
    #expect(!play.message.contains("NOT UP TO DATE"), "\(play.screen)")
  }

  @Test("what is read beside the keys stays marked until a reading has succeeded, and says that none has")
  func beside() throws {
    let play = try chest()
    try hide("operation", true, from: play.store)
    play.press("ctrl-t")
    #expect(play.screen.contains("Outbox: could not be read, trying again"), "\(play.screen)")
    #expect(play.message.hasPrefix("NOT UP TO DATE, trying again: "))
    play.isHeld = true
    for _ in 0..<2 {
      play.passTime(1000)
      #expect(play.message.hasPrefix("NOT UP TO DATE, trying again: "), "\(play.screen)")
    }
    play.isHeld = false
    play.settle()
    try hide("operation", false, from: play.store)
    for _ in 0..<3 { play.passTime(1000) }
    #expect(play.screen.contains("changes not sent anywhere") && play.message.isEmpty, "\(play.screen)")
  }

  @Test("no sheet is opened where it cannot be read which there are to choose from, and that is said")
  func choice() throws {
    let play = try Rehearsed()
    try play.addSheet(of: "ABDO", to: "CONSENT", oneOf: true)
    try play.startClock()
    try play.sit("mlindqvist", at: "CONSENT")
    try hide("availableForm", true, from: play.store)
    play.press(.enter)
    #expect(play.sheetScreen.isAtIdentityStep && play.context.overlay == nil)
    #expect(play.message.hasPrefix("NOT UP TO DATE, trying again: "))
    try hide("availableForm", false, from: play.store)
    play.pass(seconds: 1).press(.enter)
    #expect(play.screen.contains("Which mark sheet?") && !play.message.contains("NOT UP TO DATE"))
  }

  @Test("the desk keeps its clocks and says that they are stale")
  func desk() throws {
    let play = try Rehearsed.runningDesk()
    #expect(play.screen.contains("ROUND 1 of 8  STATION"))
    try hide("clockEvent", true, from: play.store)
    play.send(.resumed)
    #expect(play.screen.contains("STALE ROUND 1 of 8  STATION") && !play.screen.contains("WHICH SESSION?"))
    #expect(play.message.hasPrefix("NOT UP TO DATE, trying again: "))
    try hide("clockEvent", false, from: play.store)
    play.pass(seconds: 1)
    #expect(play.screen.contains("ROUND 1 of 8  STATION") && !play.screen.contains("STALE"))
    #expect(!play.message.contains("NOT UP TO DATE"))
  }

  @Test("the wall keeps its clocks and messages, and says that they are not up to date")
  func wall() throws {
    let exam = try Rehearsed()
    try exam.startClock()
    try tell(exam, "Hold the doors")
    let clocks = exam.clocks
    let circuits = try exam.store.read { try Circuit.all(at: exam.store.clock.now, $0) }.filter {
      $0.name == "Blue circuit"
    }
    var wall = Rehearsal(
      WallProgram(exam.store, circuits: circuits, theme: .standard(), options: .init()) { clocks.loop },
      size: Size(width: 80, height: 24))
    func pass(_ wall: inout Rehearsal<WallProgram>) {
      clocks.pass(11_000)
      wall.send(.deadline(clocks.loop))
    }
    pass(&wall)
    #expect(wall.screen.contains("ROUND 1 of 8") && !wall.screen.contains("NOT UP TO DATE"))
    try hide("clockEvent", true, from: exam.store)
    pass(&wall)
    #expect(wall.screen.contains("ROUND 1 of 8") && wall.screen.contains("NOT UP TO DATE, trying again"))
    try hide("clockEvent", false, from: exam.store)
    clocks.pass(1000)
    wall.send(.deadline(clocks.loop))
    #expect(wall.screen.contains("ROUND 1 of 8") && !wall.screen.contains("NOT UP TO DATE"))
  }
}
