import Testing
import Timer

@Suite("The timeline of a run")
struct TimelineTests {
  @Test("passages have their planned and their real times, and what was lost to pauses and waiting")
  func passages() {
    var script = Script(rows("reading 60,rotation 300,break 120!"))
    script.add(10, .pause)
    script.add(40, .resume)
    script.add(100, .extend(seconds: 30))
    script.add(450, .start(StartPlan(durations: [], warnings: nil, rounds: 0)))
    let timeline = script.fold(500).timeline
    #expect(timeline.passages.map(\.number) == [1, 2, 3] && timeline.passages.map(\.phaseIndex) == [1, 2, 3])
    #expect(timeline.passages.map(\.plannedStart) == [.second(0), .second(60), .second(360)])
    #expect(timeline.passages.map(\.plannedEnd) == [.second(60), .second(360), .second(480)])
    #expect(timeline.passages.map(\.entered) == [.second(0), .second(90), .second(420)])
    #expect(timeline.passages.map(\.start) == [.second(0), .second(90), .second(450)])
    #expect(timeline.passages.map(\.end) == [.second(90), .second(420), nil])
    #expect(timeline.passages.map(\.ending) == [.ranOut, .ranOut, nil])
    #expect(timeline.passages[1].extensions.map(\.at) == [.second(100)])
    #expect(timeline.passages[1].extensions.map(\.seconds) == [30])
    #expect(timeline.passages[1].round == 1 && timeline.passages[1].type == .rotation)
    #expect(timeline.pausedMs == 30_000 && timeline.waitedMs == 30_000 && timeline.lostMs == 60_000)
  }

  @Test("an open pause is lost time up to now, and goes on in the phase that is skipped to")
  func openPause() {
    var script = Script(rows("reading 60,rotation 300"))
    script.add(10, .pause)
    script.add(20, .skip)
    let timeline = script.fold(50).timeline
    #expect(timeline.passages.map { $0.pausedMs(at: .second(50)) } == [10_000, 30_000])
    #expect(timeline.passages[0].ending == .skipped && timeline.passages[1].pauses.last?.to == nil)
  }

  @Test("a phase that was waited for and never begun has no start")
  func neverBegun() {
    var script = Script(rows("reading 60,rotation 300!"))
    script.add(100, .stop)
    let last = script.fold(200).timeline.passages.last
    #expect(last?.start == nil && last?.end == .second(100) && last?.ending == .stopped)
    #expect(last?.waitedMs(at: .second(200)) == 40_000)
  }

  @Test("an annulled pause leaves no trace in the timeline as of later")
  func annulled() {
    var script = Script(rows("rotation 300"))
    let pause = script.add(10, .pause)
    script.add(30, .annul(target: pause))
    #expect(script.fold(40).timeline.pausedMs == 0 && script.fold(40).timeline(at: .second(20)).pausedMs == 10_000)
  }
}
