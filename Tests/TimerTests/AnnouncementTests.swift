import Testing
import Timer

@Suite("Announcements")
struct AnnouncementTests {
  func said(_ script: Script, _ from: Int64, _ to: Int64) -> [String] {
    Announcements.between(script.fold(to), from: .second(from), to: .second(to)).map {
      "\($0.at.milliseconds / 1000) \($0.kind.rawValue) \($0.text)"
    }
  }

  @Test("starts, warnings and ends come at their instants, the end before the next start")
  func ordinary() {
    let script = Script(rows("reading 60,rotation 300,break 120"))
    #expect(
      said(script, -1, 1000) == [
        "0 start Round 1: reading time", "60 start Round 1: begin", "240 warning 2 minutes left",
        "330 warning 30 seconds left", "360 end End of round 1", "360 break Break: 2 minutes",
        "480 finish The session is over",
      ])
  }

  @Test("a window leaves out its first instant and holds its last: windows in a row tell each thing once")
  func windows() {
    let script = Script(rows("reading 60,rotation 300"))
    #expect(said(script, 0, 60) == ["60 start Round 1: begin"] && said(script, 60, 61).isEmpty)
    #expect(said(script, 60, 60).isEmpty && said(script, 61, 60).isEmpty)
  }

  @Test("after the last round nobody is sent to a next station")
  func lastChangeover() {
    let script = Script(rows("rotation 60,changeover 20"), rounds: 2)
    #expect(
      said(script, 59, 1000).filter { !$0.contains("warning") } == [
        "60 end End of round 1", "60 start Move to the next station", "80 start Round 2: begin",
        "140 end End of round 2", "140 start The last round is over", "160 finish The session is over",
      ])
    var shortened = script
    shortened.add(10, .rounds(1))
    #expect(said(shortened, 59, 60) == ["60 end End of round 1", "60 start The last round is over"])
  }

  @Test("a warning sounds when the time left comes down to it, again after an extension, and not at a phase's start")
  func crossing() {
    var script = Script(rows("rotation 300"))
    script.add(200, .extend(seconds: 60))
    script.add(250, .extend(seconds: 60))
    script.add(310, .extend(seconds: -50))
    #expect(
      said(script, 0, 365) == [
        "180 warning 2 minutes left", "240 warning 2 minutes left", "300 warning 2 minutes left",
        "340 warning 30 seconds left",
      ])
    let own = [WarningRule(phaseType: .rotation, secondsLeft: 300, level: .none, text: "long")]
    #expect(said(Script(rows("rotation 300"), warnings: own), -1, 299) == ["0 start Round 1: begin"])
  }

  @Test("a warning that sounded as the clock was paused does not sound again")
  func pausedAtThreshold() {
    var script = Script(rows("rotation 300"))
    script.add(180, .pause)
    script.add(200, .resume)
    #expect(said(script, 0, 250).filter { $0.contains("warning") } == ["180 warning 2 minutes left"])
  }

  @Test("an extension that jumps over thresholds gives the strictest at once, one that ends the phase gives none")
  func jumpedOver() {
    var script = Script(rows("rotation 300"))
    script.add(100, .extend(seconds: -180))
    #expect(said(script, 0, 100) == ["100 warning 30 seconds left"])
    var ended = Script(rows("rotation 300"))
    ended.add(100, .extend(seconds: -200))
    #expect(said(ended, 0, 100) == ["100 end End of round 1", "100 finish The session is over"])
  }

  @Test("rules that meet at one instant are announced once, by the strictest")
  func merged() {
    let found = Announcements.between(Script(rows("rotation 40")).fold(40), from: .second(1), to: .second(39))
    #expect(found.map(\.level) == [.red] && found.map(\.text) == ["20 seconds left"])
  }

  @Test("a phase entered paused is announced when its time first runs")
  func enteredPaused() {
    var script = Script(rows("reading 60,rotation 300"))
    script.add(10, .pause)
    script.add(20, .skip)
    script.add(30, .resume)
    script.add(40, .pause)
    script.add(50, .resume)
    #expect(
      said(script, 0, 60) == [
        "10 pause The clock is paused", "30 start Round 1: begin", "40 pause The clock is paused",
        "50 resume The clock is running again",
      ])
  }

  @Test("a phase that is waited for says so, and begins by hand")
  func waiting() {
    var script = Script(rows("rotation 60,reading 30!"))
    script.add(80, .start(StartPlan(durations: [], warnings: nil, rounds: 0)))
    #expect(
      said(script, 31, 80) == [
        "60 end End of round 1", "60 waiting Waiting to start: reading", "80 start Round 1: reading time",
      ])
  }

  @Test("an announcement is sounded only within 500 ms of its instant")
  func grace() {
    let all = Announcements.between(
      Script(rows("reading 60,rotation 300")).fold(60), from: .second(-1), to: .second(60))
    let timely = { (late: Int64) in all.count { Announcements.isTimely($0, at: .second(60) + late) } }
    #expect(all.count == 2 && timely(0) == 1 && timely(500) == 1 && timely(501) == 0)
  }

  @Test("announcements of several circuits at one instant ring once")
  func rings() {
    let fold = Script(rows("reading 60,rotation 300")).fold(360)
    let one = Announcements.between(fold, from: .second(0), to: .second(240))
    let rings = Announcements.rings([one, one])
    #expect(rings.map(\.at) == [.second(60), .second(240)] && rings.map(\.announcements.count) == [2, 2])
    #expect(rings.map { $0.announcements.map(\.level) } == [[.none, .none], [.amber, .amber]])
  }
}
