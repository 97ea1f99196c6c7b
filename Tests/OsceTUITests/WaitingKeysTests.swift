import CircuitModel
import ExamStore
import Journal
import Terminal
import Testing

@testable import OsceTUI

/// What is typed acts on what it was typed for, however long the disk takes.
@MainActor @Suite("Keys that wait")
struct WaitingKeysTests {
  /// Types while somebody else holds the store, looks, and lets it go.
  private func onSlowDisk(_ play: Rehearsed, _ type: () throws -> Void) throws {
    let holder = try play.holdLock()
    try type()
    play.isHeld = false
    holder.release()
    play.settle()
  }

  /// All that the open sheet holds, and where the focus is.
  private func state(_ play: Rehearsed) -> [String] {
    play.sheet.sections.map { section in
      let items = section.items.map { "\($0.rating.map { "\($0)" } ?? "-")\($0.isUnable ? "u" : "")" }
      let facts = [
        section.quadrant, section.tooth, section.quantity.map { "\($0)" }, section.difficulty.map { "\($0)" },
      ]
      return "\(section.template.name) \(section.copy): \(items.joined(separator: " ")) \(facts.compactMap { $0 })"
    } + ["focus \(play.sheetScreen.rows.selection.index)"]
  }

  private func marks(_ play: Rehearsed) -> Int { play.sheet.items.count { !$0.isBlank } }

  private func dental() throws -> Rehearsed { try Rehearsed().mark("tnguyen", at: "DENTAL").press("]") }

  private func chest() throws -> Rehearsed { try Rehearsed().mark("nokafor", at: "CHEST") }

  @Test(
    "a section that is copied, filled in and marked on a slow disk is the one that was meant, and nothing else is marked",
    arguments: [("tnguyen", "DENTAL", "Blue circuit"), ("nokafor", "KINDS", "All kinds")])
  func copied(_ username: String, _ station: String, _ circuit: String) throws {
    func begin() throws -> Rehearsed {
      let play =
        try circuit == "All kinds" ? Rehearsed.allKinds() : Rehearsed().mark(username, at: station, circuit)
      // Below the first row of a section that can be copied.
      let place = try #require(play.sheet.sections.firstIndex { $0.template.isDuplicable })
      let first = try #require(play.sheet.sections[place].items.first)
      while play.sheetScreen.focusedItem?.key != first.key { play.press("j") }
      return play.type("111")
    }
    let keys: [Key] = ["k", "k", "d", .enter, "1", "1", .enter, "2", .enter, "j", "1", "2", "1"]
    let quick = try begin()
    let before = state(quick)
    let operations = "SELECT count(*) FROM operation"
    for key in keys { quick.press(key) }
    let play = try begin()
    #expect(state(play) == before)
    play.pace = 200
    try onSlowDisk(play) {
      for key in keys { play.press(key) }
      #expect(play.sheet.sections.count == before.count - 1, "nothing is done before the copy is there")
      #expect(play.message == "10 keys wait for the last change; Esc drops them")
    }
    #expect(state(play) == state(quick))
    #expect(try play.count(operations) == quick.count(operations))
    // The section that was copied stands as it stood.
    let place = try #require(play.sheet.sections.firstIndex { $0.template.isDuplicable })
    #expect(state(play)[place] == before[place])
  }

  @Test("plain marks do not wait for each other: each is for the item that had the focus")
  func marksDoNotWait() throws {
    let play = try chest()
    try onSlowDisk(play) {
      play.type("101")
      #expect(play.focus == 4 && play.context.saves.waiting.count == 0)
    }
    #expect(play.sheet.items.prefix(4).map { $0.rating } == [MarkValue(1), MarkValue(0), MarkValue(1), nil])
  }

  @Test("Esc drops what waits and says how much; what it waited for is done")
  func dropped() throws {
    let play = try dental()
    let sections = play.sheet.sections.count
    try onSlowDisk(play) {
      play.type("dj1").press(.escape)
      #expect(play.message == "dropped 2 keys: nothing of that was done")
    }
    #expect(play.sheet.sections.count == sections + 1 && marks(play) == 0)
  }

  @Test("after three seconds the line names who holds the store and how many keys wait; no more than that wait")
  func named() throws {
    let play = try dental()
    try onSlowDisk(play) {
      play.type("dj1").pass(seconds: 4)
      #expect(play.message.hasPrefix("NOT YET SAVED: 1 change waits; 2 keys wait, Esc drops them; process "))
      #expect(play.screen.contains("has the store locked"))
      play.type(String(repeating: "k", count: WaitingKeys.limit))
      #expect(play.message.hasPrefix("NOT TAKEN: 64 keys wait already"))
      play.press(.escape)
    }
    #expect(marks(play) == 0)
  }

