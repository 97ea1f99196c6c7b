import GRDB
import Journal
import Testing

@testable import CircuitModel
@testable import ExamStore
@testable import Reports

@Suite("Marks in the store")
struct MarkingTests {
  private func count(_ exam: MarkedExam, _ sql: String) throws -> Int {
    try exam.store.read { try Int.fetchOne($0, sql: sql) ?? 0 }
  }

  @Test("a mark keeps value, time, who judged, who typed, and from what")
  func stamp() throws {
    let exam = try MarkedExam()
    let sheet = try exam.open(1)
    let item = sheet.items[0]
    try exam.store.write(Author(staff: 2)) {
      _ = try Marking($0, judge: 1, source: .paper).mark(item, level: item.template.levels[1])
    }
    #expect(
      try count(
        exam,
        """
        SELECT count(*) FROM dataQuestion
        WHERE rating = 1 AND judgedByID = 1 AND enteredByID = 2 AND source = 'paper' AND markedAt IS NOT NULL
        """
      ) == 1)
  }

  @Test("unable to assess is no mark and no zero: it leaves score and maximum")
  func unable() throws {
    let exam = try MarkedExam()
    let sheet = try exam.open(1)
    let (all, item) = (sheet.total.maximum, sheet.items[0])
    try exam.store.write(exam.author) { _ = try Marking($0).markUnable(item) }
    let after = try exam.sheet(sheet.key)
    #expect(after.items[0].isUnable && after.items[0].rating == nil && !after.items[0].isBlank)
    #expect(after.total.maximum.number == all.number - 1)
    try exam.store.write(exam.author) { _ = try Marking($0).mark(after.items[0], level: item.template.levels[0]) }
    #expect(try exam.sheet(sheet.key).items[0].isUnable == false)
  }

  @Test("clearing takes the answer back, of a written item its text")
  func clear() throws {
    let exam = try MarkedExam()
    let sheet = try exam.open(1)
    try exam.mark(sheet.key, item: 0, level: 1)
    try exam.write(sheet.key, item: 2, "Words")
    let marked = try exam.sheet(sheet.key)
    try exam.store.write(exam.author) { transaction in
      for item in [marked.items[0], marked.items[2]] { _ = try Marking(transaction).clear(item) }
    }
    let after = try exam.sheet(sheet.key)
    #expect(after.items[0].isBlank && after.items[2].isBlank)
  }

  @Test("a signed sheet takes no mark, no text, no tooth, no copy and no undo, and says why; reopened it does")
  func signed() throws {
    let exam = try MarkedExam()
    let sheet = try exam.open(1)
    let operation = try exam.store.write(exam.author) {
      try Marking($0).mark(sheet.items[0], level: sheet.items[0].template.levels[1])
    }
    try exam.sign(sheet.key)
    let signed = try exam.sheet(sheet.key)
    let attempts: [(JournalTransaction) throws -> Void] = [
      { _ = try Marking($0).mark(signed.items[0], level: signed.items[0].template.levels[0]) },
      { _ = try Marking($0).markUnable(signed.items[0]) }, { _ = try Marking($0).clear(signed.items[0]) },
      { _ = try Marking($0).write(signed.items[2], "late") }, { _ = try $0.undo(operation) },
      { _ = try SectionCopies.add(signed.sections[0], of: signed, in: $0) },
      { _ = try SectionFacts.record(SectionFacts.Tooth("36")!, of: signed.sections[0], in: $0) },
    ]
    let before = try count(exam, "SELECT count(*) FROM operation")
    for attempt in attempts {
      #expect(throws: MarkingRefusal.signed) {
        try exam.store.write(exam.author) { try attempt($0) }
      }
    }
    #expect(try count(exam, "SELECT count(*) FROM operation") == before)
    #expect(throws: MarkingRefusal.reopenedWithoutReason) {
      try exam.store.write(exam.author) { try Signing.reopen(signed, in: $0) }
    }
    #expect(throws: MarkingRefusal.reopenedWithoutReason) {
      try exam.store.write(exam.author.because(" \t")) { try Signing.reopen(signed, in: $0) }
    }
    try exam.store.write(exam.author.because("wrong candidate")) { try Signing.reopen(signed, in: $0) }
    try exam.mark(sheet.key, item: 0, level: 0)
    #expect(try exam.sheet(sheet.key).items[0].rating == MarkValue(0))
  }

  @Test("an answer that stands is not given again, except by another judge or where two values contradict each other")
  func repeated() throws {
    let exam = try MarkedExam()
    let key = try exam.open(1).key
    func item() throws -> SheetItem { try exam.sheet(key).items[0] }
    func give(_ answer: Marking.Answer, by staff: Int = 1, to shown: SheetItem? = nil) throws -> OperationID? {
      let target = try shown ?? item()
      return try exam.store.write(Author(staff: staff)) { try Marking($0).give(answer, to: target) }
    }
    let blank = try item()
    let (low, high) = (Marking.Answer.level(blank.template.levels[0]), Marking.Answer.level(blank.template.levels[1]))
    #expect(try give(.blank) == nil)
    for answer in [low, high, .unable, .blank, high] {
      #expect(try give(answer) != nil)
      #expect(try give(answer) == nil)
    }
    // What stands counts, not what a screen showed before.
    #expect(try give(high, to: blank) == nil)
    #expect(try give(high, by: 2) != nil)
    #expect(try item().judge == 2)
    let seen = try item()
    #expect(try give(low, by: 1, to: seen) != nil)
    exam.test.time.pass(1000)
    #expect(try give(high, by: 2, to: seen) != nil)
    #expect(try item().rating == MarkValue(1) && item().judge == 2)
    #expect(try give(high, by: 2) != nil, "two values stand")
    try exam.sign(key)
    #expect(throws: MarkingRefusal.signed) { try give(high, by: 2) }
  }

  @Test("several changes of one item are undone one by one to the beginning, and done again")
  func undoChain() throws {
    let exam = try MarkedExam()
    let key = try exam.open(1).key
    var done: [OperationID] = []
    for level in [1, 0, 1] {
      let item = try exam.sheet(key).items[0]
      done.append(try exam.store.write(exam.author) { try Marking($0).mark(item, level: item.template.levels[level]) })
    }
    var undone: [OperationID] = []
    for expected in [MarkValue(0), MarkValue(1), nil] {
      let id = done.removeLast()
      undone.append(try exam.store.write(exam.author) { try $0.undo(id) })
      #expect(try exam.sheet(key).items[0].rating == expected)
    }
    for expected in [MarkValue(1), MarkValue(0), MarkValue(1)] {
      let id = undone.removeLast()
      try exam.store.write(exam.author) { _ = try $0.undo(id) }
      #expect(try exam.sheet(key).items[0].rating == expected)
    }
  }

  @Test("a step of several changes, of one item or many, is undone whole or not at all")
  func undoStep() throws {
    let exam = try MarkedExam()
    let key = try exam.open(1).key
    var step: [OperationID] = []
    for (place, level) in [(0, 1), (1, 2), (0, 0)] {
      let item = try exam.sheet(key).items[place]
      step.append(try exam.store.write(exam.author) { try Marking($0).mark(item, level: item.template.levels[level]) })
    }
    let ids = step
    let back = try exam.store.write(exam.author) { try $0.undo(ids) }
    #expect(back.count == 2)
    #expect(try exam.sheet(key).items.filter { !$0.isBlank }.isEmpty)
    let again = try exam.store.write(exam.author) { try $0.undo(back) }
    #expect(try exam.sheet(key).items[0].rating == MarkValue(0))
    let other = try exam.sheet(key).items[1]
    try exam.store.write(Author(staff: 2)) { _ = try Marking($0).clear(other) }
    #expect(throws: UndoRefusal.changedSince(by: "Murphy")) {
      try exam.store.write(exam.author) { try $0.undo(again) }
    }
    #expect(try exam.sheet(key).items[0].rating == MarkValue(0))
  }

  @Test("an undo never passes over what somebody else did in between")
  func undoOverOthers() throws {
    let exam = try MarkedExam()
    let key = try exam.open(1).key
    func mark(_ staff: Int, _ level: Int) throws -> OperationID {
      let item = try exam.sheet(key).items[0]
      return try exam.store.write(Author(staff: staff)) {
        try Marking($0).mark(item, level: item.template.levels[level])
      }
    }
    let first = try mark(1, 1)
    _ = try mark(2, 0)
    let third = try mark(1, 1)
    try exam.store.write(exam.author) { _ = try $0.undo(third) }
    #expect(throws: UndoRefusal.self) { try exam.store.write(exam.author) { try $0.undo(first) } }
    #expect(try exam.sheet(key).items[0].rating == MarkValue(0))
  }
}
