import Testing
import Timer

@Suite("The forecast of a run's end")
struct ForecastTests {
  @Test("a run that goes by its plan ends when planned")
  func onTime() {
    let script = Script(rows("reading 60,rotation 300,break 120!"))
    let forecast = script.fold(100).forecast(at: .second(100))
    #expect(forecast?.end == .second(480) && forecast?.delayMs == 0)
  }

  @Test("held against a timetable a late start is late and an early one early; another day's plan does not count")
  func timetable() {
    let fold = Script(rows("reading 60,rotation 300")).fold(100)
    #expect(fold.forecast(at: .second(100), planned: .second(-90))?.delayMs == 90_000)
    #expect(fold.forecast(at: .second(100), planned: .second(20))?.delayMs == -20_000)
    #expect(fold.forecast(at: .second(100), planned: .second(-90))?.plannedEnd == .second(270))
    #expect(fold.forecast(at: .second(100), planned: .second(-43_201))?.delayMs == 0)
  }

  @Test("a pause moves the end with every second, an extension once")
  func late() {
    var script = Script(rows("reading 60,rotation 300"))
    script.add(10, .extend(seconds: 30))
    script.add(100, .pause)
    #expect(script.fold(100).forecast(at: .second(100))?.delayMs == 30_000)
    #expect(script.fold(160).forecast(at: .second(160))?.delayMs == 90_000)
  }

  @Test("a resume or a start that is set for later counts from then on")
  func scheduled() {
    var script = Script(rows("reading 60,rotation 300!"))
    script.add(10, .pause)
    script.add(610, .resume)
    #expect(script.fold(70).forecast(at: .second(70))?.delayMs == 600_000)
    var waiting = Script(rows("reading 60,rotation 300!"))
    waiting.add(360, .start(StartPlan(durations: [], warnings: nil, rounds: 0)))
    #expect(waiting.fold(100).forecast(at: .second(100))?.delayMs == 300_000)
  }

  @Test("a resume that will not fit when its time comes is not waited for")
  func doomed() {
    var script = Script(rows("reading 60,rotation 300"))
    script.add(10, .pause)
    script.add(310, .resume)
    #expect(script.fold(70).goesOn(after: .second(70)) == .second(310))
    script.add(200, .stop)
    #expect(script.fold(70).goesOn(after: .second(70)) == nil && script.fold(70).expected.map(\.kind.name) == ["stop"])
    #expect(script.fold(70).scheduled.count == 2)
  }

  @Test("a start that is annulled before its time, or that follows another, is not waited for")
  func doomedStarts() {
    let plan = StartPlan(durations: rows("reading 60,rotation 300"), warnings: nil, rounds: 1)
    var script = Script()
    let first = script.add(100, .start(plan))
    let second = script.add(130, .start(plan))
    #expect(script.fold(0).goesOn(after: .second(0)) == .second(100))
    #expect(script.fold(0).expected.map(\.id) == [first])
    script.add(50, .annul(target: first))
    #expect(script.fold(0).goesOn(after: .second(0)) == .second(130))
    script.add(60, .annul(target: second))
    #expect(script.fold(0).goesOn(after: .second(0)) == nil)
  }

  @Test("a clock that runs or is over waits for nothing; one that waits goes on by a jump too")
  func goesOn() {
    var script = Script(rows("reading 60,rotation 300!"))
    script.add(90, .resume)
    #expect(script.fold(30).goesOn(after: .second(30)) == nil && script.fold(70).goesOn(after: .second(70)) == nil)
    script.add(100, .jump(index: 2))
    #expect(script.fold(70).goesOn(after: .second(70)) == .second(100))
    #expect(script.fold(500).goesOn(after: .second(500)) == nil)
  }

  @Test("there is none before the start and after the end")
  func none() {
    let script = Script(rows("reading 60"))
    #expect(script.fold(-5).forecast(at: .second(-5)) == nil)
    #expect(script.fold(70).forecast(at: .second(70)) == nil)
  }

  @Test("of round and run is over what their lists say, in steps of ten seconds; a pause adds nothing")
  func progress() {
    var script = Script(rows("reading 100,rotation 300,changeover 100"), rounds: 2)
    #expect(script.state(109).roundProgress == 200 && script.state(109).runProgress == 100)
    #expect(script.state(250).roundProgress == 500 && script.state(750).roundProgress == 500)
    #expect(script.state(750).runProgress == 750)
    script.add(250, .pause)
    #expect(script.state(700).roundProgress == 500 && script.state(700).runProgress == 250)
    #expect(Script().state(10).runProgress == nil && Script().state(10).roundProgress == nil)
  }
}
