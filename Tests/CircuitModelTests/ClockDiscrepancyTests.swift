import GRDB
import Journal
import Testing
import Timer

@testable import CircuitModel
@testable import ExamStore
@testable import Reports

@Suite("The exam's time after the machine was started again", .serialized)
struct ClockDiscrepancyTests {
  private let session = Session(circuit: 1, date: "2026-12-07", startTime: "09:00")
  private let hour: Int64 = 3_600_000

  /// The small exam with a run open for ten minutes, the last record ten minutes old at its start.
  private func running() throws -> TestStore {
    let test = try loaded()
    try test.store.write(Author(staff: 1)) {
      try ClockLog.append(.start, to: session, at: Instant(milliseconds: TestClock.start), in: $0)
    }
    return test
  }

  private func loaded() throws -> TestStore {
    LocalTime.use(zone: "Europe/London")
    let test = try TestStore()
    try test.loadSmallExam()
    return test
  }

  /// Another process opens the store after a restart at which the wall clock shows this.
  private func reopened(_ test: TestStore, wall: Int64) throws -> ExamStore {
    test.time.setWall(wall)
    test.time.reboot()
    return try test.reopened()
  }

  @Test(
    "a wall clock up to two hours after the last record is believed", arguments: [0, 600_000, 7_200_000] as [Int64])
  func believed(ahead: Int64) throws {
    let test = try running()
    let store = try reopened(test, wall: TestClock.start + ahead)
    defer { store.close() }
    #expect(store.clock.doubt == nil && store.clock.now.milliseconds == TestClock.start + ahead)
  }

  @Test(
    "one before the last record, or more than two hours after it, is not used: the time goes on from the last record",
    arguments: [
      (-1, "0:01 behind"), (-3_600_000, "1:00:00 behind"), (10_800_000, "3:00:00 ahead of"),
      (86_400_000, "1 day ahead of"),
    ] as [(Int64, String)])
  func doubted(ahead: Int64, text: String) throws {
    let test = try running()
    let store = try reopened(test, wall: TestClock.start + ahead)
    defer { store.close() }
    #expect(store.clock.now.milliseconds == TestClock.start && store.clock.wallClockLead == ahead)
    #expect(store.clock.doubt?.lastRecord.milliseconds == TestClock.start)
    let line = store.clock.doubt?.line ?? ""
    #expect(line == "system clock may be wrong: \(text.replacing("0:01", with: "00:01")) the last saved change")
    let advice = line + "; say which is right with: osce clock all anchor"
    #expect(store.clock.doubt?.advice(isGuarded: false) == advice)
    #expect(store.clock.doubt?.advice(isGuarded: true) == advice + " --staff YOU")
    let run = try store.read { try Run.current(of: session, at: store.clock.now, in: $0) }
    #expect(run?.isOpen(at: store.clock.now) == true)
  }

  @Test(
    "what another device sends, by a clock that is ahead, neither raises a doubt about this machine nor hides one",
    arguments: [(300_000, 60_000, false), (36_000_000, 10_800_000, true)] as [(Int64, Int64, Bool)])
  func otherDevices(lead: Int64, wall: Int64, isDoubted: Bool) throws {
    let test = try running()
    let other = try TestStore(now: TestClock.start + lead)
    try other.store.apply(test.store.operations())
    let change = try other.store.write(.program) { try $0.set("Student", "11", ["surname": .text("Evans")]) }
    #expect(try test.store.apply(other.store.operations().filter { $0.id == change }) == [.applied])
    let store = try reopened(test, wall: TestClock.start + wall)
    defer { store.close() }
    #expect(store.clock.doubt?.lastRecord.milliseconds == (isDoubted ? TestClock.start : nil))
    #expect(store.clock.now.milliseconds == TestClock.start + (isDoubted ? 0 : wall))
  }

  @Test("without an open run any wall clock is believed", arguments: [-3_600_000, 10_800_000] as [Int64])
  func nothingOpen(ahead: Int64) throws {
    let test = try loaded()
    let store = try reopened(test, wall: TestClock.start + ahead)
    defer { store.close() }
    #expect(store.clock.doubt == nil && store.clock.now.milliseconds == TestClock.start + ahead)
  }

  @Test("the doubt lasts until somebody settles it, also for whoever opens the store later, and a second restart")
  func lasts() throws {
    let test = try running()
    let first = try reopened(test, wall: TestClock.start - hour)
    defer { first.close() }
    test.time.pass(60_000)
    let second = try test.reopened()
    defer { second.close() }
    #expect(second.clock.doubt == first.clock.doubt && second.clock.now == first.clock.now)
    let third = try reopened(test, wall: TestClock.start - hour)
    defer { third.close() }
    #expect(third.clock.doubt != nil)
  }

