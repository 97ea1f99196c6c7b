import Testing
import Timer

@testable import CircuitModel
@testable import ExamStore
@testable import Reports

@Suite("Two invigilators at one clock", .serialized)
struct TwoInvigilatorsTests {
  @Test("pause pressed by both in one instant is kept twice and takes effect once, and both screens agree")
  func pause() throws {
    // The order of two ids of one instant is random.
    for _ in 1...8 {
      let exam = try HallExam()
      let other = try exam.test.reopened()
      defer { other.close() }
      try exam.clock(.start, at: 0)
      exam.test.time.pass(100_000)
      let now = exam.store.clock.now
      let pressed = [(exam.store, 1), (other, 2)]
      for (store, staff) in pressed {
        try store.write(Author(staff: staff, reason: "fire alarm")) {
          _ = try ClockLog.append(.pause, to: exam.session, at: now, passage: 2, in: $0)
        }
      }
      let screens = try pressed.map { store, _ in
        try store.read { db in
          (
            try ClockReport.read(exam.session, at: now + 5000, in: db).state,
            try ClockLogEntry.all(of: exam.session, in: db).filter { $0.event.kind == .pause }
          )
        }
      }
      for (state, pauses) in screens {
        #expect(state.status == .paused && state.elapsedMs == 40_000)
        #expect(pauses.count == 2 && pauses.count { $0.isApplied == true } == 1)
        #expect(Set(pauses.compactMap(\.event.staff)) == ["adavies", "bmurphy"])
      }
      #expect(screens[0].0 == screens[1].0 && screens[0].1.map(\.event) == screens[1].1.map(\.event))
      #expect(screens[0].1.map(\.isApplied) == screens[1].1.map(\.isApplied))
    }
  }

  @Test("the same pause a second time by one person, or a millisecond later by another, does not fit")
  func late() throws {
    let exam = try HallExam()
    try exam.clock(.start, at: 0)
    try exam.clock(.pause, at: 100)
    // Ids of later milliseconds come later.
    exam.test.time.pass(5)
    #expect(throws: ClockRefusal.self) { try exam.clock(.pause, at: 100) }
    let later = Instant(milliseconds: TestClock.start + 100_001)
    #expect(throws: ClockRefusal.self) {
      try exam.store.write(Author(staff: 2)) { _ = try ClockLog.append(.pause, to: exam.session, at: later, in: $0) }
    }
  }
}
