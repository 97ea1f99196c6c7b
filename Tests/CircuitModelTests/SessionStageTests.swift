import Foundation
import GRDB
import Journal
import Testing
import Timer

@testable import CircuitModel
@testable import ExamStore
@testable import Reports

@Suite("Where the hall stands", .serialized)
struct SessionStageTests {
  /// A round of the small session: a minute of reading, five of rotation, one of changeover.
  private let round: Int64 = 420

  private func moment(_ exam: HallExam, at seconds: Int64) throws -> SessionStage {
    let runs = try exam.store.read { try Run.all(of: exam.session, in: $0) }
    return SessionStage(of: runs, at: Instant(milliseconds: TestClock.start + seconds * 1000))
  }

  private func view(_ exam: HallExam, at seconds: Int64) throws -> HallView {
    try exam.store.read {
      try HallView.read(exam.session, at: Instant(milliseconds: TestClock.start + seconds * 1000), in: $0)
    }
  }

  @Test("whoever comes joins this round in reading and rotation, the next one in a changeover, and none after the last")
  func joining() throws {
    let exam = try HallExam()
    #expect(try moment(exam, at: 0) == .before)
    #expect(try moment(exam, at: 0).joining(of: 5) == 1 && moment(exam, at: 0).lastOver(of: 5) == 0)
    try exam.clock(.start, at: 0)
    let start = 2 * round
    #expect(try moment(exam, at: start + 30) == .on(round: 3, joining: 3))
    #expect(try moment(exam, at: start + 100) == .on(round: 3, joining: 3))
    #expect(try moment(exam, at: start + 370) == .on(round: 3, joining: 4))
    #expect(try moment(exam, at: start + 370).lastOver(of: 5) == 3)
    let last = try moment(exam, at: 4 * round + 370)
    #expect(last == .on(round: 5, joining: nil) && last.lastOver(of: 5) == 5)
    let over = try moment(exam, at: 5 * round)
    #expect(over == .over(last: .session(5)))
    try exam.clock(.rerun(rounds: 2), at: 5 * round)
    let rerun = try moment(exam, at: 5 * round + 100)
    #expect(rerun == .rerun(round: 1) && rerun.lastOver(of: 5) == 5)
    #expect(try moment(exam, at: 5 * round + 2 * round) == .over(last: .rerun(2)))
    for moment in [last, over, rerun] { #expect(throws: JoiningRefusal.self) { try moment.joining(of: 5) } }
    // A run that was made longer than the rosters has nobody to join its further rounds.
    #expect(throws: JoiningRefusal.self) { try SessionStage.on(round: 6, joining: 6).joining(of: 5) }
  }

  @Test("a stopped clock and a jump back are followed")
  func stopped() throws {
    let exam = try HallExam()
    try exam.clock(.start, at: 0)
    try exam.clock(.jump(index: 4), at: 3 * round + 100)
    #expect(try moment(exam, at: 3 * round + 110) == .on(round: 2, joining: 2))
    try exam.clock(.stop, at: 3 * round + 120)
    #expect(try moment(exam, at: 3 * round + 121) == .over(last: .session(2)))
  }

  @Test("after an early stop the last round is the one that was held, also of a phase that was only waited for")
  func stoppedEarly() throws {
    let exam = try HallExam()
    try exam.clock(.start, at: 0)
    try exam.clock(.stop, at: 2 * round + 100)
    #expect(try view(exam, at: 2 * round + 200).now == .session(3))
    #expect(try view(exam, at: 2 * round + 200).next == nil)
    #expect(try moment(exam, at: 2 * round + 200).lastOver(of: 5) == 5)
    let reading = try HallExam()
    try reading.clock(.start, at: 0)
    try reading.clock(.stop, at: 10)
    #expect(try view(reading, at: 20).now == .session(1))
  }

  @Test("what was asked for one round is refused once the clock has gone past it")
  func meanwhile() throws {
    let exam = try HallExam()
    try exam.clock(.start, at: 0)
    func check(_ number: Int) throws {
      try exam.write { try SessionStage.check(joining: number, of: exam.session, $0) }
    }
    try check(1)
    exam.test.time.pass(370_000)
    #expect(throws: JoiningRefusal.self) { try check(1) }
    try check(2)
    exam.test.time.pass(5 * round * 1000)
    #expect(throws: JoiningRefusal.self) { try check(5) }
  }

  @Test("in a re-run the hall goes by the queue: who is where in this round of it, and who comes next")
  func rerunView() throws {
    let exam = try HallExam()
    try exam.clock(.start, at: 0)
    _ = try exam.write { try HallAttendance.late(101, joining: 4, in: exam.session, $0) }
    let before = try view(exam, at: round + 100)
    #expect(before.now == .session(2) && before.next == .session(3))
    let last = try view(exam, at: 4 * round + 100)
    #expect(last.now == .session(5) && last.next == .rerun(1))
    let end = 5 * round
    let over = try view(exam, at: end)
    #expect(over.now == .session(5) && over.next == .rerun(1))
    try exam.clock(.rerun(rounds: 2), at: end)
    func who(_ view: HallView, _ round: HallView.Round?) -> [Int: [Int]] {
      var here: [Int: [Int]] = [:]
      for place in view.board.stations {
        let people = round.map { view.entries(station: place.timetable, $0) } ?? []
        if !people.isEmpty { here[place.timetable] = people.compactMap { $0.candidate?.id } }
      }
      return here
    }
    // 101 missed A1 and A2; A3 is the rest station.
    let first = try view(exam, at: end + 100)
    #expect(first.now == .rerun(1) && who(first, first.now) == [21: [101]])
    #expect(first.next == .rerun(2) && who(first, first.next) == [22: [101]])
    #expect(first.place(of: 101, first.now)?.station.stationCode == "A1" && first.place(of: 102, first.now) == nil)
    let second = try view(exam, at: end + round + 100)
    #expect(second.now == .rerun(2) && second.next == nil)
  }

  @Test("extra time in a re-run goes by who follows in the queue")
  func rerunFit() throws {
    let exam = try HallExam()
    try exam.clock(.start, at: 0)
    try exam.write { try $0.set("Student", "101", ["extraStationSeconds": .integer(120)]) }
    for (student, round) in [(101, 1), (102, 5), (103, 4)] {
      let key = try exam.entry(student, round).key
      try exam.write { _ = try RerunQueue.add(entry: key, reason: "kit", $0) }
    }
    // All three at A1, one after another.
    try exam.clock(.rerun(rounds: 3), at: 5 * round)
    let view = try view(exam, at: 5 * round + 100)
    let candidate = try exam.entry(101, 1).candidate!
    let phases = try exam.state(at: 5 * round + 100).state.phases
    #expect(view.fit(candidate, at: view.board.stations[0], phases: phases) == .late(seconds: 60))
  }

  @Test("clearance in a re-run goes by its queue: what is due by its round, who is still to come")
  func clearance() throws {
    let exam = try HallExam()
    try exam.clock(.start, at: 0)
    _ = try exam.write { try HallAttendance.late(101, joining: 4, in: exam.session, $0) }
    // Each of these is signed with one item blank.
    for (student, round) in [(105, 2), (103, 4), (102, 5)] { try exam.mark(student, round, sign: true) }
    let signed = ["round 2 105", "round 4 103", "round 5 102"].map { $0 + ": signed, 1 blank" }
    func lines(_ moment: SessionStage, _ place: Int) throws -> ClearanceLines {
      let clearance = try exam.store.read { try StationClearance.read(exam.session, in: $0) }
      return try ClearanceLines(clearance[place - 1], at: moment, exam.store.read { try Excuses.read(in: $0) })
    }
    // At A1 all others are signed; 101 is to make it up in round 1 of the re-run, and A2 in round 2.
    #expect(try lines(.on(round: 5, joining: 5), 1) == lines(.over(last: .session(5)), 1))
    #expect(
      try lines(.over(last: .session(5)), 1).missing == signed
        && lines(.over(last: .session(5)), 1).toCome == ["re-run 1 101"])
    #expect(try lines(.rerun(round: 1), 1).missing == signed + ["re-run 1 101: no sheet"])
    #expect(try lines(.rerun(round: 1), 2).toCome == ["re-run 2 101"])
    #expect(try lines(.rerun(round: 2), 2).missing.contains("re-run 2 101: no sheet"))
    // What the session left open stays open in its re-run.
    #expect(try lines(.rerun(round: 1), 2).missing.contains("round 1 102: no sheet"))
    let sheet = try exam.mark(101, 1)
    #expect(try lines(.rerun(round: 1), 1).missing == signed + ["re-run 1 101: 1 blank, not signed"])
    // Nor is a sheet waited for that is ruled out.
    try exam.ruleOut(sheet: exam.mark(102, 1))
    #expect(try !lines(.rerun(round: 1), 2).missing.contains { $0.hasPrefix("round 1 102") })
    try exam.ruleOut(sheet: sheet)
    #expect(try lines(.rerun(round: 1), 1).missing == signed)
    // Who is excused holds nobody up, and does not come.
    try exam.excuse("101", at: "A1")
    #expect(try lines(.rerun(round: 1), 1).missing == signed)
    #expect(try lines(.rerun(round: 1), 2).toCome == ["re-run 2 101"])
    try exam.excuse("101", at: "A2")
    #expect(try lines(.rerun(round: 1), 2).toCome.isEmpty)
  }