  @Test("what a person says holds on every process of the machine at its next look, and is kept with who and why")
  func settled() throws {
    let test = try running()
    let first = try reopened(test, wall: TestClock.start + 3 * hour)
    let second = try test.reopened()
    defer {
      first.close()
      second.close()
    }
    _ = try second.dataVersion()
    let right = Instant(milliseconds: TestClock.start + 90_000)
    try first.write(Author(staff: 1, reason: "by the hall's clock")) {
      try ExamTimeCorrection.time(right).apply(in: $0)
    }
    _ = try first.dataVersion()
    #expect(second.clock.doubt != nil)
    _ = try second.dataVersion()
    for store in [first, second] { #expect(store.clock.now == right && store.clock.doubt == nil) }
    let row = try second.read {
      try Row.fetchOne(
        $0, sql: "SELECT kind, entity, staff, \(TestStore.reason) AS reason FROM operation ORDER BY seq DESC LIMIT 1")
    }
    #expect(row?["kind"] == "clock" && row?["entity"] == "Device" && row?["staff"] == 1)
    #expect(row?["reason"] == "by the hall's clock")
    let device = try second.read { try Row.fetchAll($0, sql: "SELECT clockSet, clockMoved FROM device") }.last
    #expect(device?["clockSet"] == right.milliseconds && device?["clockMoved"] == 90_000)
  }

  @Test("the machine's time, or going on as it does: neither leaves a doubt")
  func answers() throws {
    for (setting, ahead) in [(ExamTimeCorrection.machine, 3 * hour + 5000), (.lastRecord, 5000)] {
      let test = try running()
      let store = try reopened(test, wall: TestClock.start + 3 * hour)
      defer { store.close() }
      test.time.pass(5000)
      try store.write(Author(staff: 1, reason: "seen")) { try setting.apply(in: $0) }
      _ = try store.dataVersion()
      #expect(store.clock.doubt == nil && store.clock.now.milliseconds == TestClock.start + ahead)
    }
  }

  @Test("a doubt is settled also at a terminal whose own row a lead has rejected")
  func withoutRow() throws {
    let test = try running()
    let store = try reopened(test, wall: TestClock.start + 3 * hour)
    defer { store.close() }
    try store.write(.program) { try $0.db.execute(sql: "DELETE FROM device") }
    try store.write(Author(staff: 1, reason: "seen")) { try ExamTimeCorrection.machine.apply(in: $0) }
    _ = try store.dataVersion()
    #expect(store.clock.doubt == nil && store.clock.now.milliseconds == TestClock.start + 3 * hour)
  }

  @Test("while a run is open and nothing is in doubt the time is not moved; nor to where a run would be open again")
  func refused() throws {
    let test = try running()
    func refusal(_ setting: ExamTimeCorrection) -> String {
      let error = #expect(throws: ClockSettingRefusal.self) {
        try test.store.write(.program) { try setting.apply(in: $0) }
      }
      return error?.description ?? ""
    }
    #expect(refusal(.machine).contains("cannot change while a session is running: 2026-12-07 09:00"))
    #expect(refusal(.lastRecord).contains("needs no confirmation"))
    test.time.pass(2 * hour)
    #expect(refusal(.time(Instant(milliseconds: TestClock.start + 60_000))).contains("would be open again"))
    test.time.setWall(TestClock.start + 30 * hour)
    try test.store.write(.program) { try ExamTimeCorrection.machine.apply(in: $0) }
    _ = try test.store.dataVersion()
    #expect(test.store.clock.now.milliseconds == TestClock.start + 30 * hour && test.store.clock.wallClockLead == 0)
  }

