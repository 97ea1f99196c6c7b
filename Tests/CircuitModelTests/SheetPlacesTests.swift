import GRDB
import Journal
import Testing
import Timer

@testable import CircuitModel
@testable import ExamStore
@testable import Reports

@Suite("Where the marks of a sheet are")
struct SheetPlacesTests {
  private struct Exam {
    let test: TestStore
    let sheet: String

    init() throws {
      test = try TestStore()
      try test.loadSmallExam()
      let entry = try test.store.read { try Roster.entry(SmallExam.entry(1), seat: .lead, in: $0)! }
      _ = try test.store.write(Author(staff: 1)) { try Attendance.passIdentityStep(entry: entry, seat: .lead, in: $0) }
      sheet = try test.store.read { try Roster.entry(SmallExam.entry(1), seat: .lead, in: $0)!.sheets[0].key }
    }

    func read() throws -> (Sheet, SheetPlaces) {
      try test.store.read { (try Sheet.read(sheet, in: $0)!, try SheetPlaces.read(sheet: sheet, in: $0)) }
    }

    func mark(_ item: SheetItem, level: Int, by staff: Int) throws {
      try test.store.write(Author(staff: staff)) { try Marking($0).mark(item, level: item.template.levels[level]) }
    }

    func acknowledge() throws { try test.store.acknowledge() }
  }

  @Test("without a hub a mark is on the disk and nothing waits, a blank is empty")
  func withoutHub() throws {
    let exam = try Exam()
    try exam.mark(try exam.read().0.items[0], level: 1, by: 1)
    let (sheet, places) = try exam.read()
    #expect(sheet.items.prefix(2).map { places.place(of: $0) } == [.disk, .empty])
    #expect(try exam.test.store.read { try HubContact.read($0) } == .none)
  }

  @Test("what the hub has acknowledged is there; later changes wait and are counted")
  func withHub() throws {
    let exam = try Exam()
    try exam.mark(try exam.read().0.items[0], level: 1, by: 1)
    try exam.acknowledge()
    let (sheet, places) = try exam.read()
    #expect(places.place(of: sheet.items[0]) == .hub)
    #expect(try exam.test.store.read { try HubContact.read($0) } == HubContact(isEnrolled: true, waiting: 0))
    try exam.mark(sheet.items[0], level: 0, by: 1)
    try exam.mark(sheet.items[1], level: 0, by: 1)
    let (after, now) = try exam.read()
    #expect(now.place(of: after.items[0]) == .disk && now.place(of: after.items[1]) == .disk)
    #expect(try exam.test.store.read { try HubContact.read($0) } == HubContact(isEnrolled: true, waiting: 2))
    let progress = try exam.test.store.read { try Roster.entry(SmallExam.entry(1), seat: .lead, in: $0)!.sheets[0] }
    #expect(progress.place == MarkPlace.disk)
  }

  @Test("two values on one item need a person: both are said, with who gave them, the shown one first")
  func contradiction() throws {
    let exam = try Exam()
    let seen = try exam.read().0.items[0]
    try exam.mark(seen, level: 1, by: 1)
    exam.test.time.pass(1000)
    try exam.mark(seen, level: 0, by: 2)
    let (sheet, places) = try exam.read()
    #expect(places.place(of: sheet.items[0]) == .attention)
    let rating = try #require(places.contradictions(of: sheet.items[0]).first { $0.field == "rating" })
    #expect(rating.values.map(\.text) == ["0", "1"])
    #expect(rating.values.map(\.staff) == ["Murphy", "Dr Davies"])
    #expect(sheet.items[0].rating == MarkValue(0))
    #expect(!places.isRefused(sheet.items[0]))
    let progress = try exam.test.store.read { try Roster.entry(SmallExam.entry(1), seat: .lead, in: $0)!.sheets[0] }
    #expect(progress.place == .attention)
  }

  @Test("values that a withdrawn ruling brings back are told by who gave them and when, as the lead is told")
  func withdrawnRuling() throws {
    let exam = try Exam()
    let seen = try exam.read().0.items[0]
    try exam.mark(seen, level: 1, by: 1)
    exam.test.time.pass(1000)
    try exam.mark(seen, level: 0, by: 2)
    let before = try exam.read().1.contradictions(of: seen)
    let lead = try exam.test.store.appoint("adavies")
    let found = try #require(try exam.test.store.read { try Contradiction.all(in: $0) }.first)
    exam.test.time.pass(60_000)
    let key = try exam.test.store.write(Author(staff: lead.member.id)) {
      try found.settle(for: found.choices[1].id, reason: "seen on the film", by: lead, $0)
    }
    #expect(try exam.read().1.contradictions(of: seen).isEmpty)
    try exam.test.store.write(Author(staff: lead.member.id)) {
      try Rulings.withdraw(key, reason: "the film of another", by: lead, $0)
    }
    #expect(try !before.isEmpty && exam.read().1.contradictions(of: seen) == before)
  }

  @Test("a change that the hub refused needs a person; looking at one item anew finds what looking at all finds")
  func refused() throws {
    let exam = try Exam()
    let first = try exam.read().0.items[0]
    var (_, places) = try exam.read()
    try exam.mark(first, level: 1, by: 1)
    try exam.acknowledge()
    try exam.test.store.write(.program) {
      try $0.db.execute(sql: "UPDATE operation SET result = 'rejected:role' WHERE entityID = ?", arguments: [first.key])
    }
    let (sheet, all) = try exam.read()
    #expect(all.isRefused(sheet.items[0]) && all.place(of: sheet.items[0]) == .attention)
    places.note(try exam.test.store.read { try places.look(at: sheet.items[0], in: $0) })
    #expect(places.isRefused(sheet.items[0]))
  }
}
