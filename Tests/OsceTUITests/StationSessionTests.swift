import CircuitModel
import ExamStore
import Journal
import Reports
import Terminal
import Testing

@testable import OsceTUI

/// Attendance, what is missing, leaving, help, the lock, paper.
@MainActor @Suite("A station session")
struct StationSessionTests {
  private func chest() throws -> Rehearsed { try Rehearsed().mark("nokafor", at: "CHEST") }

  private func settings(_ play: Rehearsed, _ json: String) throws {
    let config = try play.count("SELECT dsid FROM config ORDER BY dsid")
    try play.store.write(.program) { try $0.set("Config", String(config), ["settings": .text(json)]) }
    play.pass(seconds: 1)
  }

  private func requireSignout(_ play: Rehearsed) throws {
    let station = try play.session("CHEST").station
    try play.store.write(.program) {
      try $0.set("ActivityType", String(station), ["requiresStudentSignout": .bool(true)])
    }
  }

  // MARK: Attendance

  @Test("a candidate is recorded late with the time, or with an identity that does not match, from the sheet")
  func lateAndIdentity() throws {
    let play = try chest()
    play.press("a", "l")
    #expect(play.message == "30101: present, late")
    #expect(play.sheetScreen.entry?.lateAt == play.store.clock.now)
    play.press("a", "i").type("badge shows another name\n")
    #expect(play.message == "30101: identity query recorded for the exam lead")
    #expect(play.lines[1].contains("IDENTITY?"))
    play.press("a", "p")
    #expect(play.message == "30101: present, and late as before: x takes that back")
    play.press("a")
    #expect(play.text.contains("now present, late"))
    #expect(play.screen.contains("badge shows"))
    play.press("i", .enter)
    #expect(play.message == "30101: identity note cleared")
  }

  @Test("a candidate who is not on the roster is added by number, in an empty slot or after the others")
  func additional() throws {
    let play = try Rehearsed()
    try play.startClock("Green circuit")
    try play.sit("gmoreau", at: "CHEST", "Green circuit")
    play.press("q", "j", "j", "j", "j", "j", "a").type("99001\nAnna Newcomer\n")
    #expect(play.text.contains("Add 99001 Anna Newcomer to CHEST Chest pain history, in round 6?"))
    play.press(.enter)
    #expect(play.message == "99001 is on this roster in round 6")
    #expect(play.lines.contains { $0.hasPrefix("▸") && $0.contains("99001") && $0.contains("Newcomer") })
    play.press("a", "w").type("99001\n")
    #expect(play.screen.contains("99001 is on this roster already, in round 6"))
    play.press("ctrl-u").type("30101\n60\n")
    #expect(play.screen.contains("there is no round 60 here: rounds are 1 to 8"))
    play.press("ctrl-u", .enter, .enter)
    #expect(play.message == "30101 is on this roster after the others")
    #expect(try play.count("SELECT count(*) FROM timetableAttendanceLog WHERE addedInApp = 1") == 2)
    #expect(play.lines.contains { $0.hasPrefix("▸") && $0.contains("30101") })
    play.press("a", "k", .enter)
    #expect(play.message == "30101 is off this roster")
    #expect(!play.lines.prefix(22).contains { $0.contains("30101") })
  }

  @Test("number and name may be typed in one line; a known number is taken whole, and no number that cannot be read")
  func additionalInOneLine() throws {
    let play = try Rehearsed()
    try play.startClock("Green circuit")
    try play.sit("gmoreau", at: "CHEST", "Green circuit").press("q", "a", "w").type("77 Ada Lovelace")
    #expect(play.text.contains("number 77, name Ada Lovelace"), "\(play.screen)")
    play.press(.enter, .enter)
    #expect(play.text.contains("Add 77 Ada Lovelace to CHEST Chest pain history, after the others?"), "\(play.screen)")
    play.press(.enter)
    #expect(try play.count("SELECT count(*) FROM user WHERE studentNumber = '77' AND surname = 'Lovelace'") == 1)
    let known = try play.count("SELECT dsid FROM user WHERE studentNumber = '30101'")
    try play.store.write(.program) { try $0.set("Student", String(known), ["studentNumber": .text("6 b")]) }
    play.press("a", "w").type("6 b\n\n")
    #expect(play.text.contains("Add 6 b to CHEST"), "\(play.screen)")
    play.press(.escape, "a", "w").type("30102 Ada Lovelace\n")
    #expect(play.text.contains("is not Ada Lovelace; the number alone adds them"), "\(play.screen)")
    play.press("ctrl-u").type("7\u{200B}8\n")
    #expect(play.text.contains("a candidate number holds no character that cannot be seen"), "\(play.screen)")
  }

