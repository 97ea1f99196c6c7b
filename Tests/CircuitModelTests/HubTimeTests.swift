import GRDB
import Journal
import Testing
import Timer

@testable import CircuitModel
@testable import ExamStore

@Suite("The exam's time with a hub") struct HubTimeTests {
  private let session = Session(circuit: 1, date: "2026-12-07", startTime: "09:00")

  private func enrolled() throws -> TestStore {
    LocalTime.use(zone: "Europe/London")
    let test = try TestStore()
    try test.loadSmallExam()
    try test.store.enrol(
      Enrolment(
        url: "https://hub.example", exam: .random(), epoch: .random(), role: .lead, enrolledAt: test.store.clock.now,
        cursorHash: Array(repeating: 0, count: 32), scope: "{}"))
    return test
  }

  /// The hub says how far its time is ahead of the exam's here, after a round trip of 20 ms.
  @discardableResult private func hear(_ ahead: Int64, _ test: TestStore) throws -> HubOffset.Course {
    let clock = test.store.clock
    let hub = clock.now + (ahead - 10)
    let sample = TimeSample(
      sentAt: clock.boot - 20, receivedByHub: hub, answeredByHub: hub, receivedAt: clock.boot)
    let course = try test.store.write(.program) { try HubTime.take(sample, in: $0) }
    _ = try test.store.dataVersion()
    return course
  }

  private func give(_ action: ClockAction, _ test: TestStore) throws {
    try test.store.write(Author(staff: 1)) {
      try ClockLog.append(action, to: session, at: test.store.clock.now, in: $0)
    }
  }

  /// Another device has the run.
  private func moveRun(_ test: TestStore) throws {
    try test.store.write(.program) { transaction in
      let key = try #require(try String.fetchOne(transaction.db, sql: "SELECT uuid FROM circuitRun"))
      try transaction.set(Stored.CircuitRun.self, key, [.host(UUIDBytes.random().description)])
    }
  }

  @Test("a small difference is approached, never jumped, and every process of the machine does so alike")
  func slew() throws {
    let test = try enrolled()
    let other = try test.reopened()
    defer { other.close() }
    let before = test.store.clock.offset
    #expect(try hear(400, test) == .slew)
    #expect(test.store.clock.offset == before)
    test.time.pass(10_000)
    _ = try other.dataVersion()
    #expect(test.store.clock.offset == before + 100 && other.clock.offset == before + 100)
    #expect(test.store.clock.hub?.bound(at: test.store.clock.boot) == 312)
    test.time.pass(60_000)
    #expect(test.store.clock.offset == before + 400)
  }

  @Test("counts at a terminal whose own row a lead has rejected") func withoutRow() throws {
    let test = try enrolled()
    try test.store.write(.program) { try $0.db.execute(sql: "DELETE FROM device") }
    let before = test.store.clock.offset
    #expect(try hear(-90_000, test) == .step)
    #expect(test.store.clock.offset == before - 90_000)
  }

  @Test("a large one is taken at once while nothing is open, and held while this device has a clock open")
  func step() throws {
    let test = try enrolled()
    #expect(try hear(-90_000, test) == .step)
    try give(.start, test)
    test.time.pass(60_000)
    let now = test.store.clock.now
    #expect(try hear(5_000, test) == .hold)
    #expect(test.store.clock.now == now && test.store.clock.hub?.heldDifference == 5_000)
    #expect(throws: ClockSettingRefusal.isHubs) {
      try test.store.write(Author(staff: 1)) { try ExamTimeCorrection.time(now + 1000).apply(in: $0, isForced: true) }
    }
    try test.store.write(Author(staff: 1)) { try ExamTimeCorrection.machine.apply(in: $0, isForced: true) }
    _ = try test.store.dataVersion()
    #expect(test.store.clock.now == now + 5_000 && test.store.clock.hub?.heldDifference == nil)
  }

  @Test("a device gives events for another's run only in close contact with the hub, and can take the run over then")
  func host() throws {
    let test = try enrolled()
    try give(.start, test)
    test.time.pass(1_000)
    try give(.pause, test)
    test.time.pass(1_000)
    try moveRun(test)
    func refused(_ reason: RunHost.Reason) -> ClockRefusal {
      .hostedElsewhere(nil, reason, session: session.name)
    }
    #expect(throws: refused(.noContact)) { try give(.resume, test) }
    try hear(0, test)
    try give(.resume, test)
    test.time.pass(15_000)
    #expect(throws: refused(.silent(15_000))) { try give(.pause, test) }
    try hear(900, test)
    #expect(throws: refused(.unsure(912))) { try give(.pause, test) }
    test.time.pass(10_000)
    try hear(0, test)
    try test.store.write(Author(staff: 1)) { try RunHost.take(session, in: $0) }
    test.time.pass(60_000)
    try give(.pause, test)
  }

  @Test("without a hub no run is taken over: all are this machine's")
  func withoutHub() throws {
    let test = try TestStore()
    try test.loadSmallExam()
    try give(.start, test)
    #expect(throws: ClockRefusal.hostedHere) {
      try test.store.write(Author(staff: 1)) { try RunHost.take(session, in: $0) }
    }
  }
}

@Suite("A part of the exam") struct PartialScopeTests {
  @Test(
    "a store that its hub gives less than the whole exam is partial",
    arguments: [
      (#"{"version":1,"atoms":["all"]}"#, false), (#"{"version":4,"atoms":["exam","circuit:*","roster:*"]}"#, true),
      (#"{"version":1,"atoms":[]}"#, true), ("{}", false),
    ])
  func partial(scope: String, isPartial: Bool) throws {
    let test = try TestStore()
    #expect(try test.store.read { try !Enrolment.isPartial($0) })
    try test.store.enrol(
      Enrolment(
        url: "https://hub.example", exam: .random(), epoch: .random(), role: .station,
        enrolledAt: test.store.clock.now, cursorHash: Array(repeating: 0, count: 32), scope: scope))
    #expect(try test.store.read { try Enrolment.isPartial($0) } == isPartial)
  }
}
