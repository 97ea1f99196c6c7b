import CircuitModel
import ExamStore
import Journal
import Reports
import Terminal
import Testing

@testable import OsceTUI

/// What goes on round the marking of one sheet.
@MainActor @Suite("Round the marking")
struct FlowTests {
  private func chest() throws -> Rehearsed { try Rehearsed().mark("nokafor", at: "CHEST") }

  @Test("what is said of a box goes with it, whether it is answered, followed by another, or left")
  func lineOfABox() throws {
    let play = try chest().press("a", "z")
    #expect(play.message.hasPrefix("press one of: p, a, l"))
    play.press("i")
    #expect(play.message.isEmpty)
    play.press(.escape, "Q", "z")
    #expect(play.message.hasPrefix("press one of: "))
    play.press(.escape)
    #expect(play.message.isEmpty)
  }

  /// At the identity step of a station with one of two sheets for each candidate.
  private func oneOfTwo() throws -> (play: Rehearsed, other: Int) {
    let play = try Rehearsed()
    let station = try play.session("CHEST").station
    let other = try play.count(
      """
      SELECT typeFormID FROM availableForm v JOIN activityType a ON a.dsid = v.activityTypeID
      WHERE a.code = 'ABDO' ORDER BY v.dsid
      """)
    try play.store.write(.program) {
      try $0.set("ActivityType", String(station), ["forms": .text("one")])
      try $0.create(
        "AvailableForm", "900001",
        ["activityType": .integer(Int64(station)), "typeForm": .integer(Int64(other)), "order": .integer(2)])
    }
    try play.startClock()
    try play.sit("nokafor", at: "CHEST")
    return (play, other)
  }

  @Test("where a station has one of several sheets, the identity step asks which; that one is opened")
  func oneOfSeveral() throws {
    let (play, other) = try oneOfTwo()
    play.press(.enter)
    #expect(play.screen.contains("Which mark sheet?"))
    #expect(play.sheetScreen.isAtIdentityStep)
    // Level keys pressed by reflex choose no sheet.
    play.type("0123456789tyn")
    #expect(play.sheetScreen.isAtIdentityStep && play.screen.contains("Which mark sheet?"))
    play.press("b")
    #expect(play.sheet.template.form == other)
    #expect(try play.count("SELECT count(*) FROM dataForm") == 1)
    play.press("q", .enter)
    #expect(play.context.overlay == nil && play.sheet.template.form == other)
  }

  @Test("a sheet chosen by mistake is chosen again as long as nothing is marked on it, and a line says what to do then")
  func chosenByMistake() throws {
    let (play, other) = try oneOfTwo()
    play.press(.enter, "b")
    #expect(play.message == "identity checked; candidate present; Tab chooses another sheet")
    let wrong = play.sheet
    play.press(.tab)
    #expect(play.flat.contains("Nothing is marked on Abdominal examination "))
    #expect(play.screen.contains("Chest pain history"))
    play.type("0123456789tyn").press(.escape)
    #expect(play.sheet.key == wrong.key)
    play.press(.tab, "a")
    #expect(wrong.template.form == other && play.sheet.template.form != other && !play.sheetScreen.isAtIdentityStep)
    #expect(play.message == "another sheet for the same candidate; Tab chooses again")
    #expect(try play.count("SELECT count(*) FROM dataForm WHERE dsDeleted = 0") == 1)
    let right = play.sheet
    play.type("1").press(.tab)
    #expect(play.message == "clear the marks first (z or x), then Tab chooses another sheet")
    #expect(play.context.overlay == nil && play.sheet.key == right.key)
    play.press("z", .tab, "a")
    #expect(play.sheet.template.form == wrong.template.form)
    play.press("S", "S", .tab)
    #expect(play.message == "this sheet is signed: s reopens it, with a reason")
    let unexplained = try play.store.read { try Fixture.unexplainedMarks($0) }
    #expect(unexplained.isEmpty)
  }

