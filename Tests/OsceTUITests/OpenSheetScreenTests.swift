import GRDB
import Terminal
import Testing

@testable import CircuitModel
@testable import ExamStore
@testable import OsceTUI
@testable import Reports

/// One sheet at two terminals, and a sheet that somebody else began.
@MainActor @Suite("A sheet at two terminals")
struct OpenSheetScreenTests {
  private func two() throws -> (Rehearsed, Rehearsed) {
    let play = try Rehearsed().mark("nokafor", at: "CHEST")
    play.type("1")
    let second = try play.atSameStore()
    try second.sit("nokafor", at: "CHEST")
    second.settle()
    play.pass(seconds: 1)
    return (play, second)
  }

  @Test("a sheet open at two terminals says so at both, with who and since when")
  func saysSo() throws {
    let (play, second) = try two()
    for terminal in [play, second] {
      #expect(terminal.message.hasPrefix("also open at "))
      #expect(terminal.message.hasSuffix("by Dr Ngozi Okafor since 09:00: O takes it over"))
      #expect(terminal.lines[1].contains("also open at "))
    }
  }

  @Test("that a sheet is open elsewhere takes no room from the number and the surname on the second line")
  func numberBesideOthers() throws {
    let (play, second) = try two()
    play.pass(seconds: 540)
    try play.clock(.start)
    play.pass(seconds: 1).press("S")
    #expect(play.sheetScreen.heading.trailing.plain.hasPrefix(" also open at "))
    #expect(play.lines[1].hasPrefix(" LEFT (round 1)  30101  Abara"), "\(play.lines[1])")
    #expect(play.lines[1].contains("READING OUTSIDE 30108 "), "\(play.lines[1])")
    play.press(.escape).pass(seconds: 60)
    play.resize(60, 20)
    #expect(play.lines[1].hasPrefix(" LEFT (round 1)  30101  Abara"), "\(play.lines[1])")
    #expect(play.lines[1].contains("IN THE ROOM 30108 Farrell  >"), "\(play.lines[1])")
    // With a box over it the key is longer: where the next is falls off, neither surname does.
    play.press("S")
    #expect(play.lines[1].hasPrefix(" LEFT (round 1)  30101  Abara "), "\(play.lines[1])")
    #expect(play.lines[1].hasSuffix(" ▸ 30108 Farrell  Esc >"), "\(play.lines[1])")
    withExtendedLifetime(second) {}
  }

