import CircuitModel
import ExamStore
import Reports
import Terminal
import Testing

@testable import OsceTUI

@MainActor @Suite("Signing and signing in")
struct SigningTests {
  @Test("s with a required blank goes there and names it; S names every blank by its text and signs at a second S")
  func namesBlanks() throws {
    let play = try Rehearsed().mark("nokafor", at: "CHEST")
    play.type("1").press("G", "s")
    #expect(play.context.overlay == nil && play.focus == 2 && !play.sheet.isSigned)
    #expect(play.message.hasPrefix("REQUIRED BUT BLANK: 2 Introduces self with"))
    #expect(play.message.hasSuffix(" and 2 more; S signs anyway"))
    play.press("S")
    #expect(play.screen.contains("Sign 30101 Ms Chidinma Abara with 3 required blanks?"))
    #expect(play.box.contains("REQUIRED, BLANK: 19 Global rating Marks: 1 of 19 Also blank: 3 Gains consent for the"))
    play.press(.escape)
    #expect(!play.sheet.isSigned)
    // Enter, which signs a filled sheet, goes to the blank here.
    play.press("G", "S", .enter)
    #expect(!play.sheet.isSigned && play.focus == 2)
    play.press("S", "S")
    #expect(play.sheet.isSigned)
    #expect(play.message == "signed with 3 required blanks; > opens the next candidate")
    #expect(play.lines[2].contains("✗ SIGNED, required: 2 · 12 · 19 blank"))
  }

  @Test("a sheet signed with its global rating blank is not told as complete: on the sheet, the roster and to finish")
  func signedBlank() throws {
    let play = try Rehearsed((132, 43)).mark("nokafor", at: "CHEST")
    for number in [2, 12] { play.press("'").type("\(number)\n").type("1") }
    play.press("S", "S")
    #expect(play.message == "signed with 19 Global rating blank; > opens the next candidate")
    #expect(play.lines[2].contains("✗ SIGNED, required blank: 19 Global rating"))
    play.pass(seconds: 480).press(">")
    play.press("E", .enter, .enter)
    let toFinish = try #require(play.lines.firstIndex { $0.contains("TO FINISH") })
    #expect(play.lines[toFinish + 1].contains("30101"))
    play.press("q")
    #expect(play.lines.contains { $0.contains("30101") && $0.contains("✗ signed, 19 blank") })
    #expect(play.lines[1].contains("0 signed") && play.lines[1].contains("1 to finish"))
    play.resize(80, 24)
    #expect(play.lines.contains { $0.contains("30101") && $0.contains("✗ signed, 19 blank") })
  }

  @Test("a sheet that lacks a tooth is not told as ready: s refuses it")
  func facts() throws {
    let play = try Rehearsed().mark("tnguyen", at: "DENTAL")
    try play.signAll(as: "tnguyen")
    play.pass(seconds: 1).press("s").type("again\n")
    #expect(!play.sheet.isSigned && play.sheet.blanks.isEmpty && !play.sheet.blankFacts.isEmpty)
    #expect(!play.lines[2].contains("ready") && play.lines[2].contains("not recorded"))
    play.press("G", "j", "s")
    #expect(play.message.hasPrefix("NOT RECORDED: "))
    play.press("G", "j")
    #expect(!play.screen.contains("Nothing required is blank") && play.screen.contains("Not recorded: "))
  }

  @Test("what is signed is read back: the global rating, comments and the concern")
  func readBack() throws {
    let play = try Rehearsed().mark("nokafor", at: "CHEST")
    for (number, key) in [(2, "1"), (12, "1"), (19, "3")] { play.press("'").type("\(number)\n").type(key) }
    play.press("f").type("Rushed the closing\n").press("s")
    #expect(play.screen.contains("Sign 30101 Ms Chidinma Abara?"))
    #expect(play.box.contains("Global rating: 3") && play.box.contains("Concern: \"Rushed the closing\""))
    play.press(.enter)
    #expect(play.sheet.isSigned)
  }

