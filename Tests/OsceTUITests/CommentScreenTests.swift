import CircuitModel
import ExamStore
import Journal
import Reports
import Terminal
import Testing

@testable import OsceTUI

/// Comments: who may read them, concerns, phrases, general ones.
@MainActor @Suite("Comments")
struct CommentScreenTests {
  private func onComments() throws -> Rehearsed {
    let play = try Rehearsed().mark("nokafor", at: "CHEST")
    play.press("c", "n").type("Calm and clear").press(.escape)
    return play
  }

  private func phrases(_ play: Rehearsed) throws {
    let config = try play.count("SELECT dsid FROM config ORDER BY dsid")
    try play.store.write(.program) {
      try $0.set("Config", String(config), ["settings": .text(#"{"phrases":{"":["Clear structure.","Rushed."]}}"#)])
    }
  }

  @Test("no concern is raised on a practice sheet, from its comments neither")
  func concernOnPractice() throws {
    let play = try Rehearsed()
    try play.sit("nokafor", at: "CHEST").press("q", "g", .enter, .enter, "f")
    #expect(play.message == "practice: a concern is raised about a candidate")
    play.press("c", "n").type("Rude").press(.escape, "f")
    #expect(play.message == "practice: a concern is raised about a candidate" && play.context.overlay == nil)
    #expect(try play.count("SELECT count(*) FROM commentMetaStationCandidate WHERE concern = 1") == 0)
  }

  @Test("a comment says who may read it; v shows it to the candidate and takes that back")
  func visibility() throws {
    let play = try onComments()
    #expect(play.lines[2].contains("candidates may ask to read them"))
    #expect(play.screen.contains("[staff only] Calm and clear"))
    play.press("v")
    #expect(play.screen.contains("Show this comment to the candidate?"))
    play.press(.enter)
    #expect(play.message == "visible to the candidate")
    #expect(play.screen.contains("[shown to the candidate] Calm and clear"))
    play.press("n")
    #expect(play.lines[22] == "for the file; the candidate gets it only once it is shown to the candidate")
    play.press(.escape, "g", .enter)
    #expect(play.lines[22] == "the candidate gets it")
    play.press(.escape)
    #expect(try play.count("SELECT visibleToCandidate FROM commentMetaStationCandidate") == 1)
    play.press("v", .enter)
    #expect(play.screen.contains("[staff only] Calm and clear"))
    play.press("q", "C", "n").type("Room cold").press(.escape, "v")
    #expect(play.message == "only a comment on a candidate is shown to the candidate")
  }

  @Test("f raises a comment as a concern once it has asked, and never takes one back: x does, and asks too")
  func concern() throws {
    let play = try onComments()
    play.press("f")
    #expect(play.flat.contains("Raise this comment as a concern?") && play.flat.contains("\"Calm and clear\""))
    #expect(try play.count("SELECT concern FROM commentMetaStationCandidate") == 0)
    play.press(.enter)
    #expect(play.message == "concern raised: the exam lead reads it")
    #expect(play.screen.contains("CONCERN [staff only] Calm and clear"))
    play.press("f")
    #expect(play.message == "this is a concern already; x withdraws it" && play.context.overlay == nil)
    play.press("x")
    #expect(play.flat.contains("Withdraw this concern?") && play.flat.contains("\"Calm and clear\""))
    play.press(.escape)
    #expect(play.screen.contains("CONCERN"))
    play.press("x", .enter)
    #expect(!play.screen.contains("CONCERN") && play.message == "concern withdrawn: the comment stays")
    #expect(try play.count("SELECT concern FROM commentMetaStationCandidate") == 0)
    play.press("x")
    #expect(play.message == "this is not a concern")
  }

  @Test("no concern is shown to the candidate: v is refused on one, and a comment shown is hidden where it is raised")
  func concernIsHidden() throws {
    let play = try onComments()
    play.press("v", .enter, "f")
    #expect(play.flat.contains("The candidate does not see it any more."))
    play.press(.enter)
    #expect(play.screen.contains("CONCERN [staff only] Calm and clear"))
    play.press("v")
    #expect(play.message == "a concern is never shown to the candidate; x withdraws it" && play.context.overlay == nil)
    #expect(try play.count("SELECT visibleToCandidate FROM commentMetaStationCandidate") == 0)
  }

  @Test("the key after writing acts on what was written, not on the oldest comment")
  func focusOnWritten() throws {
    let play = try Rehearsed().mark("nokafor", at: "CHEST")
    play.press("f").type("Rough with the patient\n").press("c", "n").type("Well organised").press(.escape)
    #expect(play.lines.contains { $0.hasPrefix("▸") && $0.contains("Well organised") })
    play.press("v")
    #expect(play.flat.contains("\"Well organised\""))
    play.press(.escape, "k", .enter).type("!").press(.escape)
    #expect(play.lines.contains { $0.hasPrefix("▸") && $0.contains("Rough with the patient!") })
  }

  @Test("Esc throws no typed concern away: it asks, keeps the words meanwhile, and says what became of them")
  func leavingConcern() throws {
    let play = try Rehearsed().mark("nokafor", at: "CHEST")
    func concerns() throws -> Int { try play.count("SELECT count(*) FROM commentMetaStationCandidate WHERE concern") }
    play.press("f", .escape)
    #expect(play.context.overlay == nil)
    play.press("f").type("Needle left in the bed").press(.escape)
    #expect(play.flat.contains("Raise this concern?") && play.flat.contains("\"Needle left in the bed\""))
    play.press(.escape)
    #expect(try concerns() == 0 && play.context.unsaved.isLosable)
    #expect(play.message == "NOT RAISED: the words are kept; f opens them again")
    play.press("f")
    #expect(play.screen.contains("Concern: Needle left in the bed"))
    play.press(.escape, .enter)
    #expect(try concerns() == 1 && !play.context.unsaved.isLosable)
    play.press("f").type("Nothing").press(.escape, "x")
    #expect(play.message == "no concern raised: the words are thrown away")
    #expect(try concerns() == 1 && !play.context.unsaved.isLosable)
  }

  @Test("while writing, Ctrl-P puts in what was jotted of the candidate, or a phrase")
  func offers() throws {
    let play = try Rehearsed().mark("nokafor", at: "CHEST")
    try phrases(play)
    play.press(",").type("dropped the swab\n")
    play.press("c", "n").type("Saw:").press("ctrl-p")
    #expect(play.lines.contains { $0.hasPrefix("▸ note 09:00") && $0.contains("dropped the swab") })
    #expect(play.lines.contains { $0.contains("phrase") && $0.contains("Rushed.") })
    play.press(.enter).type(".").press("ctrl-p", "j", .enter)
    play.press("ctrl-p", .escape, .escape)
    #expect(play.screen.contains("Saw: dropped the swab. Clear structure."))
  }

  @Test("the editor wraps, takes a paste as text, undoes and moves by words")
  func editor() throws {
    let play = try Rehearsed().mark("nokafor", at: "CHEST")
    play.press("c", "n").type("one two")
    play.send(.paste(" three\nfour"))
    play.press("ctrl-left").type("IV ").press("ctrl-z", "ctrl-y", "end").type("!")
    play.press(.escape)
    let text = try play.store.read { db in
      try Comments.all(.candidate(play.sheetKeyOfEntry), in: db).first?.text
    }
    #expect(text == "one two three\nIV four!")
  }

  @Test("a general comment goes to a person in one of the exam's categories, and its author changes it")
  func general() throws {
    let play = try Rehearsed().mark("nokafor", at: "CHEST")
    let category = try play.store.write(.program) { transaction -> Int in
      if let first = try GeneralComments.categories(in: transaction.db).first { return first.id }
      try transaction.create("CommentGroup", "7", ["name": .text("Communication")])
      return 7
    }
    play.press("p")
    #expect(play.lines[2].hasPrefix("A comment to whom?"))
    #expect(play.lines.contains { $0.hasPrefix("▸ 30101 Ms Chidinma Abara") })
    play.press(.enter, "n", "1").type("Well done").press(.escape)
    #expect(play.screen.contains("Well done"))
    #expect(try play.count("SELECT count(*) FROM comment WHERE groupID = \(category)") == 1)
    play.press(.enter).type("!").press(.escape)
    #expect(play.screen.contains("Well done!"))
    let second = try play.atSameStore()
    try second.sit("hyamamoto", at: "ABDO")
    second.press("p").type("30101\n")
    #expect(second.screen.contains("You wrote nothing to this person yet"))
  }

  @Test("double marking is blind: of the other's values, counts, history and comments nothing is on any screen")
  func blind() throws {
    let play = try Rehearsed().mark("mlindqvist", at: "CONSENT")
    play.type("1").press("e").type("SECRETFEEDBACK").press(.escape)
    play.press("c", "n").type("SECRETCOMMENT").press(.escape, "f", .enter, "q", ",").type("SECRETJOT\n")
    let second = try play.atSameStore()
    try second.sit("rfitzgerald", at: "CONSENT")
    second.press(.enter)
    let item = second.focus
    #expect(!second.lines[1].contains("also open"))
    for keys: [Key] in [
      [], ["H"], ["r"], ["m"], ["m", "m"], ["c"], ["c", "n", "ctrl-p"], ["p", .enter], ["S"], ["M", "s"],
    ] {
      for key in keys { second.press(key) }
      for secret in ["SECRET", "Lindqvist", "1/18"] {
        #expect(!second.screen.contains(secret), "\(keys.map(\.name)): \(secret)")
      }
      while !(second.context.screen is SheetScreen) || second.context.overlay != nil {
        if second.context.overlay != nil { second.press(.escape) } else { _ = second.context.pop() }
      }
    }
    #expect(second.focus == item)
    second.press("z")
    #expect(second.message == "nothing to undo on this sheet")
    second.press("q")
    #expect(second.lines.contains { $0.contains("0/18") } && !second.screen.contains("1/18"))
    second.press("z")
    #expect(second.message == "no mark of yours to undo at this station")
  }

  @Test("what a relieved assessor wrote stays with the seat: the second assessor sees none of it")
  func blindAfterCover() throws {
    let play = try Rehearsed().mark("mlindqvist", at: "CONSENT")
    play.type("1").press("c", "n").type("SECRETCOMMENT").press(.escape, "q", ",").type("SECRETJOT\n")
    play.press("q", "q")
    let timetable = try play.session("CONSENT").timetable
    let cover = try play.member("fhaddad")
    try play.store.write(.program) { try Attendance.cover(timetable, by: cover.id, in: $0) }
    let second = try play.atSameStore()
    try second.sit("rfitzgerald", at: "CONSENT")
    second.press(.enter, "c")
    #expect(!second.screen.contains("SECRET"))
    let third = try play.atSameStore()
    try third.sit("fhaddad", at: "CONSENT")
    third.press("O", "c")
    #expect(third.screen.contains("SECRETCOMMENT"))
    // A sheet that the second assessor moves takes nothing of the lead's seat along.
    second.press("q").type("1").press("M", "m").type("2").press(.enter)
    #expect(second.context.overlay != nil)
    #expect(!second.screen.contains("comment") && !second.screen.contains("note"))
  }

  @Test("what the invigilator writes elsewhere is for all seats, also where she has stood in at the station once")
  func stoodIn() throws {
    let play = try Rehearsed().mark("mlindqvist", at: "CONSENT")
    let session = try play.session("CONSENT")
    let invigilator = try play.member("fhaddad")
    func write(_ text: String, sitting timetable: Int?) throws {
      let device = play.store.device
      try play.store.write(.program) {
        _ = try SignIn.begin(invigilator, timetable: timetable, device: device, in: $0)
        try Comments.add(text, to: .candidate(play.sheetKeyOfEntry), timetable: session, in: $0)
      }
    }
    try play.store.write(.program) { try Attendance.cover(session.timetable, by: invigilator.id, in: $0) }
    try write("while standing in", sitting: session.timetable)
    try write("from the desk meanwhile", sitting: nil)
    let lead = try play.member("mlindqvist")
    try play.store.write(.program) { try Attendance.cover(session.timetable, by: lead.id, in: $0) }
    try write("from the desk", sitting: nil)
    let entry = play.sheetKeyOfEntry
    func seen(from seat: Seat) throws -> [String] {
      try play.store.read { db in
        let now = try StationSession.find(session.timetable, in: db)
        return try Comments.all(.candidate(entry), seenFrom: seat, of: now, in: db).map(\.text)
      }
    }
    let second = try #require(session.assessors.last?.seat)
    #expect(second != .lead)
    #expect(try seen(from: .lead) == ["while standing in", "from the desk meanwhile", "from the desk"])
    #expect(try seen(from: second) == ["from the desk meanwhile", "from the desk"])
  }
}

extension Rehearsed {
  /// What is on the screen as one line of words, as it reads where a box has wrapped it.
  @MainActor var flat: String {
    let text = screen.map { "│─┌┐└┘".contains($0) || $0 == "\n" ? " " : $0 }
    return String(text).split(separator: " ").joined(separator: " ")
  }

  /// The roster entry of the sheet under the shown screen.
  @MainActor var sheetKeyOfEntry: String {
    context.screens.reversed().compactMap { ($0 as? SheetScreen)?.entryKey }.first ?? ""
  }
}