  @Test("what was typed for a change that fails is not done, and said")
  func failed() throws {
    let play = try dental()
    let before = state(play)
    try DiskFull.set(play, true)
    try onSlowDisk(play) { play.type("djj1") }
    #expect(play.message.contains("the store refused the change"))
    #expect(play.message.hasSuffix("; 3 keys typed after it were NOT done"))
    try DiskFull.set(play, false)
    #expect(state(play) == before && play.context.saves.waiting.count == 0)
  }

  @Test("keys of the identity step are not taken from what waits: the candidate was not in view when they were typed")
  func identity() throws {
    let play = try dental()
    let before = play.sheetScreen.entryKey
    try onSlowDisk(play) { play.type("d>").press(.enter, "1") }
    #expect(play.sheetScreen.isAtIdentityStep && play.sheetScreen.entryKey != before)
    #expect(play.message.hasPrefix("2 keys NOT done: pressed before this candidate was shown"))
    #expect(try play.count("SELECT count(*) FROM timetableAttendanceLog WHERE identityCheckedAt IS NOT NULL") == 1)
  }

  @Test("while the identity step is being saved a level key is refused at once, and another waits")
  func identityStepOnItsWay() throws {
    let play = try Rehearsed()
    try play.startClock()
    try play.sit("nokafor", at: "CHEST")
    try onSlowDisk(play) {
      play.press(.enter, "1")
      #expect(play.message.hasPrefix("press Enter once you have checked") && play.context.saves.waiting.count == 0)
      play.press("j")
      #expect(play.context.saves.waiting.count == 1)
    }
    #expect(marks(play) == 0 && play.focus == 2)
  }

  @Test("a question that comes up meanwhile is not answered by what was typed before it")
  func question() throws {
    let play = try dental()
    try onSlowDisk(play) { play.type("dSS") }
    #expect(!play.sheet.isSigned && play.screen.contains("Sign 30"))
    #expect(play.message == "1 key NOT done: pressed before the question appeared; answer it now")
    play.press("S")
    #expect(play.sheet.isSigned)
  }

  @Test("signing waits for the marks before it, and what follows it for the signature")
  func signing() throws {
    let play = try chest()
    try onSlowDisk(play) {
      play.type("1S")
      #expect(play.context.overlay == nil)
    }
    #expect(play.screen.contains("Sign 30101") && marks(play) == 1)
    try onSlowDisk(play) { play.press("S", "1") }
    #expect(play.sheet.isSigned && marks(play) == 1)
  }

  @Test("a call for help waits for nothing, and what waits is done after it")
  func help() throws {
    let play = try dental()
    try onSlowDisk(play) {
      play.type("djj1!")
      #expect(play.screen.contains("Call for help") && play.context.saves.waiting.count == 3)
      play.press("a")
      #expect(play.context.overlay == nil && play.context.saves.waiting.count == 3)
    }
    #expect(try play.count("SELECT count(*) FROM assistanceRequested") == 1)
    #expect(marks(play) == 1)
    // Left open, its box has the keys until it is closed.
    let other = try dental()
    try onSlowDisk(other) { other.type("djj1!") }
    #expect(marks(other) == 0 && other.screen.contains("Call for help"))
    other.press(.escape)
    #expect(marks(other) == 1)
  }

  @Test("whether keys that waited are a burst is told by when they were typed")
  func burst() throws {
    let play = try Rehearsed().mark("doneill", at: "RESUS").press("]", "]")
    let items = play.sheet.items.count
    try onSlowDisk(play) {
      play.type("dj")
      play.clocks.passLoop(1000)
      play.pace = 0
      play.type("111s")
      play.pace = 1000
    }
    #expect(play.sheet.items.count > items && marks(play) == 3 && play.context.overlay == nil)
    play.press("z")
    #expect(marks(play) == 0 && play.message == "undone: 3 changes")
  }

  @Test(
    "on the roster what follows a change of attendance waits for it: the sheet of an absent candidate is not opened")
  func attendance() throws {
    let play = try Rehearsed()
    try play.startClock()
    try play.sit("nokafor", at: "CHEST").press("q")
    try onSlowDisk(play) { play.press("a", "a", .enter) }
    #expect(play.context.screen is RosterScreen && play.message.hasPrefix("recorded absent: "))
  }
}

/// A disk that takes nothing, or takes what comes again.
enum DiskFull {
  @MainActor static func set(_ play: Rehearsed, _ isFull: Bool) throws {
    let statement =
      isFull
      ? "CREATE TRIGGER full BEFORE INSERT ON operation BEGIN SELECT RAISE(ABORT, 'no'); END"
      : "DROP TRIGGER full"
    try play.store.write(.program) { try $0.db.execute(sql: statement) }
  }
}
