import CircuitModel
import Dispatch
import ExamStore
import Reports
import Terminal
import Testing

@testable import OsceTUI

/// What you see is on the disk.
@MainActor @Suite("Saving")
struct SavingTests {
  @Test("a mark is drawn only after its commit; until then the item shows that it is on its way")
  func drawnAfterCommit() throws {
    let play = try Rehearsed().mark("nokafor", at: "CHEST")
    let holder = try play.holdLock()
    play.type("1")
    let row = try #require(play.lines.first { $0.contains("Washes hands") })
    #expect(row.contains("1 …  Washes hands") && row.contains(" saving "))
    #expect(!row.contains("[1]"))
    #expect(play.focus == 2)
    play.isHeld = false
    holder.release()
    play.settle()
    let after = try #require(play.lines.first { $0.contains("Washes hands") })
    #expect(after.contains("1 ✓  Washes hands") && after.hasSuffix(" 0        [1]"))
  }

  @Test("while a save waits the clock goes on, and after three seconds the line names who holds the store")
  func namesTheHolder() throws {
    let play = try Rehearsed().mark("nokafor", at: "CHEST")
    let holder = try play.holdLock()
    play.type("1")
    #expect(play.lines[0].hasSuffix("▐ 07:45 ▌"))
    play.pass(seconds: 2)
    #expect(play.lines[0].hasSuffix("▐ 07:43 ▌"))
    #expect(!play.message.hasPrefix("NOT YET SAVED"))
    play.pass(seconds: 2)
    #expect(play.lines[0].hasSuffix("▐ 07:41 ▌"))
    #expect(
      play.message
        == "NOT YET SAVED: 1 change waits; process \(ProcessID.own) (\(ProcessID.command)) has the store locked")
    play.type("1").pass(seconds: 1)
    #expect(play.message.hasPrefix("NOT YET SAVED: 2 changes wait; process "))
    play.isHeld = false
    holder.release()
    play.settle()
    #expect(play.message == "item 2: 1 Done")
  }

  @Test("what waits for this program's own save waits for the disk, and nobody is named") func slowDisk() throws {
    let play = try Rehearsed().mark("nokafor", at: "CHEST")
    play.isHeld = true
    let (begun, goesOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    play.store.submit(.program) { _ in
      begun.signal()
      goesOn.wait()
    } then: { _ in
    }
    begun.wait()
    play.type("1").pass(seconds: 4)
    #expect(play.message == "NOT YET SAVED: 1 change waits; the disk is slow")
    goesOn.signal()
    play.isHeld = false
    play.settle()
    #expect(play.sheet.items[0].rating != nil)
  }

  @Test("a change that fails is shown as not saved, with the reason, and the sheet as it stands")
  func fails() throws {
    let play = try Rehearsed().mark("nokafor", at: "CHEST")
    try play.signElsewhere()
    play.type("1")
    #expect(play.message == "item 1 NOT SAVED: the sheet is signed: reopen it first, with a reason")
    #expect(play.lines.contains { $0.contains("1 !  Washes hands") })
    #expect(play.screen.contains("SIGNED"))
  }

  @Test("what a later key was refused for is not overwritten by the line of a mark that is on the disk later")
  func refusalStays() throws {
    let play = try Rehearsed().mark("nokafor", at: "CHEST")
    let holder = try play.holdLock()
    play.type("19")
    let refused = play.message
    #expect(refused == "9 is not a level of this item: the keys are 0 or n, 1 or y")
    play.isHeld = false
    holder.release()
    play.settle()
    #expect(play.message == refused + "; item 1: 1 Done")
    play.type("1")
    #expect(play.message == "item 2: 1 Done")
  }

  @Test("quitting waits for what is not on the disk yet")
  func quitWaits() throws {
    let play = try Rehearsed().mark("nokafor", at: "CHEST")
    let holder = try play.holdLock()
    play.type("1").press("Q")
    #expect(play.screen.contains("1 change not saved yet."))
    play.press(.enter)
    #expect(!play.hasExited)
    #expect(play.message == "osce will quit once everything is saved")
    play.isHeld = false
    holder.release()
    play.settle()
    #expect(play.hasExited)
    #expect(play.effects.contains(.exit(0)))
  }

  @Test("what another terminal commits is shown within a look at the store")
  func seesOthers() throws {
    let play = try Rehearsed().mark("nokafor", at: "CHEST")
    let item = play.item(3)
    try play.elsewhere("fhaddad") { _ = try Marking($0).mark(item, level: item.template.levels[1]) }
    play.pass(seconds: 1)
    #expect(play.item(3).rating == MarkValue(1))
    #expect(play.lines.contains { $0.contains("3 ✓  Gains consent") })
  }

  @Test("a terminal that is too small does nothing that cannot be seen")
  func tooSmall() throws {
    let play = try Rehearsed().mark("nokafor", at: "CHEST")
    play.resize(50, 24)
    play.type("111").press("S", "S")
    play.resize(80, 24)
    #expect(!play.sheet.items.contains { !$0.isBlank } && play.context.overlay == nil)
  }

  @Test("a terminal that is too small for the screen is left as any other, by a question that can be read there")
  func leavingTooSmall() throws {
    let play = try Rehearsed().mark("nokafor", at: "CHEST")
    play.resize(59, 20)
    #expect(play.text.contains("Q quits."))
    play.press("ctrl-c")
    #expect(play.text.contains("to quit press Q; everything is saved"))
    play.press("Q")
    #expect(play.text.contains("Quit osce? Everything is saved. Enter quit, Esc cancel."))
    play.press(.escape, .enter)
    #expect(!play.hasExited && !play.screen.contains("Quit osce?"))
    play.press("q")
    #expect(play.context.screen is RosterScreen)
    // What must be possible whatever is asked goes before it.
    play.press("Q", "!")
    #expect(try play.count("SELECT count(*) FROM assistanceRequested") == 1)
    #expect(play.context.overlay == nil)
    // Where the question has no room, it can only be left.
    play.resize(20, 4)
    play.press("Q", .enter)
    #expect(!play.hasExited && play.context.overlay != nil)
    play.press(.escape)
    #expect(play.context.overlay == nil)
    play.resize(59, 20)
    play.isHeld = true
    play.press("Q", .enter)
    #expect(play.hasExited)
  }

  @Test("Ctrl-C says how to quit, and does not")
  func interrupt() throws {
    let play = try Rehearsed().mark("nokafor", at: "CHEST")
    play.press("ctrl-c")
    #expect(play.message == "to quit press Q; everything is saved")
    #expect(!play.hasExited)
    let other = try Rehearsed()
    other.context.push(SignInScreen(other.context))
    other.press("ctrl-c")
    #expect(other.message == "to quit press Ctrl-Q; everything is saved")
  }

  @Test(
    "Ctrl-C says how to quit over an editor, help, the palette, a box and a line that is asked for, and closes none")
  func interruptOverlay() throws {
    let play = try Rehearsed().mark("nokafor", at: "CHEST")
    for key in ["e", "?", ":", "S", "f", "="] as [Key] {
      play.press("g", "j", key, "ctrl-c")
      #expect(play.context.overlay != nil, "\(key.name)")
      #expect(play.text.contains("to quit press Esc, then Q; everything is saved"), "\(key.name): \(play.screen)")
      play.press(.escape)
      #expect(play.context.overlay == nil && !play.text.contains("to quit press"), "\(key.name)")
    }
    // The question before the program is left names its own keys.
    play.press("Q", "ctrl-c")
    #expect(play.message == "press one of: Enter, Esc")
  }

  @Test("Esc never ends the program, whatever lies over the screen")
  func escape() throws {
    let play = try Rehearsed()
    play.context.push(SignInScreen(play.context))
    for _ in 0..<5 { play.press(.escape) }
    #expect(!play.hasExited && play.context.overlay == nil)
    try play.mark("nokafor", at: "CHEST")
    for key: Key in ["?", ":", "s", "!", "a", "i", "m", "'", "e", "=", "Q"] {
      play.press("g", key, .escape, .escape, .escape)
      #expect(play.context.screen is SheetScreen && play.context.overlay == nil && !play.hasExited, "\(key.name)")
    }
  }
}
