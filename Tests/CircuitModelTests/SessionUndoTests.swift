import GRDB
import Journal
import Testing

@testable import CircuitModel
@testable import ExamStore
@testable import Reports

@Suite("Undo over a whole session")
struct SessionUndoTests {
  private func last(_ exam: MarkedExam, staff: Int = 1, passingOver: Set<OperationID> = []) throws -> SessionUndo.Step?
  {
    try exam.store.read { try SessionUndo.last(staff: staff, timetable: 1, passingOver: passingOver, in: $0) }
  }

  private func lastUndone(_ exam: MarkedExam) throws -> SessionUndo.Step? {
    try exam.store.read { try SessionUndo.lastUndone(staff: 1, timetable: 1, in: $0) }
  }

  private func undo(_ exam: MarkedExam, _ step: SessionUndo.Step?) throws {
    let step = try #require(step)
    try exam.store.write(exam.author) { _ = try $0.undo(step.operations) }
  }

  private func ratings(_ exam: MarkedExam, _ keys: [String]) throws -> [MarkValue?] {
    try keys.map { try exam.sheet($0).items[1].rating }
  }

  @Test("one step after the other goes back over all sheets to the beginning, and forward again")
  func backAndForth() throws {
    let exam = try MarkedExam()
    let keys = [try exam.open(1).key, try exam.open(2).key]
    for (sheet, level) in [(0, 1), (1, 2), (0, 3)] { try exam.mark(keys[sheet], item: 1, level: level) }
    let states = [[2, nil], [2, 3], [4, 3]].map { $0.map { $0.flatMap { MarkValue($0) } } }
    let newest = try #require(try last(exam))
    #expect(newest.sheet == keys[0] && newest.entry == SmallExam.entry(1) && newest.operations.count == 1)
    try undo(exam, newest)
    #expect(try ratings(exam, keys) == states[1])
    #expect(try last(exam)?.sheet == keys[1])
    try undo(exam, try last(exam))
    #expect(try ratings(exam, keys) == states[0])
    try undo(exam, try last(exam))
    #expect(try ratings(exam, keys) == [nil, nil])
    #expect(try last(exam) == nil)
    for state in states {
      try undo(exam, try lastUndone(exam))
      #expect(try ratings(exam, keys) == state)
    }
    #expect(try lastUndone(exam) == nil)
    try undo(exam, try last(exam))
    #expect(try ratings(exam, keys) == states[1])
    try exam.mark(keys[1], item: 0, level: 1)
    #expect(try lastUndone(exam) == nil)
  }

  @Test("a value that was given twice is taken back twice, and no more")
  func sameValue() throws {
    let exam = try MarkedExam()
    let key = try exam.open(1).key
    for _ in 0..<2 { try exam.mark(key, item: 1, level: 2) }
    for expected in [MarkValue(3), nil] {
      try undo(exam, try last(exam))
      #expect(try exam.sheet(key).items[1].rating == expected)
    }
    #expect(try last(exam) == nil)
  }

  @Test("a copied section and sheets that changed candidates are steps; attendance, signing and others' marks are not")
  func kinds() throws {
    let exam = try MarkedExam([
      SmallExam.row("TypeSection", "1", ["name": .text("Opening"), "duplicable": .bool(true)])
    ])
    let sheet = try exam.open(1)
    #expect(try last(exam) == nil)
    try exam.mark(sheet.key, item: 1, level: 2)
    try exam.store.write(exam.author) { _ = try SectionCopies.add(sheet.sections[0], of: sheet, in: $0) }
    let plan = try exam.store.read { db in
      try WrongCandidate.plan(.move(from: SmallExam.entry(1), to: SmallExam.entry(2)), in: db)
    }
    let moved = try exam.store.write(exam.author) {
      try WrongCandidate.apply(plan, reason: "wrong", movesAttendance: true, in: $0)
    }
    let item = try exam.sheet(sheet.key).items[0]
    try exam.store.write(Author(staff: 2)) { _ = try Marking($0).mark(item, level: item.template.levels[0]) }
    let entry = try exam.entry(2)
    try exam.store.write(exam.author) { try Attendance.record(false, for: entry, in: $0) }
    #expect(try last(exam, staff: 2)?.sheet == sheet.key)
    let step = try #require(try last(exam))
    #expect(step.operations == moved)
    // Attendance was changed since, so the move stays; what came before it can be reached all the same.
    #expect(throws: UndoRefusal.self) { try undo(exam, step) }
    let copy = try #require(try last(exam, passingOver: Set(step.operations)))
    #expect(copy.rows.map(\.entity) == ["DataSection"])
    try undo(exam, copy)
    #expect(try exam.sheet(sheet.key).sections.count == 1)
    #expect(try last(exam, passingOver: Set(step.operations))?.rows.map(\.entity) == ["RatingQuestion"])
    try undo(exam, try lastUndone(exam))
    #expect(try exam.sheet(sheet.key).sections.count == 2)
    #expect(try exam.examine().failures == [])
  }

