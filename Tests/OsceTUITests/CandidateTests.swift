import CircuitModel
import ExamStore
import Reports
import Terminal
import Testing

@testable import OsceTUI

/// The right mark on the right candidate.
@MainActor @Suite("Candidates")
struct CandidateTests {
  @Test("the identity step refuses level keys, which are not queued either, and only Enter passes it")
  func identityStep() throws {
    let play = try Rehearsed()
    try play.startClock()
    try play.sit("nokafor", at: "CHEST")
    let before = try play.count("SELECT count(*) FROM operation")
    for key in "0123456789tyn" {
      play.type(String(key))
      #expect(play.sheetScreen.isAtIdentityStep)
      #expect(play.message == "press Enter once you have checked who is in the room")
    }
    for key in ["u", "x", "e", "z", "b", "d", "s", "=", "'", "[", "]", " "] {
      play.type(key)
      #expect(play.sheetScreen.isAtIdentityStep)
      #expect(play.context.overlay == nil)
    }
    #expect(try play.count("SELECT count(*) FROM operation") == before)
    play.press(.enter)
    #expect(!play.sheetScreen.isAtIdentityStep)
    #expect(!play.sheet.items.contains { !$0.isBlank })
  }

  @Test("back at the roster its keys act on the candidate whose sheet was left")
  func rosterFocus() throws {
    let play = try Rehearsed()
    try play.startClock()
    try play.sit("nokafor", at: "CHEST")
    play.press(">", "q", "a", "p")
    let timetable = try play.session("CHEST").timetable
    let present = try play.store.read { try Roster.entries(timetable: timetable, seat: .lead, in: $0) }.filter {
      $0.isPresent == true
    }
    #expect(present.map(\.candidate?.number) == ["30108"])
  }

  @Test("passing the identity step records present and the time, and makes the sheet")
  func recordsPresent() throws {
    let play = try Rehearsed()
    try play.startClock()
    try play.sit("nokafor", at: "CHEST")
    #expect(try play.count("SELECT count(*) FROM dataForm") == 0)
    play.press(.enter)
    #expect(play.sheetScreen.entry?.isPresent == true)
    #expect(play.sheetScreen.entry?.identityCheckedAt == play.store.clock.now)
    #expect(try play.count("SELECT count(*) FROM dataForm") == 1)
    #expect(play.message == "identity checked; candidate present")
  }

  @Test("an Enter that comes with the key that opened the sheet passes nothing: nobody has read the name")
  func enterTooFast() throws {
    let play = try Rehearsed()
    try play.startClock()
    try play.sit("nokafor", at: "CHEST")
    play.press("q").burst("\n\n11")
    #expect(play.sheetScreen.isAtIdentityStep)
    #expect(try play.count("SELECT count(*) FROM timetableAttendanceLog WHERE identityCheckedAt IS NOT NULL") == 0)
    play.press(.enter)
    #expect(!play.sheetScreen.isAtIdentityStep)
    #expect(!play.sheet.items.contains { !$0.isBlank })
    play.press(">", "E", .enter).burst("\n")
    #expect(play.sheetScreen.entry?.candidate?.number == "30108" && !play.sheetScreen.isAtIdentityStep)
  }

  @Test("a second Enter within a quarter of a second passes no identity step; after another key one does at once")
  func enterTwiceOnTheRoster() throws {
    for gap: Int64 in [50, 150, 249] {
      let play = try Rehearsed()
      try play.startClock()
      try play.sit("nokafor", at: "CHEST")
      play.press("q", .enter)
      play.pace = gap
      play.press(.enter)
      #expect(play.sheetScreen.isAtIdentityStep, "\(gap)")
      #expect(play.message == "Enter ignored: look at the candidate, then press it again", "\(gap)")
      play.passTime(1000)
      #expect(play.sheetScreen.isAtIdentityStep, "\(gap)")
      play.pace = 1000
      play.press(.enter)
      #expect(!play.sheetScreen.isAtIdentityStep, "\(gap)")
    }
    // After another key there is no doubt.
    let play = try Rehearsed()
    try play.startClock()
    try play.sit("nokafor", at: "CHEST")
    play.press(">", "<")
    play.pace = 50
    play.press(.enter)
    #expect(!play.sheetScreen.isAtIdentityStep)
  }

