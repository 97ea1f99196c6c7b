import CircuitModel
import ExamStore
import Journal
import Reports
import Terminal
import Testing

@testable import OsceTUI

@MainActor @Suite("Undo")
struct UndoTests {
  private func chest() throws -> Rehearsed { try Rehearsed().mark("nokafor", at: "CHEST") }

  @Test("z sets back step by step, also several changes of one item, and Z does them again")
  func steps() throws {
    let play = try chest()
    play.type("1").press("k").type("0").press("k").type("1").press("k", "x")
    let values = [MarkValue(1), MarkValue(0), MarkValue(1), nil]
    for value in values.dropLast().reversed() {
      play.press("z")
      #expect(play.item(1).rating == value)
    }
    play.press("z")
    #expect(play.item(1).isBlank)
    play.press("z")
    #expect(play.message == "nothing more to undo; Z does again")
    for value in values {
      play.press("Z")
      #expect(play.item(1).rating == value)
    }
    play.press("Z")
    #expect(play.message == "nothing to do again on this sheet")
    for _ in 0..<3 { play.press("z") }
    #expect(play.item(1).rating == MarkValue(1))
  }

  @Test("an undo says which item, and goes there")
  func says() throws {
    let play = try chest()
    play.type("10").press("G", "z")
    #expect(play.message == "undone: item 2: blank (was 0 Not done)")
    #expect(play.focus == 2)
    play.press("Z")
    #expect(play.message == "done again: item 2: 0 Not done")
  }

  @Test("a key that gives what stands already changes nothing, says so, and is no step of the undo")
  func repeated() throws {
    let play = try chest().type("1")
    let operations = "SELECT count(*) FROM operation"
    let before = try play.count(operations)
    play.press("k").type("1")
    #expect(play.message == "item 1: 1 Done" && play.focus == 2)
    play.press("x")
    #expect(play.message == "item 2 is blank already" && play.focus == 2)
    #expect(try play.count(operations) == before)
    play.press("z")
    #expect(play.message == "undone: item 1: blank (was 1 Done)")
    // What was undone can be done again after such a key.
    play.press("x", "Z")
    #expect(play.message == "done again: item 1: 1 Done")
  }

  @Test("a held z takes back one step and says so")
  func heldUndo() throws {
    let play = try chest()
    play.type("101").burst("zzzzzz")
    #expect(play.sheet.items.count { !$0.isBlank } == 2)
    #expect(play.message == "z held down: undid one step; release it and press again")
    play.press("z")
    #expect(play.sheet.items.count { !$0.isBlank } == 1)
    #expect(play.message == "undone: item 2: blank (was 0 Not done)")
  }

  @Test("z right after a concern, a jot or a comment undoes no mark and says what it undoes; the second does")
  func afterOtherThings() throws {
    for (keys, says): ([Key], String) in [
      (["f", "s", .enter], "z undoes marks; c lists the concern, and x there withdraws it"),
      ([",", "h", "m", .enter], "z undoes marks; your private note stays"),
      (["c", "n", "h", "m", .escape, "q"], "z undoes marks; c lists comments, and Enter there changes one"),
    ] {
      let play = try chest()
      play.type("1")
      for key in keys { play.press(key) }
      play.press("z")
      #expect(play.message == says)
      #expect(play.item(1).rating == MarkValue(1))
      play.press("z")
      #expect(play.item(1).isBlank, "\(says)")
    }
  }

  @Test("a comment or a concern from the roster, or about another candidate, stands in no mark's way")
  func afterOtherThingsElsewhere() throws {
    for keys: [Key] in [["c", "n", "h", "m", .escape, "q"], ["f", "s", .enter], ["C", "n", "h", "m", .escape, "q"]] {
      let play = try chest()
      play.type("1").press("q")
      for key in keys { play.press(key) }
      play.press(.enter, "z")
      if play.context.overlay != nil { play.press(.enter) }
      #expect(play.item(1).isBlank, "\(keys)")
      play.type("1").press(">", "E", .enter, .enter)
      for key in keys { play.press(key) }
      play.press("<", "z")
      if play.context.overlay != nil { play.press(.enter) }
      #expect(play.item(1).isBlank, "\(keys)")
    }
  }

