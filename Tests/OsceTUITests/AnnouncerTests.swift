import Foundation
import Terminal
import Testing
import Timer

@testable import OsceTUI

/// Bell, flash and the line about what was not sounded, on runs that the test makes up.
@MainActor @Suite("The announcer")
struct AnnouncerTests {
  private let start = Instant(milliseconds: 1_000_000)

  /// A run from `start`: reading 60 s, rotation 120 s with a warning at 30 s, break 60 s, rotation 120 s.
  private func fold(at offset: Int64 = 0, events: [ClockEvent] = []) -> Fold {
    let warnings = [WarningRule(phaseType: .rotation, leftMs: 30_000, level: .red, text: "Thirty seconds")]
    let durations = [
      PhaseDuration(type: .reading, lengthMs: 60_000), PhaseDuration(type: .rotation, lengthMs: 120_000),
      PhaseDuration(type: .breakTime, lengthMs: 60_000), PhaseDuration(type: .rotation, lengthMs: 120_000),
    ]
    let plan = StartPlan(durations: durations, warnings: warnings, rounds: 2)
    let begin = ClockEvent(id: "a", at: start + offset, kind: .start(plan))
    return Rotation.fold([begin] + events, until: start + offset)
  }

  /// Ticks every 50 ms from one offset to another and gives when the bell sounded, in ms from the first tick's offset.
  private func bells(_ announcer: inout Announcer, _ folds: [MonitoredRun], _ from: Int64, _ to: Int64)
    -> [Int64]
  {
    stride(from: from, through: to, by: 50).filter { offset in
      announcer.tick(folds, now: start + offset, loop: 7_000_000 + offset).contains(.bell)
    }.map { $0 - from }
  }

  private func announcer(_ bell: Bell = .audible, at offset: Int64) -> Announcer {
    Announcer(bell: bell, now: start + offset)
  }

  @Test("start rings once, a warning twice, an end three times, a break twice and once more after a pause")
  func patterns() {
    let folds = [MonitoredRun("Blue", fold())]
    var announcer = announcer(at: -1000)
    #expect(bells(&announcer, folds, 0, 2000) == [0])
    #expect(bells(&announcer, folds, 150_000, 152_000) == [0, 300])
    #expect(bells(&announcer, folds, 180_000, 182_000) == [0, 300, 1200], "the break, over the end of the round")
    #expect(bells(&announcer, folds, 359_950, 362_000) == [50, 350, 650], "the end of the last round")
  }

  @Test("several circuits at one instant ring once, and the end of one is heard over the start of another")
  func several() {
    let folds = [MonitoredRun("Blue", fold()), MonitoredRun("Green", fold())]
    var both = announcer(at: -1000)
    #expect(bells(&both, folds, 0, 2000) == [0])
    let apart = [MonitoredRun("Blue", fold(at: -360_000)), MonitoredRun("Green", fold())]
    var mixed = announcer(at: -1000)
    #expect(bells(&mixed, apart, 0, 2000) == [0, 300, 600])
  }

  @Test("what comes again after the time was set back rings again")
  func setBack() {
    let folds = [MonitoredRun("Blue", fold())]
    var announcer = announcer(at: -1000)
    #expect(bells(&announcer, folds, 0, 2000) == [0])
    #expect(bells(&announcer, folds, -36_000, 1000) == [36_000])
  }

  @Test("half a second late still rings; later is silent and said in a line for a minute")
  func late() {
    let folds = [MonitoredRun("Blue", fold())]
    var prompt = announcer(at: -1000)
    #expect(prompt.tick(folds, now: start + 500, loop: 500) == [.bell])
    #expect(prompt.line == nil)
    var asleep = announcer(at: -1000)
    #expect(asleep.tick(folds, now: start + 501, loop: 501) == [])
    #expect(!asleep.isFlashing)
    #expect(asleep.line == "missed announcement: Round 1: reading time, 0 s ago")
    _ = asleep.tick(folds, now: start + 12_000, loop: 12_000)
    #expect(asleep.line == "missed announcement: Round 1: reading time, 12 s ago")
    _ = asleep.tick(folds, now: start + 59_000, loop: 60_501)
    #expect(asleep.line == nil)
  }

