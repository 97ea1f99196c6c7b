import GRDB
import Journal
import Testing
import Timer

@testable import CircuitModel
@testable import ExamStore
@testable import Reports

/// The small exam's phases take seven minutes: reading 1, rotation 5, changeover 1.
@Suite("Clocks and calendars", .serialized)
struct CalendarTests {
  private let circuit = Circuit(id: 1, name: "Blue")

  private func utc(_ text: String) -> Instant { Timestamp.parse(text + "Z")! }

  /// An exam with a session of this date and start, opened at an instant.
  private func exam(_ date: String, _ start: String, at now: String) throws -> (test: TestStore, session: Session) {
    LocalTime.use(zone: "Europe/London")
    let test = try TestStore(now: utc(now).milliseconds)
    try test.loadSmallExam()
    try test.store.write(.program) {
      try $0.create(
        "Timetable", "9", ["activityType": .integer(1), "date": .text(date), "startTime": .text(start)])
    }
    return (test, Session(circuit: 1, date: date, startTime: start))
  }

  private func start(_ test: TestStore, _ session: Session) throws {
    try test.store.write(Author(staff: 1)) {
      try ClockLog.append(.start, to: session, at: test.store.clock.now, in: $0)
    }
  }

  private func state(_ test: TestStore, _ session: Session) throws -> ClockState {
    try test.store.read { try ClockReport.read(session, at: test.store.clock.now, in: $0) }.state
  }

  private func chosen(_ test: TestStore) throws -> String {
    try test.store.read { try Session.choose(of: circuit, named: nil, at: test.store.clock.now, in: $0) }.name
  }

  @Test("the time of a suspended machine passes: the clock stands where it should when it wakes")
  func suspended() throws {
    let (test, session) = try exam("2026-06-10", "09:00", at: "2026-06-10T08:00:00")
    try start(test, session)
    test.time.pass(90_000)
    #expect(try state(test, session).remainingMs == 270_000)
    test.time.pass(200_000)
    #expect(try state(test, session).remainingMs == 70_000)
    test.time.pass(8 * 3_600_000)
    #expect(try state(test, session).status == .finished)
  }

  @Test("setting the wall clock, either way and however far, moves no countdown")
  func wallClockSet() throws {
    let (test, session) = try exam("2026-06-10", "09:00", at: "2026-06-10T08:00:00")
    try start(test, session)
    test.time.pass(90_000)
    let before = try state(test, session)
    for wall in ["1970-01-01T00:00:00", "2038-01-19T03:14:08", "2026-06-10T07:00:00", "2026-06-11T08:01:30"] {
      test.time.setWall(utc(wall).milliseconds)
      #expect(try state(test, session) == before)
      let again = try test.reopened()
      defer { again.close() }
      #expect(again.clock.now == test.store.clock.now && again.clock.doubt == nil)
    }
  }

  @Test("a start in the hour that is repeated is the first of the two, whatever was asked before")
  func repeatedHour() throws {
    LocalTime.use(zone: "Europe/London")
    for other in ["2026-07-01", "2026-12-01", "2026-07-01"] {
      _ = LocalTime.instant(date: other, time: "12:00")
      #expect(LocalTime.instant(date: "2026-10-25", time: "01:30") == utc("2026-10-25T00:30:00"))
    }
    #expect(LocalTime.instant(date: "2026-10-25", time: "00:59:59") == utc("2026-10-24T23:59:59"))
    #expect(LocalTime.instant(date: "2026-10-25", time: "02:00") == utc("2026-10-25T02:00:00"))
  }

  @Test("a start in the hour that is skipped is as much later, whatever was asked before")
  func skippedHour() throws {
    LocalTime.use(zone: "Europe/London")
    for other in ["2026-07-01", "2026-12-01", "2026-07-01"] {
      _ = LocalTime.instant(date: other, time: "12:00")
      let instant = try #require(LocalTime.instant(date: "2026-03-29", time: "01:30"))
      #expect(instant == utc("2026-03-29T01:30:00") && LocalTime.reading(of: instant).time == "02:30:00")
    }
    #expect(LocalTime.instant(date: "2026-03-29", time: "00:59") == utc("2026-03-29T00:59:00"))
    #expect(LocalTime.instant(date: "2026-03-29", time: "02:00") == utc("2026-03-29T01:00:00"))
    LocalTime.use(zone: "Australia/Lord_Howe")
    #expect(LocalTime.instant(date: "2026-04-05", time: "01:45") == utc("2026-04-04T14:45:00"))
    LocalTime.use(zone: "Europe/London")
  }

  @Test(
    "a run over the change of clocks is as long as any other",
    arguments: [("2026-10-25", "01:55", "2026-10-25T00:55:00"), ("2026-03-29", "00:55", "2026-03-29T00:55:00")])
  func changeOfClocks(date: String, time: String, now: String) throws {
    let (test, session) = try exam(date, time, at: now)
    #expect(session.plannedStart == utc(now))
    #expect(try chosen(test) == session.name)
    try start(test, session)
    test.time.pass(359_999)
    #expect(try state(test, session).remainingMs == 1)
    test.time.pass(60_000)
    #expect(try state(test, session).remainingMs == 1)
    test.time.pass(1)
    #expect(try state(test, session).status == .finished)
  }

  @Test("a session over midnight, at the end of the year too, is the one that is meant on both days")
  func overMidnight() throws {
    for (date, now) in [("2026-11-09", "2026-11-09T23:57:00"), ("2026-12-31", "2026-12-31T23:57:00")] {
      let (test, session) = try exam(date, "23:57", at: now)
      try start(test, session)
      test.time.pass(179_999)
      #expect(try state(test, session).elapsedMs == 119_999 && chosen(test) == session.name)
      test.time.pass(1)
      #expect(try state(test, session).elapsedMs == 120_000 && chosen(test) == session.name)
      #expect(LocalTime.reading(of: test.store.clock.now).time == "00:00:00")
      let end = try #require(try state(test, session).endsAt)
      #expect(end == utc(now) + 360_000)
    }
  }

  @Test("a session that is to start just before midnight is still the next one just after it")
  func lateOverMidnight() throws {
    let (test, session) = try exam("2026-12-31", "23:50", at: "2026-12-31T23:50:00")
    try test.store.write(.program) {
      try $0.create(
        "Timetable", "10", ["activityType": .integer(1), "date": .text("2027-01-01"), "startTime": .text("00:15")])
    }
    test.time.pass(20 * 60_000)
    #expect(try chosen(test) == session.name)
    test.time.pass(11 * 60_000)
    #expect(try chosen(test) == "2027-01-01 00:15")
  }

  @Test("29 February is a day in leap years and no date in others")
  func leapDay() throws {
    let (test, session) = try exam("2028-02-29", "23:57", at: "2028-02-29T23:57:00")
    try start(test, session)
    test.time.pass(240_000)
    #expect(LocalTime.reading(of: test.store.clock.now).date == "2028-03-01")
    #expect(try state(test, session).remainingMs == 120_000)
    for date in ["2027-02-29", "2100-02-29", "2026-04-31", "2026-13-01"] {
      #expect(LocalTime.instant(date: date, time: "09:00") == nil)
    }
    #expect(LocalTime.instant(date: "2000-02-29", time: "09:00") == utc("2000-02-29T09:00:00"))
  }
}