  @Test("a held Enter never passes the identity step; one press of two, half a second apart, does")
  func enterHeld() throws {
    // Delay and rate of a console, of X11, of Windows and of a Mac.
    for (delay, rate) in [(250, 92), (660, 40), (500, 33), (375, 90), (990, 199)] as [(Int64, Int64)] {
      let play = try Rehearsed()
      try play.startClock()
      try play.sit("nokafor", at: "CHEST")
      play.press("q", .enter)
      play.pace = delay
      for _ in 0..<30 {
        play.press(.enter)
        play.pace = rate
        play.passTime(0)
      }
      #expect(play.sheetScreen.isAtIdentityStep, "\(delay)")
      #expect(play.message == "Enter ignored: look at the candidate, then press it again", "\(delay)")
      play.passTime(300)
      #expect(play.sheetScreen.isAtIdentityStep, "\(delay)")
    }
    let play = try Rehearsed()
    try play.startClock()
    try play.sit("nokafor", at: "CHEST")
    play.press("q", .enter)
    play.pace = 500
    play.press(.enter)
    #expect(play.sheetScreen.isAtIdentityStep)
    #expect(play.deadline.map { $0 <= play.clocks.loop + 200 } == true)
    play.passTime(200)
    #expect(!play.sheetScreen.isAtIdentityStep)
    // Another key says that Enter was let go.
    let quick = try Rehearsed()
    try quick.startClock()
    try quick.sit("nokafor", at: "CHEST")
    quick.press("q", .enter)
    quick.pace = 300
    quick.press(.enter)
    #expect(quick.sheetScreen.isAtIdentityStep)
    quick.pace = 50
    quick.press("j")
    #expect(!quick.sheetScreen.isAtIdentityStep)
  }

  @Test("an Enter that answered what lay over the identity step does not pass it too")
  func identityStepCovered() throws {
    let play = try Rehearsed()
    try play.startClock()
    try play.sit("nokafor", at: "CHEST")
    play.press("L")
    play.pace = 1000
    play.press(.enter)
    play.pace = 100
    play.press(.enter)
    #expect(play.context.navigator.lock == nil && play.sheetScreen.isAtIdentityStep)
  }

  @Test("who was recorded absent is not marked on the open sheet either, and a marked sheet asks before absent")
  func absentWithMarks() throws {
    let play = try Rehearsed().mark("nokafor", at: "CHEST")
    play.type("1").press("a", "a")
    #expect(play.flat.contains("Record 30101 Ms Chidinma Abara absent? Their 1 mark stays, listed as not expected."))
    play.press(.escape)
    #expect(play.sheetScreen.entry?.isPresent == true)
    play.press("a", "a", .enter)
    #expect(play.sheetScreen.entry?.isPresent == false)
    #expect(play.lines[1].contains(" ABSENT"))
    play.type("1")
    #expect(play.message == "NOT CHANGED: 30101 is recorded absent; a changes attendance")
    #expect(play.item(2).isBlank && play.item(1).rating == MarkValue(1))
    // Who was absent has not been seen: the identity step is asked anew.
    play.press("a", "p")
    #expect(play.sheetScreen.isAtIdentityStep)
    play.press(.enter).type("1")
    #expect(play.item(2).rating == MarkValue(1))
  }

  @Test("before a marked candidate is recorded absent, the question names keys that work on the roster too")
  func absentOfTheWrongCandidate() throws {
    let play = try Rehearsed().mark("nokafor", at: "CHEST")
    play.type("11").press("q", "a", "a")
    #expect(play.flat.contains("Record 30101 Ms Chidinma Abara absent? Their 2 marks stay, listed as not expected."))
    #expect(play.flat.contains("For a wrong candidate's sheet, press Esc, then M."), "\(play.screen)")
    play.press(.escape, "M")
    #expect(play.flat.contains("These marks on 30101 belong to someone else."), "\(play.screen)")
  }

