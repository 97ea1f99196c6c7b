import CircuitModel
import ExamStore
import Journal
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
    let holder = try Holder(play)
    play.isHeld = true
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
    let holder = try Holder(play)
    play.isHeld = true
    play.type("1>")
    let said = play.message
    #expect(said.hasPrefix("30101 is left with item 2, "))
    play.isHeld = false
    holder.release()
    play.settle()
    #expect(play.message == said)
    // Where nothing is said, it names the candidate.
    play.press("<").press("g", "j")
    let again = try Holder(play)
    play.isHeld = true
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
    let holder = try Holder(play)
    play.isHeld = true
    play.type("1>E")
    #expect(play.screen.contains("Not yet here"))
    play.isHeld = false
    holder.release()
    play.settle()
    #expect(play.screen.contains("Not yet here") && play.message.hasPrefix("30101, item 1 NOT SAVED: "))
  }

  @Test("an undo that the disk refused is offered again, and nothing before it is undone")
  func undo() throws {
    let play = try chest().type("10")
    try DiskFull.set(play, true)
    play.press("z")
    #expect(play.message.contains("the disk is full"))
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
    #expect(play.words.contains("item 2"))
    play.press(.enter)
    #expect(try play.count("SELECT count(*) FROM dataQuestion WHERE rating IS NOT NULL") == 1)
  }
}
