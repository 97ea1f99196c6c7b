import CircuitModel
import ExamStore
import Journal
import Reports
import Terminal
import Testing

@testable import OsceTUI

/// A station that wants several sheets of each candidate.
@MainActor @Suite("Several sheets of one candidate")
struct SeveralSheetsTests {
  /// On the first of two sheets of the candidate who is in the room.
  private func two(_ size: (Int, Int) = (80, 24)) throws -> Rehearsed {
    let play = try Rehearsed(size)
    try play.addSheet(of: "ABDO", to: "CHEST")
    return try play.mark("nokafor", at: "CHEST")
  }

  @Test("the head says which of how many sheets is shown, and the foot has the key to the other", arguments: [80, 64])
  func said(width: Int) throws {
    let play = try two((width, 24))
    #expect(play.lines[2].hasPrefix("sheet 1 of 2 · C"))
    #expect(play.lines[23].contains("Tab other sheet"))
    play.press(.tab)
    #expect(play.lines[2].hasPrefix("sheet 2 of 2 · A"))
    let alone = try Rehearsed((width, 24)).mark("nokafor", at: "CHEST")
    #expect(!alone.screen.contains("sheet 1 of") && !alone.lines[23].contains("Tab"))
  }

  @Test("what is missing is shown on its own sheet, and a sheet that is another candidate's by now is not looked for")
  func missing() throws {
    let play = try two()
    let keys = try #require(play.sheetScreen.entry).sheets.map(\.key)
    play.sheetScreen.show(sheet: keys[1], item: nil, section: nil)
    #expect(play.sheet.key == keys[1] && play.screen.contains("END OF SHEET"))
    play.sheetScreen.show(sheet: keys[0], item: nil, section: nil)
    #expect(play.sheet.key == keys[0])
    play.press("'").type("1\n1")
    play.sheetScreen.show(sheet: "another's", item: nil, section: nil)
    #expect(play.sheet.key == keys[0] && play.sheetScreen.model.history.undoStep != nil)
  }

  @Test("the end of a sheet names the other that is not signed, until it is")
  func end() throws {
    let play = try two().press("G", "j")
    #expect(play.screen.contains("END OF SHEET: m lists the blanks, s signs; Tab: Abdominal examination open"))
    #expect(play.text.contains("Not signed yet: Abdominal examination. Tab goes there."))
    play.press(.tab, "S", "S", .tab, "G", "j")
    #expect(play.screen.contains("END OF SHEET: m lists") && !play.screen.contains("Tab: "))
    #expect(!play.screen.contains("Not signed yet"))
  }

  @Test("signing one sheet names the other, and leads there by its key before the next candidate")
  func signing() throws {
    let play = try two().press("S")
    #expect(play.screen.contains("Not signed yet: Abdominal examination"))
    play.press("S")
    #expect(play.message == "signed with 3 required blanks; Tab opens Abdominal examination, still unsigned")
    play.press(.tab, "S")
    #expect(!play.text.contains("Not signed yet"))
    play.press("S")
    #expect(play.message == "signed with 3 required blanks; > opens the next candidate")
  }

  @Test("going on to the next candidate names each sheet that is left open")
  func leftOpen() throws {
    let play = try two().press(">")
    #expect(play.message == "30101, < goes back: not signed is Chest pain history, Abdominal examination")
    play.press("<", "S", "S", ">")
    #expect(play.message == "30101, < goes back: not signed is Abdominal examination")
    play.press("<", .tab, "S", "S", .tab, "s").type("One more\n").press(">")
    #expect(play.message.contains("of Chest pain history still blank; < goes back"))
    play.press("<", "S", "S", ">")
    #expect(play.message.isEmpty)
  }
}

/// Two assessors of one candidate at a station where each chooses one of several sheets.
@MainActor @Suite("One of several sheets, chosen by two assessors")
struct ChosenByTwoTests {
  private func two() throws -> (lead: Rehearsed, other: Rehearsed) {
    let lead = try Rehearsed()
    try lead.addSheet(of: "ABDO", to: "CONSENT", oneOf: true)
    try lead.startClock()
    try lead.sit("mlindqvist", at: "CONSENT")
    let other = try lead.atSameStore()
    try other.sit("rfitzgerald", at: "CONSENT")
    return (lead, other)
  }

