import Glibc
import SeededNumbers
import Timer

/// How many cases to try: `OSCE_CASES`, or a number that takes about a second.
var caseCount: Int { setting("OSCE_CASES").flatMap { Int($0) } ?? 200 }

/// The seeds to try: only `OSCE_SEED` if it is set.
var seeds: [UInt64] {
  if let one = Seeded.given { return [one] }
  return (0..<max(caseCount, 0)).map { UInt64($0) &* 7919 &+ 1 }
}

private func setting(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

/// A random run whose times and lengths are multiples of a tick.
struct RandomRun {
  var events: [ClockEvent] = []
  let tick: Int64
  let end: Int64
  private(set) var durations: [PhaseDuration] = []
  private(set) var generator: Seeded

  init(seed: UInt64, tick: Int64 = 250, annuls: Bool = true) {
    generator = Seeded(seed: seed)
    self.tick = tick
    end = tick * 120
    var types: [PhaseType] = [.rotation, .rotation, .reading, .feedback, .changeover, .breakTime]
    types.append(.other("briefing"))
    for _ in 0..<Int.random(in: 1...5, using: &generator) {
      durations.append(
        PhaseDuration(
          type: types.randomElement(using: &generator) ?? .rotation,
          lengthMs: tick * Int64.random(in: 1...16, using: &generator), manualStart: generator.chance(20)))
    }
    let count = Int.random(in: 1...16, using: &generator)
    for number in 0..<count {
      events.append(event(number, of: count, annuls: annuls))
    }
  }

  mutating func instant() -> Instant { Instant(milliseconds: tick * Int64.random(in: 0...120, using: &generator)) }

  mutating func shuffledWithRepeats() -> [ClockEvent] {
    var arrived = events
    for _ in 0..<3 { events.randomElement(using: &generator).map { arrived.append($0) } }
    return arrived.shuffled(using: &generator)
  }

  private mutating func event(_ number: Int, of count: Int, annuls: Bool) -> ClockEvent {
    let isFirst = number == 0
    let at = isFirst ? Instant(milliseconds: tick * Int64.random(in: 0...4, using: &generator)) : instant()
    let passage = !isFirst && generator.chance(25) ? Int.random(in: 0...6, using: &generator) : nil
    let id = "\(UInt16.random(in: 0...9, using: &generator))-\(number)"
    let kind = isFirst ? start() : kind(count: count, annuls: annuls)
    return ClockEvent(id: id, at: at, kind: kind, passage: passage)
  }

  private mutating func start() -> ClockEventKind {
    var warnings: [WarningRule]?
    if generator.chance(40) {
      warnings = []
      for _ in 0..<Int.random(in: 0...3, using: &generator) {
        warnings?.append(
          WarningRule(
            phaseType: generator.chance(70) ? .rotation : .reading,
            leftMs: tick * Int64.random(in: 0...12, using: &generator),
            level: AlertLevel.allCases.randomElement(using: &generator) ?? .amber, text: "w"))
      }
    }
    return .start(
      StartPlan(durations: durations, warnings: warnings, rounds: Int.random(in: 0...5, using: &generator)))
  }

  private mutating func kind(count: Int, annuls: Bool) -> ClockEventKind {
    switch Int.random(in: 0..<(annuls ? 22 : 20), using: &generator) {
    case 0...1: return start()
    case 2...5: return .pause
    case 6...9: return .resume
    case 10...12: return .extend(seconds: Int64.random(in: -4...4, using: &generator))
    case 13...14: return .skip
    case 15: return .restart
    case 16...17: return .jump(index: Int.random(in: 0...12, using: &generator))
    case 18: return .rounds(Int.random(in: -1...6, using: &generator))
    case 19: return generator.chance(50) ? .stop : .resume
    default:
      let known = events.map(\.id)
      return .annul(target: generator.chance(90) ? known.randomElement(using: &generator) ?? "none" : "none")
    }
  }
}
