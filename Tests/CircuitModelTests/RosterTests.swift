import GRDB
import Journal
import Testing

@testable import CircuitModel
@testable import ExamStore
@testable import Reports

@Suite("Rosters")
struct RosterTests {
  private func roster(_ exam: MarkedExam, seat: Seat = .lead) throws -> [RosterEntry] {
    try exam.store.read { try Roster.entries(timetable: 1, seat: seat, in: $0) }
  }

  @Test("the roster is in the order of rounds, with name and number, nothing recorded")
  func order() throws {
    let exam = try MarkedExam()
    let entries = try roster(exam)
    #expect(entries.map(\.round) == [1, 2])
    #expect(entries.map { $0.candidate?.name } == ["Ada Okoro", "O'Brien"])
    #expect(entries.allSatisfy { $0.isPresent == nil && $0.sheets.isEmpty && $0.identityCheckedAt == nil })
  }

  @Test("attendance is recorded, changed and taken back, each time as a row of the journal")
  func attendance() throws {
    let exam = try MarkedExam()
    for value in [true, false, nil, true] {
      let entry = try exam.entry(1)
      try exam.store.write(exam.author) { try Attendance.record(value, for: entry, in: $0) }
      #expect(try exam.entry(1).isPresent == value)
    }
    let count = try exam.store.read {
      try Int.fetchOne(
        $0, sql: "SELECT count(*) FROM operation WHERE entityID = ? AND staff = 1", arguments: [SmallExam.entry(1)])
    }
    #expect(count == 4)
  }

  @Test("the identity step records present and the time; progress is counted by seat")
  func identity() throws {
    let exam = try MarkedExam()
    let sheet = try exam.open(1)
    try exam.mark(sheet.key, item: 0, level: 1)
    let entry = try exam.entry(1)
    #expect(entry.isPresent == true && entry.identityCheckedAt == exam.store.clock.now)
    #expect(entry.sheets.map(\.answered) == [1] && entry.sheets.map(\.items) == [3])
    #expect(try exam.entry(1, seat: Seat(name: "second")).sheets.isEmpty)
    try exam.sign(sheet.key)
    #expect(try exam.entry(1).sheets.first?.isSigned == true)
  }

  @Test("the time of the identity step is that of the first assessor, until the candidate is not recorded as present")
  func firstCheck() throws {
    let exam = try MarkedExam([SmallExam.secondAssessor])
    try exam.open(1)
    let first = exam.store.clock.now
    exam.test.time.pass(60_000)
    try exam.open(1, seat: Seat(name: "second"))
    #expect(try exam.entry(1).identityCheckedAt == first)
    #expect(try exam.entry(1, seat: Seat(name: "second")).sheets.count == 1)
    let entry = try exam.entry(1)
    try exam.store.write(exam.author) { try Attendance.record(nil, for: entry, in: $0) }
    try exam.open(1)
    #expect(try exam.entry(1).identityCheckedAt == exam.store.clock.now)
  }

  @Test("a sheet that is opened from paper records present and no identity check; one that was made stays")
  func fromPaper() throws {
    let exam = try MarkedExam()
    let entry = try exam.entry(1)
    let key = try exam.store.write(exam.author) { try Attendance.openFromPaper(entry: entry, seat: .lead, in: $0)[0] }
    #expect(try exam.entry(1).isPresent == true && exam.entry(1).identityCheckedAt == nil)
    #expect(try !exam.entry(1).isUncheckedPaper)
    let item = try #require(try exam.store.read { try Sheet.read(key, in: $0) }?.items.first)
    try exam.store.write(exam.author) {
      _ = try Marking($0, paper: PaperEntry(judge: 2)).mark(item, level: item.template.levels[0])
    }
    #expect(try exam.entry(1).isUncheckedPaper)
    try exam.open(1)
    let checked = exam.store.clock.now
    exam.test.time.pass(60_000)
    let again = try exam.entry(1)
    _ = try exam.store.write(exam.author) { try Attendance.openFromPaper(entry: again, seat: .lead, in: $0) }
    #expect(try exam.entry(1).identityCheckedAt == checked && !exam.entry(1).isUncheckedPaper)
  }

  @Test("practice is on no roster, and has one entry however often it is opened")
  func practice() throws {
    let exam = try MarkedExam()
    let keys = try (0..<2).map { _ in
      try exam.store.write(exam.author) { try Attendance.practiceEntry(timetable: 1, in: $0) }
    }
    #expect(keys[0] == keys[1])
    #expect(try roster(exam).count == 2)
    let entry = try #require(try exam.store.read { try Roster.entry(keys[0], seat: .lead, in: $0) })
    #expect(entry.isPractice && entry.candidate == nil && entry.round == nil)
    let sheets = try exam.store.write(exam.author) {
      try Attendance.passIdentityStep(entry: entry, seat: .lead, in: $0)
    }
    #expect(sheets.count == 1)
    #expect(try exam.store.read { try Roster.entry(keys[0], seat: .lead, in: $0)?.isPresent } == .some(nil))
  }

  @Test("a cover takes the lead's seat, and the planned assessor has none then")
  func cover() throws {
    let exam = try MarkedExam()
    func session() throws -> StationSession { try exam.store.read { try StationSession.find(1, in: $0) } }
    #expect(try session().seat(of: 1) == .lead && session().seat(of: 2) == nil)
    try exam.store.write(Author(staff: 2)) { try Attendance.cover(1, by: 2, in: $0) }
    #expect(try session().seat(of: 2) == .lead && session().seat(of: 1) == nil)
    #expect(try session().assessors.map(\.role) == [.cover])
  }

  @Test("several sheets of a candidate come in the station's order")
  func sheetOrder() throws {
    let exam = try MarkedExam([
      SmallExam.row("TypeForm", "2", ["name": .text("Second sheet")]),
      SmallExam.row("SectionToForm", "2", ["section": .integer(1), "form": .integer(2), "order": .integer(1)]),
      SmallExam.row(
        "AvailableForm", "1", ["typeForm": .integer(1), "activityType": .integer(1), "order": .integer(2)]),
      SmallExam.row(
        "AvailableForm", "2", ["typeForm": .integer(2), "activityType": .integer(1), "order": .integer(1)]),
    ])
    for number in [1, 2] {
      let entry = try exam.entry(number)
      let made = try exam.store.write(exam.author) {
        try Attendance.passIdentityStep(entry: entry, seat: .lead, in: $0)
      }
      #expect(try exam.entry(number).sheets.map(\.key) == made)
      #expect(try made.map { try exam.sheet($0).template.form } == [2, 1])
    }
  }
}
