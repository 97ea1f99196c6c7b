import Testing
import Timer

@testable import CircuitModel
@testable import ExamStore
@testable import Reports

@Suite("Where a candidate is")
struct PresenceTests {
  /// Reading 60 s started by hand, rotation 300 s, feedback 60 s, changeover 60 s; four rounds.
  private func state(_ seconds: Int64, _ events: [(Int64, ClockEventKind)] = []) -> ClockState {
    let cycle = [
      PhaseDuration(type: .reading, lengthMs: 60_000, manualStart: true),
      PhaseDuration(type: .rotation, lengthMs: 300_000), PhaseDuration(type: .feedback, lengthMs: 60_000),
      PhaseDuration(type: .changeover, lengthMs: 60_000),
    ]
    let plan = StartPlan(durations: cycle, warnings: nil, rounds: 4)
    var all = [ClockEvent(id: "0", at: Instant(milliseconds: 0), kind: .start(plan))]
    for (index, event) in events.enumerated() {
      all.append(ClockEvent(id: "\(index + 1)", at: Instant(milliseconds: event.0 * 1000), kind: event.1))
    }
    let now = Instant(milliseconds: seconds * 1000)
    return Rotation.fold(all, until: now).state(at: now)
  }

  private func presence(_ round: Int?, _ state: ClockState?) -> Presence {
    Presence(round: round, isPractice: false, state: state)
  }

  @Test("in the room in the own rotation and the feedback after it, not before and not after")
  func ownRound() {
    #expect(presence(1, state(30)) == .notYetHere)
    #expect(presence(1, state(60)) == .inTheRoom)
    #expect(presence(1, state(359)) == .inTheRoom)
    #expect(presence(1, state(400)) == .inTheRoom)
    #expect(presence(1, state(421)) == .left)
    #expect(presence(1, state(600)) == .left)
  }

  @Test("later rounds are not yet here, earlier ones have left")
  func otherRounds() {
    #expect(presence(2, state(100)) == .notYetHere)
    let second = state(600, [(490, .jump(index: 6))])
    #expect(second.round == 2)
    #expect(presence(2, second) == .inTheRoom)
    #expect(presence(1, second) == .left)
    #expect(presence(3, second) == .notYetHere)
  }

  @Test("while a phase is waited for it has not begun; a pause changes nothing")
  func waitingAndPaused() {
    let waiting = state(500)
    #expect(waiting.status == .waiting)
    #expect(presence(2, waiting) == .notYetHere)
    #expect(presence(1, waiting) == .left)
    #expect(presence(1, state(200, [(100, .pause)])) == .inTheRoom)
  }

  @Test("without a clock, a round or a start nobody is here; at the end all have left")
  func edges() {
    #expect(presence(1, nil) == .notYetHere)
    #expect(presence(nil, state(100)) == .notYetHere)
    #expect(presence(1, state(-10)) == .notYetHere)
    #expect(presence(4, state(700, [(600, .stop)])) == .left)
    #expect(Presence(round: nil, isPractice: true, state: nil) == .practice)
  }

  @Test("marking needs no override once the rotation has begun")
  func begun() {
    #expect(Presence.inTheRoom.hasBegun && Presence.left.hasBegun && Presence.practice.hasBegun)
    #expect(!Presence.notYetHere.hasBegun)
  }
}
