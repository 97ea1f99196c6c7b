import CircuitModel
import ExamStore
import Reports
import Terminal
import TerminalTesting
import Testing
import Timer

@testable import OsceTUI

/// The public clock on nights when clocks change, over midnight, after trouble, and with a wall clock that is set.
@MainActor @Suite("The wall and time")
struct WallTimeTests {
  private func wall(_ exam: Rehearsed, bell: Bell = .audible) throws -> Rehearsal<WallProgram> {
    let circuit = try exam.store.read { try Circuit.find("BLUE", at: exam.store.clock.now, in: $0) }
    return Rehearsal(
      WallProgram(exam.store, circuits: [circuit], theme: .standard(), options: .init(bell: bell)) {
        exam.clocks.loop
      })
  }

  private func panel(_ play: Rehearsal<WallProgram>) -> WallPanel { play.program.picture.panels[0] }

  /// An exam whose clocks show an instant, in seconds since 1970.
  private func exam(at seconds: Int64) throws -> Rehearsed {
    let exam = try Rehearsed()
    exam.clocks.pass(seconds * 1000 - Rehearsed.start)
    return exam
  }

  @Test(
    "the countdown runs through the night as on any day, and the times of day are those of the hall's clocks",
    arguments: [
      // Half past midnight UTC before the clocks go on and back; half past eleven on a leap day and at a year's end.
      (1_774_744_200, "02:50", "00:59", "02:00"),
      (1_792_888_200, "01:50", "01:59", "01:00"),
      (1_835_479_800, "00:50", "23:59", "00:00"),
      (1_798_759_800, "00:50", "23:59", "00:00"),
    ])
  func nights(_ start: Int64, _ end: String, _ before: String, _ after: String) throws {
    let night = try exam(at: start)
    let day = try Rehearsed()
    try night.startClock(seconds: 0)
    try day.startClock(seconds: 0)
    let (dark, light) = (try wall(night), try wall(day))
    for _ in 0..<3 {
      // 29 min 59 s, then a second, then a minute.
      for seconds: Int64 in [1799, 1, 60] {
        night.clocks.pass(seconds * 1000)
        day.clocks.pass(seconds * 1000)
        #expect(panel(dark).digits == panel(light).digits)
        #expect(panel(dark).said == panel(light).said)
        if seconds == 1799, dark.program.picture.time != before { continue }
      }
    }
    let fresh = try exam(at: start)
    try fresh.startClock(seconds: 0)
    let clock = try wall(fresh)
    #expect(panel(clock).end == "Session ends \(end), on time")
    fresh.clocks.pass(1_799_000)
    #expect(clock.program.picture.time == before)
    fresh.clocks.pass(1000)
    #expect(clock.program.picture.time == after)
  }

  @Test("a session that started half a minute late is said to end in the minute by which it is said to be behind")
  func endAndDelay() throws {
    let late = try Rehearsed()
    late.pass(seconds: 30)
    try late.startClock(seconds: 0)
    #expect(panel(try wall(late)).end == "Session ends 10:21, 1 min behind")
    #expect(try late.desk().lines[1].contains("ends 10:21, 1 min behind"))
  }

  @Test("a pause over midnight moves the expected end into the next day, and says so")
  func midnight() throws {
    // 2026-12-08 22:30.
    let exam = try exam(at: 1_796_769_000)
    try exam.startClock(seconds: 0)
    exam.clocks.pass(60_000)
    try exam.clock(.pause)
    exam.clocks.pass(1_800_000)
    #expect(panel(try wall(exam)).end == "Session ends 00:20 (2026-12-09), 30 min behind")
  }

