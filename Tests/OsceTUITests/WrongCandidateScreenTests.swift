import Terminal
import Testing

@testable import CircuitModel
@testable import ExamStore
@testable import OsceTUI
@testable import Reports

/// Sheets marked for the wrong candidate, mended at the station.
@MainActor @Suite("Wrong candidate")
struct WrongCandidateScreenTests {
  private func marked() throws -> Rehearsed {
    let play = try Rehearsed().mark("nokafor", at: "CHEST")
    play.type("101")
    return play
  }

  private func marks(_ play: Rehearsed, _ number: String) throws -> Int {
    try play.count(
      """
      SELECT count(*) FROM dataQuestion q JOIN dataSection s ON s.uuid = q.dataSectionID
      JOIN dataForm f ON f.uuid = s.dataFormID JOIN timetableAttendanceLog e ON e.uuid = f.attendanceLogID
      JOIN user u ON u.dsid = e.studentID WHERE u.studentNumber = '\(number)' AND q.rating IS NOT NULL
      """)
  }

  @Test("M moves a sheet to a candidate chosen by round, says first what will happen, asks why, and opens it there")
  func move() throws {
    let play = try marked()
    play.press("M", "m")
    #expect(play.lines[2].hasPrefix("Whose sheet is it?"))
    #expect(!play.lines.dropFirst(3).contains { $0.contains("30101") })
    play.type("2\n")
    #expect(play.screen.contains("Move attendance too?"))
    #expect(play.screen.contains("30108: not recorded, would be present"))
    play.press("g")
    #expect(play.screen.contains("the sheet of 30101 Ms Chidinma Abara round 1 goes to 30108"))
    #expect(play.screen.contains("3 marks") && play.flat.contains("identity must be checked again"))
    play.press(.enter)
    #expect(play.message == "a reason is required; it is recorded with the change")
    #expect(try marks(play, "30101") == 3)
    play.type("Wrong card\n")
    // The card of the one who was there was held against another name.
    #expect(play.sheetScreen.entry?.candidate?.number == "30108" && play.sheetScreen.isAtIdentityStep)
    #expect(play.message == "moved to 30108: check identity again; z undoes it")
    #expect(try marks(play, "30101") == 0)
    #expect(try marks(play, "30108") == 3)
    #expect(
      try play.count("SELECT count(*) FROM operation WHERE entity = 'DataForm' AND \(Fixture.reason) = 'Wrong card'")
        > 0)
  }

  @Test("a digit after a pause or a move is a round of its own, at once after another the second of a number")
  func typedRound() throws {
    let play = try marked()
    let timetable = try play.session("CHEST").timetable
    let entries = try play.store.read { try Roster.entries(timetable: timetable, seat: .lead, in: $0) }
    let last = try #require(entries.last { $0.round == 8 })
    try play.store.write(.program) { try $0.set("TimetableAttendanceLog", last.key, ["order": .integer(12)]) }
    play.press("M", "l")
    let table = { (play.context.screen as? WrongCandidateScreen)?.table }
    func round() -> String? { table().map { $0.rows[$0.selection.index].cells[0].plain } }
    play.pace = 100
    play.type("12")
    #expect(round() == "12")
    play.pace = 1000
    play.type("12")
    #expect(round() == "2")
    play.pace = 100
    play.type("1").press("j").type("2")
    #expect(round() == "2")
  }

  @Test("the question knows the marks that were given since the sheet was opened, and so does the one about attendance")
  func marksSinceOpening() throws {
    let play = try Rehearsed().mark("nokafor", at: "CHEST")
    play.press("a")
    #expect(!play.screen.contains("these marks are another candidate's"))
    play.press(.escape, "M")
    #expect(play.text.contains("Nothing is marked on 30101."))
    play.press(.escape).type("101")
    play.press("a")
    #expect(play.screen.contains("m    these marks are another candidate's"))
    play.press("m")
    #expect(play.text.contains("These marks on 30101 belong to someone else."), "\(play.screen)")
    play.press("m")
    #expect(play.lines[2].hasPrefix("Whose sheet is it?"))
  }

  @Test("m tells while the candidate is chosen what is missing here")
  func missing() throws {
    let play = try marked()
    play.press("M", "m", "m")
    #expect(play.lines[2].hasPrefix("Missing: all candidates so far"))
    play.press(.escape)
    #expect(play.lines[2].hasPrefix("Whose sheet is it?"))
  }

  @Test("a mending is undone as one step, and the old sheet is open again")
  func undo() throws {
    let play = try marked()
    play.press("M", "m").type("2\n").press("g").type("Wrong card\n")
    play.press("z")
    #expect(play.message == "undone: every sheet is where it was")
    #expect(play.sheetScreen.entry?.candidate?.number == "30101")
    #expect(try marks(play, "30101") == 3)
    #expect(try marks(play, "30108") == 0)
  }

  @Test("a mending that was undone is done again as one step, and can be undone once more")
  func redo() throws {
    let play = try marked()
    play.press("M", "m").type("2\n").press("g").type("Wrong card\n").press("z", "Z")
    #expect(play.message == "done again; z undoes it")
    #expect(play.sheetScreen.entry?.candidate?.number == "30108" && play.sheetScreen.isAtIdentityStep)
    #expect(try marks(play, "30101") == 0)
    #expect(try marks(play, "30108") == 3)
    play.press("z")
    #expect(play.message == "undone: every sheet is where it was")
    #expect(play.sheetScreen.entry?.candidate?.number == "30101" && !play.sheetScreen.isAtIdentityStep)
    #expect(try marks(play, "30101") == 3)
  }

  @Test("where attendance stays, the sheet is at its identity step, and z undoes the mending there too")
  func undoAtIdentityStep() throws {
    let play = try marked()
    play.press("M", "m").type("2\n").press("s").type("Wrong card\n")
    #expect(play.sheetScreen.isAtIdentityStep)
    #expect(play.message == "moved to 30108; z undoes it")
    play.press("z")
    #expect(play.message == "undone: every sheet is where it was")
    #expect(try marks(play, "30101") == 3)
  }

  @Test("a marked sheet is only ever swapped")
  func swap() throws {
    let play = try marked()
    play.press(">", "E", .enter, .enter).type("10")
    #expect(try marks(play, "30108") == 2)
    play.press("M", "m").type("1\n")
    #expect(play.message.hasPrefix("the sheet of 30101 has marks: swap the two"))
    play.press("q", "M", "s").type("1\n")
    #expect(play.flat.contains("identity must be checked again"))
    play.type("Swapped badges\n")
    #expect(play.sheetScreen.entry?.candidate?.number == "30101" && play.sheetScreen.isAtIdentityStep)
    #expect(play.message == "swapped with 30101: check identity again; z undoes it")
    #expect(try marks(play, "30101") == 2)
    #expect(try marks(play, "30108") == 3)
  }

  @Test("a run of sheets is shifted by one from a round on")
  func shift() throws {
    let play = try marked()
    play.press(">", "E", .enter, .enter).type("10")
    play.press("M", "l").type("1\n")
    if play.screen.contains("Move attendance") { play.press("g") }
    play.type("One out\n")
    #expect(try marks(play, "30101") == 0)
    #expect(try marks(play, "30108") == 3)
    let target = try #require(play.sheetScreen.entry)
    #expect(target.round == 3)
    #expect(try marks(play, target.candidate?.number ?? "") == 2)
  }

  private func roles(_ play: Rehearsed, _ json: String) throws {
    let config = try play.count("SELECT dsid FROM config ORDER BY dsid")
    try play.store.write(.program) { try $0.set("Config", String(config), ["settings": .text(json)]) }
  }

  @Test("where the exam names no lead a signed sheet is refused: it is reopened first, with a reason")
  func signed() throws {
    let play = try marked()
    try roles(play, "{}")
    play.press("S", "S", "M", "m").type("2\n")
    #expect(play.message == "signed: 30101; this exam names no lead: s on the sheet reopens it, with a reason")
    #expect(play.context.overlay == nil)
    #expect(try marks(play, "30101") == 3)
  }

  @Test("a signed sheet moves by the word of an exam lead, given at the assessor's terminal, and is signed again")
  func signedByLead() throws {
    let play = try marked()
    let lead = try play.member("cdubois").id
    try play.store.write(.program) {
      try $0.set("Staff", String(lead), ["passcodeHash": .text(try Passcode.hash("2468", rounds: 16))])
    }
    play.press("S", "S", "M", "m").type("2\n")
    #expect(play.flat.contains("Signed (30101): the lead's username:"))
    play.type("nokafor\n")
    #expect(play.message == "nokafor is no exam lead here: nothing was changed")
    play.press("ctrl-u").type("cdubois\n1357\n")
    #expect(play.message == "wrong passcode for Prof. Camille Dubois: nothing was changed")
    #expect(!play.flat.contains("1357") && play.flat.contains("Passcode of cdubois:"))
    play.type("2468\n").press("g")
    #expect(play.flat.contains("authorised by Prof. Camille Dubois; signed sheets must be signed again"))
    play.type("Wrong card\n")
    #expect(play.message == "moved to 30108: check identity and sign again; z undoes it")
    #expect(play.sheetScreen.entry?.candidate?.number == "30108" && play.sheetScreen.isAtIdentityStep)
    #expect(try play.count("SELECT count(*) FROM dataForm WHERE signedAt IS NOT NULL") == 0)
    #expect(try marks(play, "30108") == 3)
    #expect(
      try play.count(
        "SELECT count(*) FROM operation WHERE \(Fixture.reason) = 'Wrong card [authorised by the lead cdubois]'") > 1)
    play.press("z")
    #expect(play.sheetScreen.entry?.candidate?.number == "30101" && play.sheet.isSigned)
  }

  @Test("a lead who sits at the station needs no other word")
  func leadSitsHere() throws {
    let play = try marked()
    try roles(play, #"{"roles":{"nokafor":"lead"}}"#)
    play.press("S", "S", "M", "m").type("2\n").press("g")
    #expect(play.flat.contains("authorised by Dr Ngozi Okafor"))
    play.type("Wrong card\n")
    #expect(play.message == "moved to 30108: check identity and sign again; z undoes it")
    play.press("q", "z")
    #expect(play.flat.contains("Undo the change of candidates: the sheet goes back"))
    play.press(.enter)
    #expect(try play.count("SELECT count(*) FROM dataForm WHERE signedAt IS NOT NULL") == 1)
    #expect(try marks(play, "30101") == 3)
  }

  @Test("the roster mends too, and a round that is not there is refused in a line")
  func roster() throws {
    let play = try marked()
    play.press("q", "M", "m")
    play.type("9")
    #expect(play.message == "there is no round 9 to choose")
    play.type("3\n").press("s").type("Wrong card\n")
    #expect(play.sheetScreen.entry?.round == 3)
    #expect(try marks(play, "30101") == 0)
    play.press("q")
    #expect(play.context.screen is RosterScreen)
  }
}
