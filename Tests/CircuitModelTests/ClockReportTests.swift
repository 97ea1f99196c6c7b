import Testing
import Timer

@testable import CircuitModel
@testable import ExamStore
@testable import Reports

@Suite("The clock as commands show it") struct ClockReportTests {
  private func json(_ exam: MarkedExam, after milliseconds: Int64 = 0) throws -> String {
    let instant = exam.store.clock.now + milliseconds
    return try exam.store.read { db in try ClockReport.read(exam.session, at: instant, in: db).json.text }
  }

  @Test("an extension is named to the second, also from an hour on") func exactExtension() {
    #expect(ClockEventKind.extend(seconds: -4190).phrase == "1 h 9 min 50 s less")
    #expect(ClockEventKind.extend(seconds: 3650).phrase == "1 h 50 s more")
    #expect(ClockEventKind.extend(seconds: 7200).phrase == "2 h more")
  }

  @Test("before the start there is no phase, but the rounds that a start would give") func notStarted() throws {
    let exam = try MarkedExam()
    #expect(
      try json(exam)
        == #"{"at":"2026-12-07T09:00:00.000Z","circuit":1,"session":"2026-12-07 09:00","state":"notStarted","phase":null,"#
        + #""round":null,"rounds":2,"elapsedMs":null,"remainingMs":null,"alert":"none","endsAt":null}"#)
  }

  @Test("while it runs the phase, its round and what is left of it are shown") func running() throws {
    let exam = try MarkedExam()
    try exam.clock(.start)
    #expect(
      try json(exam, after: 330_500)
        == #"{"at":"2026-12-07T09:05:30.500Z","circuit":1,"session":"2026-12-07 09:00","state":"running","#
        + #""phase":{"index":2,"type":"rotation","passage":2,"plannedMs":300000,"allottedMs":300000},"round":1,"rounds":2,"#
        + #""elapsedMs":270500,"remainingMs":29500,"alert":"red","endsAt":"2026-12-07T09:06:00.000Z"}"#)
  }

  @Test("after the end the rounds stay") func finished() throws {
    let exam = try MarkedExam()
    try exam.clock(.start)
    #expect(try json(exam, after: 3_600_000).contains(#""state":"finished","phase":null,"round":null,"rounds":2"#))
  }

  @Test("the log has every event, and whether it takes effect") func log() throws {
    let exam = try MarkedExam()
    try exam.clock(.start)
    exam.test.time.pass(10_000)
    try exam.clock(.extend(seconds: -30))
    let start = try exam.store.read { db in try ClockLogEntry.all(of: exam.session, in: db)[0].event.id }
    exam.test.time.pass(1000)
    try exam.clock(.annul(target: start))
    let log = try exam.store.read { db in try ClockLogEntry.all(of: exam.session, in: db) }
    #expect(log.map(\.text) == ["start", "extend -30", "annul \(start)"])
    #expect(log.map(\.isApplied) == [false, false, true])
    let earlier = try exam.store.read { db in
      try ClockLogEntry.all(of: exam.session, asOf: Instant(milliseconds: TestClock.start + 5000), in: db)
    }
    #expect(earlier.map(\.isApplied) == [true, nil, nil])
  }
}