  @Test("where a station wants all of several sheets, Tab goes from one to the next")
  func allOfSeveral() throws {
    let play = try Rehearsed()
    let station = try play.session("CHEST").station
    let other = try play.count(
      """
      SELECT typeFormID FROM availableForm v JOIN activityType a ON a.dsid = v.activityTypeID
      WHERE a.code = 'ABDO' ORDER BY v.dsid
      """)
    try play.store.write(.program) {
      try $0.create(
        "AvailableForm", "900001",
        ["activityType": .integer(Int64(station)), "typeForm": .integer(Int64(other)), "order": .integer(2)])
    }
    try play.mark("nokafor", at: "CHEST")
    let first = play.sheet.template.form
    play.type("1").press(.tab)
    #expect(play.sheet.template.form == other && !play.sheet.items.contains { !$0.isBlank })
    play.press("z")
    #expect(play.message == "nothing to undo on this sheet")
    play.press(.tab)
    #expect(play.sheet.template.form == first && play.item(1).rating == MarkValue(1))
  }

  @Test("on the roster z undoes the person's last change, says which, asks first, and goes on to the one before")
  func rosterUndo() throws {
    let play = try chest()
    play.type("10").press("q", "z")
    #expect(play.screen.contains("Undo your last mark: 30101 Ms Chidinma Abara, item 2"))
    play.press(.escape)
    #expect(try play.count("SELECT count(*) FROM dataQuestion WHERE rating IS NOT NULL") == 2)
    play.press("z", .enter)
    #expect(play.message.hasPrefix("undone: 30101 Ms Chidinma Abara, item 2"))
    #expect(play.message.hasSuffix(", now blank"))
    #expect(try play.count("SELECT count(*) FROM dataQuestion WHERE rating IS NOT NULL") == 1)
    play.press("z", .enter)
    #expect(try play.count("SELECT count(*) FROM dataQuestion WHERE rating IS NOT NULL") == 0)
    play.press("z")
    #expect(play.message == "no mark of yours to undo at this station")
    play.press("Z", .enter)
    #expect(play.message.hasPrefix("done again: 30101"))
    #expect(play.message.hasSuffix(", now 1 Done"))
    #expect(try play.count("SELECT count(*) FROM dataQuestion WHERE rating IS NOT NULL") == 1)
  }

  @Test(
    "z at the roster never names an older mark as the last one where that is on a signed sheet, and says where it is")
  func rosterUndoOfSigned() throws {
    let play = try chest()
    play.type("1").press("S", "S", "q", "z")
    #expect(play.context.overlay == nil)
    #expect(play.message == "your last mark is on the signed sheet of 30101: s there reopens it")
  }

  @Test("the roster's undo takes back only what the person who sits here did")
  func rosterUndoIsOwn() throws {
    let play = try chest()
    play.type("1")
    let item = play.item(1)
    try play.elsewhere("fhaddad") { _ = try Marking($0).mark(item, level: item.template.levels[0]) }
    play.press("q", "z", .enter)
    #expect(play.message == "cannot undo: Dr Farah Haddad changed it since")
    play.press("z")
    #expect(play.message == "no mark of yours to undo at this station")
  }

  @Test("the history of an item says value, who, when on clock and phase, where, and what stands")
  func history() throws {
    let play = try chest()
    play.press("H")
    #expect(play.message == "item 1 was never marked")
    play.type("1").pass(seconds: 10).press("k").type("0").press("k", "H")
    let text = play.lines.joined(separator: " ").split(separator: " ").joined(separator: " ")
    #expect(text.contains("History of item 1"))
    #expect(text.contains("09:00:10 (ROTATION 1, 07:35 left) 0 Not done, by Dr Ngozi Okafor"))
    #expect(text.contains("STANDS"))
    #expect(text.contains("09:00:00 (ROTATION 1, 07:45 left) 1 Done, by Dr Ngozi Okafor"))
    #expect(text.contains("superseded"))
    play.press(.escape, "G", "j", "H")
    #expect(play.message == "an item has a history: go to one")
  }