  @Test(
    "sleeping over several announcements names the last and counts the others, with its circuit where there are more")
  func sleep() {
    let folds = [MonitoredRun("Blue", fold()), MonitoredRun("Green", fold(at: 1_000_000))]
    var announcer = announcer(at: -1000)
    #expect(announcer.tick(folds, now: start + 155_000, loop: 155_000) == [])
    #expect(announcer.line == "missed announcement: 3 announcements, the last: Thirty seconds (Blue), 5 s ago")
  }

  @Test("a start that is read a moment after its instant rings, once")
  func readLate() {
    var announcer = announcer(at: -1000)
    #expect(announcer.tick([], now: start + 40, loop: 40) == [])
    let folds = [MonitoredRun("Blue", fold())]
    #expect(announcer.tick(folds, now: start + 140, loop: 140) == [.bell])
    #expect(announcer.tick(folds, now: start + 240, loop: 240) == [])
  }

  @Test("a screen that is opened after an instant does not ring for it")
  func reopened() {
    let folds = [MonitoredRun("Blue", fold())]
    var announcer = announcer(at: 100)
    #expect(bells(&announcer, folds, 150, 5000) == [])
    #expect(announcer.line == nil)
  }

  @Test("an event that is read too late is not sounded, and said; what it moved and was heard before is not said again")
  func readTooLate() {
    var announcer = announcer(at: -1000)
    #expect(announcer.tick([MonitoredRun("Blue", fold())], now: start + 100, loop: 100) == [.bell])
    let pause = ClockEvent(id: "b", at: start + 5000, kind: .pause)
    let paused = [MonitoredRun("Blue", fold(events: [pause]))]
    #expect(announcer.tick(paused, now: start + 7000, loop: 7000) == [])
    #expect(announcer.line == "missed announcement: The clock is paused, 2 s ago")
    #expect(announcer.tick(paused, now: start + 7100, loop: 7100) == [])
    #expect(announcer.line == "missed announcement: The clock is paused, 2 s ago")
    // Undone: the reading phase began when it began.
    var other = self.announcer(at: -1000)
    #expect(other.tick([MonitoredRun("Blue", fold(at: 200))], now: start + 300, loop: 300) == [.bell])
    #expect(other.tick([MonitoredRun("Blue", fold())], now: start + 3000, loop: 3000) == [])
    #expect(other.line == nil)
  }

  @Test("a run that another screen shows rings there, not here")
  func elsewhere() {
    var announcer = announcer(at: -1000)
    let runs = [MonitoredRun("Blue", fold(), isShown: false)]
    #expect(announcer.tick(runs, now: start + 100, loop: 100) == [])
    #expect(announcer.tick(runs, now: start + 160_000, loop: 160_000) == [])
    #expect(announcer.line == nil && !announcer.isFlashing)
  }

  @Test("a beat that comes late is left out")
  func lateBeat() {
    let folds = [MonitoredRun("Blue", fold())]
    var announcer = announcer(at: 149_000)
    #expect(announcer.tick(folds, now: start + 150_000, loop: 0) == [.bell])
    #expect(announcer.tick(folds, now: start + 152_000, loop: 2000) == [])
    #expect(announcer.deadline == nil)
  }

  @Test("the screen is reversed once for 400 ms, seen and heard alike; with no bell not at all")
  func flash() {
    let folds = [MonitoredRun("Blue", fold())]
    for bell in [Bell.visual, .audible] {
      var announcer = announcer(bell, at: 149_000)
      let effects = announcer.tick(folds, now: start + 150_000, loop: 0)
      #expect(effects == (bell == .audible ? [.bell] : []))
      #expect(announcer.isFlashing)
      _ = announcer.tick(folds, now: start + 150_399, loop: 399)
      #expect(announcer.isFlashing)
      _ = announcer.tick(folds, now: start + 150_400, loop: 400)
      #expect(!announcer.isFlashing)
    }
    var silent = announcer(.none, at: 149_000)
    #expect(silent.tick(folds, now: start + 150_000, loop: 0) == [])
    #expect(!silent.isFlashing)
  }

  @Test("two announcements close together flash once")
  func noFlicker() {
    let folds = [MonitoredRun("Blue", fold()), MonitoredRun("Green", fold(at: 600))]
    var announcer = announcer(.visual, at: -1000)
    var changes = 0
    var was = false
    for offset in stride(from: Int64(0), through: 3000, by: 50) {
      _ = announcer.tick(folds, now: start + offset, loop: offset)
      if announcer.isFlashing != was { changes += 1 }
      was = announcer.isFlashing
    }
    #expect(changes == 2)
  }
}