  @Test("whoever has more time is in the room until it is over, and the sheet counts it down after the bell")
  func extraTime() throws {
    let play = try Rehearsed()
    try play.startClock()
    try play.sit("nokafor", at: "CHEST").press("q", "g", "j", "j", "j", .enter)
    #expect(play.lines[1].contains("30107") && play.lines[1].contains("EXTRA TIME +2:00"))
    try play.clock(.jump(index: 8))
    play.press(.enter).type("1")
    #expect(play.lines[1].contains(" IN THE ROOM "))
    play.pass(seconds: 1)
    try play.clock(.skip)
    play.pass(seconds: 15)
    #expect(play.lines[1].contains(" STOPS IN 01:4") && !play.lines[1].contains("after the bell"), "\(play.lines[1])")
    try play.clock(.stop)
    #expect(play.lines[0].contains("FINISHED"))
    let before = play.lines[1]
    play.clocks.pass(1000)
    play.send(.deadline(play.clocks.loop))
    #expect(play.lines[1].contains(" STOPS IN 01:4") && play.lines[1] != before)
    play.pass(seconds: 120)
    #expect(play.lines[1].contains(" LEFT (round 3) ") && play.lines[2].contains("after the bell"), "\(play.lines[2])")
  }

  @Test("who was added without a round is in the room once checked, till the rotation is over that was on then")
  func presenceWithoutRound() throws {
    let play = try Rehearsed()
    try play.startClock()
    try play.sit("nokafor", at: "CHEST")
    play.press("a", "w").type("99001\nNewcomer\n\n\n")
    play.press("q", "G", .enter)
    #expect(play.lines[1].contains(" NOT YET HERE  99001"))
    play.press(.enter)
    #expect(play.lines[1].contains(" IN THE ROOM  99001"))
    play.type("1")
    #expect(play.item(1).rating == MarkValue(1))
    play.press("q")
    #expect(play.lines.contains { $0.contains("IN THE ROOM") && $0.contains("99001") })
    play.press("G", .enter)
    play.clocks.pass(1000)
    try play.clock(.jump(index: 4))
    #expect(play.lines[1].contains(" LEFT  99001"), "\(play.lines[0]) \(play.lines[1])")
  }

  @Test("who comes without a round after the others have left stays in the room until all is signed")
  func presenceAfterTheEnd() throws {
    let play = try Rehearsed()
    try play.startClock()
    try play.sit("nokafor", at: "CHEST")
    play.press("a", "w").type("99001\nNewcomer\n\n\n")
    play.press("q", "G", .enter)
    try play.clock(.stop)
    play.clocks.pass(60_000)
    play.press(.enter)
    #expect(play.lines[1].contains(" IN THE ROOM  99001"), "\(play.lines[1])")
    play.press("S", "S")
    #expect(play.lines[1].contains(" LEFT  99001"))
  }

  @Test("> and < go through who was added on the day without a round as well, after the others")
  func addedWithoutRound() throws {
    let play = try Rehearsed()
    try play.startClock()
    try play.sit("nokafor", at: "CHEST")
    play.press("a", "w").type("99001\nNewcomer\n\n\n")
    // While a round is on the key leads to who is in the room.
    try play.clock(.stop)
    for _ in 0..<20 { play.press(">") }
    #expect(play.message == "this was the last candidate")
    #expect(play.sheetScreen.entry?.candidate?.number == "99001")
    play.press("<")
    #expect(play.sheetScreen.entry?.round == 8)
    for _ in 0..<20 { play.press("<") }
    #expect(play.message == "this is the first candidate")
    #expect(play.sheetScreen.entry?.round == 1)
  }

