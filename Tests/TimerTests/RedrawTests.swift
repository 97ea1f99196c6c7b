import Testing
import Timer

@Suite("The redraw schedule")
struct RedrawTests {
  @Test("the next change is the next shown second")
  func seconds() {
    let fold = Script(rows("rotation 300")).fold(0)
    #expect(fold.nextChange(after: .second(0)) == .second(1))
    #expect(fold.nextChange(after: .second(0) + 1) == .second(1))
    #expect(fold.nextChange(after: .second(299)) == .second(300))
    #expect(fold.nextChange(after: .second(300)) == nil)
  }

  @Test("an alert between two seconds is a change")
  func alertBetween() {
    let fold = Script(rows("rotation 45")).fold(0)
    #expect(fold.nextChange(after: .second(22)) == Instant(milliseconds: 22_500))
    #expect(fold.nextChange(after: Instant(milliseconds: 22_500)) == .second(23))
  }

  @Test("nothing changes while paused, waiting or not started, but for a scheduled event that shows")
  func still() {
    var script = Script(rows("reading 60,rotation 300!"))
    #expect(script.fold(100).nextChange(after: .second(100)) == nil)
    #expect(Script().fold(0).nextChange(after: .second(0)) == nil)
    script.add(10, .pause)
    #expect(script.fold(11).nextChange(after: .second(11)) == nil)
    script.add(20, .skip)
    script.add(30, .pause)
    script.add(40, .start(StartPlan(durations: [], warnings: nil, rounds: 0)))
    #expect(script.fold(11).nextChange(after: .second(11)) == .second(20))
    #expect(script.fold(25).nextChange(after: .second(25)) == .second(40))
  }
}