  @Test("where a sheet is open too gives way to what has become of a call for help")
  func helpBesideOthers() throws {
    let (play, second) = try two()
    play.press("!", "k").pass(seconds: 1)
    #expect(play.lines[1].contains("  30101  Ms Chidinma Abara "), "\(play.lines[1])")
    #expect(play.lines[1].contains(" HELP requested · also open"), "\(play.lines[1])")
    try play.elsewhere("fhaddad") { transaction in
      try HelpCalls.respond(#require(try HelpCalls.open(in: transaction.db).first), transaction)
    }
    play.pass(seconds: 1)
    #expect(play.lines[1].contains("  30101  Ms Chidinma Abara "), "\(play.lines[1])")
    #expect(play.lines[1].contains(" HELP on the way · also open"), "\(play.lines[1])")
    withExtendedLifetime(second) {}
  }

  @Test("taken over, the older terminal is read-only and says so, until it takes the sheet back")
  func takeOver() throws {
    let (play, second) = try two()
    second.press("O")
    #expect(second.message.hasPrefix("taken over from Dr Ngozi Okafor at "))
    play.pass(seconds: 1)
    #expect(play.message.contains("taken over by Dr Ngozi Okafor at"))
    #expect(play.lines[1].contains("READ-ONLY"))
    play.press("j").type("1")
    #expect(play.message.hasPrefix("READ-ONLY, O takes it back: taken over by "))
    #expect(play.sheet.items.count { !$0.isBlank } == 1)
    second.type("0")
    #expect(second.sheet.items.count { !$0.isBlank } == 2)
    play.press("O").type("1")
    second.pass(seconds: 1)
    #expect(second.lines[1].contains("READ-ONLY"))
  }

  @Test("what is written at both is kept from both, whichever was begun or saved first")
  func bothWrite() throws {
    let (play, second) = try two()
    play.press("'").type("1\n").press("e").type("one").pass(seconds: 3)
    second.pass(seconds: 1).press("'").type("1\n").press("e").type(" by the other").press(.escape)
    #expect(second.item(1).feedback == "one by the other")
    play.type(" mine").press(.escape)
    #expect(play.item(1).feedback == "one mine" && play.screen.contains("2 values"))
    func standing() throws -> Int {
      let key = play.item(1).key
      let heads = try play.read {
        try String.fetchOne($0, sql: "SELECT heads FROM dataQuestion WHERE uuid = ?", arguments: [key])
      }
      return HeadsColumn(text: heads ?? "")["feedback"].count
    }
    #expect(try standing() == 2)
    second.pass(seconds: 1)
    #expect(second.screen.contains("2 values"))
    // A writing that goes on after that makes no third value of its own pieces.
    play.press("e").type(" again").pass(seconds: 3).type(" and again").press(.escape)
    #expect(play.item(1).feedback == "one mine again and again")
    #expect(try standing() == 2)
  }

  @Test("where the identity was checked at the other terminal the focus is on the first blank, as at that one")
  func checkedAtTheOther() throws {
    let play = try Rehearsed()
    try play.startClock()
    try play.sit("nokafor", at: "CHEST")
    let second = try play.atSameStore()
    try second.sit("nokafor", at: "CHEST")
    #expect(second.sheetScreen.isAtIdentityStep)
    play.press(.enter)
    second.pass(seconds: 1)
    #expect(play.focus == 1 && second.focus == 1)
  }

  @Test("that O takes the sheet back is said only where it does")
  func saidWhereTrue() throws {
    let (play, second) = try two()
    second.press("O")
    play.pass(seconds: 1)
    #expect(play.message.hasPrefix("READ-ONLY, O takes it back: "))
    play.resize(59, 20)
    #expect(play.message.hasPrefix("READ-ONLY: taken over by "))
    #expect(!play.screen.contains("O takes"))
    play.resize(80, 24)
    #expect(play.message.hasPrefix("READ-ONLY, O takes it back: "))
    let written = try #require(play.sheet.items.firstIndex { $0.template.kind.isWritten })
    play.press("1", "G", "k")
    while play.focus != written + 1 { play.press("k") }
    #expect(!play.screen.contains("O takes"), "what was said of another row went with it")
    for key: Key in ["O", "x", .enter] {
      play.press(key)
      #expect(play.message.hasPrefix("READ-ONLY, O on another row takes it back: "), "\(key.name)")
    }
    #expect(play.lines[1].contains("READ-ONLY"))
    play.press("g", "\\")
    second.press("q")
    #expect(!play.screen.contains("O takes"))
    play.press("\\", "1")
    #expect(play.message.hasPrefix("READ-ONLY, O takes it back: "))
  }

  @Test("a mark given before the older terminal has seen that the sheet was taken over is not kept, and says so")
  func takenOverMeanwhile() throws {
    let (play, second) = try two()
    second.press("O")
    // The older terminal has not looked at the store since.
    play.type("1")
    #expect(try play.count("SELECT count(*) FROM dataQuestion WHERE rating IS NOT NULL") == 1)
    #expect(play.message.contains("taken over"))
    play.pass(seconds: 1)
    for key: Key in ["s", "b", "d", "u", "x", "e"] {
      play.press(key)
      #expect(play.context.overlay == nil, "\(key.name)")
    }
    #expect(try play.count("SELECT count(*) FROM dataForm WHERE signedAt IS NOT NULL") == 0)
  }

  @Test("what is being typed is kept when the sheet is taken over")
  func editorIsKept() throws {
    let (play, second) = try two()
    play.press("e").type("Half a word")
    second.press("O")
    play.pass(seconds: 1)
    #expect(play.context.overlay == nil)
    #expect(play.sheet.items.contains { $0.feedback == "Half a word" })
  }

  @Test("what is typed on after another terminal has closed the editor is no command until a pause, and the line stays")
  func typedOn() throws {
    let (play, second) = try two()
    play.press("e").type("Half a word")
    let item = try #require(play.focus)
    second.press("O")
    play.pass(seconds: 1)
    #expect(play.message.hasPrefix("READ-ONLY, O takes it back: taken over by "))
    #expect(play.message.hasSuffix("; item \(item): text saved"))
    let (line, row) = (play.message, play.sheetScreen.rows.selection.index)
    play.pace = 300
    play.type(" and a comma, for\nO!jq").send(.paste("pasted"))
    #expect(play.message == line && play.context.overlay == nil && play.sheetScreen.rows.selection.index == row)
    #expect(play.lines[1].contains("READ-ONLY"))
    // The line goes on saying only what holds.
    play.resize(59, 20)
    #expect(!play.screen.contains("O takes"))
    play.resize(80, 24)
    play.pace = 1000
    play.press("O")
    #expect(!play.lines[1].contains("READ-ONLY"))
  }

  @Test("leaving a sheet says that it is open no more")
  func leaving() throws {
    let (play, second) = try two()
    second.press("q")
    play.pass(seconds: 1)
    #expect(!play.lines[1].contains("also open"))
    #expect(try play.count("SELECT count(*) FROM sitting WHERE openSheet IS NOT NULL") == 1)
    play.press(">")
    #expect(try play.count("SELECT count(*) FROM sitting WHERE openSheet IS NOT NULL") == 0)
  }

  @Test("a sheet that was taken over is not moved from the terminal that lost it")
  func movingTakenOver() throws {
    let (play, second) = try two()
    play.press("M", "m")
    second.press("O")
    play.type("2\n").press("y").type("Wrong card\n")
    #expect(play.message.contains("taken over"))
    #expect(try play.count("SELECT count(*) FROM operation WHERE \(Fixture.reason) = 'Wrong card'") == 0)
    play.press("q")
    play.pass(seconds: 1)
    play.press("M")
    #expect(play.context.overlay == nil)
    #expect(play.message.hasPrefix("READ-ONLY, O takes it back"))
  }

  @Test("when another terminal exchanges the open sheet, nothing is taken back, and it is opened by Enter anew")
  func exchanged() throws {
    let play = try Rehearsed().mark("nokafor", at: "CHEST")
    play.type("10").press(">", "E", .enter, .enter).type("101")
    let second = try play.atSameStore()
    try second.sit("nokafor", at: "CHEST")
    second.press("q", "M", "s")
    if second.screen.contains("Swap with whose") { second.type("1\n").type("Swapped badges\n") }
    #expect(try play.count("SELECT count(*) FROM operation WHERE \(Fixture.reason) = 'Swapped badges'") > 0)
    let marks = "SELECT count(*) FROM dataQuestion WHERE rating IS NOT NULL"
    // The change has not been looked at yet: the disk refuses it.
    play.press("z")
    #expect(try play.count(marks) == 5)
    play.pass(seconds: 1)
    #expect(play.sheetScreen.isAtIdentityStep)
    for key in ["z", "1", "s", "b"] { play.type(key) }
    #expect(try play.count(marks) == 5)
    // Nobody has read by now whose sheet it is, and that this one is not due has not been said yes to.
    play.pass(seconds: 1)
    play.press("E", .enter, .enter)
    #expect(play.sheet.items.count { !$0.isBlank } == 2)
    #expect(play.sheetScreen.history.undoStep == nil)
  }

  @Test("what is being written when the sheet is exchanged is kept for its own item")
  func exchangedWhileWriting() throws {
    let play = try Rehearsed().mark("nokafor", at: "CHEST")
    play.type("10").press("e").type("Half a word")
    let item = try #require(play.sheetScreen.focusedItem)
    let timetable = try play.session("CHEST").timetable
    let entries = try play.store.read { try Roster.entries(timetable: timetable, seat: .lead, in: $0) }
    try play.store.write(.program) {
      let plan = try WrongCandidate.plan(.move(from: entries[0].key, to: entries[1].key), in: $0.db)
      try WrongCandidate.apply(plan, reason: "Wrong card", movesAttendance: false, in: $0)
    }
    play.pass(seconds: 1)
    #expect(play.context.overlay == nil && play.sheetScreen.isAtIdentityStep)
    #expect(play.message.hasPrefix("sheet swapped"))
    #expect(play.message.hasSuffix("what was being written is kept"))
    #expect(play.context.unsaved.texts[play.sheetScreen.unsavedText(of: item)] == ["Half a word"])
    #expect(try play.count("SELECT count(*) FROM dataQuestion WHERE feedback = 'Half a word'") == 0)
  }

  @Test("a second assessor is told in an alarm that the other assessor moved a sheet, and is not marked on meanwhile")
  func otherAssessorMoved() throws {
    let play = try Rehearsed().mark("mlindqvist", at: "CONSENT")
    play.type("1")
    let second = try play.atSameStore()
    try second.sit("rfitzgerald", at: "CONSENT")
    second.press(.enter).type("0")
    play.press("M", "m").type("2\n").press("y").type("Wrong card\n")
    second.pass(seconds: 1)
    #expect(second.message.hasPrefix("the other assessor moved "))
    #expect(second.message.hasSuffix("; M moves yours"))
    #expect(second.sheetScreen.isAtIdentityStep)
    second.press("M")
    #expect(second.context.overlay != nil)
  }

  @Test("a half-marked sheet that was opened while it was locked is asked to be taken over once the lock is lifted")
  func coverOfLocked() throws {
    let play = try Rehearsed().mark("nokafor", at: "CHEST")
    play.type("101").press("q", "q")
    let timetable = try play.session("CHEST").timetable
    let (cover, lead) = (try play.member("fhaddad").id, try play.member("cdubois").id)
    try play.store.write(.program) { try Attendance.cover(timetable, by: cover, in: $0) }
    try play.store.write(.program) { try $0.lockExam(by: lead) }
    let second = try play.atSameStore()
    try second.sit("fhaddad", at: "CHEST")
    second.pass(seconds: 1)
    #expect(!second.screen.contains("Take over this sheet?"), "\(second.screen)")
    let lock = try #require(try play.store.read { try ExamLock.standing(in: $0) }.first)
    try play.store.write(.program) {
      $0.isLockLifted = true
      try $0.set(
        "ExamLock", lock.key,
        [
          "reopenedAt": .integer($0.clock.now.milliseconds), "reopenReason": .text("a mark is missing"),
          "reopenedBy": .integer(Int64(lead)),
        ])
    }
    second.pass(seconds: 1).type("1")
    #expect(second.screen.contains("Take over this sheet?"), "\(second.screen)")
    #expect(second.sheet.items.count { !$0.isBlank } == 3)
  }

  @Test("a cover opening a half-marked sheet takes it over or leaves it; nothing is marked before")
  func cover() throws {
    let play = try Rehearsed().mark("nokafor", at: "CHEST")
    play.type("101").press("q", "q")
    let timetable = try play.session("CHEST").timetable
    let cover = try play.member("fhaddad")
    try play.store.write(.program) { try Attendance.cover(timetable, by: cover.id, in: $0) }
    let second = try play.atSameStore()
    try second.sit("fhaddad", at: "CHEST")
    #expect(second.text.contains("Dr Ngozi Okafor marked 3 of 19"))
    second.press(.escape).type("1")
    #expect(second.screen.contains("Take over this sheet?"))
    #expect(second.sheet.items.count { !$0.isBlank } == 3)
    second.press("l")
    #expect(second.context.screen is RosterScreen)
    second.press(.enter).type("0123456789tyn")
    #expect(second.screen.contains("Take over this sheet?"))
    second.press("O")
    #expect(second.message == "taken over: each mark keeps who gave it")
    second.type("1")
    let first = try play.member("nokafor").id
    #expect(try play.count("SELECT count(*) FROM dataQuestion WHERE judgedByID = \(first)") == 3)
    #expect(try play.count("SELECT count(*) FROM dataQuestion WHERE judgedByID = \(cover.id)") == 1)
  }
}
