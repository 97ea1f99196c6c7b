import GRDB
import Journal
import Testing
import Timer

@testable import CircuitModel
@testable import ExamStore
@testable import Reports

@Suite("Sessions and runs", .serialized) struct ClockSessionTests {
  private let circuit = Circuit(id: 1, name: "Blue")
  private let session = Session(circuit: 1, date: "2026-12-07", startTime: "09:00")
  private var start: Instant { Instant(milliseconds: TestClock.start) }

  private func loaded() throws -> TestStore {
    LocalTime.use(zone: "Europe/London")
    let test = try TestStore()
    try test.loadSmallExam()
    try test.store.write(.program) { transaction in
      for (key, time) in [("3", "14:00"), ("4", "08:00")] {
        try transaction.create(
          "Timetable", key,
          ["activityType": .integer(1), "date": .text("2026-12-0\(key == "3" ? 7 : 8)"), "startTime": .text(time)])
      }
    }
    return test
  }

  @discardableResult private func act(
    _ test: TestStore, _ action: ClockAction, at instant: Instant, session: Session? = nil, reason: String? = nil
  ) throws -> ClockEvent {
    try test.store.write(Author(staff: 1, reason: reason)) {
      try ClockLog.append(action, to: session ?? self.session, at: instant, in: $0)
    }
  }

  private func choose(_ test: TestStore, at instant: Instant, named name: String? = nil) throws -> String {
    try test.store.read { try Session.choose(of: circuit, named: name, at: instant, in: $0).name }
  }

  private func state(_ test: TestStore, at instant: Instant) throws -> ClockState? {
    let run = try test.store.read { try Run.current(of: session, at: instant, in: $0) }
    return run.map { Rotation.fold($0.events, until: instant).state(at: instant) }
  }

  @Test("without a run the next session of the day is meant, else the nearest") func nextSession() throws {
    let test = try loaded()
    #expect(try choose(test, at: start - 1) == "2026-12-07 09:00")
    #expect(try choose(test, at: start + 15 * 3_600_000) == "2026-12-08 08:00")
    #expect(try choose(test, at: start - 86_400_000) == "2026-12-07 09:00")
  }