  @Test("before the re-run the queue moves up: what is signed is done, and no round is empty")
  func arrangement() throws {
    let exam = try HallExam()
    try exam.clock(.start, at: 0)
    _ = try exam.write { try HallAttendance.late(101, joining: 5, in: exam.session, $0) }
    #expect(try exam.queue().map(\.place) == [1, 2, 3])
    try exam.mark(101, 1, sign: true)
    let second = try exam.queue()[1]
    try exam.write { try RerunQueue.withdraw(second.key, $0) }
    let arrangement = try exam.store.read { try RerunArrangement.read(exam.session, in: $0) }
    #expect(arrangement.rounds == 1 && arrangement.done.map(\.station.stationCode) == ["A1"])
    try exam.write { try arrangement.apply($0) }
    #expect(
      try exam.queue().map { "\($0.station.stationCode) \($0.place) \($0.status.rawValue)" }.sorted()
        == ["A1 1 done", "A2 2 withdrawn", "A4 1 queued"])
  }

  @Test("a re-run has no round for who is excused, and who is excused stands in nobody's way")
  func arrangementOfExcused() throws {
    let exam = try HallExam()
    try exam.clock(.start, at: 0)
    for key in [try exam.entry(101, 1).key, try exam.entry(102, 5).key] {
      try exam.write { _ = try RerunQueue.add(entry: key, reason: "kit", $0) }
    }
    func arrangement() throws -> RerunArrangement {
      try exam.store.read { db in
        try RerunArrangement.read(exam.session, excusing: Excuses.read(in: db).isExcused, in: db)
      }
    }
    #expect(try arrangement().rounds == 2)
    try exam.excuse("101", at: "A1")
    let left = try arrangement()
    #expect(left.rounds == 1 && left.places.compactMap(\.item.entry.candidate?.number) == ["102"])
    try exam.write { try left.apply($0) }
    #expect(try exam.queue().map { "\($0.entry.candidate?.number ?? "") \($0.place)" } == ["102 1", "101 2"])
    try exam.excuse("102", at: "A1")
    #expect(try arrangement().rounds == 0)
    let now = exam.store.clock.now
    let view = try exam.store.read { db in
      try HallView.read(exam.session, at: now, excusing: Excuses.read(in: db).isExcused, in: db)
    }
    #expect(view.queue.count == 2 && !view.queue.contains(where: \.isDue))
  }

  @Test("a re-run calls back the released stations at which something is due, and no others")
  func calledBack() throws {
    let exam = try HallExam()
    try exam.clock(.start, at: 0)
    for (student, round) in [(101, 1), (101, 2), (102, 1), (102, 3)] {
      let key = try exam.entry(student, round).key
      try exam.write { _ = try RerunQueue.add(entry: key, reason: "kit", $0) }
    }
    let stations = try exam.queue().map(\.station).reduce(into: [:]) { $0[$1.stationCode] = $1.timetable }
    #expect(Set(stations.keys) == ["A1", "A2", "A4"])
    try exam.excuse("101", at: "A1")
    try exam.ruleOut(sheet: exam.mark(102, 3))
    try exam.write { for place in stations.values { try StationClearance.release(timetable: place, $0) } }
    let arrangement = try exam.store.read { try RerunArrangement.due(exam.session, in: $0) }
    #expect(try exam.store.read { try arrangement.released(in: $0) }.map(\.stationCode) == ["A2"])
    try exam.write { try arrangement.apply($0) }
    let left = try exam.store.read { db in
      try stations.filter { try StationClearance.releasedAt(timetable: $0.value, in: db) != nil }
    }
    #expect(Set(left.keys) == ["A1", "A4"])
  }

  @Test("a time said afterwards is now, minutes ago, or the last time that a clock showed it")
  func said() throws {
    LocalTime.use(zone: "Europe/London")
    // 2026-12-07 00:10:00 in London.
    let now = try #require(LocalTime.instant(date: "2026-12-07", time: "00:10"))
    func said(_ text: String) -> String? {
      ReportedTime.parse(text, now: now).map { LocalTime.reading(of: $0) }.map { "\($0.date) \($0.time)" }
    }
    #expect(said("") == "2026-12-07 00:10:00" && said(" 5 ") == "2026-12-07 00:05:00")
    #expect(said("00:09:30") == "2026-12-07 00:09:30" && said("0001") == "2026-12-07 00:01:00")
    #expect(said("23:55") == "2026-12-06 23:55:00" && said("15") == "2026-12-06 23:55:00")
    for wrong in ["noon", "25:00", "-5", "900", "12:3x", "12345", "00:11", "12:09"] { #expect(said(wrong) == nil) }
  }

  @Test(
    "a time said around a change of clocks is the last that a clock showed, and none that no clock showed",
    arguments: [
      // Forward: 01:00 to 02:00 is skipped; the day before yesterday is not yesterday.
      ("Europe/London", "2026-03-29T01:50:00", "01:45", nil), ("Europe/London", "2026-03-29T01:50:00", "01:00", nil),
      ("Europe/London", "2026-03-29T01:50:00", "02:45", "2026-03-29T01:45:00"),
      ("Europe/London", "2026-03-29T01:10:00", "00:55", "2026-03-29T00:55:00"),
      ("Europe/London", "2026-03-29T23:30:00", "23:50", "2026-03-29T22:50:00"),
      ("Europe/London", "2026-03-29T23:59:00", "2350", "2026-03-29T22:50:00"),
      ("Europe/London", "2026-03-30T00:10:00", "23:50", "2026-03-29T22:50:00"),
      // Back: 01:00 to 02:00 comes twice.
      ("Europe/London", "2026-10-25T01:50:00", "01:45", "2026-10-25T01:45:00"),
      ("Europe/London", "2026-10-25T01:30:00", "01:45", "2026-10-25T00:45:00"),
      ("Europe/London", "2026-10-25T00:30:00", "01:45", nil),
      ("Europe/London", "2026-10-26T00:10:00", "23:50", "2026-10-25T23:50:00"),
      ("America/New_York", "2026-03-08T07:50:00", "02:45", nil),
      ("America/New_York", "2026-03-08T07:10:00", "01:55", "2026-03-08T06:55:00"),
      ("America/New_York", "2026-03-09T04:30:00", "23:50", "2026-03-09T03:50:00"),
      ("America/New_York", "2026-11-01T06:30:00", "01:20", "2026-11-01T06:20:00"),
      ("Australia/Lord_Howe", "2026-10-03T15:50:00", "02:15", nil),
      ("Australia/Lord_Howe", "2026-10-03T15:50:00", "02:40", "2026-10-03T15:40:00"),
      ("Australia/Lord_Howe", "2026-10-04T13:10:00", "23:50", "2026-10-04T12:50:00"),
      ("Australia/Lord_Howe", "2026-04-04T15:20:00", "01:45", "2026-04-04T15:15:00"),
    ] as [(String, String, String, String?)])
  func saidAroundChanges(zone: String, now: String, text: String, expected: String?) throws {
    let zone = try #require(TimeZone(identifier: zone))
    func utc(_ text: String) throws -> Instant { try #require(Timestamp.parse(text + ".000Z")) }
    let said = ReportedTime.parse(text, now: try utc(now)) {
      time_t(zone.secondsFromGMT(for: Date(timeIntervalSince1970: TimeInterval($0))))
    }
    #expect(said == (try expected.map { try utc($0) }))
  }

  @Test(
    "a time to come around a change of clocks is the next that a clock shows, and none that no clock shows",
    arguments: [
      ("2026-10-25T00:59:23", "01:05", "2026-10-25T01:05:00"), ("2026-10-25T00:03:00", "0105", "2026-10-25T00:05:00"),
      ("2026-10-25T01:59:23", "01:05", nil), ("2026-03-29T00:59:00", "01:05", nil),
      ("2026-03-29T00:59:00", "02:05", "2026-03-29T01:05:00"),
    ] as [(String, String, String?)])
  func laterAroundChanges(now: String, text: String, expected: String?) throws {
    let zone = try #require(TimeZone(identifier: "Europe/London"))
    func utc(_ text: String) throws -> Instant { try #require(Timestamp.parse(text + ".000Z")) }
    let later = ReportedTime.later(text, now: try utc(now)) {
      time_t(zone.secondsFromGMT(for: Date(timeIntervalSince1970: TimeInterval($0))))
    }
    #expect(later == (try expected.map { try utc($0) }))
  }
}