  @Test("Enter pressed twice at the identity step is one answer")
  func enterTwice() throws {
    let play = try Rehearsed()
    try play.startClock()
    try play.sit("nokafor", at: "CHEST")
    let before = try play.count("SELECT count(*) FROM operation WHERE entity = 'TimetableAttendanceLog'")
    play.burst("\n\n\n")
    #expect(try play.count("SELECT count(*) FROM operation WHERE entity = 'TimetableAttendanceLog'") == before + 1)
    #expect(play.context.overlay == nil)
  }

  @Test("when the round changes no other candidate's sheet opens; a line names the next, and > goes there")
  func roundChanges() throws {
    let play = try Rehearsed().mark("nokafor", at: "CHEST")
    play.type("11")
    #expect(play.lines[1].hasPrefix(" IN THE ROOM  30101  Ms Chidinma Abara"))
    play.pass(seconds: 465)
    #expect(play.lines[1].hasPrefix(" LEFT (round 1)  30101"))
    // The reading phase of the next round is started by hand.
    play.pass(seconds: 90)
    try play.clock(.start)
    play.pass(seconds: 1)
    #expect(play.lines[1].hasPrefix(" LEFT (round 1)  30101"))
    #expect(play.message == "round 2: > goes to 30108 Mr Joseph Farrell")
    play.type("1")
    #expect(play.sheetScreen.entry?.candidate?.number == "30101")
    #expect(play.lines[2].contains("after the bell"))
    play.press(">")
    #expect(play.sheetScreen.entry?.candidate?.number == "30108")
    #expect(play.sheetScreen.isAtIdentityStep)
    #expect(play.lines[1].hasPrefix(" NOT YET HERE  30108"))
    play.pass(seconds: 60)
    #expect(play.lines[1].hasPrefix(" IN THE ROOM  30108"))
    play.press("<")
    #expect(play.sheetScreen.entry?.candidate?.number == "30101")
    #expect(play.lines[1].hasPrefix(" LEFT (round 1)"))
  }