  @Test("a run that was left paused on an earlier day is not silently meant in front of today's session")
  func leftOpen() throws {
    let test = try loaded()
    let (afternoon, hour) = (Session(circuit: 1, date: "2026-12-07", startTime: "14:00"), 3_600_000 as Int64)
    try act(test, .start, at: start, session: afternoon)
    try act(test, .pause, at: start + 60_000, session: afternoon)
    // The same day, and in the night after an alarm just before midnight, the paused run is the one that is meant.
    #expect(try choose(test, at: start + 13 * hour) == afternoon.name)
    let morning = start + 22 * hour
    let error = #expect(throws: SessionRefusal.self) { try choose(test, at: morning) }
    #expect(
      error?.description
        == "circuit Blue: session 2026-12-07 14:00 was never stopped; "
        + "choose with --session: \"2026-12-07 14:00\", \"2026-12-08 08:00\"")
    // Who only reads is shown today's.
    let circuit = try test.store.read { try Circuit.all(at: morning, $0) }[0]
    let read = try test.store.read { try Session.choose(of: circuit, named: nil, isToRead: true, at: morning, in: $0) }
    #expect(read.name == "2026-12-08 08:00")
    #expect(try choose(test, at: morning, named: "2026-12-08 08:00") == "2026-12-08 08:00")
    #expect(try choose(test, at: morning, named: afternoon.name) == afternoon.name)
    // On a day without a session it is meant.
    #expect(try choose(test, at: start + 48 * hour) == afternoon.name)
    try act(test, .resume, at: start + 14 * hour, session: afternoon)
    try act(test, .pause, at: start + 14 * hour + 60_000, session: afternoon)
    #expect(try choose(test, at: start + 15 * hour + 60_000) == afternoon.name)
  }

  @Test("a run that was paused the day before and goes on by itself today was not left") func goesOn() throws {
    let test = try loaded()
    let (afternoon, hour) = (Session(circuit: 1, date: "2026-12-07", startTime: "14:00"), 3_600_000 as Int64)
    try act(test, .start, at: start, session: afternoon)
    try act(test, .pause, at: start + 60_000, session: afternoon)
    try act(test, .resume, at: start + 24 * hour, session: afternoon)
    #expect(try choose(test, at: start + 22 * hour) == afternoon.name)
  }

  @Test("a session that nobody has started stays the next one of its day, until half an hour before the one after it")
  func lateStart() throws {
    let test = try loaded()
    for late in [1000, 300_000, 1_800_000, 1_801_000, 7_200_000] as [Int64] {
      #expect(try choose(test, at: start + late) == "2026-12-07 09:00")
    }
    try act(test, .start, at: start)
    let stopped = start + 60_000
    try act(test, .stop, at: stopped)
    #expect(try choose(test, at: stopped + 1000) == "2026-12-07 14:00")
  }

  @Test("a session that was left out for a later one of its day is not meant any more") func leftOut() throws {
    let test = try loaded()
    let (afternoon, late) = (Session(circuit: 1, date: "2026-12-07", startTime: "14:00"), start + 18_060_000)
    try act(test, .start, at: late, session: afternoon)
    #expect(try choose(test, at: late + 1000) == afternoon.name)
    try act(test, .stop, at: late + 60_000, session: afternoon)
    #expect(try choose(test, at: late + 61_000) == afternoon.name)
  }

  @Test("the session whose run is open is meant, whatever the time of day") func openRun() throws {
    let test = try loaded()
    try act(test, .start, at: start + 3_600_000)
    #expect(try choose(test, at: start + 3_700_000) == "2026-12-07 09:00")
  }

  @Test("two open runs are never chosen between silently") func twoOpen() throws {
    let test = try loaded()
    let afternoon = Session(circuit: 1, date: "2026-12-07", startTime: "14:00")
    try act(test, .start, at: start)
    try test.store.write(.program) {
      try $0.create(
        "TimetableAttendanceLog", SmallExam.entry(9),
        ["timetable": .integer(3), "student": .integer(11), "order": .integer(1)])
    }
    try act(test, .start, at: start + 1000, session: afternoon)
    #expect(throws: SessionRefusal.self) { try choose(test, at: start + 2000) }
    #expect(try choose(test, at: start + 2000, named: "2026-12-07 14:00") == "2026-12-07 14:00")
    #expect(throws: SessionRefusal.self) { try choose(test, at: start, named: "2026-12-09 09:00") }
  }

  @Test("a started clock runs through the plan that the start carries") func runs() throws {
    let test = try loaded()
    try act(test, .start, at: start)
    let state = try #require(try state(test, at: start + 70_000))
    #expect(state.phase?.type == .rotation && state.round == 1 && state.rounds == 2)
    #expect(state.remainingMs == 290_000)
    try test.store.write(.program) { try $0.set("CircuitStationDuration", "2", ["duration": .integer(9)]) }
    #expect(try self.state(test, at: start + 70_000)?.remainingMs == 290_000)
  }

  @Test("an event that does not fit is refused with the reason and leaves nothing") func refused() throws {
    let test = try loaded()
    #expect(throws: ClockRefusal.self) { try act(test, .pause, at: start) }
    try act(test, .start, at: start)
    let before = try test.store.lastSequence()
    let error = #expect(throws: ClockRefusal.self) { try act(test, .resume, at: start + 1000) }
    #expect(error?.description.contains("running") == true)
    #expect(throws: ClockRefusal.self) { try act(test, .start, at: start + 1000) }
    #expect(try test.store.lastSequence() == before)
  }

  @Test("what is done within one millisecond takes effect in the order in which it was done") func oneInstant() throws {
    let test = try loaded()
    try act(test, .start, at: start)
    for action in Array(repeating: [ClockAction.pause, .resume], count: 20).flatMap({ $0 }) {
      try act(test, action, at: start)
    }
    try act(test, .stop, at: start)
    #expect(try state(test, at: start)?.status == .finished)
  }

  @Test("a start in the future is a scheduled start") func scheduled() throws {
    let test = try loaded()
    try act(test, .start, at: start + 60_000)
    #expect(try state(test, at: start)?.status == .notStarted)
    #expect(try state(test, at: start + 60_000)?.status == .running)
  }

  @Test("an annulled start leaves the session not started; who and why are kept") func annul() throws {
    let test = try loaded()
    let event = try act(test, .start, at: start)
    try act(test, .annul(target: event.id), at: start + 5000, reason: "wrong circuit")
    #expect(try state(test, at: start + 6000)?.status == .notStarted)
    let run = try #require(try test.store.read { try Run.all(of: session, in: $0).first })
    let annul = try #require(run.events.first { $0.kind.name == "annul" })
    #expect(annul.staff == "adavies" && annul.reason == "wrong circuit")
  }

  @Test("absent candidates and empty slots count for the rounds; practice does not") func rounds() throws {
    let test = try loaded()
    try test.store.write(Author(staff: 1)) { transaction in
      try transaction.set("TimetableAttendanceLog", SmallExam.entry(2), ["present": .bool(false)])
      _ = try Attendance.practiceEntry(timetable: 1, in: transaction)
    }
    #expect(try test.store.read { try session.roundsNeeded($0) } == 2)
  }

  @Test("the rounds reach to the last place on a roster, and their start to the hub", arguments: [250, 10_000])
  func manyRounds(last: Int) throws {
    let test = try loaded()
    try test.store.write(Author(staff: 1)) { transaction in
      _ = try transaction.set("TimetableAttendanceLog", SmallExam.entry(2), ["order": .integer(Int64(last))])
    }
    #expect(try test.store.read { try session.roundsNeeded($0) } == last)
    try act(test, .start, at: start)
    #expect(try state(test, at: start)?.rounds == last)
    #expect(try state(test, at: start)?.phases == test.store.read { try session.plannedPhases($0) })
    let sizes = try test.store.read { try Int.fetchAll($0, sql: "SELECT length(body) FROM operation") }
    #expect(sizes.allSatisfy { $0 < WireOperation.limit })
  }

  @Test("circuits are found by number, code and name") func circuits() throws {
    let test = try loaded()
    for text in ["1", "b", "Blue", "blue"] {
      #expect(try test.store.read { try Circuit.find(text, at: test.store.clock.now, in: $0) }.id == 1)
    }
    #expect(throws: SessionRefusal.self) {
      try test.store.read { try Circuit.find("Red", at: test.store.clock.now, in: $0) }
    }
  }
}