  @Test("what another terminal changed while the box was open is not signed unseen: it is said, and asked again")
  func changedMeanwhile() throws {
    let play = try Rehearsed().mark("nokafor", at: "CHEST")
    for (number, key) in [(2, "1"), (12, "1"), (19, "3")] { play.press("'").type("\(number)\n").type(key) }
    play.press("s")
    #expect(play.box.contains("Global rating: 3"))
    let rating = play.item(19)
    try play.elsewhere("nokafor") { _ = try Marking($0).mark(rating, level: rating.template.levels[1]) }
    play.press(.enter)
    #expect(!play.sheet.isSigned)
    #expect(play.message == "NOT SIGNED: the sheet was changed meanwhile; read it again")
    #expect(play.box.contains("Global rating: \(rating.template.levels[1].value) "), "\(play.screen)")
    let changed = play.item(19)
    try play.elsewhere("nokafor") { _ = try Marking($0).clear(changed) }
    play.press(.enter)
    #expect(!play.sheet.isSigned && play.context.overlay == nil && play.focus == 19)
    #expect(
      play.message
        == "NOT SIGNED: the sheet was changed meanwhile; REQUIRED BUT BLANK: 19 Global rating; S signs anyway")
    play.press("S")
    let first = play.item(1)
    try play.elsewhere("nokafor") { _ = try Marking($0).mark(first, level: first.template.levels[0]) }
    play.press("S")
    #expect(!play.sheet.isSigned && play.box.contains("Marks: 3 of 19"), "\(play.screen)")
    play.press("S")
    #expect(play.sheet.isSigned && play.message.hasPrefix("signed with 19 Global rating blank"))
  }

  @Test("a sheet that another terminal signs while the box is open is not signed a second time")
  func signedMeanwhile() throws {
    let play = try Rehearsed().mark("nokafor", at: "CHEST")
    play.press("S")
    try play.signElsewhere()
    play.press("S")
    #expect(play.sheet.isSigned && play.context.overlay == nil)
    #expect(play.message == "signed meanwhile at another terminal")
    #expect(try play.count("SELECT count(*) FROM operation WHERE kind = 'sign'") == 1)
  }

  @Test("the words that the candidate will read are read back, shortened, and in full with a key that comes back")
  func textForCandidate() throws {
    let play = try Rehearsed().mark("hyamamoto", at: "ABDO")
    let screen = play.sheetScreen
    for item in screen.index.needed { play.press("'").type("\(screen.rows.number(of: item)!)\n").type("1") }
    let written = try #require(play.sheet.items.firstIndex { $0.template.kind == .feedback }) + 1
    play.press("'").type("\(written)\n").press(.enter).type("Clear and kind.")
    play.press(.escape, .down, "s")
    #expect(play.box.contains("\(written) Feedback: \"Clear and kind.\", visible to the candidate"), "\(play.screen)")
    #expect(!play.screen.contains("read it in full"))
    let long = "You asked about the pain in a good order and you put him at ease. Ask about tearing pain next time."
    play.press(.escape, "'").type("\(written)\n").press(.enter).type("\n" + long + "\nWell done.")
    play.press(.escape, .down, "s")
    #expect(
      play.box.contains("\(written) Feedback: \"Clear and kind. You asked about the pain"), "\(play.screen)")
    #expect(!play.text.contains("tearing pain") && play.text.contains("r read it in full"), "\(play.screen)")
    play.press("r")
    let read = play.text.replacing("│ │ ", with: "")
    #expect(read.contains("Ask about tearing pain next time.") && read.contains("Well done."), "\(read)")
    #expect(!play.sheet.isSigned)
    play.press(.escape)
    #expect(play.screen.contains("─ Sign 301"))
    play.press(.enter)
    #expect(play.sheet.isSigned)
  }

  @Test("a signed sheet refuses every change, and is reopened with a reason")
  func reopen() throws {
    let play = try Rehearsed().mark("nokafor", at: "CHEST")
    play.type("1").press("S", "S")
    let before = try play.count("SELECT count(*) FROM operation")
    for key in ["1", "x", "e", "b", "z"] {
      play.press("g").type(key)
      #expect(play.message == "this sheet is signed: s reopens it, with a reason", "\(key)")
      #expect(play.context.overlay == nil, "\(key)")
    }
    #expect(try play.count("SELECT count(*) FROM operation") == before)
    play.press("s").type("  \n")
    #expect(play.message == "a signed sheet is reopened with a reason")
    #expect(play.sheet.isSigned)
    // The question stays: what is typed on is the reason, and no key of the sheet.
    play.type("wrong level\n")
    #expect(!play.sheet.isSigned)
    #expect(
      try play.count("SELECT count(*) FROM operation WHERE kind = 'reopen' AND \(Fixture.reason) = 'wrong level'") == 1)
    play.press("g").type("0")
    #expect(play.item(1).rating == MarkValue(0))
  }

  @Test("a locked sheet says so before a reason to reopen it is typed, or attendance is asked for")
  func locked() throws {
    let play = try Rehearsed().mark("nokafor", at: "CHEST")
    play.press("S", "S")
    try play.lockExam()
    play.press("s")
    #expect(play.context.overlay == nil && play.message.contains("the exam is locked since"), "\(play.screen)")
    play.press("a")
    #expect(play.context.overlay == nil && play.message.contains("the exam is locked since"), "\(play.screen)")
  }

  @Test("the headings of a locked station say so, and no key is offered there that would be refused")
  func lockedKeys() throws {
    let play = try Rehearsed().mark("nokafor", at: "CHEST")
    play.press("S", "S")
    #expect(play.lines[23].contains("s reopen"))
    try play.lockExam()
    play.pass(seconds: 1)
    #expect(play.lines[1].contains("LOCKED") && !play.lines[23].contains("reopen"), "\(play.screen)")
    for key in ["s", "1", "e", "z", "a", "M"] as [Key] {
      play.press(key)
      #expect(play.context.overlay == nil && play.message.contains("the exam is locked since"), "\(key)")
    }
    play.press("q")
    #expect(play.context.screen is RosterScreen && play.lines[1].contains("LOCKED"), "\(play.screen)")
    #expect(!play.lines[23].contains("a attendance"))
    play.press("z")
    #expect(play.context.overlay == nil && play.message.contains("the exam is locked since"))
    play.press("j", .enter)
    #expect(play.text.contains("LOCKED: nobody is marked here any more."), "\(play.screen)")
    play.press(.enter)
    #expect(play.message.contains("the exam is locked since"))
  }

  @Test("the missing items are listed, and the first required one has the focus, in a folded section too")
  func missing() throws {
    let play = try Rehearsed().mark("nokafor", at: "CHEST")
    play.press("]", "]", .space, "[", "[", "k").press("g").type("11")
    play.press("m")
    #expect(play.screen.contains("item 12 blank: Asks about"))
    play.press(.enter)
    #expect(play.focus == 12)
  }

  @Test("signing in asks for the passcode where one is set, and refuses a wrong one in a line")
  func passcode() throws {
    let play = try Rehearsed()
    play.context.push(SignInScreen(play.context))
    play.type("sharma\n")
    play.type("1234")
    #expect(!play.screen.contains("1234") && play.screen.contains("****"))
    play.press(.enter)
    #expect(play.context.screen is SignInScreen)
    #expect(play.screen.contains("wrong passcode for Ms Pooja Sharma") && !play.screen.contains("*"))
    play.type("4711\n")
    #expect(play.context.screen is SessionsScreen)
  }

  @Test("Enter alone at the question for a passcode is no attempt, also under the lock") func noPasscode() throws {
    let play = try Rehearsed()
    play.context.push(SignInScreen(play.context))
    play.type("sharma\n\n\n\n\n")
    #expect(play.context.screen is SignInScreen && play.screen.contains("no passcode was given for Ms Pooja Sharma"))
    play.type("4711\n")
    #expect(play.context.screen is SessionsScreen)
    play.press(.enter, "L").type("\n")
    #expect(play.screen.contains("LOCKED") && play.text.contains("no passcode was given for Ms Pooja Sharma"))
    play.type("4711\n")
    #expect(!play.screen.contains("LOCKED"))
    #expect(try play.count("SELECT count(*) FROM passcodeAttempt") == 2)
  }

  @Test("an exam lead who is planned at no station is told where the lead's things are, an assessor is not")
  func lead() throws {
    let play = try Rehearsed()
    play.context.push(SignInScreen(play.context))
    play.type("dubois\n")
    #expect(play.context.screen is SessionsScreen && play.screen.contains("You are not assigned to a station"))
    #expect(play.screen.contains("D opens the exam lead's desk"))
    play.press(.tab)
    #expect(!play.screen.contains("opens the exam lead's desk"))
    play.press("D")
    #expect(play.context.screen is LeadScreen)
    let other = try Rehearsed()
    other.context.push(SignInScreen(other.context))
    other.type("okafor\n")
    #expect(other.context.screen is SessionsScreen && !other.screen.contains("exam lead's desk"))
  }

  @Test("after three wrong passcodes the line says how long the next one waits, and it does, also under the lock")
  func patience() throws {
    let play = try Rehearsed()
    play.context.push(SignInScreen(play.context))
    play.type("sharma\n").type("1\n2\n3\n")
    #expect(play.text.contains("wait 2 s before the next try"))
    play.type("4711\n")
    #expect(play.context.screen is SignInScreen)
    #expect(play.text.contains("too many wrong passcodes for Ms Pooja Sharma: wait 2 s, then try again"))
    #expect(try play.count("SELECT count(*) FROM passcodeAttempt") == 3)
    play.pass(seconds: 2).type("4711\n")
    #expect(play.context.screen is SessionsScreen)
    #expect(try play.count("SELECT count(*) FROM passcodeAttempt WHERE succeeded") == 1)
    play.pass(seconds: 1).press(.enter, "L").type("1\n2\n3\n")
    #expect(play.text.contains("wait 2 s before the next try"))
    play.type("4711\n")
    #expect(play.screen.contains("LOCKED") && play.text.contains("too many wrong passcodes"))
    play.pass(seconds: 2).type("4711\n")
    #expect(!play.screen.contains("LOCKED"))
  }

  @Test("signing in filters by any part of name and username, takes pasted text, and Esc empties it")
  func filter() throws {
    let play = try Rehearsed()
    play.context.push(SignInScreen(play.context))
    play.type("oka")
    #expect(play.screen.contains("Dr Ngozi Okafor") && !play.screen.contains("Sharma"))
    play.press(.escape)
    #expect(play.screen.contains("Jide Adeyemi"))
    play.send(.paste("山本"))
    #expect(play.lines.contains { $0.hasPrefix("▸ Dr 陽子 山本") })
    play.type("q").press(.enter)
    #expect(play.message == "nobody has that name")
    play.press("?")
    #expect(play.screen.contains("Keys: Sign in"))
  }

  @Test("while a name is typed the first match has the focus, whichever row had it before")
  func firstMatch() throws {
    let play = try Rehearsed()
    play.context.push(SignInScreen(play.context))
    play.press(.down, .down, .down).type("a")
    let first = try #require(play.lines.dropFirst(4).first)
    #expect(first.hasPrefix("▸"), "\(play.screen)")
  }

  @Test("the circuit that tells two sign-in rows apart is not cut where a session starts soon")
  func startsSoon() throws {
    let play = try Rehearsed()
    play.pass(seconds: -240)
    play.context.push(SignInScreen(play.context))
    play.send(.resized(Size(width: 80, height: 24)))
    #expect(play.lines.contains { $0.contains("09:00 CONSENT, Blue circuit") })
    #expect(play.lines.contains { $0.contains("09:00 CONSENT, Green circuit") })
  }

  @Test("under the exam's name and the time, who is due within half an hour stands first, the station in bold")
  func dueFirst() throws {
    let play = try Rehearsed()
    play.clocks.pass(-1_860_000)
    play.context.push(SignInScreen(play.context))
    play.resize(100, 40)
    #expect(play.lines[0].hasPrefix("osce  Year 3 Integrated OSCE "), "\(play.lines[0])")
    #expect(play.lines[0].hasSuffix("Sign in · 08:29"), "\(play.lines[0])")
    func row(of name: String) throws -> Int { try #require(play.lines.firstIndex { $0.contains(name) }) }
    #expect(try row(of: "Wendy Barker") < row(of: "Ngozi Okafor"), "\(play.screen)")
    play.press(.down)
    play.pass(seconds: 60)
    #expect(play.lines[0].hasSuffix("Sign in · 08:30"), "\(play.lines[0])")
    let (due, other) = (try row(of: "Ngozi Okafor"), try row(of: "Wendy Barker"))
    #expect(due < other && play.lines[due].hasSuffix("Blue circuit, starts in 30 min"), "\(play.screen)")
    let cells = Array(play.canvas.row(due))
    #expect(cells[play.lines[due].count - 1].style == play.context.theme[.heading])
    #expect(cells[4].style == play.context.theme[.normal])
    // The focus stays with the person, not with the row.
    #expect(play.lines[other].hasPrefix("▸"), "\(play.screen)")
  }

  @Test("sitting down is recorded with person, station and time, and so is leaving")
  func sitting() throws {
    let play = try Rehearsed()
    play.context.push(SignInScreen(play.context))
    play.type("okafor\n").press(.enter)
    #expect(play.context.screen is RosterScreen)
    let staff = try play.member("nokafor").id
    #expect(try play.count("SELECT count(*) FROM sitting WHERE staffID = \(staff) AND ended IS NULL") == 1)
    #expect(try play.count("SELECT count(*) FROM staffSignIn WHERE staffID = \(staff)") == 1)
    play.pass(seconds: 10).press("q")
    #expect(play.context.screen is NextSessionScreen)
    #expect(try play.count("SELECT count(*) FROM sitting WHERE ended IS NULL") == 0)
    #expect(play.context.sitting == nil)
    #expect(!play.lines[0].contains("CHEST"))
  }

  @Test("whoever comes to sign in after somebody finds an empty name and all staff")
  func emptyAfterLeaving() throws {
    let play = try Rehearsed()
    play.context.push(SignInScreen(play.context))
    play.type("okafor\n").press("q").type("haddad")
    #expect(play.lines.contains { $0.hasPrefix("▸ Dr Farah Haddad") })
  }

  @Test("the session whose start is nearest to now has the focus")
  func nearest() throws {
    let play = try Rehearsed()
    play.pass(seconds: 4 * 3600)
    play.context.push(SignInScreen(play.context))
    play.type("okafor\n")
    #expect(play.lines.contains { $0.hasPrefix("▸ 2026-12-07 13:30") })
  }

  @Test("a session whose clock runs has the focus, however near the next one is")
  func running() throws {
    let play = try Rehearsed()
    play.pass(seconds: 4 * 3600)
    try play.startClock(seconds: 0)
    play.context.push(SignInScreen(play.context))
    play.type("okafor\n")
    #expect(play.lines.contains { $0.hasPrefix("▸ 2026-12-07 09:00") })
  }
}
