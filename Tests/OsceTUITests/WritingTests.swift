import CircuitModel
import ExamStore
import Reports
import Terminal
import Testing

@testable import OsceTUI

@MainActor @Suite("Written items, comments, calls")
struct WritingTests {
  private func atText() throws -> Rehearsed {
    let play = try Rehearsed().mark("nokafor", at: "CHEST")
    play.press("'").type("18\n")
    return play
  }

  @Test("that a letter came in no UTF-8 is said where it was typed, and the rest stays")
  func lostLetter() throws {
    let play = try atText().press(.enter).type("caf").send(.unreadable)
    #expect(play.message.hasPrefix("letter lost: this terminal sends no UTF-8") && play.screen.contains("caf"))
    play.press(.escape)
    #expect(play.item(18).feedback == "caf")
    play.press("'").type("1").send(.unreadable)
    #expect(play.screen.contains("letter lost") && play.screen.contains("1"), "\(play.screen)")
  }

  @Test("that a letter of Latin-1 is lost is said until an answer is given, whatever letters come after it")
  func lostLatinLetter() throws {
    let play = try atText().press("'")
    var decoder = KeyDecoder()
    for event in decoder.feed([0xE9, 0x31, 0x32], at: 0) {
      switch event {
      case .key(let key): play.send(.key(key))
      case .paste(let text): play.send(.paste(text))
      case .unreadable: play.send(.unreadable)
      }
    }
    #expect(play.screen.contains("letter lost") && play.screen.contains("12"), "\(play.screen)")
    play.press(.escape)
    #expect(!play.screen.contains("letter lost"), "\(play.screen)")
  }

  @Test("on a written item only movement, Enter, ?, : and ! act: a text typed at it by mistake does nothing")
  func lettersDoNothing() throws {
    let play = try atText()
    play.press(.enter).type("Kept.").press(.escape)
    let before = try play.count("SELECT count(*) FROM operation")
    for key in "0123456789abcdefhilmnopqrstuvwxyzABCDEFHIJKLMNOPQRSTUVWXYZ=/.,; " {
      play.type(String(key))
      #expect(play.context.overlay == nil, "\(key)")
      #expect(play.focus == 18, "\(key)")
      #expect(play.message == "text item: Enter edits, ↓ goes on, Ctrl-Z undoes; letters do nothing", "\(key)")
    }
    #expect(play.item(18).feedback == "Kept.")
    #expect(try play.count("SELECT count(*) FROM operation") == before)
    for key: Key in ["?", ":", "!"] {
      play.press(key)
      #expect(play.context.overlay != nil, "\(key.name)")
      play.press(.escape)
    }
    play.press("j")
    #expect(play.focus == 19)
    play.press("k", "[", "g")
    #expect(play.focus == 1)
  }

  @Test("a chosen key acts on a written item as the one did that it replaces, which does nothing there any more")
  func chosenKeys() throws {
    var configuration = Configuration()
    configuration.keys = ["sheet.previousSection": ["}"], "palette": ["%"]]
    let play = try Rehearsed(configuration: configuration).mark("nokafor", at: "CHEST")
    play.press("'").type("18\n")
    for key: Key in ["[", ":"] {
      play.press(key)
      #expect(play.focus == 18 && play.context.overlay == nil, "\(key.name)")
      #expect(play.message.hasSuffix("letters do nothing"), "\(key.name)")
    }
    play.press("%")
    #expect(play.context.overlay != nil)
    play.press(.escape, "}")
    #expect(play.focus != 18)
  }

