import CircuitModel
import ExamStore
import Reports
import Terminal
import Testing

@testable import OsceTUI

@MainActor @Suite("Marking")
struct MarkingRulesTests {
  private func chest() throws -> Rehearsed { try Rehearsed().mark("nokafor", at: "CHEST") }

  @Test("a level key marks the focused item, steps to the next and leaves a line in words")
  func marks() throws {
    let play = try chest()
    #expect(play.focus == 1)
    play.press("1")
    #expect(play.item(1).rating == MarkValue(1))
    #expect(play.focus == 2)
    #expect(play.message == "item 1: 1 Done")
    play.press("0")
    #expect(play.item(2).rating == MarkValue(0))
    #expect(play.message == "item 2: 0 Not done")
  }

  @Test("a mark that replaces another says the old value")
  func replaces() throws {
    let play = try chest()
    play.press("1", "k", "0")
    #expect(play.message == "item 1: 0 Not done (was 1 Done)")
    play.press("k", "x")
    #expect(play.message == "item 1: blank (was 0 Not done)")
    #expect(play.focus == 1)
  }

  @Test("a binary item takes 1 or y, 0 or n, and refuses the rest in a line")
  func binary() throws {
    let play = try chest()
    for (key, value) in [("y", 1.0), ("n", 0), ("1", 1), ("0", 0)] {
      play.press("g", "j").type(key)
      #expect(play.item(1).rating == MarkValue(value), "\(key)")
    }
    for key in ["2", "9", "t"] {
      play.press("g", "j").type(key)
      #expect(play.item(1).rating == MarkValue(0))
      #expect(play.message == "this item takes 1 or y, 0 or n")
    }
  }