  @Test("the time is not moved past what was done to a clock, back or on, for it would be done again or at once")
  func pastEvents() throws {
    let test = try running()
    test.time.pass(2 * hour)
    try test.store.write(Author(staff: 1)) {
      try ClockLog.append(.annul(target: eventID($0.db)), to: session, at: test.store.clock.now, in: $0)
    }
    try test.store.write(Author(staff: 1)) {
      try ClockLog.append(.start, to: session, at: Instant(milliseconds: TestClock.start + 4 * hour), in: $0)
    }
    for hours in [-1, 1, 20] as [Int64] {
      let instant = Instant(milliseconds: TestClock.start + hours * hour)
      let error = #expect(throws: ClockSettingRefusal.self) {
        try test.store.write(.program) { try ExamTimeCorrection.time(instant).apply(in: $0) }
      }
      #expect(error?.description.contains("session 2026-12-07 09:00 of circuit 1") == true)
    }
    let between = Instant(milliseconds: TestClock.start + 3 * hour)
    try test.store.write(.program) { try ExamTimeCorrection.time(between).apply(in: $0) }
    _ = try test.store.dataVersion()
    #expect(test.store.clock.now == between)
  }

  private func eventID(_ db: Database) throws -> String {
    try String.fetchOne(db, sql: "SELECT uuid FROM clockEvent")!
  }

  @Test("while it is in doubt nothing moves a clock on: a pause is taken, all else is refused with what to do")
  func onlyPaused() throws {
    let test = try running()
    let store = try reopened(test, wall: TestClock.start + 3 * hour)
    defer { store.close() }
    test.time.pass(5000)
    func give(_ action: ClockAction) throws {
      try store.write(Author(staff: 1)) { try ClockLog.append(action, to: session, at: store.clock.now, in: $0) }
    }
    let start = try store.read { try eventID($0) }
    func refuseAll() {
      for action in [
        .start, .resume, .extend(seconds: 30), .skip, .restart, .jump(index: 2), .rounds(3), .stop, .rerun(rounds: 1),
        .annul(target: start),
      ] as [ClockAction] {
        let error = #expect(throws: ClockRefusal.self) { try give(action) }
        #expect(error?.description.hasPrefix("confirm the exam time first: ") == true, "\(action)")
        #expect(throws: ClockRefusal.self) {
          try store.read {
            try ClockDraft.make(action, for: session, at: store.clock.now, passage: nil, by: store.clock, in: $0)
          }
        }
      }
    }
    refuseAll()
    try give(.pause)
    test.time.pass(1000)
    refuseAll()
    try store.write(Author(staff: 1, reason: "seen")) { try ExamTimeCorrection.lastRecord.apply(in: $0) }
    try give(.resume)
  }

  @Test("what goes on by itself is called off while it is in doubt too")
  func calledOff() throws {
    let test = try running()
    let instant = Instant(milliseconds: TestClock.start)
    try test.store.write(Author(staff: 1)) {
      try ClockLog.append(.pause, to: session, at: instant + 1000, in: $0)
      try ClockLog.append(.resume, to: session, at: instant + 600_000, in: $0)
    }
    let store = try reopened(test, wall: TestClock.start + 20 * hour)
    defer { store.close() }
    let off = try store.write(Author(staff: 1)) { try ClockLog.callOff(session, at: store.clock.now, in: $0) }
    #expect(off.map(\.event.kind) == [.resume])
  }

  @Test("what settling it does to an open run is known before: it ends, phases are passed, or nothing")
  func effects() throws {
    let test = try running()
    let store = try reopened(test, wall: TestClock.start + 3 * hour)
    defer { store.close() }
    func effects(_ setting: ExamTimeCorrection) throws -> [String] {
      try store.read { try setting.effects(on: store.clock, in: $0).map(\.description) }
    }
    #expect(try effects(.machine) == ["Blue 2026-12-07 09:00 ends, it is in reading 1 now"])
    #expect(try effects(.lastRecord) == [])
    let later = Instant(milliseconds: TestClock.start + 90_000)
    #expect(try effects(.time(later)) == ["Blue 2026-12-07 09:00 goes from reading 1 to rotation 1"])
    test.time.pass(1000)
    try store.write(Author(staff: 1)) { try ClockLog.append(.pause, to: session, at: store.clock.now, in: $0) }
    #expect(try effects(.machine) == [])
  }

  @Test("doctor says so, before the store is opened again and after, with --before and without")
  func doctor() throws {
    let test = try running()
    test.time.setWall(TestClock.start + 3 * hour)
    test.time.reboot()
    var surroundings = MachineSurroundings()
    surroundings.system = test.time.system
    func check(_ isBefore: Bool) throws -> Diagnosis.Check? {
      try Doctor(test.store.location, surroundings: surroundings).examine(before: isBefore).checks.first {
        $0.name == "clock"
      }
    }
    for _ in 1...2 {
      for isBefore in [false, true] {
        let found = try #require(try check(isBefore))
        #expect(found.result == .failed && found.detail.hasPrefix("system clock may be wrong: 3:00:00"))
      }
      try test.reopened().close()
    }
    let store = try test.reopened()
    defer { store.close() }
    try store.write(.program) { try ExamTimeCorrection.machine.apply(in: $0) }
    #expect(try check(false)?.result == .ok && check(true)?.result == .ok)
  }
}