  @Test("a name is filtered by every letter, also by one that was chosen for the help")
  func chosenKeysBesideNames() throws {
    var configuration = Configuration()
    configuration.keys = ["palette": ["%"], "help": ["o"]]
    let play = try Rehearsed(configuration: configuration)
    play.context.push(SignInScreen(play.context))
    play.type("oka")
    #expect(play.context.overlay == nil && play.screen.contains("Name: oka"))
    play.press("%")
    guard case .palette = play.context.overlay else { return #expect(Bool(false), "no palette") }
  }

  @Test("where a name is typed no letter is offered as a key, but another key that was chosen beside it")
  func lettersBesideNames() throws {
    var configuration = Configuration()
    configuration.keys = ["help.call": ["z"], "help": ["o", "f1"]]
    let play = try Rehearsed(configuration: configuration).mark("nokafor", at: "CHEST")
    func keys(_ id: BindingID) -> [Key]? { play.table.bindings.first { $0.id == id }?.keys }
    #expect(keys("help.call") == ["z"] && keys("help") == ["o", "f1"])
    let person = PersonScreen.Person(id: 1, name: "Ngozi Okafor", detail: "nokafor")
    play.context.push(PersonScreen(play.context, "Whose?", [person]) { _ in })
    #expect(keys("help.call") == [] && keys("help") == ["f1"])
    #expect(!play.lines[23].contains("help call"))
    play.type("zo")
    #expect(play.context.overlay == nil && play.screen.contains("Name: zo"))
    play.press("f1")
    guard case .help = play.context.overlay else { return #expect(Bool(false), "no help") }
  }

  @Test("the palette does on a written item what its keys do not")
  func palette() throws {
    let play = try atText()
    play.press(":").type("sign the").press(.enter)
    #expect(play.message.hasPrefix("REQUIRED BUT BLANK: 2 "))
  }

  @Test("a paste that does not fit says so beside what is saved of it, until the next key")
  func longPaste() throws {
    let play = try atText()
    play.press(.enter)
    play.send(.paste(String(repeating: "a", count: 20_000)))
    let refusal = "the text is full (16384 bytes): the rest was left out"
    #expect(play.message == refusal)
    play.pass(seconds: 3)
    #expect(play.item(18).feedback.count == TextArea.defaultLimit)
    #expect(play.message == refusal + "; item 18: text saved")
    play.press(.backspace).pass(seconds: 3)
    #expect(play.message == "item 18: text saved")
  }

  @Test("the editor names its target in its first line and Esc keeps the text")
  func editor() throws {
    let play = try atText()
    play.press(.enter)
    #expect(play.lines[2].hasPrefix("Item 18, read by candidate 30101 (Esc saves): Feedback for the candidate"))
    #expect(play.lines[22] == "to 30101 Ms Chidinma Abara: the candidate gets it")
    #expect(play.lines[0].contains("ROUND 1 of 8  STATION"))
    #expect(play.lines[1].hasPrefix(" IN THE ROOM  30101"))
    play.type("Good. 1234 zxqs>!").press(.escape)
    #expect(play.item(18).feedback == "Good. 1234 zxqs>!")
    #expect(play.message == "item 18: text saved")
  }

  @Test("feedback can be given on any item and leaves its mark alone")
  func feedback() throws {
    let play = try Rehearsed().mark("nokafor", at: "CHEST")
    play.type("1").press("k", "e")
    #expect(play.lines[2].hasPrefix("Feedback on item 1, candidate 30101"))
    #expect(play.lines[22] == "for the file; the candidate does not get it")
    play.type("With gel.").press(.escape)
    #expect(play.item(1).feedback == "With gel." && play.item(1).rating == MarkValue(1))
    #expect(play.lines.contains { $0.contains("Washes hands or uses gel ✎") })
    play.press("x")
    #expect(play.item(1).feedback == "With gel." && play.item(1).isBlank)
  }

  @Test("what is typed is on the disk after two seconds, and at a hang-up at once")
  func hangup() throws {
    let play = try atText()
    play.press(.enter).type("Half a sen").pass(seconds: 3)
    #expect(play.item(18).feedback == "Half a sen")
    play.type("tence")
    play.isHeld = true
    play.send(.hangup)
    #expect(play.hasExited)
    let second = try play.atSameStore()
    try second.sit("nokafor", at: "CHEST")
    #expect(second.item(18).feedback == "Half a sentence")
  }

  @Test("marks that are on their way when the line breaks are saved; whatever still comes does nothing")
  func brokenLine() throws {
    let play = try Rehearsed().mark("nokafor", at: "CHEST")
    play.isHeld = true
    play.press("1", "1", "Q")
    play.send(.hangup)
    play.isHeld = false
    play.press("3").send(.woken)
    #expect(play.effects.count { $0 == .exit(129) } == 1)
    let second = try play.atSameStore()
    try second.sit("nokafor", at: "CHEST")
    #expect(second.item(1).rating == MarkValue(1) && second.item(2).rating == MarkValue(1) && second.item(3).isBlank)
  }

  @Test("a text that could not be saved is kept and offered again")
  func unsavedText() throws {
    let play = try atText()
    play.press(.enter).type("Precious")
    try play.signElsewhere()
    play.press(.escape)
    #expect(play.message == "item 18: the text is NOT SAVED; open it again, it is kept until you leave the station")
    play.pass(seconds: 1)
    play.press(":").type("sign the").press(.enter).type("mistake\n")
    play.press(.enter)
    #expect(play.lines[3] == "Precious")
    play.press(.escape)
    #expect(play.item(18).feedback == "Precious")
  }

  @Test("comments are written at three levels, listed with author and time, and changed only by their author")
  func comments() throws {
    let play = try Rehearsed().mark("nokafor", at: "CHEST")
    for (key, about) in [
      (Key("c"), "candidate 30101 Ms Chidinma Abara"), ("C", "station CHEST Chest pain history"),
      ("ctrl-o", "circuit Blue circuit"),
    ] {
      play.press(key)
      #expect(play.lines[2].hasPrefix("Comments on \(about)"))
      play.press("n")
      #expect(play.lines[2].hasPrefix("New comment on \(about)"))
      play.type("Text \(about.first!)").press(.escape)
      let readers = about.hasPrefix("candidate") ? "[staff only] " : ""
      #expect(play.lines.contains { $0.hasPrefix("▸ 09:00 Dr Ngozi Okafor: \(readers)Text \(about.first!)") })
      play.press(.enter).type("!").press(.escape)
      #expect(play.screen.contains("Text \(about.first!)!"))
      play.press("q")
    }
    for table in ["commentMetaStationCandidate", "commentMetaStation", "commentMetaCircuit"] {
      #expect(try play.count("SELECT count(*) FROM \(table)") == 1)
    }
    let second = try play.atSameStore()
    try second.sit("gmoreau", at: "CHEST", "Green circuit")
    second.press("C")
    second.press("q", "q", "q")
    let third = try play.atSameStore()
    try third.sit("hyamamoto", at: "ABDO")
    third.press("ctrl-o", .enter)
    #expect(third.message == "only your own comments can be changed; n writes a new one")
  }

  @Test("an editor that is left with nothing typed makes no comment")
  func emptyComment() throws {
    let play = try Rehearsed().mark("nokafor", at: "CHEST")
    play.press("c", "n", .escape)
    #expect(try play.count("SELECT count(*) FROM commentMetaStationCandidate") == 0)
  }

  @Test("a concern is a comment that is marked as one")
  func concern() throws {
    let play = try Rehearsed().mark("nokafor", at: "CHEST")
    play.press("f").type("Unsafe practice\n")
    #expect(play.message == "concern raised about 30101 Ms Chidinma Abara; c lists it; z undoes marks only")
    #expect(
      try play.count("SELECT count(*) FROM commentMetaStationCandidate WHERE concern = 1 AND text = 'Unsafe practice'")
        == 1)
  }

  @Test("a help call is a row that says where, what and since when")
  func helpCall() throws {
    let play = try Rehearsed().mark("nokafor", at: "CHEST")
    play.press("!", "k")
    #expect(play.message == "help called: Equipment; the reply appears here")
    let station = try play.session("CHEST").station
    let sql = """
      SELECT count(*) FROM assistanceRequested WHERE stationID = \(station) AND status = 'requested'
        AND assistanceRequired = 1 AND text = 'Equipment' AND timeRequested = '2026-12-07T09:00:00.000Z'
      """
    #expect(try play.count(sql) == 1)
  }

  @Test("a tooth is recorded on its section, and a wrong one refused in a line")
  func tooth() throws {
    let play = try Rehearsed().mark("tnguyen", at: "DENTAL")
    play.press("]", .enter).type("97\n")
    #expect(play.message == "97 is no tooth: quadrant 1 to 4, tooth 1 to 8 (first teeth 51 to 85)")
    play.press("ctrl-u").type("36\n").type("7")
    #expect(play.message == "a number from 1 to 3")
    play.press(.escape)
    #expect(play.screen.contains("tooth 36 · how difficult? Enter"))
    play.press(.enter, "ctrl-u").type("85\n3\n")
    #expect(play.screen.contains("tooth 85 · difficulty 3 of 3"))
    play.press("z", "z")
    #expect(play.screen.contains("which tooth, how difficult? Enter"))
  }
}
