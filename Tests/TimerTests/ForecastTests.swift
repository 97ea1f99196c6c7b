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

  @Test("there is none before the start and after the end")
  func none() {
    let script = Script(rows("reading 60"))
    #expect(script.fold(-5).forecast(at: .second(-5)) == nil)
    #expect(script.fold(70).forecast(at: .second(70)) == nil)
  }
}