  @Test("undoing and doing again go on over a written item, where letters else do nothing")
  func overText() throws {
    let play = try chest()
    play.type("1").press("'").type("18\n").press(.enter).type("Words").press(.escape, "k", "k").press("1")
    let before = play.sheet.items.map(\.rating)
    play.press("z", "z", "z")
    #expect(play.sheet.items.allSatisfy(\.isBlank) && play.sheet.items.allSatisfy(\.feedback.isEmpty))
    play.press("Z", "Z", "Z")
    #expect(play.sheet.items.map(\.rating) == before && play.item(18).feedback == "Words")
    play.press("'").type("18\n").press("z")
    #expect(play.message.hasPrefix("text item: ") && play.item(18).feedback == "Words")
  }

  @Test("a new mark ends what could be done again")
  func redoEnds() throws {
    let play = try chest()
    play.type("1").press("z").type("0").press("Z")
    #expect(play.message == "nothing to do again on this sheet")
    #expect(play.item(1).rating == MarkValue(0))
  }

  @Test("nothing is erased: every undone mark is still in the journal")
  func nothingErased() throws {
    let play = try chest()
    let before = try play.count("SELECT count(*) FROM operation")
    play.type("1").press("z", "Z", "z")
    #expect(try play.count("SELECT count(*) FROM operation") == before + 4)
  }

  @Test("an undo is refused when somebody else changed the item since, and says who")
  func changedElsewhere() throws {
    let play = try chest()
    play.type("1")
    let item = play.item(1)
    try play.elsewhere("fhaddad") { _ = try Marking($0).mark(item, level: item.template.levels[0]) }
    play.press("z")
    #expect(play.message == "cannot undo: Dr Farah Haddad changed it since")
    play.pass(seconds: 1)
    #expect(play.item(1).rating == MarkValue(0))
    play.press("z")
    #expect(play.message == "nothing to undo on this sheet")
  }

  @Test("an undo is refused where the person's own later change came over somebody else's")
  func changedBetween() throws {
    let play = try chest()
    play.type("1")
    var item = play.item(1)
    try play.elsewhere("fhaddad") { _ = try Marking($0).mark(item, level: item.template.levels[0]) }
    play.pass(seconds: 1)
    item = play.item(1)
    play.press("g").type("1").press("z")
    #expect(play.item(1).rating == MarkValue(0))
    play.press("z")
    #expect(play.message.hasPrefix("cannot undo: "))
    #expect(play.item(1).rating == MarkValue(0))
  }

  @Test("an undo stays inside the open sheet")
  func insideTheSheet() throws {
    let play = try chest()
    play.type("1").press(">", "E", .enter, .enter, "z")
    #expect(play.message == "nothing to undo on this sheet")
    play.press("<")
    #expect(play.item(1).rating == MarkValue(1))
  }

  @Test("the question before a long text is undone shows a line of it")
  func longText() throws {
    let play = try Rehearsed().mark("nokafor", at: "CHEST")
    play.press("'").type("18\n").press(.enter)
    play.send(.paste(String(repeating: "word\n", count: 3_000)))
    play.press(.escape)
    let text = MarkText.changed(["feedback"], of: play.item(18), number: 18)
    #expect(text.hasPrefix("item 18 (") && text.contains("), now word word word "), "\(text)")
    #expect(text.count < 160 && text.hasSuffix("…"), "\(text)")
  }

  @Test("on a sheet that was opened again, z asks before it takes back what was done before, and Z does it again")
  func openedAgain() throws {
    let play = try chest()
    play.type("101").press("q", .enter, "z")
    #expect(play.flat.contains("Undo what you did on this sheet earlier: item 3 ("))
    #expect(play.item(3).rating == MarkValue(1))
    play.press(.enter)
    #expect(play.message == "undone: item 3: blank (was 1 Done)")
    play.press("z", .enter, "z", .enter)
    #expect(!play.sheet.items.contains { !$0.isBlank })
    play.press("z")
    #expect(play.message == "nothing more to undo; Z does again")
    play.press("Z", "Z")
    #expect(play.item(1).rating == MarkValue(1) && play.item(2).rating == MarkValue(0) && play.item(3).isBlank)
    play.press("z")
    #expect(play.item(2).isBlank)
    // Somebody else's are not theirs to take back.
    let timetable = try play.session("CHEST").timetable
    let cover = try play.member("fhaddad")
    try play.store.write(.program) { try Attendance.cover(timetable, by: cover.id, in: $0) }
    let second = try play.atSameStore()
    try second.sit("fhaddad", at: "CHEST")
    second.press("O", "z")
    #expect(second.message == "nothing to undo on this sheet")
    #expect(second.item(1).rating == MarkValue(1))
  }