  @Test("a wall clock that is set moves no countdown and rings no bell; more than 30 s apart is said in a muted line")
  func steppedWall() throws {
    let exam = try Rehearsed()
    try exam.startClock(seconds: 75)
    var play = try wall(exam)
    let digits = panel(play).digits
    for step: Int64 in [3_600_000, -7_200_000, 86_400_000, -86_400_000 * 2, -1_700_000_000_000, 2_000_000_000_000] {
      exam.clocks.stepWall(step)
      play.send(.deadline(exam.clocks.loop))
      #expect(panel(play).digits == digits)
      #expect(!play.effects.contains(.bell))
      #expect(play.program.picture.clockNote.hasSuffix("exam time; the countdown is correct"))
    }
    let other = try Rehearsed()
    let quiet = try wall(other)
    other.clocks.stepWall(30_000)
    #expect(quiet.program.picture.clockNote.isEmpty)
    other.clocks.stepWall(1000)
    #expect(
      quiet.program.picture.clockNote == "system clock is 31 s ahead of exam time; the countdown is correct")
    #expect(quiet.screen.contains("system clock is 31 s ahead of exam time"))
  }

  @Test("since when the hub does not answer is said, as others' clocks come by it, and that it refuses the terminal")
  func hubAway() throws {
    let exam = try Rehearsed()
    try exam.startClock()
    try exam.store.enrol()
    var play = try wall(exam)
    let other = try exam.atSameStore()
    let contact = exam.store.clock.now
    func say(_ state: SyncState.Work, _ trouble: String? = nil) throws {
      try other.store.note(SyncState(attemptAt: contact, contactAt: contact, state: state, trouble: trouble))
      exam.clocks.pass(1000)
      play.send(.deadline(exam.clocks.loop))
    }
    try say(.wait)
    #expect(play.program.picture.clockNote.isEmpty)
    exam.clocks.pass(101_000)
    #expect(play.program.picture.clockNote == "no hub since \(LocalTime.reading(of: contact).minute)")
    try say(.blocked, "this device was revoked at the hub")
    #expect(play.program.picture.clockNote == "the hub refuses this terminal; osce sync says why")
  }

  @Test("two invigilators who pause in the same instant see the same clock, and one resume starts it again")
  func twoPauses() throws {
    let exam = try Rehearsed()
    try exam.startClock(seconds: 75)
    let other = try exam.atSameStore()
    var (here, there) = (try wall(exam), try wall(other))
    let at = exam.store.clock.now
    let session = try exam.session("CHEST").session
    for desk in [exam, other] {
      _ = try? desk.store.write(.program) { _ = try ClockLog.append(.pause, to: session, at: at, in: $0) }
    }
    exam.clocks.pass(20_000)
    func look() {
      here.send(.deadline(exam.clocks.loop))
      there.send(.deadline(exam.clocks.loop))
    }
    look()
    #expect(panel(here) == panel(there))
    #expect(panel(here).word == "PAUSED" && panel(here).digits.isEmpty)
    try other.clock(.resume)
    exam.clocks.pass(5000)
    look()
    #expect(panel(here) == panel(there))
    #expect(panel(here).alert.isEmpty && panel(here).digits == "07:40")
  }

  @Test("when every process was killed in the middle of a round, what is opened again shows the same second, silently")
  func killed() throws {
    let exam = try Rehearsed()
    try exam.startClock(seconds: 75)
    var before = try wall(exam)
    // An amber warning falls into the time when nothing runs.
    exam.clocks.pass(345_200)
    let again = try exam.atSameStore()
    var after = try wall(again)
    for _ in 0..<20 {
      exam.clocks.pass(100)
      before.send(.deadline(exam.clocks.loop))
      after.send(.deadline(exam.clocks.loop))
      #expect(panel(before) == panel(after))
    }
    #expect(!after.effects.contains(.bell))
    #expect(panel(after).alert == "AMBER")
    #expect(after.program.picture.missed.isEmpty)
  }

  @Test("a wall that was stopped for two minutes stays silent and says what it did not sound")
  func stopped() throws {
    let exam = try Rehearsed()
    try exam.startClock(seconds: 75)
    var play = try wall(exam)
    exam.clocks.pass(345_000 + 12_000)
    play.send(.deadline(exam.clocks.loop))
    #expect(!play.effects.contains(.bell))
    #expect(play.screen.contains("missed announcement: Two minutes remaining, 12 s ago"))
  }

  @Test("between two changes of a digit nothing is drawn")
  func idle() throws {
    let exam = try Rehearsed()
    try exam.startClock(seconds: 75)
    var play = try wall(exam)
    play.send(.deadline(exam.clocks.loop))
    var drawn = 0
    for _ in 0..<100 {
      exam.clocks.pass(100)
      let count = play.effects.count
      play.send(.deadline(exam.clocks.loop))
      if play.effects.dropFirst(count) != [.unchanged] { drawn += 1 }
    }
    #expect(drawn == 10)
  }
}