  @Test("where candidates sign out, signing the last sheet asks for feedback, agreement and sign-out, one by one")
  func signOut() throws {
    let play = try Rehearsed()
    try requireSignout(play)
    try play.mark("nokafor", at: "CHEST")
    play.press("S", "S")
    #expect(play.screen.contains("feedback not given"))
    play.press("g")
    #expect(play.message == "the feedback is agreed after it was received")
    play.press("a", "o", "f")
    #expect(play.screen.components(separatedBy: "feedback not given").count == 2 && play.screen.contains("signed out."))
    play.press("g", "o")
    #expect(play.context.overlay == nil)
    #expect(play.message == "30101: signed out")
    #expect(
      try play.count(
        """
        SELECT count(*) FROM timetableAttendanceLog
        WHERE feedbackReceivedAt IS NOT NULL AND feedbackAgreed = 1 AND staffSignout = 1
        """) == 1)
  }

  // MARK: Missing

  @Test("m lists what this candidate's sheet lacks, m again all who have been, with the counts of osce missing")
  func missing() throws {
    let play = try chest()
    play.type("10").press("m")
    let screen = try #require(play.context.screen as? MissingScreen)
    #expect(play.lines[2].contains("Missing: 30101 Ms Chidinma Abara"))
    let session = try play.session("CHEST")
    var expected = 0
    try play.store.read { db in
      try MissingMark.forEach(in: db, at: play.store.clock.now) {
        if $0.sheet.place.timetable == session.timetable, $0.sheet.entry.number == "30101" { expected += 1 }
      }
    }
    #expect(screen.count == expected && expected > 2)
    play.press("m")
    #expect(screen.count == expected)
    #expect(play.lines[2].contains("all candidates so far"))
    try play.clock(.jump(index: 7))
    play.press("m", "m")
    #expect(screen.count > expected)
    #expect(play.screen.contains("sheet not started"))
    play.press("q")
    #expect(play.context.screen is SheetScreen)
  }

  @Test("Enter in the list goes to what is missing, also on another candidate's sheet")
  func missingGoes() throws {
    let play = try chest()
    play.type("10").press("m", "j", .enter)
    #expect(play.focus == 19)
    play.press(">", "m", .enter)
    #expect(play.sheetScreen.entry?.candidate?.number == "30101")
    #expect(play.focus == 12)
  }

  @Test("the list of what is missing is reached from every screen of a station session")
  func missingEverywhere() throws {
    let play = try chest()
    play.press("c", "m")
    #expect(play.context.screen is MissingScreen)
    play.press("q", "q", "q", "m")
    #expect(play.context.screen is MissingScreen)
    play.press(.escape)
    #expect(play.context.screen is RosterScreen)
    play.press("p", .enter, "m")
    #expect(play.context.screen is MissingScreen)
  }

  // MARK: Leaving

  @Test("leaving a station shows what is missing first; then the person's next session is one key away")
  func leaving() throws {
    let play = try chest()
    let member = try play.member("nokafor")
    let morning = try play.session("CHEST")
    let later = try play.store.read { try StationSession.all(staff: member.id, in: $0) }
      .filter { $0.session.date == morning.session.date && $0.session.startTime > morning.session.startTime }
    try play.clock(.stop)
    play.press("q", "q")
    #expect(play.lines[1].hasPrefix("Before you leave"))
    #expect(play.context.sitting != nil)
    play.press("q")
    #expect(play.context.screen is RosterScreen)
    play.press("q", "y")
    #expect(play.context.sitting == nil)
    let next = try #require(later.first)
    #expect(play.screen.contains("You have left \(morning.stationTitle), Blue circuit, 09:00."))
    #expect(play.text.contains("Your next session is \(next.stationTitle)"))
    // Enter, which opens sheets, opens no other session.
    play.press(.enter)
    #expect(play.context.sitting == nil)
    play.press("n")
    #expect(play.context.sitting?.staff.id == member.id)
    #expect(play.context.screen is RosterScreen)
  }

  @Test("while the session runs and candidates are to come, leaving leads to the person's sessions, which say so")
  func leavingEarly() throws {
    let play = try chest()
    play.press("q", "q", "y")
    #expect(play.context.screen is SessionsScreen && play.context.sitting == nil, "\(play.screen)")
    #expect(play.lines[1].contains("Dr Ngozi Okafor · CHEST, running"), "\(play.screen)")
    #expect(play.lines.contains { $0.hasPrefix("▸") && $0.contains("09:00") })
  }

  @Test("of a session that was started early nobody is told that it starts soon")
  func startedEarly() throws {
    let play = try Rehearsed((100, 24))
    play.clocks.pass(-900_000)
    try play.startClock(seconds: 10)
    play.context.push(SignInScreen(play.context))
    play.pass(seconds: 1)
    #expect(!play.lines.contains { $0.contains("Blue circuit, starts") }, "\(play.screen)")
    #expect(play.screen.contains("Green circuit, starts in 15 min"), "\(play.screen)")
  }

  @Test("somebody else signs in where another person's next session is offered")
  func someoneElse() throws {
    let play = try chest()
    try play.clock(.stop)
    play.press("q", "q", "y", "s")
    #expect(play.context.screen is SignInScreen)
  }

  // MARK: Help

  @Test("a help call may be in one's own words; its answer comes back in a line and stands in the heading while open")
  func help() throws {
    let play = try chest()
    play.press("!", "o").type("Tap leaks\n")
    play.pass(seconds: 1)
    #expect(play.lines[1].contains("HELP requested"))
    func answer(_ body: (HelpCall, JournalTransaction) throws -> Void) throws {
      try play.elsewhere("fhaddad") { transaction in
        let call = try #require(try HelpCalls.open(in: transaction.db).first)
        try body(call, transaction)
      }
      play.pass(seconds: 1)
    }
    try answer { try HelpCalls.respond($0, $1) }
    #expect(play.message == "help is on the way: Dr Farah Haddad (Tap leaks)")
    #expect(play.lines[1].contains("HELP: Dr Farah Haddad on the way"))
    try answer { try HelpCalls.resolve($0, $1) }
    #expect(play.message == "the help call is resolved; Dr Farah Haddad answered it (Tap leaks)")
    #expect(!play.lines[1].contains("HELP"))
  }

  @Test("extra time stays beside the name whoever is on the way, and names give way to surnames before they are cut")
  func adjustmentsBesideHelp() throws {
    let play = try chest()
    try play.clock(.jump(index: 8))
    play.pass(seconds: 1).press(">", .enter, "!", "o").type("Tap leaks\n")
    try play.elsewhere("fhaddad") { transaction in
      try HelpCalls.respond(#require(try HelpCalls.open(in: transaction.db).first), transaction)
    }
    play.pass(seconds: 1)
    #expect(play.lines[1].contains("30107  Ms Maja Eriksson · EXTRA TIME +2:00"), "\(play.lines[1])")
    #expect(play.lines[1].hasSuffix("HELP on the way"))
    play.resize(60, 20)
    #expect(play.lines[1].contains("30107  Ms Maja Eriksson · ") && play.lines[1].contains("+2:00"), "\(play.lines[1])")
    play.resize(80, 24)
    try play.clock(.jump(index: 10))
    // The extra time runs on after the bell; then the next candidate is due.
    play.pass(seconds: 130)
    #expect(play.lines[1].contains("30107  ") && play.lines[1].contains("30106 Davies  >"), "\(play.lines[1])")
  }

  // MARK: The lock

  @Test("L locks by hand: clock and candidate stay, marks are away, and no key marks until the person is back")
  func lock() throws {
    let play = try chest()
    play.press("L")
    #expect(play.screen.contains("LOCKED"))
    #expect(!play.screen.contains("Washes hands"))
    #expect(play.lines[0].contains("ROUND 1 of 8  STATION  ▐ 07:45 ▌"))
    #expect(play.lines[1].hasPrefix(" IN THE ROOM  30101"))
    let before = try play.count("SELECT count(*) FROM operation")
    for key in "0123456789tyunx?:qQ>m!" { play.type(String(key)) }
    play.send(.paste("y"))
    #expect(try play.count("SELECT count(*) FROM operation") == before)
    #expect(play.screen.contains("locked: press Enter if you are Dr Ngozi Okafor"))
    play.press(.enter)
    #expect(play.screen.contains("Washes hands"))
    // A held Enter that unlocks does not pass the identity step under the lock.
    play.press(">", "L").burst("\n\n\n")
    #expect(play.sheetScreen.isAtIdentityStep)
  }

  @Test("under the lock Ctrl-Q again says what a disk that does not answer loses, and leaves once that can be read")
  func quitUnderLock() throws {
    let play = try chest()
    let holder = try play.holdLock()
    defer { holder.release() }
    play.press("1")
    play.context.lockScreen()
    play.press("ctrl-q")
    #expect(!play.hasExited && !play.screen.contains("LOSES these changes"))
    play.press("ctrl-q")
    #expect(play.text.contains("not saved yet. Ctrl-Q again quits now and LOSES these changes."))
    // A held key leaves nothing behind that nobody has read of.
    play.pace = 50
    play.press("ctrl-q", "ctrl-q")
    #expect(!play.hasExited && play.screen.contains("LOSES these changes"))
    play.pace = 1000
    play.press("ctrl-q")
    #expect(play.hasExited)
  }

  @Test("where a passcode is set only it unlocks")
  func lockWithPasscode() throws {
    let play = try Rehearsed().mark("psharma", at: "RX")
    play.press("L").type("y\n")
    #expect(play.screen.contains("wrong passcode"))
    play.type("4711\n")
    #expect(!play.screen.contains("LOCKED"))
  }

  @Test("a terminal locks itself when idle only while no run is open, and keeps what was being typed")
  func idle() throws {
    let play = try chest()
    try settings(play, #"{"idleLockMinutes":10}"#)
    play.press("e").type("Half")
    play.pass(seconds: 700)
    #expect(!play.screen.contains("LOCKED"))
    try play.clock(.stop)
    play.pass(seconds: 700)
    #expect(play.screen.contains("LOCKED"))
    play.press(.enter)
    #expect(play.lines[2].hasPrefix("Feedback on item 1"))
    play.press(.escape)
    #expect(play.sheet.items.contains { $0.feedback == "Half" })
  }

  // MARK: Identity and names

  @Test("the identity step asks for the last two digits of the badge where the exam wants them")
  func digits() throws {
    let play = try Rehearsed()
    try settings(play, #"{"identityDigits":2}"#)
    try play.startClock()
    try play.sit("nokafor", at: "CHEST")
    play.press(.enter).type("99\n")
    #expect(play.sheetScreen.isAtIdentityStep)
    #expect(play.message == "these are not the last digits of 30101: look at the badge again")
    // The question stays, and takes the digits of the second try.
    play.press("ctrl-u").type("01\n")
    #expect(!play.sheetScreen.isAtIdentityStep && play.context.overlay == nil)
  }

  @Test("where the exam hides names no assessor's screen shows one")
  func names() throws {
    let play = try Rehearsed()
    try settings(play, #"{"showNames":false}"#)
    try play.startClock()
    try play.sit("nokafor", at: "CHEST")
    func expectNoName(_ place: String) {
      for name in ["Abara", "Chidinma", "Farrell"] { #expect(!play.screen.contains(name), "\(place): \(name)") }
    }
    expectNoName("identity")
    play.press(.enter).type("1")
    for keys: [Key] in [
      [], ["s"], ["a"], ["f"], ["c"], ["m"], ["m", "m"], ["M"], ["M", "m"], ["M", "m", "2", .enter, "g"], ["p"], ["H"],
    ] {
      for key in keys { play.press(key) }
      expectNoName("\(keys.map(\.name))")
      while !(play.context.screen is SheetScreen) || play.context.overlay != nil {
        if play.context.overlay != nil { play.press(.escape) } else { _ = play.context.pop() }
      }
    }
    play.press("q")
    expectNoName("roster")
    play.press("z")
    expectNoName("undo")
  }

  // MARK: Paper

  @Test("whoever may judge is offered for marks on paper: no invigilator, no auditor, no screen")
  func judges() throws {
    let play = try chest().press("P")
    #expect(play.screen.contains("Farah Haddad"))
    let offered = try play.store.read { try StaffMember.judges($0) }.map(\.username)
    #expect(Set(offered).isDisjoint(with: ["wbarker", "oprice", "vstone", "wall"]) && offered.contains("fhaddad"))
    for name in ["barker", "stone", "wall"] {
      play.press("ctrl-u").type(name)
      #expect(play.screen.contains("Nobody has that name"), "\(name)")
    }
  }

  @Test("marks on paper are typed in the name of who judged; the heading says so, and each keeps both")
  func paper() throws {
    let play = try chest()
    play.press("P").type("haddad\n")
    #expect(play.lines[1].contains("PAPER Haddad"))
    play.press("q")
    #expect(play.context.screen is RosterScreen && play.lines[1].contains("PAPER Haddad"))
    play.press(.enter).type("1")
    let (typist, judge) = (try play.member("nokafor").id, try play.member("fhaddad").id)
    #expect(
      try play.count(
        """
        SELECT count(*) FROM dataQuestion
        WHERE judgedByID = \(judge) AND enteredByID = \(typist) AND source = 'paper' AND rating = 1
        """) == 1)
    play.press("e").type("Clear").press(.escape)
    #expect(
      try play.count(
        """
        SELECT count(*) FROM dataQuestion WHERE judgedByID = \(judge) AND enteredByID = \(typist)
        AND source = 'paper' AND feedback = 'Clear' AND markedAt IS NULL
        """) == 1)
    play.press("k", "H")
    #expect(play.flat.contains("from paper, judged by Dr Farah Haddad"))
    play.press(.escape, "P")
    #expect(!play.lines[1].contains("PAPER"))
    play.press("j").type("1")
    #expect(try play.count("SELECT count(*) FROM dataQuestion WHERE judgedByID = \(typist)") == 1)
  }

  @Test("a surname keeps the small words before it")
  func surnames() {
    let names = ["Dr Ngozi Okafor", "Ms Inés de la Cruz", "Mr Declan O'Neill", "display", ""]
    #expect(names.map(\.surname) == ["Okafor", "de la Cruz", "O'Neill", "display", ""])
  }

  @Test("typing from paper is no identity check: the sheet and the dossier say so, and it opens again as it is")
  func paperWithoutCheck() throws {
    let play = try Rehearsed()
    try play.startClock()
    try play.sit("nokafor", at: "CHEST").press("P").type("haddad\n")
    #expect(play.screen.contains("open the sheet and record present"))
    #expect(play.press("1").message == "press Enter once this is the candidate on the paper sheet")
    play.press(.enter)
    #expect(play.message == "candidate present by the paper sheet")
    play.type("1")
    let checks = "SELECT count(*) FROM timetableAttendanceLog WHERE identityCheckedAt IS NOT NULL"
    #expect(try play.count(checks) == 0 && play.sheetScreen.entry?.isPresent == true)
    play.press("P")
    #expect(!play.sheetScreen.isAtIdentityStep && play.lines[1].contains("IDENTITY NOT CHECKED"))
    play.press("q", .enter)
    #expect(!play.sheetScreen.isAtIdentityStep)
    #expect(try play.count(checks) == 0)
    let number = try #require(play.sheetScreen.entry?.candidate?.number)
    let dossier = try play.store.read {
      try CandidateDossier.read(number, concerns: false, in: $0, at: play.store.clock.now)
    }
    #expect(dossier.lines.joined(separator: " ").contains("nobody checked it at the terminal"))
  }
}
