import GRDB
import Glibc
import Terminal
import Testing

@testable import CircuitModel
@testable import ExamStore
@testable import OsceTUI
@testable import Reports

/// What is typed while the disk takes nothing is seen not to be saved, and comes back when the editor is opened again.
@MainActor @Suite("Texts that could not be saved")
struct UnsavedTextTests {
  /// Lets the disk refuse every change, or take them again.
  private func disk(_ play: Rehearsed, isFull: Bool) throws {
    let statement =
      isFull
      ? "CREATE TRIGGER full BEFORE INSERT ON operation BEGIN SELECT RAISE(ABORT, 'no'); END"
      : "DROP TRIGGER full"
    try play.store.write(.program) { try $0.db.execute(sql: statement) }
  }

  @Test("help that the disk does not take is not called: the message says so first, and whom to fetch")
  func help() throws {
    let play = try Rehearsed().mark("nokafor", at: "CHEST")
    try disk(play, isFull: true)
    play.press("!", "c")
    #expect(play.message.hasPrefix("HELP NOT CALLED; fetch the invigilator: "))
    #expect(try play.count("SELECT count(*) FROM assistanceRequested") == 0)
  }

  @Test("a comment is kept, said to be not saved, and offered again, for this candidate alone")
  func comment() throws {
    let play = try Rehearsed().mark("nokafor", at: "CHEST")
    try disk(play, isFull: true)
    play.press("c").type("nLate").press(.escape)
    #expect(play.message.hasPrefix("the comment is NOT SAVED; open it again, its text is kept: "))
    play.press("q").press("C").type("n")
    #expect(!play.screen.contains("Late"))
    play.press(.escape, "q", "c", "n")
    #expect(play.screen.contains("Late"))
    try disk(play, isFull: false)
    play.type(" again").press(.escape)
    #expect(play.screen.contains("Late again"))
    #expect(try play.count("SELECT count(*) FROM commentMetaStationCandidate WHERE text = 'Late again'") == 1)
    play.type("n")
    #expect(!play.lines.contains { $0.hasPrefix("Late again") })
  }

