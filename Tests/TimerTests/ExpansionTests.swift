import Testing
import Timer

@Suite("Expansion of a circuit's list")
struct ExpansionTests {
  func expanded(_ text: String, _ rounds: Int) -> String {
    names(Expansion.expand(rows(text), rounds: rounds, warnings: nil))
  }

  @Test("a list with enough rotations is used as it stands")
  func enough() {
    #expect(
      expanded("rotation 1,rotation 1,break 1,rotation 1,reading 1", 2) == "rotation rotation break rotation reading")
    #expect(expanded("reading 1,rotation 1,feedback 1", 1) == "reading rotation feedback")
  }

  @Test("a shorter list is repeated whole, and its last copy ends before the next reading or rotation")
  func repeated() {
    #expect(expanded("reading 1,rotation 1,feedback 1", 2) == "reading rotation feedback reading rotation feedback")
    #expect(
      expanded("reading 1,rotation 1,feedback 1,rotation 1,break 1", 3)
        == "reading rotation feedback rotation break reading rotation feedback")
    #expect(
      expanded("rotation 1,changeover 1,reading 1,feedback 1", 2)
        == "rotation changeover reading feedback rotation changeover")
  }

  @Test("nothing is taken from a further copy")
  func noFurtherCopy() {
    #expect(expanded("break 1,rotation 1", 2) == "break rotation break rotation")
  }

  @Test("a list without a rotation is used once, and no rounds leave a list alone")
  func withoutRotation() {
    #expect(expanded("reading 1,break 1", 5) == "reading break")
    #expect(expanded("rotation 1,break 1", 0) == "rotation break")
    #expect(expanded("", 5) == "")
  }

  @Test("manual starts and lengths are carried into every copy")
  func carried() {
    let phases = Expansion.expand(rows("rotation 60,break 30!"), rounds: 2, warnings: [])
    #expect(phases.map(\.manualStart) == [false, true, false, true])
    #expect(phases.map(\.plannedMs) == [60_000, 30_000, 60_000, 30_000])
  }

  @Test("a hostile number of rounds or rows gives a list that can be held")
  func hostile() {
    #expect(Expansion.expand(rows("rotation 1"), rounds: .max, warnings: []).count == Expansion.mostRounds)
    #expect(Expansion.expand(rows("rotation 1"), rounds: .min, warnings: []).count == 1)
    let long =
      [PhaseDuration(type: .rotation, lengthMs: 1)]
      + Array(
        repeating: PhaseDuration(type: .breakTime, lengthMs: 1), count: 999)
    #expect(Expansion.expand(long, rounds: .max, warnings: []).count == Expansion.mostPhases)
  }

  @Test("phase names are known in any letter case, and others are kept")
  func typeNames() {
    #expect(PhaseType(name: "Break") == .breakTime)
    #expect(PhaseType(name: "ROTATION") == .rotation)
    #expect(PhaseType(name: "Briefing") == .other("Briefing"))
    for name in ["rotation", "reading", "feedback", "changeover", "break", "Briefing"] {
      #expect(PhaseType(name: name).name == name)
    }
  }
}

@Suite("Rounds of phases")
struct RoundTests {
  func rounds(_ text: String, _ needed: Int) -> [Int?] {
    let list = Script(rows(text), rounds: needed).state(0).phases
    return (1...list.count).map { list.round(ofPhase: $0) }
  }

  @Test("a rotation has its own number, reading the next one's, anything else the last one's")
  func each() {
    #expect(rounds("changeover 1,reading 1,rotation 1,feedback 1", 2) == [0, 1, 1, 1, 1, 2, 2, 2])
  }

  @Test("reading after the last rotation has the last number, and 0 without any rotation")
  func trailingReading() {
    #expect(rounds("rotation 1,reading 1", 1) == [1, 1])
    #expect(rounds("reading 1,break 1", 1) == [0, 0])
  }

  @Test("a plan knows when its rotations are to begin and to end, and how long it takes")
  func plannedRotations() {
    let list = StartPlan(durations: rows("reading 60,rotation 300,changeover 30"), warnings: nil, rounds: 2).list
    #expect(list.plannedRotations == [60_000...360_000, 450_000...750_000] && list.plannedMs == 780_000)
    let odd = [PlannedPhase(type: .reading, plannedMs: -5), PlannedPhase(type: .rotation, plannedMs: 7)]
    #expect(StartPlan(durations: [], warnings: nil, rounds: 1, phases: odd).list.plannedRotations == [0...7])
    #expect(StartPlan(durations: [], warnings: nil, rounds: 1).list.plannedRotations.isEmpty)
  }

  @Test("the rounds of a run are the rotations of its list, which can exceed those needed")
  func rotations() {
    #expect(Script(rows("rotation 1,rotation 1,rotation 1"), rounds: 2).state(0).rounds == 3)
    #expect(Script(rows("rotation 1,rotation 1"), rounds: 3).state(0).rounds == 3)
  }
}