  @Test("the line of a round names another once the desk has recorded the one it named absent")
  func roundLineFollows() throws {
    let play = try Rehearsed().mark("nokafor", at: "CHEST")
    play.pass(seconds: 555)
    try play.clock(.start)
    play.pass(seconds: 1)
    #expect(play.message == "round 2: > goes to 30108 Mr Joseph Farrell")
    let timetable = try play.session("CHEST").timetable
    let next = try #require(
      try play.read { try Roster.entries(timetable: timetable, seat: .lead, in: $0) }
        .first { $0.candidate?.number == "30108" })
    try play.store.write(.program) { try Attendance.record(false, for: next, in: $0) }
    play.pass(seconds: 1)
    #expect(play.message.hasPrefix("round 2: empty slot; > goes to ") && play.message.hasSuffix(" (round 3)"))
    #expect(!play.message.contains("30108"))
  }

  @Test("the line about the next round passes over empty slots and absentees and says so")
  func emptySlotNext() throws {
    let play = try Rehearsed()
    try play.startClock("Green circuit")
    try play.sit("gmoreau", at: "CHEST", "Green circuit")
    // Rounds 1 to 8 at CHEST: slots 1, 8, 7, 6, 5, 4 (empty), 3, 2.
    play.press("q", "g", "j", "j", "j", "j", "j", .enter)
    #expect(play.sheetScreen.entry?.round == 5)
    play.press(.enter)
    try play.clock(.jump(index: 16), "Green circuit")
    play.pass(seconds: 1)
    #expect(play.message == "round 6: empty slot; > goes to 30111 Ms Eleanor Hargreaves (round 7)")
  }

  @Test("marking someone whose rotation has not begun is refused, with an override that asks")
  func notBegun() throws {
    let play = try Rehearsed()
    try play.startClock(seconds: 30)
    try play.sit("nokafor", at: "CHEST")
    play.press(.enter)
    // Level keys one after the other ask nothing that the next of them would answer.
    for key in "1yyn0" {
      play.type(String(key))
      #expect(play.item(1).isBlank && play.context.overlay == nil)
      #expect(play.message == "NOT CHANGED: 30101 is not due yet; E marks early")
    }
    #expect(play.lines[23].hasPrefix("E mark early  z undo  > next  s sign  m missing  c comment  "))
    play.press("E")
    #expect(play.screen.contains("30101 is not due yet. Is this the right"))
    play.type("1y")
    #expect(play.item(1).isBlank)
    play.press(.enter).type("1")
    #expect(play.item(1).rating == MarkValue(1))
    play.press("E")
    #expect(play.message == "marks are taken here already")
    for key: Key in ["b", "e", "d"] {
      let other = try Rehearsed()
      try other.startClock(seconds: 30)
      try other.sit("doneill", at: "RESUS")
      other.press(.enter)
      if key == "d" { other.press("]", "]") }
      other.press(key)
      #expect(other.screen.contains("is not due yet"), "\(key.name)")
    }
  }

  @Test("attendance taken back asks the identity step anew, and passing it records present")
  func takenBackIsAskedAnew() throws {
    let play = try Rehearsed().mark("nokafor", at: "CHEST")
    play.type("1").press("a", "x")
    #expect(play.sheetScreen.isAtIdentityStep)
    play.press("q", .enter)
    #expect(play.sheetScreen.isAtIdentityStep)
    play.press(.enter)
    #expect(play.sheetScreen.entry?.isPresent == true && play.item(1).rating == MarkValue(1))
  }

  @Test("where somebody else takes attendance back, the line says who, from which terminal, and what to do")
  func takenBackElsewhere() throws {
    let play = try Rehearsed().mark("mlindqvist", at: "CONSENT")
    play.type("1")
    let number = try #require(play.sheetScreen.entry?.candidate?.number)
    let timetable = try play.session("CONSENT").timetable
    let (entry, member) = (try #require(play.sheetScreen.entry), try play.member("rfitzgerald"))
    let other = try play.atSameStore()
    try other.store.write(.program) {
      let place = TerminalInfo(process: 1, tty: "/dev/pts/5")
      _ = try SignIn.begin(member, timetable: timetable, device: other.store.device, from: place, in: $0)
      try Attendance.record(nil, for: entry, in: $0)
    }
    play.pass(seconds: 1)
    #expect(play.sheetScreen.isAtIdentityStep)
    #expect(
      play.message
        == "\(number) was set back to not recorded by \(member.name) at pts/5; check who is in the room, then Enter")
    play.press(.enter, "a", "x")
    #expect(play.sheetScreen.isAtIdentityStep && play.message == "\(number): attendance cleared")
  }

  @Test(
    "where attendance is taken back while somebody writes, neither Enter nor a letter of the text acts on the sheet")
  func takenBackWhileWriting() throws {
    let play = try Rehearsed().mark("mlindqvist", at: "CONSENT").type("1").press("e").type("Half a word")
    let entry = try #require(play.sheetScreen.entry)
    try play.store.write(.program) { try Attendance.record(nil, for: entry, in: $0) }
    play.pass(seconds: 1)
    let line = play.message
    #expect(play.sheetScreen.isAtIdentityStep && line.contains(" was set back to not recorded by "))
    #expect(line.contains("; text of item ") && line.hasSuffix(" is saved"))
    play.pace = 300
    play.type(" typed on\nfRude\n,and so\n")
    #expect(play.sheetScreen.isAtIdentityStep && play.context.overlay == nil && play.message == line)
    #expect(try play.count("SELECT count(*) FROM commentMetaStationCandidate") == 0)
    play.pace = 1000
    play.press("j", .enter)
    #expect(!play.sheetScreen.isAtIdentityStep)
    #expect(play.sheet.items.contains { $0.feedback == "Half a word" })
  }

  @Test("nobody who comes in a later round is recorded present by Enter; E asks, and then Enter does")
  func laterRound() throws {
    let play = try Rehearsed().mark("nokafor", at: "CHEST")
    play.press(">", .enter)
    #expect(play.message == "not due yet: E, then Enter, opens this sheet early")
    #expect(play.sheetScreen.isAtIdentityStep && play.sheetScreen.entry?.isPresent == nil)
    play.press("E", .enter, .enter)
    #expect(play.sheetScreen.entry?.isPresent == true && !play.sheetScreen.isAtIdentityStep)
  }

  @Test("the identity step of somebody who comes later offers E, and no Enter that is refused")
  func laterRoundOffersE() throws {
    let play = try Rehearsed().mark("nokafor", at: "CHEST")
    play.press(">")
    #expect(play.screen.contains("E      not due yet: open early (asks first)"))
    #expect(!play.screen.contains("this is the candidate"))
    #expect(play.lines[23].hasPrefix("E mark early"))
    play.press("E", .enter)
    #expect(play.context.overlay == nil && play.screen.contains("Enter  confirm identity"))
  }

  @Test("what a sheet lacks on leaving it names the key that goes back, and nothing where nobody began it")
  func leftUndone() throws {
    let play = try Rehearsed().mark("nokafor", at: "CHEST")
    play.type("1").press(">")
    #expect(play.message.hasPrefix("30101: items 2") && play.message.hasSuffix("blank; < goes back"))
    play.press("E", .enter, .enter, "<")
    #expect(play.message.isEmpty && play.lines[1].contains("30101"))
    play.press(">", "E", .enter).type("1").press("<")
    #expect(play.message.hasPrefix("30108: items 2") && play.message.hasSuffix("blank; > goes back"))
  }

  @Test("in the changeover before a round its candidate is let in")
  func changeoverBefore() throws {
    let play = try Rehearsed().mark("nokafor", at: "CHEST")
    play.pass(seconds: 465).press(">")
    while play.context.clock.state?.phase?.type == .feedback { play.pass(seconds: 5) }
    #expect(play.context.clock.state?.phase?.type == .changeover)
    play.press(.enter)
    #expect(!play.sheetScreen.isAtIdentityStep)
  }

  @Test("practice sheets say so, are never counted and need no clock")
  func practice() throws {
    let play = try Rehearsed()
    try play.sit("nokafor", at: "CHEST")
    play.press("q", "g", .enter)
    #expect(play.lines[1].hasPrefix(" PRACTICE"))
    play.press("1")
    #expect(play.message == "press Enter: it opens the practice sheet")
    play.press(.enter).type("1")
    #expect(play.item(1).rating == MarkValue(1))
    #expect(try play.count("SELECT count(*) FROM timetableAttendanceLog WHERE present = 1") == 0)
    play.press("q")
    #expect(!play.screen.contains("1/19"))
    play.press(">")
    #expect(play.sheetScreen.entry?.round == 1)
  }

  @Test("m lists what a practice sheet lacks, and Enter there goes to it")
  func missingOfPractice() throws {
    let play = try Rehearsed()
    try play.sit("nokafor", at: "CHEST").press("q", "g", .enter, .enter).type("1")
    let needed = play.sheetScreen.index.needed
    play.press("m")
    #expect(play.lines[2].contains("Missing: ") && play.lines[2].contains("\(needed.count) missing"), "\(play.screen)")
    #expect(play.screen.contains("item 2 blank: ") && !play.screen.contains("Nothing is missing"))
    play.press(.enter)
    #expect(play.focus == 2 && play.lines[1].hasPrefix(" PRACTICE"))
  }

  @Test("practice is counted by no report")
  func practiceUncounted() throws {
    let play = try Rehearsed()
    try play.sit("nokafor", at: "CHEST")
    // What waits for a hub is every change, whatever it is of.
    func report() throws -> String {
      try play.store.read { "\(try StatusReport.read($0))" }.replacing(/unsent: \d+/, with: "")
    }
    let before = try report()
    play.press("q", "g", .enter, .enter).type("111")
    #expect(try report() == before)
  }

  @Test("a candidate recorded absent is not opened from the roster, nor by >")
  func absent() throws {
    let play = try Rehearsed().mark("nokafor", at: "CHEST")
    play.press("q", "j", "a", "a")
    #expect(play.lines.contains { $0.contains("30108") && $0.contains("ABSENT") })
    play.press(.enter)
    #expect(play.message == "recorded absent: a changes attendance")
    play.press("k", .enter, ">")
    #expect(play.sheetScreen.entry?.candidate?.number == "30107")
  }

  @Test("attendance can be taken back")
  func attendanceBack() throws {
    let play = try Rehearsed().mark("nokafor", at: "CHEST")
    play.press("q", "j", "a", "a", "a", "x")
    #expect(play.lines.contains { $0.contains("30108") && !$0.contains("absent") })
    play.press("a", "p")
    #expect(play.lines.contains { $0.contains("30108") && $0.contains("present") })
  }

  @Test("an empty slot and a rest station have no sheet")
  func nothingToOpen() throws {
    let play = try Rehearsed()
    try play.startClock("Green circuit")
    try play.sit("gmoreau", at: "CHEST", "Green circuit")
    play.press("q", "j", "j", "j", "j", "j", .enter)
    #expect(play.message == "round 6 is an empty slot: nobody comes")
  }

  @Test("a second assessor has a sheet of their own and sees nothing of the other's")
  func secondAssessor() throws {
    let play = try Rehearsed().mark("mlindqvist", at: "CONSENT")
    play.type("1").press("2", "4")
    let second = try play.atSameStore()
    try second.sit("rfitzgerald", at: "CONSENT")
    #expect(second.sheetScreen.isAtIdentityStep)
    second.press(.enter)
    #expect(second.sheet.seat != .lead)
    #expect(!second.sheet.items.contains { !$0.isBlank })
    second.type("0")
    #expect(play.item(1).rating == MarkValue(1))
    second.press("q")
    #expect(second.lines.contains { $0.contains("1/18") })
    #expect(!second.screen.contains("3/18"))
  }

  @Test("a cover takes over the seat with its half-filled sheet; each mark keeps who gave it")
  func cover() throws {
    let play = try Rehearsed().mark("nokafor", at: "CHEST")
    play.type("101")
    let second = try play.atSameStore()
    second.context.push(SignInScreen(second.context))
    second.type("haddad\n")
    second.press(.tab)
    while !second.lines.contains(where: { $0.hasPrefix("▸") && $0.contains("CHEST") && $0.contains("Blue") }) {
      second.press("k")
    }
    second.press(.enter)
    #expect(second.screen.contains("Dr Ngozi Okafor is assigned at"))
    second.press("y", .enter, "O")
    #expect(second.sheet.items.filter { !$0.isBlank }.count == 3)
    #expect(second.focus == 4)
    second.type("1")
    let (first, cover) = (try play.member("nokafor").id, try play.member("fhaddad").id)
    #expect(try play.count("SELECT count(*) FROM dataQuestion WHERE judgedByID = \(first)") == 3)
    #expect(try play.count("SELECT count(*) FROM dataQuestion WHERE judgedByID = \(cover)") == 1)
  }

  @Test("opening again comes to the sheet last worked on, at its first blank")
  func resume() throws {
    let play = try Rehearsed().mark("nokafor", at: "CHEST")
    play.type("10")
    play.press(">", "E", .enter, .enter).type("11")
    #expect(play.sheetScreen.entry?.candidate?.number == "30108")
    play.pass(seconds: 5)
    play.press("<").type("1")
    let second = try play.atSameStore()
    try second.sit("nokafor", at: "CHEST")
    #expect(second.sheetScreen.entry?.candidate?.number == "30101")
    #expect(second.focus == 4)
    // Signed, it is done with: the round's own sheet opens.
    second.press("S", "S")
    let third = try second.atSameStore()
    try third.clock(.jump(index: 8))
    try third.sit("nokafor", at: "CHEST")
    #expect(third.sheetScreen.entry?.candidate?.number != "30101" || third.sheet.isSigned)
  }
}
