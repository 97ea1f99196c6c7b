import Terminal
import Testing
import Timer

@testable import CircuitModel
@testable import ExamStore
@testable import OsceTUI
@testable import Reports

/// What is said and done when the bell has gone and the sheet of who left is still open.
@MainActor @Suite("After the bell")
struct AfterTheBellTests {
  @Test("the second line says who is in the room beside whose sheet is open, and the key, through all phases")
  func secondLine() throws {
    let play = try Rehearsed().mark("nokafor", at: "CHEST").type("1")
    #expect(!play.lines[1].contains("30108"))
    play.pass(seconds: 480)
    #expect(play.lines[0].contains("CHANGEOVER"))
    #expect(play.lines[1].contains("LEFT (round 1)") && play.lines[1].contains("AT THE DOOR 30108"))
    #expect(play.lines[1].hasSuffix(">"))
    // No key and no time takes the line away.
    play.type("1").pass(seconds: 40)
    #expect(play.lines[1].contains("30108"))
    play.pass(seconds: 20)
    #expect(play.lines[0].contains("ROUND 2 of 8  WAITING FOR READING") && play.lines[1].contains("AT THE DOOR 30108"))
    try play.clock(.start)
    play.pass(seconds: 1)
    #expect(play.lines[1].contains("READING OUTSIDE 30108"))
    play.pass(seconds: 60)
    #expect(play.lines[0].contains("ROUND 2 of 8  STATION") && play.lines[1].contains("IN THE ROOM 30108"))
    play.press("c")
    #expect(play.lines[1].contains("IN THE ROOM 30108"))
    play.press("q", ">")
    #expect(play.sheetScreen.entry?.candidate?.number == "30108")
    #expect(play.lines[1].contains(" IN THE ROOM  30108"))
  }

  @Test("at 60x20 both surnames and every key to the next candidate stand, whatever lies over the sheet")
  func narrowSecondLine() throws {
    let play = try Rehearsed((60, 20)).mark("nokafor", at: "CHEST").type("1")
    play.pass(seconds: 480)
    #expect(play.lines[1].hasSuffix("  30101  Abara ▸ AT THE DOOR 30108 Farrell  >"), "\(play.lines[1])")
    play.press("m")
    #expect(play.lines[1].hasPrefix(" LEFT (round 1)  30101  Abara "), "\(play.lines[1])")
    #expect(play.lines[1].hasSuffix(" ▸ 30108 Farrell  q >"), "\(play.lines[1])")
    play.press("q", "?")
    #expect(play.lines[1].hasPrefix(" LEFT (round 1)  30101  Abara "), "\(play.lines[1])")
    #expect(play.lines[1].hasSuffix(" ▸ 30108 Farrell  Esc >"), "\(play.lines[1])")
  }

  @Test(
    "where somebody is who is not in the room follows what the clock does: whatever waits for its start has not begun",
    arguments: [
      ("reading 60!", "AT THE DOOR"), ("reading 60", "READING OUTSIDE"), ("rotation 60!", "AT THE DOOR"),
      ("changeover 60!", "NEXT"), ("changeover 60", "AT THE DOOR"), ("break 60!", "NEXT"), ("break 60", "NEXT"),
      ("feedback 60!", "NEXT"),
    ])
  func place(phase: String, place: String) {
    let words = phase.split(separator: " ")
    let next = PhaseDuration(
      type: PhaseType(name: String(words[0])), lengthMs: 60_000, manualStart: phase.hasSuffix("!"))
    let begin = PhaseDuration(type: .rotation, lengthMs: 60_000)
    let start = ClockEvent(
      id: "a", at: Instant(milliseconds: 0),
      kind: .start(StartPlan(durations: [begin, next], warnings: nil, rounds: 1)), passage: nil)
    let now = Instant(milliseconds: 65_000)
    #expect(Rotation.fold([start], until: now).state(at: now).placeBeforeRoom.plain == place)
  }

  @Test("> leads from an old sheet to who is in the room, as on the roster, and from there to who comes next")
  func oneMeaning() throws {
    let play = try Rehearsed()
    try play.startClock(seconds: 75 + 2 * 600)
    try play.sit("nokafor", at: "CHEST").press("q", "g", "j", .enter)
    #expect(play.sheetScreen.entry?.candidate?.number == "30101")
    play.press(">")
    #expect(play.sheetScreen.entry?.candidate?.number == "30108")
    play.press("q", "g", ">")
    #expect(play.sheetScreen.entry?.candidate?.number == "30108")
    play.press(">")
    #expect(play.sheetScreen.entry?.candidate?.number == "30107")
  }

  @Test("> leads to the room from a sheet opened ahead too, and the last candidate's sheet offers no next")
  func ahead() throws {
    let play = try Rehearsed()
    try play.startClock()
    try play.sit("nokafor", at: "CHEST").press("q", "G", .enter)
    #expect(play.lines[1].contains("NOT YET HERE") && play.lines[23].contains("> 30101"))
    play.press(">")
    #expect(play.sheetScreen.entry?.candidate?.number == "30101" && play.lines[23].contains("> next"))
    let last = try Rehearsed()
    try last.startClock()
    try last.sit("nokafor", at: "CHEST")
    try last.clock(.jump(index: 23))
    last.press("q", ">", .enter)
    #expect(last.lines[1].contains(" IN THE ROOM ") && !last.lines[23].contains("> next"))
  }