  private func differences(_ play: Rehearsed) throws -> [DoubleMarking.Mismatch] {
    try play.store.read { try DoubleMarking.mismatches(in: $0) }
  }

  @Test("the box says which sheet the other assessor uses, or that none is chosen yet")
  func said() throws {
    let (lead, other) = try two()
    lead.press(.enter)
    #expect(lead.screen.contains("Dr Róisín FitzGerald has not"))
    lead.press("b")
    other.pass(seconds: 1).press(.enter)
    #expect(other.screen.contains("Prof. Måns Lindqvist uses"))
    other.press("b")
    #expect(other.message == "identity checked; candidate present; Tab chooses another sheet")
  }

  @Test("whoever uses another sheet than the other assessor is told, at both terminals, and it is in the differences")
  func different() throws {
    let (lead, other) = try two()
    lead.press(.enter)
    other.press(.enter, "b")
    lead.press("a")
    #expect(lead.message.hasSuffix("FitzGerald uses Abdominal examination: Tab chooses again"))
    other.pass(seconds: 1)
    #expect(other.message.contains("Lindqvist uses Consent") && other.message.hasSuffix(": Tab chooses again"))
    #expect(try differences(lead).isEmpty)
    lead.type("1")
    other.type("1")
    let found = try #require(try differences(lead).first)
    #expect(found.first.form.hasPrefix("Consent") && found.second.form == "Abdominal examination")
    #expect(found.json.text.contains(#""form":null,"first":{"seat":"lead","#))
    #expect(found.json.text.contains(#""form":"CONSENT"}"#) && found.json.text.contains(#""form":"ABDO"}"#))
    #expect(try lead.store.read { try DoubleMarking.differences(in: $0) }.isEmpty)
  }

  @Test("an assessor who chooses the other's sheet after all is told of no difference")
  func again() throws {
    let (lead, other) = try two()
    other.press(.enter, "b")
    lead.pass(seconds: 1).press(.enter, "a", .tab, "a")
    #expect(lead.message == "another sheet for the same candidate; Tab chooses again")
    lead.type("1")
    other.type("1")
    #expect(try differences(lead).isEmpty)
  }
}

/// What is missing names the sheet where a station has several.
@MainActor @Suite("Missing, of several sheets")
struct MissingOfSeveralTests {
  @Test("the screen names the sheet of every line where a station wants several, and goes there")
  func screen() throws {
    let play = try Rehearsed((132, 40))
    try play.addSheet(of: "ABDO", to: "CHEST")
    try play.mark("nokafor", at: "CHEST").press("m")
    #expect(play.screen.contains("Chest pain history: not signed"))
    #expect(play.screen.contains("Chest pain history: item 2 blank: "))
    #expect(play.screen.contains("Abdominal examination: not signed"))
    play.press("G", .enter)
    #expect(play.lines[2].hasPrefix("sheet 2 of 2 · Abdominal examination"))
    let alone = try Rehearsed().mark("nokafor", at: "CHEST").press("m")
    #expect(alone.screen.contains(" not signed") && !alone.screen.contains(": not signed"))
  }

  @Test("the command's lines name it too; where one is still to be chosen none is named")
  func lines() throws {
    let play = try Rehearsed()
    try play.addSheet(of: "ABDO", to: "CHEST", oneOf: true)
    let session = try play.session("CHEST")
    func found() throws -> [MissingMark] {
      var found: [MissingMark] = []
      try play.store.read { db in try MissingMark.forEach(at: [session], in: db) { found.append($0) } }
      return found.filter { $0.sheet.entry.round == 1 }
    }
    #expect(try found().map(\.sheetPrefix) == [""])
    try play.mark("nokafor", at: "CHEST").press("b")
    #expect(try Set(found().map(\.sheetPrefix)) == ["Abdominal examination: "])
  }
}
