import GRDB
import Journal
import Testing

@testable import CircuitModel
@testable import ExamStore
@testable import Reports

@Suite("Kinds of items")
struct ItemKindsTests {
  /// The small exam's sheet with an item of each kind: boolean, feedback, record, procedure by a scale, procedure by
  /// descriptors; and tags on the first.
  private func exam() throws -> MarkedExam {
    let kinds: [(String, [String: Value])] = [
      ("boolean", ["tags": .text(#"["safety","infection"]"#), "binaryLow": .integer(3_000_000)]), ("feedback", [:]),
      ("record", [:]), ("procedure", [:]), ("procedure", [:]),
    ]
    var rows = kinds.enumerated().flatMap { index, kind in
      let key = String(10 + index)
      return [
        SmallExam.row(
          "TypeQuestion", key,
          ["text": .text(kind.0), "questionType": .text(kind.0)].merging(kind.1) { $1 }),
        SmallExam.row(
          "QuestionToSection", key,
          ["question": .integer(Int64(10 + index)), "section": .integer(1), "order": .integer(Int64(10 + index))]),
      ]
    }
    rows += [("Watched", 1), ("With help", 2), ("Alone", 2)].enumerated().map { index, level in
      SmallExam.row(
        "MarkingDescriptor", "\(index + 1)",
        [
          "question": .integer(14), "descriptor": .text(level.0), "value": .integer(level.1 * Scaled.unit),
          "order": .integer(Int64(index + 1)),
        ])
    }
    return try MarkedExam(rows)
  }

  private func change(_ exam: MarkedExam, _ body: @escaping (Marking) throws -> OperationID?) throws -> OperationID {
    try #require(try exam.store.write(exam.author) { try body(Marking($0)) })
  }

  @Test("a boolean is a fact: yes or no, 1 or 0 whatever the template's values, and no part of the score")
  func boolean() throws {
    let exam = try exam()
    let sheet = try exam.open(1)
    let item = sheet.items[3]
    #expect(item.template.levels.map(\.value) == [MarkValue(0), MarkValue(1)])
    #expect(item.template.levels.map(\.text) == ["No", "Yes"])
    #expect(LevelKeys.meaning(of: .yes, in: item.template) == .level(1))
    let maximum = sheet.total.maximum
    try exam.mark(sheet.key, item: 3, level: 1)
    let after = try exam.sheet(sheet.key)
    #expect(!after.items[3].isBlank && after.total.score == MarkValue(0) && after.total.maximum == maximum)
    #expect(maximum == MarkValue(6))
    let row = try #require(try exam.rows(.marks).first { $0["type"] == .text("boolean") })
    #expect(row["value"] == .mark(MarkValue(1)!) && row["maximum"] == .empty)
  }

  @Test("a record says what was done, how often, how difficult, with a note: one change, taken back as one")
  func record() throws {
    let exam = try exam()
    let sheet = try exam.open(1)
    let section = sheet.sections[0].template
    #expect(sheet.items[5].isBlank)
    let facts = WorkFacts(times: 3, difficulty: 2, note: "steady hands")
    let item = sheet.items[5]
    let operation = try change(exam) { try $0.record("Scaling", facts, of: item, in: section) }
    let after = try exam.sheet(sheet.key).items[5]
    #expect(!after.isBlank && after.feedback == "Scaling" && after.work == facts && after.judge == 1)
    #expect(after.markedAt != nil)
    let row = try #require(try exam.rows(.marks).first { $0["type"] == .text("record") })
    #expect(row["feedback"] == .text("Scaling; 3 times; difficulty 2; note: steady hands"))
    try exam.store.write(exam.author) { _ = try $0.undo(operation) }
    let undone = try exam.sheet(sheet.key).items[5]
    #expect(undone.isBlank && undone.work == WorkFacts())
    try exam.store.write(exam.author) { _ = try Marking($0).record("Again", facts, of: undone, in: section) }
    let again = try exam.sheet(sheet.key).items[5]
    try exam.store.write(exam.author) { _ = try Marking($0).clear(again) }
    #expect(try exam.sheet(sheet.key).items[5].work == WorkFacts())
    #expect(try exam.sheet(sheet.key).items[5].isBlank)
  }

  @Test("numbers out of range, and work on an item that records none, are refused")
  func workRange() throws {
    let exam = try exam()
    let sheet = try exam.open(1)
    let section = sheet.sections[0].template
    for facts in [WorkFacts(times: 0), WorkFacts(times: 1000), WorkFacts(difficulty: 0), WorkFacts(difficulty: 4)] {
      #expect(throws: MarkingRefusal.self) {
        try exam.store.write(exam.author) { _ = try Marking($0).record("x", facts, of: sheet.items[5], in: section) }
      }
    }
    #expect(throws: MarkingRefusal.noWork) {
      try exam.store.write(exam.author) {
        _ = try Marking($0).record("x", WorkFacts(), of: sheet.items[4], in: section)
      }
    }
    var wide = section
    wide.maximumDifficulty = 9
    try WorkFacts(difficulty: 9).check(in: wide)
  }

  @Test("a procedure is answered by its level of independence, which no score counts")
  func procedure() throws {
    let exam = try exam()
    let sheet = try exam.open(1)
    let (scale, described) = (sheet.items[6], sheet.items[7])
    #expect(scale.entity == "RatingQuestion" && scale.template.levels.count == 5)
    #expect(described.template.levels.map(\.text) == ["Watched", "With help", "Alone"])
    let maximum = sheet.total.maximum
    let section = sheet.sections[0].template
    _ = try change(exam) { try $0.record("Left arm", WorkFacts(times: 2), of: described, in: section) }
    #expect(try exam.sheet(sheet.key).items[7].isBlank)
    // Two levels have one value: the descriptor tells them apart.
    for level in [2, 1] {
      try exam.mark(sheet.key, item: 7, level: level)
      #expect(try exam.sheet(sheet.key).items[7].level?.text == ["Watched", "With help", "Alone"][level])
    }
    let after = try exam.sheet(sheet.key)
    #expect(!after.items[7].isBlank && after.items[7].work.times == 2 && after.items[7].feedback == "Left arm")
    #expect(after.total.score == MarkValue(0) && after.total.maximum == maximum)
    let row = try #require(try exam.rows(.marks).first { $0["value"] == .mark(MarkValue(2)!) })
    #expect(row["type"] == .text("procedure") && row["maximum"] == .empty && row["descriptor"] == .text("With help"))
  }

  @Test("where value and descriptor came from two terminals and do not fit, screen and export name the value's level")
  func otherDescriptor() throws {
    let exam = try exam()
    let sheet = try exam.open(1)
    try exam.mark(sheet.key, item: 7, level: 2)
    let key = sheet.items[7].key
    try exam.store.write(exam.author) {
      try $0.set(Stored.RatingQuestion.self, key, [.rating(MarkValue(1))])
    }
    #expect(try exam.sheet(sheet.key).items[7].level?.text == "Watched")
    let row = try #require(try exam.rows(.marks).first { $0["value"] == .mark(MarkValue(1)!) })
    #expect(row["descriptor"] == .text("Watched"))
  }

  @Test("feedback is written, and a blank until it is")
  func feedback() throws {
    let exam = try exam()
    let sheet = try exam.open(1)
    #expect(sheet.items[4].entity == "DataQuestion" && sheet.items[4].isBlank)
    try exam.write(sheet.key, item: 4, "Slow down")
    #expect(try !exam.sheet(sheet.key).items[4].isBlank)
  }

  @Test("a tag that the item offers is chosen and taken off, mirrored in rows, whichever way it changes")
  func tags() throws {
    let exam = try exam()
    let sheet = try exam.open(1)
    func mirror() throws -> [String] {
      try exam.store.read { db in
        try String.fetchAll(
          db, sql: "SELECT tag FROM attributesSelected WHERE questionID = ? ORDER BY auto",
          arguments: [sheet.items[3].key])
      }
    }
    func item() throws -> SheetItem { try exam.sheet(sheet.key).items[3] }
    #expect(try item().template.tags == ["safety", "infection"])
    let offered = try item()
    let chosen = try change(exam) { try $0.set(tag: "infection", true, on: offered) }
    let one = try item()
    _ = try change(exam) { try $0.set(tag: "safety", true, on: one) }
    #expect(try item().tags == ["safety", "infection"])
    #expect(try mirror() == ["safety", "infection"])
    let both = try item()
    #expect(try exam.store.write(exam.author) { try Marking($0).set(tag: "safety", true, on: both) } == nil)
    let removed = try change(exam) { try $0.set(tag: "safety", false, on: both) }
    #expect(try mirror() == ["infection"])
    try exam.store.write(exam.author) { _ = try $0.undo(removed) }
    #expect(try mirror() == ["safety", "infection"])
    #expect(throws: MarkingRefusal.noSuchTag("other")) {
      try exam.store.write(exam.author) { _ = try Marking($0).set(tag: "other", true, on: both) }
    }
    #expect(throws: UndoRefusal.self) { try exam.store.write(exam.author) { _ = try $0.undo(chosen) } }
    #expect(try exam.examine().failures == [])
  }