  @Test("the last eight marks stand in a row with their times; an arrow goes to one and Enter to its item")
  func strip() throws {
    let play = try chest()
    play.press("r")
    #expect(play.message == "nothing was marked on this sheet yet")
    play.type("1010101").press("g").type("01")
    play.press("r")
    #expect(play.lines[21].hasPrefix("2=0  3=1  4=0  5=1  6=0  7=1  1=0  2=1 00:00"))
    #expect(play.message.hasPrefix("item 2: 1 Done at 09:00:00 (ROTATION 1, 07:45 left), Dr Ngozi Okafor"))
    for _ in 0..<9 { play.press(.left) }
    #expect(play.message.hasPrefix("item 2: 0 Not done"))
    #expect(play.lines[21].contains("2=0"))
    #expect(play.canvas.cursor == Point(x: 0, y: 21))
    play.press(.right).type("0")
    #expect(play.message == "in the last marks: arrows, Enter goes to the item, Esc leaves")
    #expect(play.item(3).rating == MarkValue(1))
    play.press(.enter)
    #expect(play.focus == 3)
    play.type("0")
    #expect(play.item(3).rating == MarkValue(0))
    play.press("R")
    #expect(!play.lines[21].contains("4=0"))
    play.resize(80, 22)
    play.press("r")
    #expect(play.message == "the strip needs 24 rows")
  }

  @Test("beside the sheet stand the candidate's instructions and the last marks, the newest first, at their own rows")
  func beside() throws {
    let play = try Rehearsed((132, 43)).mark("nokafor", at: "CHEST")
    func place(_ heading: String) throws -> Int {
      try #require(play.lines.firstIndex { $0.contains("│ " + heading) }, "\(play.screen)")
    }
    let (marks, candidate) = (try place("LAST MARKS"), try place("FOR THE CANDIDATE"))
    #expect(play.lines[candidate + 1].contains("You are a doctor in the acute medical unit."), "\(play.screen)")
    #expect(play.lines[marks + 1].contains("none yet"))
    play.type("10")
    #expect(try place("LAST MARKS") == marks && place("FOR THE CANDIDATE") == candidate, "\(play.screen)")
    #expect(play.lines[marks + 1].contains("2  0 Not done") && play.lines[marks + 1].hasSuffix("09:00:00"))
    #expect(play.lines[marks + 2].contains("1  1 Done"), "\(play.screen)")
    // The strip says the same.
    play.press("R")
    #expect(!play.screen.contains("LAST MARKS"), "\(play.screen)")
  }

  @Test("the key that was chosen for the last marks leaves them again, and no other letter does")
  func chosenStripKey() throws {
    var configuration = Configuration()
    configuration.keys = ["sheet.strip": ["V"]]
    let play = try Rehearsed(configuration: configuration).mark("nokafor", at: "CHEST")
    play.type("1").press("V", "r")
    #expect(play.message == "in the last marks: arrows, Enter goes to the item, Esc leaves")
    play.press("V")
    #expect(play.sheetScreen.surroundings.strip.focus == nil)
  }

  @Test("a jot keeps its line with the phase's time, for its author alone")
  func jot() throws {
    let play = try chest()
    play.press(",")
    #expect(play.lines[22].hasPrefix("Note (ROTATION 1, 07:45 left):"))
    play.type("shaky hands, 1 2 3\n")
    let entry = try #require(play.sheetScreen.entry)
    let author = try play.member("nokafor").id
    let jots = try play.store.read { try Jots.all(entry: entry.key, author: author, in: $0) }
    #expect(jots.map(\.text) == ["shaky hands, 1 2 3"])
    #expect(jots.map(\.phase) == ["ROTATION 1, 07:45 left"])
    #expect(!play.sheet.items.contains { !$0.isBlank })
    play.press(",", .enter)
    #expect(play.message == "an empty line is not kept")
  }

