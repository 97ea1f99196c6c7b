import ExamStore
import Foundation
import GRDB
import Reports
import Terminal
import Testing

@testable import CircuitModel
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
      play.press("g").type(key)
      #expect(play.item(1).rating == MarkValue(value), "\(key)")
    }
    for key in ["2", "9", "t"] {
      play.press("g").type(key)
      #expect(play.item(1).rating == MarkValue(0))
      #expect(play.message == "\(key) is not a level of this item: the keys are 0 or n, 1 or y")
    }
  }

  @Test("a number that no item has keeps the question open: the digits of the second try are no marks")
  func wrongNumber() throws {
    let play = try chest()
    play.press("'").type("99\n")
    #expect(play.context.overlay != nil && play.message == "there is no item 99")
    play.press("ctrl-u").type("4\n")
    #expect(play.focus == 4 && play.sheet.items.allSatisfy { $0.rating == nil })
  }

  @Test("the same key six times gives the same mark six times, in whatever scales the items have")
  func sixOnes() throws {
    let play = try chest()
    play.press("'").type("4\n").type("111111")
    #expect((4...9).map { play.item($0).rating } == Array(repeating: MarkValue(1), count: 6))
    #expect(play.item(8).template.levels.map(\.value.description) == ["0", "0.5", "1"])
    play.press("'").type("8\nh")
    #expect(play.item(8).rating == MarkValue(0.5) && play.message == "item 8: 0.5 (was 1)")
  }

  @Test("on every item of every sheet each key marks what it says and what is printed on the level, or is refused")
  func printedIsAccepted() throws {
    let keys: [(String, MarkKey, Double)] =
      (0...9).map { ("\($0)", .digit($0), Double($0)) } + [("t", .ten, 10), ("h", .half, 0.5)]
    let places = [
      ("CHEST", "nokafor"), ("ABDO", "hyamamoto"), ("RX", "psharma"), ("CONSENT", "mlindqvist"), ("RESUS", "doneill"),
      ("NEWS", "aalrashid"), ("DENTAL", "tnguyen"),
    ]
    var plays = [try Rehearsed.allKinds(), try Rehearsed.allKinds(as: "hyamamoto", at: "TWENTY")]
    for (station, username) in places { plays.append(try Rehearsed().mark(username, at: station)) }
    for play in plays {
      for number in play.sheet.items.indices.map({ $0 + 1 }) {
        let template = play.item(number).template
        if template.kind.isWritten { continue }
        let place = "\(play.sheet.template.name), item \(number)"
        play.press("'").type("\(number)\n")
        let row = try #require(play.lines.first { $0.hasPrefix("▌") })
        if !row.contains("__ of ") {
          let printed = PrintedLevels(row)
          #expect(printed.levels.map(\.value).sorted() == template.levels.map(\.value).sorted(), "\(place): \(row)")
          for level in printed.levels where level.key != nil {
            #expect(LevelKeys.meaning(of: level.key!, in: template) != .refused(.noSuchLevel), "\(place): \(row)")
          }
        }
        for (typed, _, worth) in keys {
          play.press("'").type("\(number)\n").press("x").type(typed)
          let isLevel = template.levels.contains { $0.value.number == worth }
          #expect(play.item(number).rating == (isLevel ? MarkValue(worth) : nil), "\(place), key \(typed)")
          if !isLevel { #expect(play.message.contains(" is not a level of this item: "), "\(place): \(play.message)") }
        }
      }
    }
  }

  @Test("1 stands under 1, 0 under 0, a half under a half on every row of a sheet", arguments: [80, 120, 200])
  func columns(_ width: Int) throws {
    for (station, username) in [
      ("CHEST", "nokafor"), ("RX", "psharma"), ("CONSENT", "mlindqvist"), ("RESUS", "doneill"), ("DENTAL", "tnguyen"),
    ] {
      let play = try Rehearsed((width, 60)).mark(username, at: station)
      var columns: [MarkValue: Set<Int>] = [:]
      for whole in play.lines where whole.wholeMatch(of: /..\ {0,3}\d+\ .*/) != nil && !whole.contains("__ of ") {
        let line = String(whole.prefix { $0 != "│" })
        // A text may end in a number, too.
        let number = line.split(separator: " ").lazy.compactMap { Int($0) }.first ?? 0
        let most =
          play.sheet.items.indices.contains(number - 1) ? play.sheet.items[number - 1].template.levels.count : 0
        let levels = PrintedLevels(line).levels.suffix(most)
        var end = line.endIndex
        for level in levels.reversed() {
          let value = level.value.description
          let sign = level.key == .half ? "h" : level.key == .ten ? "t" : value
          guard let found = line.range(of: " \(sign)", options: .backwards, range: line.startIndex..<end) else {
            continue
          }
          end = found.lowerBound
          columns[level.value, default: []].insert(line.distance(from: line.startIndex, to: found.lowerBound))
        }
      }
      #expect(columns.count >= 3, "\(station)")
      for (value, places) in columns { #expect(places.count == 1, "\(station) at \(width): \(value) at \(places)") }
    }
  }

  @Test("a digit that is no level is refused in a line with the item's own keys, and moves nothing")
  func noLevel() throws {
    let play = try Rehearsed().mark("psharma", at: "RX")
    play.press("'").type("15\n0")
    #expect(play.item(15).isBlank)
    #expect(play.message == "0 is not a level of this item: the keys are 1 to 9, t")
    #expect(play.focus == 15)
    play.press("t")
    #expect(play.item(15).rating == MarkValue(10))
    play.press("'").type("5\n3")
    #expect(play.message == "3 is not a level of this item: the keys are 0, 1, h" && play.item(5).isBlank)
  }

  @Test("any level can be typed after =; what is no level is refused with the levels, and the line stays")
  func typedValue() throws {
    let play = try Rehearsed().mark("psharma", at: "RX")
    play.press("'").type("11\n=21\n")
    #expect(play.screen.contains("21 is not a level: they are 0 to 20"))
    play.press("ctrl-u", .enter)
    #expect(play.screen.contains("no value was typed: 0 to 20"))
    play.type("nan\n")
    #expect(play.screen.contains("nan is not a number: the levels are 0 to 20"))
    #expect(play.item(11).isBlank)
    play.press("ctrl-u").type("17\n")
    #expect(play.item(11).rating == MarkValue(17))
    #expect(play.focus == 12)
    play.press("'").type("5\n=0,5\n")
    #expect(play.item(5).rating == MarkValue(0.5))
  }

  @Test("Enter marks the level that is being read, on any item, and nothing where none is")
  func readAndMarked() throws {
    let play = try Rehearsed().mark("psharma", at: "RX")
    play.press("'").type("5\n").press(.enter)
    #expect(play.item(5).isBlank && play.focus == 5)
    #expect(play.message == "nothing marked: no level is being read; ← → read one, or press its key")
    play.press(.right, .right)
    #expect(play.lines.contains { $0.hasPrefix("▸h=0.5  Enter marks it") })
    #expect(play.item(5).isBlank)
    play.press(.enter)
    #expect(play.item(5).rating == MarkValue(0.5) && play.focus == 6)
    // What was read of one item is not marked on another.
    play.press(.right, .right, "z", .enter)
    #expect(play.item(5).isBlank && play.item(6).isBlank)
    play.press("'").type("2\n").press(.right, .right, .enter)
    #expect(play.item(2).rating == MarkValue(1))
    let matrix = try Rehearsed().mark("aalrashid", at: "NEWS")
    matrix.press("'").type("4\n").press(.right, .right, .enter)
    #expect(matrix.item(4).rating == MarkValue(1))
  }

  @Test("of two levels with one value = asks which, and Enter marks the one that is read")
  func sharedValue() throws {
    let play = try Rehearsed()
    try play.store.write(.program) { transaction in
      let question = try Fixture.count(
        "SELECT dsid FROM typeQuestion WHERE text = 'Silence and emotion'", transaction.db)
      let levels = try Int.fetchAll(
        transaction.db, sql: "SELECT dsid FROM markingDescriptor WHERE questionID = ? ORDER BY \"order\"",
        arguments: [question])
      try transaction.set("MarkingDescriptor", String(levels[2]), ["value": .integer(1_000_000)])
    }
    try play.mark("aalrashid", at: "NEWS")
    play.press("'").type("5\n1")
    #expect(play.item(5).isBlank && play.message == "2 levels are worth 1: = 1 Enter asks which")
    #expect(play.lines.contains { $0.hasPrefix("▌") && $0.contains("0  =1  =1  3") })
    play.type("=1\n")
    #expect(play.item(5).isBlank)
    #expect(play.message == "2 levels are worth 1: ← → read them, Enter marks the one that is read")
    play.press(.right, .enter)
    #expect(play.item(5).rating == MarkValue(1) && play.item(5).level == play.item(5).template.levels[2])
    #expect(play.message == "item 5: 1 Waits, and names the feeling once")
  }

  @Test("where all levels of an item are worth the same the footer offers = and no digit")
  func sharedByAll() throws {
    let play = try Rehearsed()
    try play.store.write(.program) { transaction in
      let question = try Fixture.count(
        "SELECT dsid FROM typeQuestion WHERE text = 'Silence and emotion'", transaction.db)
      let levels = try Int.fetchAll(
        transaction.db, sql: "SELECT dsid FROM markingDescriptor WHERE questionID = ?", arguments: [question])
      for level in levels { try transaction.set("MarkingDescriptor", String(level), ["value": .integer(1_000_000)]) }
    }
    try play.mark("aalrashid", at: "NEWS").press("'").type("5\n")
    #expect(play.lines[23].hasPrefix("=") && play.lines[23].contains(" mark"), "\(play.lines[23])")
    play.press("g", "j")
    #expect(!play.lines[23].hasPrefix("=") && play.lines[23].contains(" mark"), "\(play.lines[23])")
  }

  @Test("unable to assess leaves score and maximum, and is refused where the item does not offer it")
  func unable() throws {
    let play = try Rehearsed().mark("aalrashid", at: "NEWS")
    let before = play.sheet.total.maximum
    play.press("u")
    #expect(play.message == "not offered on this item: the keys are 0 or n, 1 or y")
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
    play.press("G", "j")
    for key in "0123456789thynux" {
      play.type(String(key))
      #expect(play.lines.contains { $0.hasPrefix("▌ END OF SHEET") })
    }
    #expect(try play.count("SELECT count(*) FROM operation") == before)
  }

  @Test("after the last item the focus rests on the end of the sheet")
  func lastItem() throws {
    let play = try chest()
    play.press("'").type("19\n3")
    #expect(play.lines.contains { $0.hasPrefix("▌ END OF SHEET") })
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
    let marks = Set("0123456789thynu".map { Key.character($0) })
    for keys: [Key] in [
      ["S"], ["b"], ["a"], ["!"], ["M"], ["M", "m", "2", .enter], ["Q"], [">", .enter, "E"],
    ] {
      let play = try chest().type("1")
      for key in keys { play.press(key) }
      guard case .question(let modal)? = play.context.overlay else {
        Issue.record("\(keys.map(\.name)) asks nothing")
        continue
      }
      #expect(marks.isDisjoint(with: modal.keys), "\(keys.map(\.name))")
      for key in marks { play.press(key) }
      guard case .question? = play.context.overlay else {
        Issue.record("\(keys.map(\.name)) was answered")
        continue
      }
      #expect(play.message.hasPrefix("press one of: "))
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
    #expect(play.message == "\(binary.count - 1) items marked as not done; z undoes all of them")
    play.press("z")
    #expect(play.sheet.items.filter { !$0.isBlank }.count == 1)
    play.press("b", .escape)
    #expect(play.sheet.items.filter { !$0.isBlank }.count == 1)
  }

  @Test("blanks to not done leaves what was marked at another terminal while it asked, and names it")
  func blanksMarkedMeanwhile() throws {
    let play = try chest()
    play.press("b")
    let item = play.item(1)
    try play.elsewhere("nokafor") { _ = try Marking($0).mark(item, level: item.template.levels.last!) }
    play.press(.enter)
    let binary = play.sheet.items.filter { $0.template.kind.isBinary }
    #expect(play.item(1).rating == MarkValue(1))
    #expect(play.sheetScreen.places.contradictions(of: play.item(1)).isEmpty)
    #expect(binary.allSatisfy { !$0.isBlank })
    let left = "1 was marked meanwhile: left as it is"
    #expect(play.message == "\(binary.count - 1) items marked as not done; z undoes all of them; \(left)")
    play.press("z")
    #expect(play.sheet.items.filter { !$0.isBlank }.map(\.key) == [item.key])
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
    #expect(play.lines.contains { $0.contains(" 0        (1)") })
    #expect(play.screen.contains("Suggested: Done. A blank until a key confirms it."))
    play.press("1")
    #expect(play.item(1).rating == MarkValue(1))
  }
}
