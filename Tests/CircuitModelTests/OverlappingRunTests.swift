import Testing
import Timer

@testable import CircuitModel
@testable import ExamStore
@testable import Reports

/// The session of `HallExam` takes five rounds of seven minutes.
@Suite("Of a session one run at a time is open", .serialized)
struct OverlappingRunTests {
  private let end: Int64 = 5 * 420

  private func refusal(_ exam: HallExam, _ action: ClockAction, at seconds: Int64) -> String {
    let error = #expect(throws: ClockRefusal.self) { try exam.clock(action, at: seconds) }
    return error?.description ?? ""
  }

  /// How many runs are open at a second.
  private func open(_ exam: HallExam, at seconds: Int64) throws -> Int {
    let instant = Instant(milliseconds: TestClock.start + seconds * 1000)
    return try exam.store.read { try Run.all(of: exam.session, in: $0) }.count { $0.isOpen(at: instant) }
  }

  /// A run that was stopped at 600 s, and a re-run open from 700 s on.
  private func rerunOpen() throws -> (exam: HallExam, stop: ClockEvent) {
    let exam = try HallExam()
    try exam.clock(.start, at: 0)
    let stop = try exam.clock(.stop, at: 600)
    try exam.clock(.rerun(rounds: 2), at: 700)
    return (exam, stop)
  }

  @Test("taking out the stop of the first run is refused while a re-run is open, and allowed when that is annulled")
  func annulOfStop() throws {
    let (exam, stop) = try rerunOpen()
    let reason = refusal(exam, .annul(target: stop.id), at: 800)
    #expect(reason.contains("cannot annul: run 2 of this session is open from 2026-12-07 09:11:40;"))
    #expect(!reason.contains("\n"))
    #expect(try open(exam, at: 900) == 1)
    let start = try exam.store.read { try Run.all(of: exam.session, in: $0)[1].events[0] }
    try exam.clock(.annul(target: start.id), at: 810)
    try exam.clock(.annul(target: stop.id), at: 820)
    #expect(try open(exam, at: 900) == 1)
  }

  @Test("an event dated back to the first run is refused where it would reach into the second")
  func dated() throws {
    let exam = try HallExam()
    try exam.clock(.start, at: 0)
    try exam.clock(.rerun(rounds: 2), at: end + 60)
    for action in [ClockAction.pause, .extend(seconds: 120), .rounds(6), .jump(index: 1), .restart] {
      #expect(refusal(exam, action, at: end - 200).contains("run 2 of this session is open"))
    }
    #expect(refusal(exam, .jump(index: 15), at: end + 30).contains("run 2 of this session is open"))
    try exam.clock(.extend(seconds: 30), at: end - 200)
    try exam.clock(.skip, at: end - 190)
    #expect(try open(exam, at: end + 70) == 1)
  }

  @Test("a start dated before the first run joins that run, not the re-run that came later")
  func earlierStart() throws {
    let (exam, _) = try rerunOpen()
    try exam.clock(.start, at: -60)
    #expect(try exam.state(at: -30).run.number == 1)
    #expect(try open(exam, at: -30) == 1 && open(exam, at: 650) == 0 && open(exam, at: 750) == 1)
    #expect(refusal(exam, .start, at: 650).contains("begin a re-run"))
  }

  @Test("a pause that is given now is never refused for a re-run to come, which then does not begin")
  func alarm() throws {
    let exam = try HallExam()
    try exam.clock(.start, at: 0)
    try exam.clock(.rerun(rounds: 2), at: end + 60)
    exam.test.time.pass((end - 10) * 1000)
    try exam.clock(.pause, at: end - 10)
    #expect(try open(exam, at: end + 70) == 1)
    #expect(try exam.state(at: end + 70).state.status == .paused)
    try exam.clock(.resume, at: end + 100)
    let log = try exam.store.read { try ClockLogEntry.all(of: exam.session, in: $0) }
    #expect(log.map(\.isApplied) == [true, true, true, false])
    #expect(log.last?.refusal == "another run of the session was open")
    #expect(try exam.state(at: end + 120).state.status == .finished)
    try exam.clock(.rerun(rounds: 2), at: end + 130)
    #expect(try open(exam, at: end + 140) == 1)
    try exam.clock(.annul(target: log[3].event.id), at: end + 150)
  }

  @Test("what the desk says beforehand is what comes of it")
  func preview() throws {
    let (exam, stop) = try rerunOpen()
    let now = Instant(milliseconds: TestClock.start + 800_000)
    let error = #expect(throws: ClockRefusal.self) {
      try exam.store.read {
        try ClockDraft.make(
          .annul(target: stop.id), for: exam.session, at: now, passage: nil, by: exam.store.clock, in: $0)
      }
    }
    #expect(error?.description.contains("run 2 of this session is open") == true)
  }
}