  @Test("the level keys printed on every item of every sheet are the level keys accepted, and no others")
  func printedIsAccepted() throws {
    let places = [
      ("CHEST", "nokafor"), ("ABDO", "hyamamoto"), ("RX", "psharma"), ("CONSENT", "mlindqvist"), ("RESUS", "doneill"),
      ("NEWS", "aalrashid"), ("DENTAL", "tnguyen"),
    ]
    for (station, username) in places {
      let play = try Rehearsed().mark(username, at: station)
      for number in play.sheet.items.indices.map({ $0 + 1 }) {
        let item = play.item(number)
        if item.template.kind.isWritten || LevelKeys.isTyped(item.template) { continue }
        play.press("'").type("\(number)\n")
        let row = try #require(play.lines.first { $0.hasPrefix("▸") })
        let printed = PrintedLevels(row)
        #expect(printed.values.count == item.template.levels.count, "\(station) item \(number): \(row)")
        let keys = LevelKeys(play.sheetScreen.rows.section(in: play.sheet)!.template.items)
        for key in "0123456789t" {
          switch keys.meaning(of: key, in: item.template) {
          case .level(let index):
            #expect(
              printed.values[key] == item.template.levels[index].value.description,
              "\(station) item \(number) key \(key)")
          case .refused: #expect(printed.values[key] == nil, "\(station) item \(number) key \(key)")
          }
        }
        // One of them pressed gives the value printed beside it.
        let (key, value) = try #require(printed.values.max { $0.key < $1.key })
        play.type(String(key))
        #expect(play.item(number).rating?.description == value, "\(station) item \(number)")
      }
    }
  }

  @Test("0 never means ten: it is refused in a line where the scale has none, and t is the tenth level")
  func zeroAndTen() throws {
    let play = try Rehearsed().mark("psharma", at: "RX")
    play.press("'").type("15\n0")
    #expect(play.item(15).isBlank)
    #expect(play.message == "this scale has no 0: the keys are 1 to t")
    #expect(play.focus == 15)
    play.press("t")
    #expect(play.item(15).rating == MarkValue(10))
  }

  @Test("a scale of more than ten levels takes = and a number, and says so")
  func typedNumber() throws {
    let play = try Rehearsed().mark("psharma", at: "RX")
    play.press("'").type("11\n1")
    #expect(play.message == "this scale has 21 levels: press = and type the number")
    play.type("=21\n")
    #expect(play.message == "21 is not on the scale from 0 to 20")
    play.type("=\n")
    #expect(play.message == "no number was typed")
    play.type("=nan\n")
    #expect(play.message == "nan is not a number")
    #expect(play.item(11).isBlank)
    play.type("=17\n")
    #expect(play.item(11).rating == MarkValue(17))
    #expect(play.focus == 12)
  }

  @Test("unable to assess leaves score and maximum, and is refused where the item does not offer it")
  func unable() throws {
    let play = try Rehearsed().mark("aalrashid", at: "NEWS")
    let before = play.sheet.total.maximum
    play.press("u")
    #expect(play.message == "not offered on this item")
    play.press("'").type("8\nu")
    #expect(play.item(8).isUnable)
    #expect(play.message == "item 8: unable to assess")
    #expect(play.sheet.total.maximum.number == before.number - 3)
    play.press("'").type("8\n2")
    #expect(!play.item(8).isUnable)
    #expect(play.message.hasSuffix("(was unable to assess)"), "\(play.message)")
  }

  @Test("reading a level with the arrows marks nothing")
  func readingMarksNothing() throws {
    let play = try Rehearsed().mark("aalrashid", at: "NEWS")
    let before = try play.count("SELECT count(*) FROM operation")
    play.press("'").type("4\n").press(.right, .right, .left, .right)
    #expect(play.item(4).isBlank)
    #expect(try play.count("SELECT count(*) FROM operation") == before)
    #expect(play.lines.contains { $0.hasPrefix("▸1  Weak") })
  }

  @Test("at the end of the sheet level keys do nothing")
  func endOfSheet() throws {
    let play = try chest()
    let before = try play.count("SELECT count(*) FROM operation")
    play.press("G")
    for key in "0123456789tynux" {
      play.type(String(key))
      #expect(play.lines.contains { $0.hasPrefix("▸ END OF SHEET") })
    }
    #expect(try play.count("SELECT count(*) FROM operation") == before)
  }

  @Test("after the last item the focus rests on the end of the sheet")
  func lastItem() throws {
    let play = try chest()
    play.press("'").type("19\n3")
    #expect(play.lines.contains { $0.hasPrefix("▸ END OF SHEET") })
    play.type("3")
    #expect(play.message == "the end of the sheet: nothing is marked here")
  }

  @Test("on a heading level keys do nothing")
  func heading() throws {
    let play = try chest()
    play.press("]").type("1")
    #expect(play.message == "a heading: nothing is marked here")
  }

  @Test("no answer of a box that a sheet opens is a key that marks, so a running hand answers nothing")
  func boxKeys() throws {
    let marks = Set("0123456789tynu".map { Key.character($0) })
    for keys: [Key] in [
      ["s"], ["b"], ["a"], ["f"], ["!"], ["M"], ["M", "m", "2", .enter], ["Q"], [">", .enter, "E"],
    ] {
      let play = try chest().type("1")
      for key in keys { play.press(key) }
      guard case .question(let modal, _)? = play.context.overlay else {
        Issue.record("\(keys.map(\.name)) asks nothing")
        continue
      }
      #expect(marks.isDisjoint(with: modal.keys), "\(keys.map(\.name))")
      for key in marks { play.press(key) }
      guard case .question? = play.context.overlay else {
        Issue.record("\(keys.map(\.name)) was answered")
        continue
      }
      #expect(play.message.hasPrefix("only the keys of the box answer: "))
      #expect(play.message.hasSuffix("Esc"))
    }
  }

  @Test("blanks to not done asks, and one undo takes all back")
  func blanks() throws {
    let play = try chest()
    play.type("1").press("b", .enter)
    let binary = play.sheet.items.filter { $0.template.kind.isBinary }
    #expect(binary.allSatisfy { !$0.isBlank })
    #expect(play.item(1).rating == MarkValue(1))
    #expect(play.message == "\(binary.count - 1) items marked as not done; z takes all back")
    play.press("z")
    #expect(play.sheet.items.filter { !$0.isBlank }.count == 1)
    play.press("b", .escape)
    #expect(play.sheet.items.filter { !$0.isBlank }.count == 1)
  }

  @Test("the total is hidden until the global rating is given, and always where the sheet says so")
  func total() throws {
    let play = try chest()
    for number in 1...17 { play.press("'").type("\(number)\n1") }
    #expect(!play.screen.contains("total"))
    play.press("'").type("19\n3")
    #expect(play.screen.contains("total "))
    let hidden = try Rehearsed().mark("aalrashid", at: "NEWS")
    hidden.press("'").type("16\n3")
    #expect(!hidden.screen.contains("total"))
  }

  @Test("pilots, critical items and thresholds are not shown")
  func nothingThatLeads() throws {
    for (station, username) in [("RX", "psharma"), ("RESUS", "doneill")] {
      let play = try Rehearsed((120, 60)).mark(username, at: station)
      for _ in 0..<30 {
        play.press("j")
        for word in ["critical", "Critical", "threshold", "pilot", "safety"] { #expect(!play.screen.contains(word)) }
      }
    }
  }

  @Test("each mark is a row of the journal that says who, when and from where")
  func journal() throws {
    let play = try chest()
    let before = try play.count("SELECT count(*) FROM operation")
    play.type("101")
    #expect(try play.count("SELECT count(*) FROM operation") == before + 3)
    let staff = try play.member("nokafor").id
    #expect(
      try play.count(
        "SELECT count(*) FROM operation WHERE seq > \(before) AND staff = \(staff) AND sitting IS NOT NULL") == 3)
    #expect(
      try play.count(
        "SELECT count(*) FROM dataQuestion WHERE rating NOT NULL AND judgedByID = \(staff) AND enteredByID = \(staff)"
      ) == 3)
  }

  @Test("a suggestion is a blank until a key confirms it")
  func suggestion() throws {
    let play = try Rehearsed()
    try play.store.write(.program) { transaction in
      let question = try Fixture.count(
        "SELECT dsid FROM typeQuestion WHERE text = 'Washes hands or uses gel'", transaction.db)
      try transaction.set("TypeQuestion", String(question), ["defaultState": .bool(true)])
    }
    try play.mark("nokafor", at: "CHEST")
    #expect(play.item(1).isBlank)
    #expect(play.screen.contains("0 (1)"))
    #expect(play.screen.contains("Suggested: Done. A blank until a key confirms it."))
    play.press("1")
    #expect(play.item(1).rating == MarkValue(1))
  }
}

/// The keys and values printed on an item's row: ` 0  1 [2]`, `1=0  2=0.5`, ` 9  t=10`.
struct PrintedLevels {
  var values: [Character: String] = [:]

  init(_ row: String) {
    // The levels stand at the right, parted from the text by more than one blank or by brackets.
    let parts = row.split(separator: " ").reversed()
    for part in parts {
      let text = part.filter { !"[]()".contains($0) }
      if text == "u" { continue }
      guard let key = text.first, key.isNumber || key == "t" else { break }
      let value = text.dropFirst()
      if value.isEmpty {
        values[key] = String(key)
      } else if value.first == "=" {
        values[key] = String(value.dropFirst())
      } else {
        break
      }
    }
  }
}