  @Test("that an item completes a case or was recommended is set and cleared; a signed sheet refuses it")
  func flags() throws {
    let exam = try exam()
    let sheet = try exam.open(1)
    let item = sheet.items[0]
    try exam.store.write(exam.author) {
      _ = try Marking($0).set(completedCase: true, on: item)
      _ = try Marking($0).set(recommended: true, on: item)
    }
    let after = try exam.sheet(sheet.key).items[0]
    #expect(after.isCompletedCase && after.isRecommended && after.isBlank)
    try exam.store.write(exam.author) { _ = try Marking($0).set(completedCase: false, on: after) }
    #expect(try !exam.sheet(sheet.key).items[0].isCompletedCase)
    try exam.sign(sheet.key)
    #expect(throws: MarkingRefusal.signed) {
      try exam.store.write(exam.author) { _ = try Marking($0).set(recommended: false, on: after) }
    }
  }

  /// The small exam's sheet whose rating became an item of a kind that only a newer program knows.
  private func newerExam() throws -> MarkedExam {
    try MarkedExam([
      SmallExam.row(
        "TypeQuestion", "2", ["text": .text("Turns it"), "questionType": .text("hologram"), "mandatory": .bool(false)])
    ])
  }

  @Test("an item of a kind that this version does not know is kept under its own name and never marked here")
  func unknownKind() throws {
    let exam = try newerExam()
    let sheet = try exam.open(1)
    let item = sheet.items[1]
    #expect(item.template.kind == .unknown("hologram") && item.template.levels.isEmpty)
    #expect(item.entity == "RatingQuestion" && item.isBlank && sheet.total.maximum == MarkValue(1))
    #expect(try SheetTemplate(content: sheet.template.content) == sheet.template)
    let level = Level(value: MarkValue(1)!, text: "", descriptor: nil)
    let tries: [(Marking) throws -> OperationID?] = [
      { try $0.mark(item, level: level) }, { try $0.markUnable(item) }, { try $0.clear(item) },
      { try $0.write(item, "seen") }, { try $0.set(recommended: true, on: item) },
    ]
    let before = try exam.store.lastSequence()
    for attempt in tries {
      #expect(throws: MarkingRefusal.self) { try change(exam, attempt) }
    }
    #expect(try exam.store.lastSequence() == before)
    #expect(LevelKeys.meaning(of: .digit(1), in: item.template) == .refused(.unknownKind))
  }

  @Test("what a newer program gave such an item is counted, exported under its own kind, and named by the doctor")
  func unknownHeld() throws {
    let exam = try newerExam()
    let sheet = try exam.open(1)
    #expect(try exam.missing() == ["1001 item 1", "1001 signature 0", "1002 sheet 0"])
    let blank = try exam.rows(.marks).first { $0["type"] == .text("hologram") }
    #expect(blank?["value"] == .empty && blank?["where"] == .text("empty") && blank?["maximum"] == .empty)
    try exam.store.write(.program) {
      try $0.set("RatingQuestion", sheet.items[1].key, ["rating": .integer(2_000_000), "feedback": .text("left")])
    }
    let held = try exam.rows(.marks).first { $0["type"] == .text("hologram") }
    #expect(held?["value"] == .mark(MarkValue(2)!) && held?["where"] == .text("disk"))
    #expect(try exam.status().total.held == 1)
    // Words or the work done alone are an answer too.
    try exam.store.write(.program) { try $0.set("RatingQuestion", sheet.items[1].key, ["rating": .null]) }
    #expect(try exam.status().total.held == 1)
    try exam.store.write(.program) {
      try $0.set("RatingQuestion", sheet.items[1].key, ["feedback": .null, "times": .integer(2)])
    }
    #expect(try exam.status().total.held == 1)
    let diagnosis = try exam.examine(before: true)
    #expect(diagnosis.result("item kinds") == .warning)
    #expect(
      diagnosis.checks.last { $0.name == "item kinds" }?.detail.contains("item 2 is of the kind 'hologram'") == true)
    #expect(diagnosis.result("mark sheets") == .ok)
    #expect(try MarkedExam().examine().result("item kinds") == .ok)
  }

  @Test("a stored sheet of a newer program keeps its unknown kinds though the template has none now")
  func unknownVersion() throws {
    let exam = try MarkedExam()
    var template = try exam.open(1).template
    template.sections[0].items[2].kind = .unknown("hologram")
    let (content, key) = (template.content, DerivedKeys.key("Test", "newer"))
    try exam.store.write(.program) {
      try $0.create(
        "FormVersion", key,
        ["typeForm": .integer(1), "number": .integer(9), "digest": .text("x"), "content": .text(content)])
    }
    let sheet = try exam.open(2)
    try exam.store.write(.program) { try $0.set("DataForm", sheet.key, ["version": .text(key)]) }
    let item = try exam.sheet(sheet.key).items[2]
    #expect(item.template.kind == .unknown("hologram") && !item.template.kind.isWritten)
    #expect(throws: MarkingRefusal.unknownKind("hologram")) { try change(exam) { try $0.write(item, "as text") } }
    #expect(try exam.examine().result("item kinds") == .warning)
  }

  @Test("whatever an item holds, each count says the same of whether it has an answer: sheet, roster, status, hidden")
  func oneRuleOfAnswers() throws {
    let kinds = ItemKind.allCases + [.unknown("hologram")]
    let exam = try MarkedExam(
      kinds.enumerated().flatMap { index, kind in
        let key = String(30 + index)
        return [
          SmallExam.row("TypeQuestion", key, ["text": .text(key), "questionType": .text(kind.rawValue)]),
          SmallExam.row(
            "QuestionToSection", key,
            ["question": .integer(Int64(30 + index)), "section": .integer(1), "order": .integer(Int64(30 + index))]),
        ]
      })
    let sheet = try exam.open(1)
    let holdings: [[String: Value]] = [
      [:], ["rating": .integer(0)], ["unable": .bool(true)], ["feedback": .text("calm")], ["times": .integer(2)],
      ["difficulty": .integer(1)], ["note": .text("slow")],
    ]
    for item in sheet.items.dropFirst(3) {
      for holding in holdings where item.entity == "RatingQuestion" || holding["rating"] == nil {
        let what: Testing.Comment = "\(item.template.kind.rawValue) \(holding)"
        let before: [String: Value] = holding.mapValues { $0 == .bool(true) ? .bool(false) : .null }
        try exam.store.write(.program) { _ = try $0.set(item.entity, item.key, holding) }
        let now = try #require(try exam.sheet(sheet.key).items.first { $0.key == item.key })
        let answers = now.isBlank ? 0 : 1
        #expect(try exam.status().total.held == answers, what)
        #expect(try exam.entry(1).sheets.map(\.answered) == [answers], what)
        try exam.tamper("INSERT INTO fork VALUES ('\(item.entity)', '\(item.key)', 'note', 0)")
        #expect(try exam.status().total.disk == 0 && exam.status().total.attention == 1, what)
        try exam.tamper("DELETE FROM fork")
        try exam.store.write(.program) { _ = try $0.set("Timetable", "1", ["cancelled": .bool(true)]) }
        #expect(try exam.status().hiddenMarks == answers, what)
        try exam.store.write(.program) {
          _ = try $0.set("Timetable", "1", ["cancelled": .bool(false)])
          _ = try $0.set(item.entity, item.key, before)
        }
      }
    }
  }
}