  @Test(
    "the second line names the key that goes to the room only as it acts: after Esc in an editor, after q elsewhere")
  func keyThere() throws {
    let play = try Rehearsed().mark("nokafor", at: "CHEST").type("1")
    play.pass(seconds: 480)
    #expect(play.lines[1].hasSuffix(" >") && !play.lines[1].contains("then"))
    play.press("e")
    #expect(play.lines[1].hasSuffix("Esc, then >"))
    play.press(.escape, "c")
    #expect(play.lines[1].hasSuffix("q, then >"))
    play.press("q", ">")
    #expect(play.sheetScreen.entry?.candidate?.number == "30108")
  }

  @Test("what is left blank is said with the key that leads back there, and with no other")
  func wayBack() throws {
    let play = try Rehearsed()
    try play.startClock()
    try play.sit("nokafor", at: "CHEST").press(.enter).type("1")
    try play.clock(.jump(index: 8))
    play.press(">")
    #expect(play.message.hasPrefix("30101: ") && play.message.hasSuffix("still blank; q goes to the roster"))
    let next = try Rehearsed().mark("nokafor", at: "CHEST").type("1").press(">")
    #expect(next.message.hasSuffix("still blank; < goes back"))
  }

  @Test("nobody is asked whether someone who has left is in the room")
  func gone() throws {
    let play = try Rehearsed()
    try play.startClock()
    try play.sit("nokafor", at: "CHEST")
    #expect(play.screen.contains("Check the candidate"))
    play.pass(seconds: 480)
    #expect(!play.screen.contains("Check the candidate") && play.screen.contains("30101 Ms Chidinma Abara has left"))
    play.press(.enter)
    #expect(play.sheetScreen.isAtIdentityStep)
    #expect(play.message == "30101 has left: > opens 30108; E, then Enter, opens this sheet anyway")
    play.press("E", .enter, .enter)
    #expect(!play.sheetScreen.isAtIdentityStep)
  }

  @Test("the footer follows the clock: at the bell no key is offered that marks early, in the frame made before it")
  func footer() throws {
    let play = try Rehearsed()
    try play.startClock(seconds: 59)
    try play.sit("nokafor", at: "CHEST").press("E", .enter, .enter)
    #expect(play.lines[23].contains("E mark early"))
    let frame = play.prerender()
    #expect(frame.lines[0].contains("ROUND 1 of 8  STATION") && !frame.lines[23].contains("E mark early"))
  }

  @Test("a change of the clock is a line")
  func clockChange() throws {
    let play = try Rehearsed().mark("nokafor", at: "CHEST")
    let session = try play.session("CHEST")
    try play.store.write(.program) {
      _ = try ClockLog.append(.extend(seconds: 120), to: session.session, at: play.store.clock.now, in: $0)
    }
    play.pass(seconds: 1)
    #expect(play.message.hasPrefix("the invigilator has extended this phase by 2 minutes"))
    try play.store.write(.program) {
      _ = try ClockLog.append(.extend(seconds: -30), to: session.session, at: play.store.clock.now, in: $0)
    }
    play.pass(seconds: 1)
    #expect(play.message == "the invigilator has shortened this phase by 30 seconds")
    // It is no line about the next phase.
    try play.clock(.skip)
    #expect(play.message.isEmpty, "\(play.message)")
  }

  @Test("a sheet that was taken over stays so when the same person opens it again, here or elsewhere")
  func takenOver() throws {
    let play = try Rehearsed().mark("nokafor", at: "CHEST").type("11")
    let second = try play.atSameStore()
    try second.sit("nokafor", at: "CHEST")
    second.press("O")
    play.pass(seconds: 1)
    #expect(play.lines[1].contains("READ-ONLY"))
    play.press("q", .enter)
    #expect(play.lines[1].contains("READ-ONLY"))
    play.type("1")
    #expect(play.item(3).isBlank)
    let third = try play.atSameStore()
    try third.sit("nokafor", at: "CHEST")
    #expect(third.lines[1].contains("READ-ONLY"))
    third.press("O").type("1")
    #expect(!third.item(3).isBlank)
  }

  @Test("undoing a burst puts the focus back on its first item, and a signed sheet says so before it asks")
  func undo() throws {
    let play = try Rehearsed().mark("nokafor", at: "CHEST")
    play.burst("1111").press("G", "z")
    #expect(play.focus == 1)
    play.type("1").press("q", .enter, "S", "S", "z")
    #expect(play.context.overlay == nil)
    #expect(play.message == "this sheet is signed: s reopens it, with a reason")
  }

  @Test("a concern takes its words as they are typed, and a help call is withdrawn where it was made")
  func concernAndHelp() throws {
    let play = try Rehearsed().mark("nokafor", at: "CHEST")
    play.press("f").type("so post-operative\n")
    #expect(
      try play.count("SELECT count(*) FROM commentMetaStationCandidate WHERE concern AND text = 'so post-operative'")
        == 1)
    play.press("f").type("  \n")
    #expect(play.message == "no concern raised: nothing was written")
    play.press("!", "k").pass(seconds: 1)
    #expect(play.lines[1].contains("HELP"))
    play.press("!", "w")
    #expect(!play.lines[1].contains("HELP") && play.message == "help call withdrawn: Equipment")
    #expect(try play.count("SELECT count(*) FROM assistanceRequested WHERE status = 'resolved'") == 1)
    #expect(try play.store.read { try HelpCalls.all(in: $0).map(\.isWithdrawn) } == [true])
    var cells: [String] = []
    try play.store.read { try HelpExport.forEachRow(in: $0, at: play.store.clock.now) { cells += $0.map { "\($0)" } } }
    #expect(cells.contains { $0.contains("withdrawn") } && !cells.contains { $0.contains("resolved") }, "\(cells)")
  }
}
