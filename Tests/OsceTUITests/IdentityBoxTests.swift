import Terminal
import Testing

@testable import CircuitModel
@testable import ExamStore
@testable import OsceTUI
@testable import Reports

/// The identity check admits who was shown, and nobody else.
@MainActor @Suite("The identity box")
struct IdentityBoxTests {
  private func student(_ play: Rehearsed, _ number: String) throws -> Int {
    try play.count("SELECT dsid FROM user WHERE studentNumber = '\(number)'")
  }

  /// The identity box of round 2, and the desk that lets two candidates change places.
  private func swapped() throws -> Rehearsed {
    let play = try Rehearsed()
    try play.startClock(seconds: 75 + 600)
    try play.sit("nokafor", at: "CHEST")
    #expect(play.lines[1].contains("30108") && play.screen.contains("Check the candidate"))
    let session = try play.session("CHEST").session
    let (first, second) = (try student(play, "30108"), try student(play, "30105"))
    try play.store.write(.program) { _ = try SlotChanges.swap(first, second, from: 2, in: session, $0) }
    return play
  }

  @Test("where the desk swaps the candidate of the open box, a line says so, and no Enter counts until it can be read")
  func exchanged() throws {
    let play = try swapped()
    play.pass(seconds: 1)
    #expect(play.lines[1].contains("30105"))
    #expect(play.message.hasPrefix("CANDIDATE CHANGED: now 30105") && play.message.contains("not 30108"))
    play.pace = 300
    play.press(.enter)
    #expect(play.sheetScreen.isAtIdentityStep && play.message.hasPrefix("Enter ignored"))
    #expect(try play.count("SELECT count(*) FROM timetableAttendanceLog WHERE identityCheckedAt IS NOT NULL") == 0)
    play.passTime(1000)
    play.press("j", .enter)
    #expect(!play.sheetScreen.isAtIdentityStep)
  }

  @Test("the box names the keys that a terminal has chosen")
  func chosenKeys() throws {
    var configuration = Configuration()
    configuration.keys = ["sheet.early": ["W"], "back": ["ctrl-b"]]
    let play = try Rehearsed(configuration: configuration).mark("nokafor", at: "CHEST")
    play.press(">")
    #expect(play.screen.contains("W      not due yet: open early (asks first)"), "\(play.screen)")
    #expect(play.screen.contains("Ctrl-B go back without opening the sheet"), "\(play.screen)")
  }

  @Test("the box and the footer name the key for someone else; the call for help keeps its place in the footer")
  func someoneElse() throws {
    let play = try Rehearsed()
    try play.startClock()
    try play.sit("nokafor", at: "CHEST")
    #expect(play.screen.contains("a      someone else, late or absent"), "\(play.screen)")
    #expect(play.screen.contains("i      read the station's instructions"))
    #expect(play.lines[23].contains("a attendance") && play.lines[23].contains("! help call"), "\(play.lines[23])")
  }

  @Test("where the roster loses the place of the open box, a line names who comes and the key, and no Enter counts")
  func removed() throws {
    let play = try Rehearsed()
    try play.startClock(seconds: 75 + 600)
    try play.sit("nokafor", at: "CHEST")
    let entry = play.sheetScreen.entryKey
    try play.store.write(.program) { _ = try $0.delete("TimetableAttendanceLog", entry) }
    play.pass(seconds: 1)
    #expect(play.message.hasPrefix("CANDIDATE CHANGED: 30108 no longer comes here; > opens 30107"))
    #expect(play.lines[1].contains("no candidate here") && play.lines[1].contains("30107"))
    #expect(!play.screen.contains("this is the candidate"))
    play.passTime(1000)
    play.press("j", .enter)
    #expect(play.message.hasPrefix("no candidate here: > opens 30107"))
    #expect(play.press(">").lines[1].contains("30107"))
  }

  @Test("a question about the candidate who was swapped goes, and words typed about her are kept")
  func questions() throws {
    let play = try swapped()
    play.press("f").type("Rude to the patient").pass(seconds: 1)
    #expect(play.context.overlay == nil && play.message.hasPrefix("CANDIDATE CHANGED"))
    #expect(play.context.unsaved.isLosable)
  }