  @Test("hidden, a sheet shows neither marks nor texts and refuses every key that would, but clock and candidate stay")
  func privacy() throws {
    let play = try chest()
    play.type("1").press("\\")
    let before = try play.count("SELECT count(*) FROM operation")
    #expect(!play.screen.contains("Washes hands") && !play.screen.contains("1/19"))
    #expect(play.lines[0].contains("ROUND 1 of 8  STATION  ▐ 07:45 ▌"))
    #expect(play.lines[1].hasPrefix(" IN THE ROOM  30101"))
    for key: Key in ["1", "0", "x", "u", "e", "c", "m", "h", "H", "r", ",", "s", "b", "z", ">", "j", "M"] {
      play.press(key)
      #expect(play.message == "the sheet is hidden: \\ shows it again, then press the key", "\(key.name)")
      #expect(play.context.overlay == nil && play.context.screen is SheetScreen, "\(key.name)")
    }
    #expect(try play.count("SELECT count(*) FROM operation") == before)
    play.press("\\")
    #expect(play.screen.contains("Washes hands"))
  }

  @Test("on the number pad + - and N act on a written item too")
  func padOnWritten() throws {
    let play = try chest()
    play.press("N", "'").type("18\n")
    #expect(play.sheetScreen.focusedItem?.template.kind.isWritten == true)
    play.press("+")
    #expect(play.focus == 19)
    play.press("-")
    #expect(play.focus == 18)
    play.press("N")
    #expect(play.message == "number pad off")
  }

  @Test("eight last marks of two digits fit beside each other, and a cleared one is an x")
  func stripOfEight() throws {
    let play = try chest()
    play.press("'").type("10\n").type("1010101").press("k", "x", "r")
    #expect(play.lines[21].hasPrefix("10=1  11=0  12=1  13=0  14=1  15=0  16=1  16=x 00:00"))
  }

  @Test("the heading has the weightiest first; the mark keys of a read-only sheet are off")
  func readOnly() throws {
    let play = try chest()
    play.type("1").press("P").type("haddad\n").press("N")
    #expect(play.lines[1].hasSuffix("PAPER Haddad PAD"))
    let second = try play.atSameStore()
    try second.sit("nokafor", at: "CHEST")
    second.press("O")
    play.pass(seconds: 1)
    #expect(play.lines[1].hasSuffix("READ-ONLY PAPER Haddad PAD"))
    let level = try #require(play.table["sheet.level"])
    guard case .disabled(let reason) = level.availability else {
      Issue.record("a level key is on")
      return
    }
    #expect(reason.hasPrefix("READ-ONLY, O takes it back"))
    play.press("x")
    #expect(play.message == reason)
    #expect(!play.item(1).isBlank)
    play.press("G", .down)
    #expect(play.screen.contains("END OF SHEET: m lists the blanks, read-only"), "\(play.screen)")
  }

  @Test("the number pad marks as printed, . is unable, - and + go back and on; the screen says PAD")
  func pad() throws {
    let play = try Rehearsed().mark("aalrashid", at: "NEWS")
    play.press("'").type("8\n").press(".")
    #expect(play.message == "a key of the number pad: N turns it on")
    play.press("N")
    #expect(play.lines[1].contains(" PAD"))
    play.press(".")
    #expect(play.item(8).isUnable && play.focus == 9)
    play.press("-").type("2")
    #expect(play.item(8).rating == MarkValue(2) && play.focus == 9)
    play.press("+")
    #expect(play.focus == 10)
    // The letter of the tenth level is on no number pad.
    play.press("-", "-", "*").type("1\n")
    #expect(play.item(8).rating == MarkValue(1) && play.focus == 9)
    play.press("g", ".")
    #expect(play.message == "not offered on this item: the keys are 0 or n, 1 or y")
    play.press("N")
    #expect(!play.lines[1].contains(" PAD"))
  }
}
