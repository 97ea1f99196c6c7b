import SeededNumbers
import Testing
import Timer

@testable import CircuitModel
@testable import ExamStore
@testable import Reports

/// How far circuits have drifted apart, each held against its own plan.
@Suite("Circuits that drift apart") struct CircuitDriftTests {
  private static let start = Instant(milliseconds: TestClock.start)

  private func phases(_ rounds: Int, rotation: Int64 = 480) -> StartPlan {
    StartPlan(
      durations: [
        PhaseDuration(type: .reading, lengthMs: 60_000), PhaseDuration(type: .rotation, lengthMs: rotation * 1000),
        PhaseDuration(type: .changeover, lengthMs: 60_000),
      ], warnings: nil, rounds: rounds)
  }

  /// A clock whose events are given in seconds since 09:00, the planned start unless another is given.
  private func clock(
    _ name: String, planned: String = "09:00", isRerun: Bool = false, unit: Int64 = 1000,
    _ events: (Int64, ClockEventKind)...
  ) -> CircuitDrift.Clock {
    let list = events.enumerated().map { number, event in
      ClockEvent(id: "\(number)", at: Self.start + event.0 * unit, kind: event.1)
    }
    return CircuitDrift.Clock(
      name: name, session: Session(circuit: 1, date: "2026-12-07", startTime: planned),
      fold: Rotation.fold(list, until: .latest), isRerun: isRerun)
  }

  private func drift(_ clocks: [CircuitDrift.Clock], at seconds: Int64) -> [String] {
    CircuitDrift.between(clocks, at: Self.start + seconds * 1000).map(\.text)
  }

  init() { LocalTime.use(zone: "Europe/London") }

  @Test("one in work, the other in changeover: told apart by the same seconds as in one phase")
  func otherPhase() {
    let blue = clock("Blue", (0, .start(phases(8))))
    let green = clock("Green", (7, .start(phases(8))))
    for second in [10, 58, 63, 300, 538, 543, 598, 603, 607, 4000] as [Int64] {
      #expect(drift([blue, green], at: second) == ["Green is 00:07 behind Blue"], "\(second)")
    }
  }

  @Test("a pause is told while it lasts, by its length so far, and an extension from its instant on")
  func pause() {
    let blue = clock("Blue", (0, .start(phases(8))))
    let green = clock("Green", (0, .start(phases(8))), (500, .pause), (590, .resume), (700, .extend(seconds: 30)))
    #expect(drift([blue, green], at: 500) == [])
    #expect(drift([blue, green], at: 560) == ["Green is 01:00 behind Blue"])
    #expect(drift([blue, green], at: 699) == ["Green is 01:30 behind Blue"])
    #expect(drift([blue, green], at: 700) == ["Green is 02:00 behind Blue"])
  }

  @Test("a started second is not counted")
  func startedSecond() {
    let blue = clock("Blue", (0, .start(phases(8))))
    let green = clock("Green", unit: 1, (0, .start(phases(8))), (100_000, .pause), (104_999, .resume))
    #expect(drift([blue, green], at: 200) == ["Green is 00:04 behind Blue"])
  }

  @Test("who skips is ahead, and the others are told so")
  func skip() {
    let blue = clock("Blue", (0, .start(phases(8))), (500, .skip))
    let green = clock("Green", (0, .start(phases(8))))
    #expect(drift([green, blue], at: 510) == ["Green is 00:40 behind Blue"])
  }

