import Testing
import Timer

@Suite("Alerts")
struct AlertTests {
  @Test("by default a rotation is amber at two minutes and red at half a minute")
  func defaults() {
    let fold = Script(rows("rotation 300")).fold(0)
    let at = { (left: Int64) in fold.state(at: Instant(milliseconds: 300_000 - left)).alert }
    #expect(at(120_001) == .none && at(120_000) == .amber && at(30_001) == .amber && at(30_000) == .red)
    #expect(at(1) == .red)
  }

  @Test(
    "a default threshold is cut to half of the planned length, to the millisecond",
    arguments: [
      (240, 120_000, 30_000), (239, 119_500, 30_000), (90, 45_000, 30_000), (60, 30_000, 30_000), (45, 22_500, 22_500),
    ] as [(Int64, Int64, Int64)])
  func cut(seconds: Int64, amber: Int64, red: Int64) {
    let rules = WarningRule.defaults(for: .rotation, plannedMs: seconds * 1000)
    #expect(rules.map(\.leftMs) == [amber, red] && rules.map(\.level) == [.amber, .red])
  }

  @Test("the cut follows the planned length, not an extension")
  func cutByPlan() {
    var script = Script(rows("rotation 90"))
    script.add(0, .extend(seconds: 600))
    #expect(script.state(644).alert == .none && script.state(645).alert == .amber && script.state(660).alert == .red)
  }

  @Test("other phases have no default alerts")
  func others() {
    #expect(Script(rows("reading 60,feedback 60,changeover 60,break 60,x 60")).state(59).alert == .none)
    #expect(WarningRule.defaults(for: .reading, plannedMs: 60_000).isEmpty)
  }

  @Test("a circuit's own warnings replace the defaults as they stand")
  func own() {
    let warnings = [WarningRule(phaseType: .reading, secondsLeft: 600, level: .red, text: "read")]
    let script = Script(rows("reading 60,rotation 60"), warnings: warnings)
    #expect(script.state(0).alert == .red && script.state(119).alert == .none)
    #expect(Script(rows("rotation 60"), warnings: []).state(59).alert == .none)
  }

  @Test("the strictest rule counts, in whatever order the rules stand")
  func strictest() {
    let warnings = [
      WarningRule(phaseType: .rotation, secondsLeft: 50, level: .red, text: ""),
      WarningRule(phaseType: .rotation, secondsLeft: 20, level: .amber, text: ""),
    ]
    #expect(Script(rows("rotation 60"), warnings: warnings).state(55).alert == .red)
    #expect(Script(rows("rotation 60"), warnings: warnings.reversed()).state(55).alert == .red)
  }

  @Test("the preset announces five minutes, is amber at two and announces the end")
  func preset() {
    #expect(WarningRule.liftupp.map(\.secondsLeft) == [300, 120, 0])
    let script = Script(rows("rotation 600"), warnings: WarningRule.liftupp)
    #expect(script.state(400).alert == .none && script.state(480).alert == .amber && script.state(599).alert == .amber)
  }

  @Test("an alert holds while paused, and is none while waiting or finished")
  func byStatus() {
    var script = Script(rows("rotation 60,rotation 60!"))
    #expect(script.state(60).status == .waiting && script.state(60).alert == .none)
    script.add(40, .pause)
    #expect(script.state(900).alert == .red)
    script.add(901, .extend(seconds: 30))
    #expect(script.state(902).alert == .none)
    script.add(903, .stop)
    #expect(script.state(904).alert == .none)
  }

  @Test("levels are ordered and named")
  func levels() {
    #expect(AlertLevel.none < .amber && AlertLevel.amber < .red)
    #expect(AlertLevel(name: "Amber") == .amber && AlertLevel(name: "pink") == nil)
  }
}

@Suite("Digits and words")
struct PhaseTextTests {
  @Test(
    "a started second is shown whole",
    arguments: [
      (0, "00:00"), (1, "00:01"), (1000, "00:01"), (1001, "00:02"), (59_001, "01:00"), (90_000, "01:30"),
      (3_599_000, "59:59"), (3_599_001, "1:00:00"), (3_600_000, "1:00:00"), (36_061_000, "10:01:01"), (-5, "00:00"),
    ] as [(Int64, String)])
  func digits(milliseconds: Int64, text: String) {
    #expect(PhaseText.digits(milliseconds) == text)
  }

  @Test(
    "how far two clocks stand apart is in milliseconds only below ten seconds",
    arguments: [
      (0, "0 ms"), (-9_999, "9999 ms"), (10_000, "00:10"), (-10_833_734, "3:00:34"), (86_400_000, "24:00:00"),
    ] as [(Int64, String)])
  func apart(milliseconds: Int64, text: String) {
    #expect(PhaseText.apart(milliseconds) == text)
  }

  @Test("lengths are said in minutes and seconds")
  func lengths() {
    #expect(PhaseText.timeLeft(120_000) == "2 minutes left" && PhaseText.timeLeft(30_000) == "30 seconds left")
    #expect(PhaseText.timeLeft(90_000) == "1 minute 30 seconds left" && PhaseText.timeLeft(0) == "Time is up")
    #expect(PhaseText.digits(.max).isEmpty == false && PhaseText.digits(.min) == "00:00")
  }
}