  /// An exam whose first section can be copied, and a sheet of it with a copy that staff 1 made, as the newest step.
  private func copied() throws -> (exam: MarkedExam, sheet: String) {
    let exam = try MarkedExam([
      SmallExam.row("TypeSection", "1", ["name": .text("Opening"), "duplicable": .bool(true)])
    ])
    let sheet = try exam.open(1)
    try exam.store.write(exam.author) { _ = try SectionCopies.add(sheet.sections[0], of: sheet, in: $0) }
    return (exam, sheet.key)
  }

  private func mark(_ exam: MarkedExam, _ sheet: String, item: Int, level: Int, staff: Int) throws {
    let item = try exam.sheet(sheet).items[item]
    try exam.store.write(Author(staff: staff)) { _ = try Marking($0).mark(item, level: item.template.levels[level]) }
  }

  @Test("a copied section that somebody else has marked or described since is not taken back, and it is said by whom")
  func copyMarkedByAnother() throws {
    let changes: [(JournalTransaction, SheetSection) throws -> Void] = [
      { _ = try Marking($0).mark($1.items[1], level: $1.items[1].template.levels[2]) },
      { _ = try Marking($0).write($1.items[2], "calm") }, { _ = try Marking($0).markUnable($1.items[1]) },
      { try $0.set("DataSection", $1.key, ["quantity": .integer(2)]) },
    ]
    for change in changes {
      let (exam, sheet) = try copied()
      let copy = try #require(try last(exam))
      let section = try exam.sheet(sheet).sections[1]
      try exam.store.write(Author(staff: 2)) { try change($0, section) }
      let held = try exam.sheet(sheet)
      #expect(throws: UndoRefusal.changedSince(by: "Murphy")) { try undo(exam, copy) }
      #expect(try exam.sheet(sheet) == held)
    }
  }

  @Test("the mark of another on a copied section stays also after one's own mark over it is taken back")
  func copyMarkedByBoth() throws {
    let (exam, sheet) = try copied()
    let copy = try #require(try last(exam))
    try mark(exam, sheet, item: 4, level: 1, staff: 2)
    try mark(exam, sheet, item: 4, level: 3, staff: 1)
    try undo(exam, try last(exam))
    #expect(try last(exam) == copy)
    #expect(throws: UndoRefusal.changedSince(by: "Murphy")) { try undo(exam, copy) }
    #expect(try exam.sheet(sheet).items.dropFirst(4).first?.rating == MarkValue(2))
    // The other way round the own mark cannot be taken back, and neither can what it stands on.
    try mark(exam, sheet, item: 4, level: 2, staff: 1)
    let own = try #require(try last(exam))
    try mark(exam, sheet, item: 4, level: 0, staff: 2)
    #expect(throws: UndoRefusal.self) { try undo(exam, own) }
    let next = try #require(try last(exam, passingOver: Set(own.operations)))
    #expect(next == copy)
    #expect(throws: UndoRefusal.changedSince(by: "Murphy")) { try undo(exam, next) }
    #expect(try exam.sheet(sheet).items.dropFirst(4).first?.rating == MarkValue(1))
  }

  @Test("a copied section goes and comes as often as it is asked for while nobody else has used it")
  func copyForthAndBack() throws {
    let (exam, sheet) = try copied()
    try mark(exam, sheet, item: 4, level: 3, staff: 1)
    for _ in 1...3 {
      try undo(exam, try last(exam))
      try undo(exam, try last(exam))
      #expect(try exam.sheet(sheet).sections.count == 1)
      try undo(exam, try lastUndone(exam))
      #expect(try exam.sheet(sheet).sections.count == 2)
      try undo(exam, try lastUndone(exam))
      #expect(try exam.sheet(sheet).items.dropFirst(4).first?.rating == MarkValue(4))
    }
    try undo(exam, try last(exam))
    try undo(exam, try last(exam))
    try undo(exam, try lastUndone(exam))
    try mark(exam, sheet, item: 4, level: 1, staff: 2)
    #expect(throws: UndoRefusal.changedSince(by: "Murphy")) { try undo(exam, try last(exam)) }
    #expect(try exam.sheet(sheet).items.dropFirst(4).first?.rating == MarkValue(2))
    #expect(try exam.examine().failures == [])
  }

  @Test("what was done at another station session is no step here")
  func otherSession() throws {
    let exam = try MarkedExam()
    let key = try exam.open(1).key
    try exam.mark(key, item: 1, level: 2)
    #expect(try exam.store.read { try SessionUndo.last(staff: 1, timetable: 2, in: $0) } == nil)
  }
}
