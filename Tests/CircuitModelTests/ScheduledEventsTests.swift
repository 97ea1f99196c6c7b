import Testing
import Timer

@testable import CircuitModel
@testable import ExamStore
@testable import Reports

@Suite("What is set for later at a clock", .serialized)
struct ScheduledEventsTests {
  private func instant(_ seconds: Int64) -> Instant { Instant(milliseconds: TestClock.start + seconds * 1000) }

  private func scheduled(_ exam: HallExam, at seconds: Int64) throws -> [String] {
    try exam.store.read { try ClockLog.scheduled(of: exam.session, at: instant(seconds), in: $0) }.map(\.kind.name)
  }

  private func callOff(_ exam: HallExam, at seconds: Int64) throws -> [ClockEvent] {
    try exam.write { try ClockLog.callOff(exam.session, at: instant(seconds), in: $0) }.map(\.event)
  }

  @Test("a start to come is called off, and the clock does not start") func start() throws {
    let exam = try HallExam()
    let start = try exam.clock(.start, at: 600)
    #expect(try scheduled(exam, at: 0) == ["start"])
    #expect(try callOff(exam, at: 0).map(\.id) == [start.id])
    #expect(try scheduled(exam, at: 0).isEmpty && exam.state(at: 601).state.status == .notStarted)
    #expect(try callOff(exam, at: 0).isEmpty)
  }

  @Test("every resume to come is called off, also one that fits only without the one before it") func resumes() throws {
    let exam = try HallExam()
    try exam.clock(.start, at: 0)
    try exam.clock(.pause, at: 100)
    try exam.clock(.resume, at: 300)
    try exam.clock(.pause, at: 310)
    try exam.clock(.resume, at: 320)
    #expect(try callOff(exam, at: 110).map(\.at) == [instant(300), instant(320)])
    #expect(try exam.state(at: 400).state.status == .paused)
  }

  @Test("what has come already is not called off, though the pause is said to have been earlier") func past() throws {
    let exam = try HallExam()
    try exam.clock(.start, at: 0)
    try exam.clock(.pause, at: 100)
    try exam.clock(.resume, at: 200)
    let coming = try exam.clock(.pause, at: 600)
    let resume = try exam.clock(.resume, at: 700)
    exam.test.time.pass(300_000)
    #expect(try callOff(exam, at: -60).map(\.id) == [resume.id])
    #expect(try exam.state(at: 300).state.status == .running)
    #expect(try exam.state(at: 650).state.status == .paused && coming.at == instant(600))
  }

  @Test("a clock that goes on while a pause waits for the store stands from then", arguments: [false, true])
  func waited(isForAll: Bool) throws {
    let exam = try HallExam()
    try exam.clock(.start, at: 0)
    try exam.clock(.pause, at: 100)
    try exam.clock(.resume, at: 120)
    exam.test.time.pass(125_000)
    let given = try exam.write {
      isForAll
        ? try ClockLog.pauseAll(of: [Circuit(id: 2, name: "Green")], at: instant(118), in: $0)
        : try ClockLog.pause([exam.session], callingOff: [], at: instant(118), in: $0)
    }
    #expect(given.map(\.event?.at) == [instant(120)] && given[0].refusal == nil)
    let state = try exam.state(at: 200).state
    #expect(state.status == .paused && state.elapsedMs == 40_000 && state.phaseIndex == 2)
  }

  @Test("a start that falls due while the pause of every clock waits for the store is paused at once")
  func waitedForStart() throws {
    let exam = try HallExam()
    try exam.clock(.start, at: 600)
    exam.test.time.pass(610_000)
    let given = try exam.write {
      try ClockLog.pauseAll(of: [Circuit(id: 2, name: "Green")], at: instant(595), in: $0)
    }
    #expect(given.map(\.event?.at) == [instant(600)])
    let state = try exam.state(at: 700).state
    #expect(state.status == .paused && state.elapsedMs == 0)
  }

  @Test("a pause that is said long afterwards stops no clock that has gone on since") func afterwards() throws {
    let exam = try HallExam()
    try exam.clock(.start, at: 0)
    try exam.clock(.pause, at: 100)
    try exam.clock(.resume, at: 120)
    exam.test.time.pass(300_000)
    let given = try exam.write { try ClockLog.pause([exam.session], callingOff: [], at: instant(110), in: $0) }
    #expect(given[0].event == nil && given[0].refusal != nil && given[0].standing?.goesOn == instant(120))
    #expect(try exam.state(at: 301).state.status == .running)
  }

  @Test("a pause that waits behind somebody's resume leaves that clock running") func resumedMeanwhile() throws {
    let exam = try HallExam()
    try exam.clock(.start, at: 0)
    try exam.clock(.pause, at: 100)
    exam.test.time.pass(120_000)
    try exam.clock(.resume, at: 120)
    exam.test.time.pass(5_000)
    let given = try exam.write { try ClockLog.pause([exam.session], callingOff: [], at: instant(118), in: $0) }
    #expect(given[0].event == nil && given[0].refusal != nil)
    #expect(try exam.state(at: 126).state.status == .running)
  }

  @Test("undo offers what was given last, also where that is still to come") func undo() throws {
    let exam = try HallExam()
    try exam.clock(.start, at: 0)
    try exam.clock(.pause, at: 100)
    try exam.clock(.resume, at: 300)
    func offered() throws -> String? {
      try exam.store.read { try ClockLog.lastGiven(of: exam.session, at: instant(110), in: $0) }?.entry.text
    }
    #expect(try offered() == "resume")
    _ = try callOff(exam, at: 110)
    #expect(try offered() == "pause")
  }

  @Test("undo takes back the skip of a moment ago before a resume that was set for later before it") func skipFirst()
    throws
  {
    let exam = try HallExam()
    try exam.clock(.start, at: 0)
    try exam.clock(.pause, at: 100)
    try exam.clock(.resume, at: 300)
    let skip = try exam.clock(.skip, at: 105)
    func offered() throws -> IssuedEvent? {
      try exam.store.read { try ClockLog.lastGiven(of: exam.session, at: instant(110), in: $0) }
    }
    #expect(try offered()?.entry.event.id == skip.id)
    // The reason that is given after it is no giving of an older one.
    let pause = try exam.store.read { try ClockLogEntry.all(of: exam.session, in: $0)[1].event.id }
    try exam.write { try ClockLog.give(reason: "bell", to: pause, in: $0) }
    #expect(try offered()?.entry.event.id == skip.id)
    try exam.clock(.annul(target: skip.id), at: 106)
    #expect(try offered()?.entry.text == "resume")
  }
}