  @Test("circuits of other lengths, rounds and planned starts are no alarm, at whatever second")
  func byDesign() {
    let clocks = [
      clock("Long", (0, .start(phases(6, rotation: 600)))), clock("Short", (0, .start(phases(8, rotation: 300)))),
      clock("Few", (0, .start(phases(4)))), clock("Later", planned: "09:20", (1200, .start(phases(8)))),
    ]
    for second in stride(from: Int64(0), to: 6000, by: 7) { #expect(drift(clocks, at: second) == [], "\(second)") }
  }

  @Test("a delay of one of them is told with the word that their plans differ")
  func otherPlans() {
    let long = clock("Long", (0, .start(phases(6, rotation: 600))))
    let later = clock("Later", planned: "09:20", (1200, .start(phases(8))), (1300, .pause), (1390, .resume))
    #expect(drift([long, later], at: 1400) == ["Later is 01:30 behind Long, by their plans"])
  }

  @Test("a re-run, which no plan says, is held against re-runs alone, from its start on")
  func reruns() {
    let blue = clock("Blue", isRerun: true, (6000, .start(phases(2))))
    let green = clock("Green", isRerun: true, (6100, .start(phases(2))), (6200, .pause), (6210, .resume))
    let red = clock("Red", planned: "10:30", (5400, .start(phases(8))))
    #expect(drift([blue, red], at: 6150) == [])
    #expect(drift([blue, green, red], at: 6150) == [])
    #expect(drift([blue, green, red], at: 6300) == ["Green is 00:10 behind Blue"])
  }

  @Test("neither who has not begun nor who has finished is compared, nor who is alone")
  func nobody() {
    let blue = clock("Blue", (0, .start(phases(8))))
    #expect(drift([blue, clock("Green")], at: 100) == [])
    #expect(drift([blue, clock("Green", (0, .start(phases(8))), (50, .stop))], at: 100) == [])
    #expect(drift([blue], at: 100) == [])
  }

  @Test("with one plan the drift is the difference of the delays at every instant", arguments: 0..<40)
  func property(_ number: UInt64) {
    let seed = Seeded.seeds(1)[0] &+ number
    var random = Seeded(seed: seed)
    let plan = phases(.random(in: 1...6, using: &random), rotation: .random(in: 61...500, using: &random))
    let clocks = ["0", "1"].map { Delayed($0, plan, using: &random) }
    let length = plan.phases.reduce(0) { $0 + $1.plannedMs }
    for _ in 0..<60 {
      let instant = Self.start + .random(in: 0..<length, using: &random)
      let delays = clocks.compactMap { $0.delay(at: instant) }
      guard delays.count == 2 else { continue }
      let lags = CircuitDrift.between(clocks.map(\.clock), at: instant)
      let wanted = abs(delays[0] - delays[1]) / 1000
      #expect(lags.map(\.seconds) == (wanted == 0 ? [] : [wanted]), "OSCE_SEED=\(seed)")
      #expect(lags.allSatisfy { $0.name == (delays[0] > delays[1] ? "0" : "1") }, "OSCE_SEED=\(seed)")
    }
  }

  /// A clock that begins late and is paused and given more time as chance has it, and what that has cost so far.
  private struct Delayed {
    let clock: CircuitDrift.Clock
    private var late: Int64
    private var pauses: [ClosedRange<Int64>] = []
    private var extensions: [(at: Int64, seconds: Int64)] = []

    init(_ name: String, _ plan: StartPlan, using random: inout Seeded) {
      late = .random(in: 0...90_000, using: &random)
      var kinds: [(Int64, ClockEventKind)] = [(late, .start(plan))]
      var now = late
      for _ in 0..<Int.random(in: 0...5, using: &random) {
        now += .random(in: 1...400_000, using: &random)
        if Bool.random(using: &random) {
          let end = now + .random(in: 1...120_000, using: &random)
          pauses.append(now...end)
          kinds += [(now, .pause), (end, .resume)]
          now = end
        } else {
          extensions.append((now, .random(in: 1...60, using: &random)))
          kinds.append((now, .extend(seconds: extensions.last!.seconds)))
        }
      }
      let events = kinds.enumerated().map { number, event in
        ClockEvent(id: name + "\(number + 10)", at: start + event.0, kind: event.1)
      }
      clock = CircuitDrift.Clock(
        name: name, session: Session(circuit: 1, date: "2026-12-07", startTime: "09:00"),
        fold: Rotation.fold(events, until: .latest), isRerun: false)
    }

    /// Milliseconds behind the plan; nil where no phase is on.
    func delay(at instant: Instant) -> Int64? {
      guard clock.fold.state(at: instant).phaseIndex != nil else { return nil }
      let now = instant - start
      return late + pauses.filter { $0.lowerBound <= now }.reduce(0) { $0 + min(now, $1.upperBound) - $1.lowerBound }
        + extensions.filter { $0.at <= now }.reduce(0) { $0 + $1.seconds * 1000 }
    }
  }
}