  @Test("after a restart z names what of the item it takes back: its mark, its feedback, its tag, or the section")
  func namesWhatGoes() throws {
    let play = try chest()
    play.type("1k").press("e").type("Clear").press(.escape, "T").press(.enter, .escape)
    #expect(play.item(1).tags == ["safety"])
    play.press("q", "z")
    #expect(play.flat.contains("Undo your last mark: 30101 Ms Chidinma Abara, tags of item 1 ("))
    #expect(play.flat.contains("), now safety"))
    play.press(.escape)
    let other = try play.atSameStore()
    try other.sit("nokafor", at: "CHEST")
    other.press("z")
    #expect(other.flat.contains("earlier: tags of item 1 (") && other.flat.contains("), now safety"))
    other.press(.enter, "z")
    #expect(other.item(1).tags.isEmpty)
    #expect(other.flat.contains("earlier: feedback on item 1 ("))
    #expect(other.flat.contains("), now Clear"))
    other.press(.enter, "z")
    #expect(other.item(1).feedback.isEmpty && other.item(1).rating == MarkValue(1))
    #expect(other.flat.contains("earlier: item 1 (") && other.flat.contains("), now 1 Done"))
    other.press(.enter)
    #expect(other.item(1).isBlank)
  }

  @Test("after a restart z names the section of which it takes back a copy")
  func namesTheSection() throws {
    let play = try Rehearsed().mark("doneill", at: "RESUS")
    play.press("]", "]", "d", "q", .enter, "z")
    #expect(play.screen.contains("earlier: copy 2 of Defibrillator"))
  }

  @Test("a sheet keeps its last hundred steps in memory; what the journal undid is done again like any other")
  func longHistory() throws {
    var history = MarkHistory()
    for number in 0...MarkHistory.limit { history.add([operation(number)]) }
    for number in (1...MarkHistory.limit).reversed() {
      #expect(history.undoStep == [operation(number)])
      history.undone([operation(number)], by: [operation(1000 + number)])
    }
    #expect(history.undoStep == nil)
    // What the journal gave is done again like any other.
    history.undone([operation(0)], by: [operation(1000)])
    #expect(history.redoStep == [operation(1000)])
    var redone = 0
    while history.redoStep != nil {
      history.redone([operation(2000 + redone)])
      redone += 1
    }
    #expect(redone == MarkHistory.limit)
  }

  private func operation(_ number: Int) -> OperationID { OperationID(high: 0, low: UInt64(number)) }

  @Test("a signed sheet is not changed by undo either")
  func signed() throws {
    let play = try chest()
    play.type("1").press("S", "S", "z")
    #expect(play.message == "this sheet is signed: s reopens it, with a reason")
    #expect(play.item(1).rating == MarkValue(1))
  }

  @Test("what is still on its way to the disk is not passed over: an undo waits for it")
  func pending() throws {
    let play = try chest()
    play.type("1")
    let holder = try play.holdLock()
    play.type("1").press("z")
    #expect(play.message == "1 key waits for the last change; Esc drops it")
    play.isHeld = false
    holder.release()
    play.settle()
    #expect(play.item(1).rating == MarkValue(1) && play.item(2).isBlank)
    #expect(play.message == "undone: item 2: blank (was 1 Done)")
  }

  @Test("a copied section is taken away by undo, and comes back")
  func sectionCopy() throws {
    let play = try Rehearsed().mark("doneill", at: "RESUS")
    let items = play.sheet.items.count
    play.press("]", "]", "d")
    #expect(play.sheet.items.count == items + 4)
    #expect(play.screen.contains("Defibrillator · 2 of at most"))
    play.press("j").type("1").press("z", "z")
    #expect(play.sheet.items.count == items)
    play.press("Z", "Z")
    #expect(play.sheet.items.count == items + 4)
    #expect(play.sheet.items.filter { !$0.isBlank }.count == 1)
  }

  @Test("all that was written at one sitting in the editor is one step")
  func editorSitting() throws {
    let play = try chest()
    play.press("e").type("First").pass(seconds: 3).type(" second").pass(seconds: 3)
    play.press(.escape)
    #expect(play.item(1).feedback == "First second")
    play.press("z")
    #expect(play.item(1).feedback.isEmpty)
    play.press("Z")
    #expect(play.item(1).feedback == "First second")
  }
}