@Suite("Times as commands write them") struct TimestampTests {
  @Test(
    "are UTC with three decimals",
    arguments: [
      (Int64(0), "1970-01-01T00:00:00.000Z"), (1_796_634_000_123, "2026-12-07T09:00:00.123Z"),
      (-1, "1969-12-31T23:59:59.999Z"), (1_709_164_800_000, "2024-02-29T00:00:00.000Z"),
    ])
  func text(milliseconds: Int64, text: String) {
    #expect(Timestamp.text(Instant(milliseconds: milliseconds)) == text)
    #expect(Timestamp.parse(text)?.milliseconds == milliseconds)
  }

  @Test("are some text whatever the number", arguments: [Int64.min, .min + 998, -253_402_300_800_000, .max])
  func extremes(milliseconds: Int64) {
    #expect(Timestamp.text(Instant(milliseconds: milliseconds)).hasSuffix("Z"))
    #expect(!LocalTime.reading(of: Instant(milliseconds: milliseconds)).date.isEmpty)
  }

  @Test(
    "are read with an offset and any number of decimals",
    arguments: [
      ("2026-12-07T10:00:00+01:00", "2026-12-07T09:00:00.000Z"), ("2026-12-07t09:00:00.5z", "2026-12-07T09:00:00.500Z"),
      ("2026-12-07T09:00:00.123999Z", "2026-12-07T09:00:00.123Z"),
    ])
  func offsets(text: String, utc: String) { #expect(Timestamp.parse(text).map { Timestamp.text($0) } == utc) }

  @Test(
    "are refused when they are not times",
    arguments: [
      "", "2026-12-07", "2026-13-07T09:00:00Z", "2026-02-30T09:00:00Z", "2026-12-07T24:00:00Z", "2026-12-07T09:00:00",
      "2026-12-07T09:00:00.Z", "2026-12-07T09:00:00Zx", "now",
    ])
  func refused(text: String) { #expect(Timestamp.parse(text) == nil) }
}