  @Test("a comment that was saved keeps its old text, and the new one is offered again")
  func changedComment() throws {
    let play = try Rehearsed().mark("nokafor", at: "CHEST")
    play.press("c").type("nLate").press(.escape)
    try disk(play, isFull: true)
    play.press(.enter).type(" by two minutes").press(.escape)
    #expect(play.message.contains("NOT SAVED"))
    try disk(play, isFull: false)
    play.press(.enter)
    #expect(play.screen.contains("Late by two minutes"))
    play.press(.escape)
    #expect(
      try play.count("SELECT count(*) FROM commentMetaStationCandidate WHERE text = 'Late by two minutes'") == 1)
  }

  @Test("of a comment whose first save failed the last text is what is saved, and no older one after it")
  func lastOfSeveral() throws {
    let play = try Rehearsed().mark("nokafor", at: "CHEST")
    try disk(play, isFull: true)
    play.press("c").type("n").type("Late")
    play.isHeld = true
    play.pass(seconds: 5)
    play.type(" by")
    play.pass(seconds: 5)
    play.isHeld = false
    play.settle()
    try disk(play, isFull: false)
    play.type(" two").press(.escape)
    #expect(try play.count("SELECT count(*) FROM commentMetaStationCandidate WHERE text = 'Late by two'") == 1)
  }

  @Test("what is written on a procedure and the record of it are each kept, by whichever key they were typed")
  func procedure() throws {
    let play = try Rehearsed.allKinds()
    let place = try #require(play.sheet.items.firstIndex { $0.template.kind == .procedure })
    play.press("g")
    for _ in 0..<place { play.press("j") }
    while play.sheetScreen.focusedItem?.key != play.item(place + 1).key { play.press("j") }
    try disk(play, isFull: true)
    play.type("eClear").press(.escape)
    #expect(play.message.contains("NOT SAVED"))
    play.press(.enter)
    #expect(play.screen.contains("How often") && play.screen.contains("Clear"))
    play.type("\n2").press(.escape)
    #expect(play.message.contains("NOT SAVED"))
    try disk(play, isFull: false)
    play.press("e")
    #expect(play.screen.contains("Clear"))
    play.press("!", .escape)
    play.press(.enter)
    #expect(play.screen.contains("Clear!"))
    play.press(.escape)
    #expect(try play.count("SELECT count(*) FROM dataQuestion WHERE feedback = 'Clear!' AND times = 2") == 1)
  }

  @Test("Ctrl-C, Q and L name what is not saved, and quitting loses it only by a key of its own")
  func namedBeforeLeaving() throws {
    let play = try Rehearsed().mark("nokafor", at: "CHEST")
    try disk(play, isFull: true)
    play.type("1").press("ctrl-c")
    #expect(play.message == "to quit press Q; NOT SAVED: item 1 of 30101")
    play.type("eGlove").press(.escape, "c").type("nLate").press(.escape, "q", "ctrl-c")
    #expect(play.message == "to quit press Q; NOT SAVED: item 1 of 30101 and 2 more")
    play.press("Q")
    #expect(play.screen.contains("NOT SAVED: item 1 of 30101"))
    #expect(play.screen.contains("text of item 2") && play.screen.contains("comment on candidate"))
    #expect(play.screen.contains("Quitting LOSES what is not saved") && !play.screen.contains("verything is saved"))
    play.press(.enter)
    #expect(!play.context.navigator.isLeaving)
    play.press(.escape, "L")
    // Anybody reads what stands under the lock.
    #expect(play.lines[5].hasPrefix("3 things are NOT SAVED. ") && !play.screen.contains("comment on"))
    #expect(play.lines[23].hasPrefix("Ctrl-Q quits osce and LOSES what is not saved"))
    play.press(.enter)
    try disk(play, isFull: false)
    play.press("g").type("1e").press(.escape).press("c", "n", .escape, "q", "Q")
    #expect(play.screen.contains("Everything is saved."))
  }

  @Test("the station is not left with what is lost then, but by a key of its own")
  func leavingTheStation() throws {
    let play = try Rehearsed().mark("nokafor", at: "CHEST")
    try disk(play, isFull: true)
    play.type("1").press("q", "q")
    #expect(play.screen.contains("Leaving LOSES what is not saved") && play.context.sitting != nil)
    play.press(.enter, .escape)
    #expect(play.context.unsaved.isLosable)
    play.press("q", "L")
    #expect(!play.context.unsaved.isLosable)
    #expect(play.message == "unsaved work discarded; q leaves the station")
  }

  @Test("what a rule refused is offered again, and is nothing that would be lost")
  func refusedByRule() throws {
    let play = try Rehearsed().mark("nokafor", at: "CHEST")
    let context = play.context
    context.prompt("Round:", keptAs: "round") { _ in
      context.save({ (_: JournalTransaction) throws -> Int in throw StoreError("that round is over") }) { _ in }
    }
    play.type("3\n").press("ctrl-c")
    #expect(play.message == "to quit press Q; everything is saved")
    #expect(context.unsaved.texts["round"] == ["3"])
  }

  @Test("a mark that was refused is no matter any more once somebody else has marked the item")
  func markedByAnother() throws {
    let play = try Rehearsed().mark("nokafor", at: "CHEST")
    try disk(play, isFull: true)
    play.type("1")
    try disk(play, isFull: false)
    let other = try play.atSameStore().sit("nokafor", at: "CHEST")
    other.press("O").type("1")
    play.pass(seconds: 1)
    #expect(!play.context.unsaved.isLosable && !play.screen.contains("NOT SAVED"))
  }

  @Test("a mark that was refused is still shown as not saved when its sheet is opened again")
  func markOfALeftSheet() throws {
    let play = try Rehearsed().mark("nokafor", at: "CHEST")
    try disk(play, isFull: true)
    play.type("1")
    try disk(play, isFull: false)
    play.press(">", "<").press("g")
    #expect(play.lines.contains { $0.contains("1 !  Washes hands") })
    play.type("1").press("ctrl-c")
    #expect(play.message == "to quit press Q; everything is saved")
  }

  @Test("what the disk refuses after the program was told to quit is asked about before it ends")
  func refusedWhileLeaving() throws {
    let play = try Rehearsed().mark("nokafor", at: "CHEST")
    try disk(play, isFull: true)
    play.isHeld = true
    play.type("1").press("Q").press(.enter)
    play.isHeld = false
    play.settle()
    #expect(!play.hasExited && play.screen.contains("NOT SAVED: item 1 of 30101."))
    play.press("L")
    #expect(play.hasExited)
  }

  @Test("a refusal that the screen has not heard of when the program is told to quit is asked about before it ends")
  func refusedUnheard() throws {
    let play = try Rehearsed().mark("nokafor", at: "CHEST")
    try disk(play, isFull: true)
    play.isHeld = true
    play.awaitWriter { play.type("1") }
    play.press("Q").press(.enter)
    #expect(!play.hasExited)
    play.isHeld = false
    play.settle()
    #expect(!play.hasExited && play.screen.contains("NOT SAVED: item 1 of 30101."))
    play.press("L")
    #expect(play.hasExited)
  }

  @Test("the comments list shows a text that is kept and not saved, and Enter goes on writing it")
  func listedComment() throws {
    let play = try Rehearsed().mark("nokafor", at: "CHEST")
    play.press("c").type("nCalm").press(.escape)
    try disk(play, isFull: true)
    play.press(.enter).type(" and clear").press(.escape).type("nLate").press(.escape)
    #expect(play.lines.contains { $0.contains("NOT SAVED [staff only] Calm and clear") })
    #expect(play.lines.contains { $0.contains("NOT SAVED, Enter opens it: Late") })
    play.press("q", "c")
    #expect(play.lines.contains { $0.contains("NOT SAVED, Enter opens it: Late") })
    try disk(play, isFull: false)
    play.press("G", "v")
    #expect(play.message == "this comment is not saved yet; Enter goes on writing it")
    play.press(.enter).type("r").press(.escape)
    #expect(!play.screen.contains("Enter opens it"))
    play.press("g", .enter, .escape)
    #expect(!play.screen.contains("NOT SAVED"))
    #expect(try play.count("SELECT count(*) FROM commentMetaStationCandidate") == 2)
  }

  @Test("what was written to a person and is kept stands in that list in its category")
  func listedRemark() throws {
    let play = try Rehearsed().mark("nokafor", at: "CHEST")
    try disk(play, isFull: true)
    play.press("p", .enter, "n")
    if play.screen.contains("In which category?") { play.press("1") }
    play.type("Well done").press(.escape)
    #expect(play.lines.contains { $0.contains("NOT SAVED, Enter opens it: ") && $0.contains("Well done") })
    try disk(play, isFull: false)
    play.press(.enter, .escape)
    #expect(!play.screen.contains("NOT SAVED"))
    #expect(try play.count("SELECT count(*) FROM comment WHERE text = 'Well done'") == 1)
  }

  @Test("feedback outlives leaving the sheet, and nobody else's sheet is offered it")
  func feedback() throws {
    let play = try Rehearsed().mark("nokafor", at: "CHEST")
    try disk(play, isFull: true)
    play.type("eClear").press(.escape)
    #expect(play.message == "item 1: the text is NOT SAVED; open it again, it is kept until you leave the station")
    try disk(play, isFull: false)
    play.press(">", "E", .enter, .enter, "e")
    #expect(play.screen.contains("Feedback on item 1, candidate 30108") && !play.screen.contains("Clear"))
    play.press(.escape)
    play.press("<").press("g", "e")
    #expect(play.screen.contains("Clear"))
    play.press(.escape)
    #expect(try play.count("SELECT count(*) FROM dataQuestion WHERE feedback = 'Clear'") == 1)
  }

  @Test("a terminal whose store was replaced marks nothing more, and says so until it is left")
  func replacedStore() throws {
    let play = try Rehearsed().mark("nokafor", at: "CHEST")
    rename(play.store.location.path, play.store.location.path + ".replaced")
    play.pass(seconds: 1)
    #expect(play.message == ExamStore.replacedText)
    play.type("1")
    #expect(!play.sheet.items.contains { !$0.isBlank })
    play.press("j").pass(seconds: 1)
    #expect(play.message == ExamStore.replacedText)
  }

  @Test("a jot is asked for again with its text, for this candidate alone")
  func jot() throws {
    let play = try Rehearsed().mark("nokafor", at: "CHEST")
    try disk(play, isFull: true)
    play.press(",").type("hesitates").press(.enter)
    #expect(play.message.contains("the store refused the change"))
    try disk(play, isFull: false)
    play.press(",")
    #expect(play.screen.contains("hesitates"))
    play.press(.enter)
    #expect(try play.count("SELECT count(*) FROM jot") == 1)
    play.press(",")
    #expect(!play.screen.contains("hesitates"))
  }

  @Test("what a section records is kept, said to be not saved, and offered again on that section")
  func sectionForm() throws {
    let play = try Rehearsed().mark("tnguyen", at: "DENTAL")
    play.press("]", .enter).type("36")
    try disk(play, isFull: true)
    play.press(.escape)
    #expect(play.message.hasSuffix(": NOT SAVED; Enter opens it again, it is kept until you leave the station"))
    try disk(play, isFull: false)
    play.press(.enter, .escape)
    #expect(play.message.hasSuffix(": tooth 36"))
    #expect(try play.count("SELECT count(*) FROM dataSection WHERE quad IS NOT NULL") == 1)
    play.press(.enter, .escape)
    #expect(try play.count("SELECT count(*) FROM dataSection WHERE quad IS NOT NULL") == 1)
  }

  @Test("a reason that could not be saved is offered again, to reopen and to move, for that alone")
  func reasons() throws {
    let play = try Rehearsed().mark("nokafor", at: "CHEST")
    play.type("1").press("M", "m").type("2\n").press("g").type("Wrong card")
    try disk(play, isFull: true)
    play.press(.enter)
    #expect(play.message.contains("the store refused the change"))
    try disk(play, isFull: false)
    play.press(.enter, "g")
    #expect(play.lines[23].contains("Wrong card"))
    play.press(.enter)
    #expect(play.message == "moved to 30108: check identity again; z undoes it")
    play.press("E", .enter, .enter, "S", "S", "s").type("Two left out")
    try disk(play, isFull: true)
    play.press(.enter)
    #expect(play.sheet.isSigned)
    try disk(play, isFull: false)
    play.press("s")
    #expect(play.screen.contains("Reason to reopen: Two left out"))
    play.press(.enter)
    #expect(!play.sheet.isSigned)
    #expect(try play.count("SELECT count(*) FROM operation WHERE \(Fixture.reason) = 'Two left out'") == 1)
  }

  @Test("a line for the hall that could not be saved is offered again at the desk")
  func message() throws {
    let play = try Rehearsed.runningDesk()
    play.press("8", "n").type("Hold the doors")
    try disk(play, isFull: true)
    play.press(.enter)
    #expect(play.message.contains("the store refused the change"))
    try disk(play, isFull: false)
    play.press("n")
    #expect(play.screen.contains("Hold the doors"))
    play.press(.enter)
    #expect(try play.count("SELECT count(*) FROM hallMessage WHERE text = 'Hold the doors'") == 1)
  }
}
