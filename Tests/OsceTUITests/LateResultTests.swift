import CircuitModel
import ExamStore
import Journal
import SystemTesting
import Terminal
import Testing

@testable import OsceTUI

/// What comes of a change when another sheet is in view.
@MainActor @Suite("Late results")
struct LateResultTests {
  private func chest() throws -> Rehearsed { try Rehearsed().mark("nokafor", at: "CHEST") }

  @Test("a mark that is refused when another sheet is open is named with its candidate")
  func refused() throws {
    let play = try chest()
    try DiskFull.set(play, true)
    let holder = try play.holdLock()
    play.type("1>")
    #expect(play.sheetScreen.entry?.candidate?.number == "30108")
    play.isHeld = false
    holder.release()
    play.settle()
    #expect(play.message.hasPrefix("30101, item 1 NOT SAVED: "))
    #expect(play.context.unsaved.isLosable)
  }

  @Test("a mark that is saved when another sheet is open takes no line of that sheet's away")
  func saved() throws {
    let play = try chest()
    let holder = try play.holdLock()
    play.type("1>")
    let said = play.message
    #expect(said.hasPrefix("30101: items 2, "))
    play.isHeld = false
    holder.release()
    play.settle()
    #expect(play.message == said)
    // Where nothing is said, it names the candidate.
    play.press("<").press("g")
    let again = try play.holdLock()
    play.type("1>").press(.escape)
    play.isHeld = false
    again.release()
    play.settle()
    #expect(play.message.hasPrefix("30101, item 1: 1 Done"))
  }

  @Test("what comes of a sheet that was left clears no box of the one that is open")
  func box() throws {
    let play = try chest()
    let entry = try #require(play.sheetScreen.entry)
    try play.elsewhere("nokafor") { try Attendance.record(nil, for: entry, in: $0) }
    try DiskFull.set(play, true)
    let holder = try play.holdLock()
    play.type("1>E")
    #expect(play.screen.contains("Mark early?"))
    play.isHeld = false
    holder.release()
    play.settle()
    #expect(play.screen.contains("Mark early?") && play.message.hasPrefix("30101, item 1 NOT SAVED: "))
  }

  @Test("an undo that the disk refused is offered again, and nothing before it is undone")
  func undo() throws {
    let play = try chest().type("10")
    try DiskFull.set(play, true)
    play.press("z")
    #expect(play.message.contains("the store refused the change"))
    try DiskFull.set(play, false)
    play.press("z")
    #expect(play.message == "undone: item 2: blank (was 0 Not done)")
    #expect(play.item(1).rating == MarkValue(1) && play.item(2).isBlank)
    try DiskFull.set(play, true)
    play.press("Z")
    try DiskFull.set(play, false)
    play.press("Z")
    #expect(play.item(2).rating == MarkValue(0))
    // From the roster too.
    play.press("q")
    try DiskFull.set(play, true)
    play.press("z", .enter)
    try DiskFull.set(play, false)
    play.press("z")
    #expect(play.text.contains("item 2"))
    play.press(.enter)
    #expect(try play.count("SELECT count(*) FROM dataQuestion WHERE rating IS NOT NULL") == 1)
  }

  /// On the first of two sheets of one candidate, who has the store's lock.
  private func two() throws -> (play: Rehearsed, holder: HeldLock) {
    let play = try Rehearsed()
    try play.addSheet(of: "ABDO", to: "CHEST")
    try play.mark("nokafor", at: "CHEST")
    let holder = try play.holdLock()
    return (play, holder)
  }

  /// Gives the lock back and lets everything come to the disk.
  private func go(_ play: Rehearsed, _ holder: HeldLock) {
    play.isHeld = false
    holder.release()
    play.settle()
  }

  @Test(
    "a mark that is refused when the candidate's other sheet is open is named with its sheet, and asked about at quit")
  func refusedOnAnotherSheet() throws {
    let play = try Rehearsed()
    try play.addSheet(of: "ABDO", to: "CHEST")
    try play.mark("nokafor", at: "CHEST")
    try DiskFull.set(play, true)
    let holder = try play.holdLock()
    play.type("1")
    play.sheetScreen.nextForm()
    go(play, holder)
    #expect(play.message.hasPrefix("item 1 of 30101, Chest pain history NOT SAVED: "))
    #expect(play.context.unsaved.text(naming: 1)?.plain == "NOT SAVED: item 1 of 30101, Chest pain history")
  }

  @Test("a mark that is saved when the other sheet is open is no step of that sheet's undo")
  func savedOnAnotherSheet() throws {
    let (play, holder) = try two()
    play.type("1")
    play.sheetScreen.nextForm()
    go(play, holder)
    #expect(play.message == "item 1 of 30101, Chest pain history is saved")
    play.press("z")
    #expect(play.message == "nothing to undo on this sheet")
    play.press(.tab)
    #expect(play.item(1).rating == MarkValue(1))
  }

  @Test("what a section's form saves when the other sheet is open is no step of that sheet's undo")
  func formSavedOnAnotherSheet() throws {
    let play = try Rehearsed()
    try play.addSheet(of: "CHEST", to: "DENTAL")
    try play.mark("tnguyen", at: "DENTAL").press("]")
    let holder = try play.holdLock()
    play.press(.enter).type("36\n2\n")
    play.sheetScreen.nextForm()
    go(play, holder)
    #expect(play.message.hasSuffix(" is saved"))
    play.press("z")
    #expect(play.message == "nothing to undo on this sheet")
    #expect(try play.count("SELECT count(*) FROM dataSection WHERE tooth IS NOT NULL") == 1)
  }

  @Test("undo chosen by name while a mark waits is refused, for it would take back the one before")
  func undoByName() throws {
    let play = try chest().type("1")
    let holder = try play.holdLock()
    play.type("0:undo\n")
    #expect(play.message.hasPrefix("NOT DONE: a change still waits for the disk"))
    go(play, holder)
    #expect(play.item(1).rating == MarkValue(1) && play.item(2).rating == MarkValue(0))
  }

  @Test("a mark that is saved covers no line of the one before that is not")
  func savedAfterRefused() throws {
    let play = try chest()
    try play.store.write(.program) {
      try $0.db.execute(
        sql: """
          CREATE TRIGGER once BEFORE UPDATE ON dataQuestion WHEN new.uuid = '\(play.item(1).key)'
          BEGIN SELECT RAISE(ABORT, 'no'); END
          """)
    }
    let holder = try play.holdLock()
    play.type("10")
    go(play, holder)
    #expect(play.message.hasPrefix("item 1 NOT SAVED: ") && play.message.contains("; item 2: 0 Not done"))
    #expect(play.item(1).isBlank && play.item(2).rating == MarkValue(0))
  }
}