  @Test("a comment that is being written of the candidate who was swapped is not stored for the other")
  func comment() throws {
    let play = try swapped()
    play.press("c", "n").type("Rude to the patient").pass(seconds: 1)
    #expect(play.context.overlay == nil && play.context.screen is SheetScreen)
    #expect(try play.count("SELECT count(*) FROM commentMetaStationCandidate") == 0)
    #expect(play.context.unsaved.isLosable)
    play.passTime(1000)
    play.press("c")
    #expect(play.screen.contains("30105") && !play.screen.contains("Rude"))
  }

  @Test("an identity note, and that somebody is late, stay with the candidate of whom they were asked")
  func notes() throws {
    let play = try swapped().press("a", "i").type("badge of another year\n")
    #expect(play.message.contains("another candidate is due here"), "\(play.message)")
    #expect(try play.count("SELECT count(*) FROM timetableAttendanceLog WHERE identityNote IS NOT NULL") == 0)
    #expect(play.context.unsaved.isLosable)
    let other = try swapped().press("a", "l")
    #expect(other.message.contains("another candidate is due here"), "\(other.message)")
    #expect(try other.count("SELECT count(*) FROM timetableAttendanceLog WHERE lateAt IS NOT NULL") == 0)
    // Asked of the one who comes now, the line begins empty.
    play.pass(seconds: 1).passTime(1000)
    play.press("a", "i")
    #expect(play.context.overlay != nil && !play.screen.contains("badge of another year"), "\(play.screen)")
  }

  @Test("a candidate recorded absent is ABSENT in the box: no Enter records her present, the attendance key does")
  func absent() throws {
    let play = try Rehearsed()
    try play.startClock()
    try play.sit("nokafor", at: "CHEST").press("a", "a")
    #expect(play.lines[1].hasPrefix(" ABSENT  30101"))
    #expect(play.screen.contains("a      change attendance"))
    #expect(!play.screen.contains("Enter  ") && play.lines[23].contains("a attendance"))
    play.press("j", .enter)
    #expect(play.sheetScreen.isAtIdentityStep && play.message == "recorded absent: a changes attendance")
    play.press("z")
    #expect(play.message == "recorded absent: a changes attendance")
    play.press("q")
    #expect(!play.lines[23].contains("open sheet"))
    play.press(.enter)
    #expect(play.context.screen is RosterScreen && play.message == "recorded absent: a changes attendance")
    play.press("a", "p", "j", "k", .enter, .enter)
    #expect(!play.sheetScreen.isAtIdentityStep)
  }

  @Test("before the start nobody of a later round is one Enter away; the first round's candidate and practice are")
  func beforeTheStart() throws {
    let play = try Rehearsed()
    try play.sit("nokafor", at: "CHEST").press("q", "G", .enter, "j", .enter)
    #expect(play.lines[0].contains("NOT STARTED") && play.sheetScreen.isAtIdentityStep)
    #expect(play.message == "not due yet: E, then Enter, opens this sheet early")
    play.press("E", .enter, .enter)
    #expect(!play.sheetScreen.isAtIdentityStep)
    play.press("q", "g", "j", .enter, .enter)
    #expect(!play.sheetScreen.isAtIdentityStep && play.lines[1].contains("30101"))
    play.press("q", "g", .enter, .enter)
    #expect(!play.sheetScreen.isAtIdentityStep && play.lines[1].hasPrefix(" PRACTICE"))
  }

  @Test("where Enter is refused as somebody is not due yet, the other keys say the same")
  func notDue() throws {
    let play = try Rehearsed()
    try play.startClock()
    try play.sit("nokafor", at: "CHEST").press(">", .enter)
    let refusal = play.message
    #expect(refusal.hasPrefix("not due yet: E"))
    for key: Key in ["z", "s", "1"] {
      play.press(key)
      #expect(play.message == refusal, "\(key.name)")
    }
  }
}
