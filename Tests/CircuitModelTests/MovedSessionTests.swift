import GRDB
import Journal
import Testing
import Timer

@testable import CircuitModel
@testable import ExamStore
@testable import Reports

@Suite("A clock that is open while its stations are moved", .serialized)
struct MovedSessionTests {
  private static let ways: [[String: Value]] = [
    ["startTime": .text("09:15")], ["date": .text("2026-12-08")], ["cancelled": .bool(true)],
    ["dsDeleted": .bool(true)],
  ]

  private func exam() throws -> (HallExam, Circuit) {
    let exam = try HallExam()
    return (exam, try exam.store.read { try Circuit.find("Green", at: exam.store.clock.now, in: $0) })
  }

  private func rows(_ fields: [String: Value]) -> [ImportRow] {
    (21...25).map { SmallExam.row("Timetable", "\($0)", fields) }
  }

  @Test("is still the one that is meant, found and open", arguments: ways)
  func found(fields: [String: Value]) throws {
    let (exam, green) = try exam()
    try exam.clock(.start, at: 0)
    try exam.write { transaction in
      for row in rows(fields) { try transaction.set(row.row.entity, row.row.id, row.fields) }
    }
    let now = Instant(milliseconds: TestClock.start + 100_000)
    let open = try exam.store.read { try Session.open(of: green, at: now, in: $0) }
    let all = try exam.store.read { try Session.all(of: green.id, in: $0) }
    let meant = try exam.store.read { try Session.choose(of: green, named: nil, at: now, in: $0) }
    let named = try exam.store.read { try Session.choose(of: green, named: exam.session.name, at: now, in: $0) }
    #expect(open == [exam.session] && all.contains(exam.session))
    #expect(meant == exam.session && named == exam.session)
    try exam.clock(.pause, at: 100)
    #expect(throws: ClockRefusal.self) { try exam.clock(.start, at: 101) }
  }

  @Test("is still in reach by name and among all when its circuit is deleted, and afterwards by its key")
  func deletedCircuit() throws {
    let (exam, green) = try exam()
    let start = Instant(milliseconds: TestClock.start)
    func all(at seconds: Int64) throws -> [String] {
      try exam.store.read { try Circuit.all(at: start + seconds * 1000, $0) }.map(\.name)
    }
    try exam.clock(.start, at: 60)
    try exam.write { try $0.delete("ClinicGroup", "2") }
    // Set for later it would begin by itself.
    #expect(try all(at: 0) == ["Blue", "Green"] && all(at: 100) == ["Blue", "Green"])
    #expect(try exam.store.read { try Circuit.find("green", at: start + 100_000, in: $0) } == green)
    #expect(try exam.store.read { try HallRuns.all(at: start + 100_000, in: $0) }.map(\.circuit) == [green])
    // Five rounds of seven minutes later it has run out.
    #expect(try all(at: 2200) == ["Blue"])
    #expect(try exam.store.read { try Circuit.find("2", at: start + 2_200_000, in: $0) } == green)
    #expect(throws: SessionRefusal.self) {
      try exam.store.read { try Circuit.find("Green", at: start + 2_200_000, in: $0) }
    }
  }

  @Test("one whose start is annulled has nothing to announce any more; one that is set for later has")
  func annulledStart() throws {
    let (exam, green) = try exam()
    func heard(at seconds: Int64) throws -> [Circuit] {
      let now = Instant(milliseconds: TestClock.start + seconds * 1000)
      return try exam.store.read { try HallRuns.all(at: now, in: $0) }.map(\.circuit)
    }
    let start = try exam.clock(.start, at: 60)
    #expect(try heard(at: 0) == [green] && heard(at: 61) == [green])
    try exam.clock(.annul(target: start.id), at: 62)
    #expect(try heard(at: 63).isEmpty)
  }

  @Test("a circuit that is deleted before it was ever started is gone")
  func deletedUnstarted() throws {
    let (exam, _) = try exam()
    try exam.write { try $0.delete("ClinicGroup", "2") }
    let now = exam.store.clock.now
    #expect(try exam.store.read { try Circuit.all(at: now, $0) }.map(\.name) == ["Blue"])
    #expect(throws: SessionRefusal.self) { try exam.store.read { try Circuit.find("2", at: now, in: $0) } }
  }

  @Test("no import moves, cancels or deletes a station of it, nor its circuit", arguments: ways)
  func refused(fields: [String: Value]) throws {
    let (exam, _) = try exam()
    let rows = rows(fields)
    try exam.clock(.start, at: 0)
    let before = try exam.store.lastSequence()
    let error = #expect(throws: ImportRefusal.self) {
      _ = try exam.store.write(.program) { try BundleImport.apply(rows, in: $0) }
    }
    #expect(
      error?.description.hasPrefix(
        "nothing imported: Green session 2026-12-07 10:00 is running and its station A1 would")
        == true)
    // A circuit that was ever started stays, and the rest of the bundle is loaded.
    let whole = [SmallExam.row("ClinicGroup", "2", ["dsDeleted": .bool(true)])]
    let left = try exam.store.write(.program) { try BundleImport.apply(whole, in: $0) }.notDeleted
    #expect(left.map(\.row.entity) == ["ClinicGroup"])
    #expect(try exam.store.lastSequence() == before)
    exam.test.time.pass(1000)
    try exam.clock(.stop, at: 1)
    #expect(try exam.store.write(.program) { try BundleImport.apply(rows, in: $0) }.changed == 5)
  }

  @Test("other changes may be imported while it is open") func others() throws {
    let (exam, _) = try exam()
    try exam.clock(.start, at: 0)
    let rows = [SmallExam.row("Timetable", "21", ["staff": .integer(2)])]
    #expect(try exam.store.write(.program) { try BundleImport.apply(rows, in: $0) }.changed == 1)
  }
}
