import Testing
import Timer

@Suite("The event table")
struct EventTableTests {
  let list = rows("reading 60,rotation 300,break 120!")

  @Test("before a start nothing is shown and nothing but a start fits")
  func notStarted() {
    let none = Script()
    let state = none.state(0)
    #expect(state.status == .notStarted && state.phase == nil && state.phaseIndex == nil && state.passage == nil)
    #expect(state.round == nil && state.rounds == nil && state.elapsedMs == nil && state.remainingMs == nil)
    #expect(state.endsAt == nil && state.alert == .none && state.phases.isEmpty)
    for kind in [
      ClockEventKind.pause, .resume, .extend(seconds: 1), .skip, .restart, .jump(index: 1), .rounds(1), .stop,
    ] {
      #expect(none.refusal(0, kind)?.hasSuffix("the clock has not started") == true, "\(kind.name)")
    }
    #expect(none.refusal(0, .start(StartPlan(durations: list, warnings: nil, rounds: 1))) == nil)
  }

  @Test("start begins the first phase, whose manual start changes nothing")
  func start() {
    let state = Script(rows("rotation 300!")).state(10)
    #expect(state.status == .running && state.phaseIndex == 1 && state.passage == 1 && state.round == 1)
    #expect(state.elapsedMs == 10_000 && state.remainingMs == 290_000 && state.endsAt == .second(300))
  }

  @Test("in later repeats a manual start on the first phase waits")
  func laterRepeatWaits() {
    var script = Script(rows("rotation 100!"), rounds: 2)
    #expect(script.state(100).status == .waiting && script.state(100).round == 2)
    script.add(130, .start(StartPlan(durations: [], warnings: nil, rounds: 0)))
    #expect(script.state(131).status == .running && script.state(131).elapsedMs == 1000)
    #expect(script.state(230).status == .finished)
  }

  @Test("a start without phases, and a second start, do not fit")
  func startRefused() {
    let empty = StartPlan(durations: [], warnings: nil, rounds: 1)
    #expect(Script().refusal(0, .start(empty)) == "nothing to start: the circuit has no phases")
    #expect(Script(list).refusal(10, .start(empty)) == "nothing to start: the clock is running")
    #expect(Script(list).refusal(5, .start(StartPlan(durations: list, warnings: nil, rounds: 1))) != nil)
  }

  @Test("a pause stops the running time and a resume lets it go on")
  func pauseResume() {
    var script = Script(list)
    script.add(10, .pause)
    #expect(script.state(500).status == .paused && script.state(500).elapsedMs == 10_000)
    #expect(script.state(500).endsAt == nil && script.state(500).remainingMs == 50_000)
    #expect(script.refusal(20, .pause) == "the clock is already paused")
    script.add(40, .resume)
    #expect(script.state(41).elapsedMs == 11_000 && script.state(41).endsAt == .second(90))
    #expect(script.refusal(41, .resume) == "nothing to resume: the clock is running")
  }

  @Test("an extension belongs to one passage")
  func extendOnePassage() {
    var script = Script(list)
    script.add(10, .extend(seconds: 30))
    #expect(script.state(10).allottedMs == 90_000 && script.state(10).phase?.plannedMs == 60_000)
    #expect(script.state(89).phaseIndex == 1 && script.state(90).phaseIndex == 2)
    script.add(100, .jump(index: 1))
    #expect(script.state(100).allottedMs == 60_000)
  }

  @Test("an extension that leaves nothing acts as skip", arguments: [-50, -51, -86_400] as [Int64])
  func extendAsSkip(seconds: Int64) {
    var script = Script(list)
    script.add(10, .extend(seconds: seconds))
    #expect(script.state(10).phaseIndex == 2 && script.state(10).elapsedMs == 0)
    #expect(script.state(10).allottedMs == 300_000 && script.state(10).passage == 2)
  }

  @Test("an extension that leaves a second does not skip")
  func extendShort() {
    var script = Script(list)
    script.add(10, .extend(seconds: -49))
    #expect(script.state(10).phaseIndex == 1 && script.state(10).remainingMs == 1000)
  }

  @Test("paused, an extension that leaves nothing skips and stays paused")
  func extendAsSkipPaused() {
    var script = Script(list)
    script.add(10, .pause)
    script.add(20, .extend(seconds: -50))
    #expect(script.state(30).phaseIndex == 2 && script.state(30).status == .paused && script.state(30).elapsedMs == 0)
  }

  @Test("waiting, an extension is kept for the start, and one that leaves nothing does not fit")
  func extendWaiting() {
    var script = Script(list)
    #expect(script.state(400).status == .waiting && script.state(400).remainingMs == 120_000)
    #expect(script.refusal(400, .extend(seconds: -120)) != nil)
    #expect(script.refusal(400, .extend(seconds: -119)) == nil)
    script.add(400, .extend(seconds: -120))
    script.add(410, .extend(seconds: 30))
    let passage = script.state(410).passage
    script.add(420, .start(StartPlan(durations: [], warnings: nil, rounds: 0)))
    let state = script.state(420)
    #expect(state.allottedMs == 150_000 && state.status == .running && state.passage == passage)
  }

  @Test("an extension is at most a day either way")
  func extendLimit() {
    #expect(Script(list).refusal(1, .extend(seconds: 86_400)) == nil)
    #expect(Script(list).refusal(1, .extend(seconds: 86_401)) != nil)
    #expect(Script(list).refusal(1, .extend(seconds: -86_400)) == nil)
    #expect(Script(list).refusal(1, .extend(seconds: -86_401)) != nil)
    #expect(Script(list).refusal(1, .extend(seconds: .min)) != nil)
  }

  @Test("skip ends the phase; paused stays paused, and a manual start is waited for")
  func skip() {
    var script = Script(list)
    script.add(10, .skip)
    #expect(script.state(10).phaseIndex == 2 && script.state(10).status == .running)
    script.add(20, .pause)
    script.add(30, .skip)
    #expect(script.state(30).phaseIndex == 3 && script.state(30).status == .waiting)
    #expect(script.refusal(31, .skip) == "nothing to skip: phase 3 waits to be started")
    #expect(script.refusal(31, .resume) != nil && script.refusal(31, .pause) != nil)
    script.add(40, .start(StartPlan(durations: [], warnings: nil, rounds: 0)))
    #expect(script.state(41).status == .running && script.state(41).elapsedMs == 1000)
    script.add(50, .skip)
    #expect(script.state(50).status == .finished)
  }

  @Test("skipping while paused enters the next phase paused")
  func skipPaused() {
    var script = Script(list)
    script.add(5, .pause)
    script.add(6, .skip)
    #expect(script.state(99).status == .paused && script.state(99).phaseIndex == 2 && script.state(99).elapsedMs == 0)
  }

  @Test("restart sets elapsed to 0 and keeps the allotment")
  func restart() {
    var script = Script(list)
    script.add(10, .extend(seconds: 30))
    script.add(20, .restart)
    #expect(
      script.state(21).elapsedMs == 1000 && script.state(21).allottedMs == 90_000 && script.state(21).passage == 1)
    script.add(30, .pause)
    script.add(40, .restart)
    #expect(script.state(50).elapsedMs == 0 && script.state(50).status == .paused)
    #expect(script.refusal(2000, .restart) == nil)
    #expect(Script(list).refusal(400, .restart) == "nothing to restart: phase 3 waits to be started")
  }

  @Test("jump begins a phase: paused stays paused, waiting and finished run")
  func jump() {
    var script = Script(list)
    script.add(10, .pause)
    script.add(20, .jump(index: 3))
    #expect(script.state(20).status == .paused && script.state(20).phaseIndex == 3)
    script.add(30, .skip)
    #expect(script.state(30).status == .finished)
    script.add(40, .jump(index: 1))
    #expect(script.state(40).status == .running && script.state(40).passage == 3 && script.state(40).elapsedMs == 0)
    #expect(script.state(400).status == .waiting)
    script.add(450, .jump(index: 3))
    #expect(script.state(450).status == .running && script.state(450).allottedMs == 120_000)
    for index in [0, -1, 4, .max, .min] {
      #expect(script.refusal(460, .jump(index: index))?.hasSuffix("the phases are 1 to 3") == true)
    }
  }

  @Test("rounds expands anew from the start's own durations, not under the current round")
  func rounds() {
    var script = Script(rows("reading 10,rotation 50,feedback 5"), rounds: 3)
    #expect(script.state(0).phases.count == 9)
    #expect(script.refusal(80, .rounds(1))?.contains("the clock is in round 2") == true)
    #expect(script.refusal(66, .rounds(1)) != nil)
    #expect(script.refusal(64, .rounds(1)) == nil)
    script.add(80, .rounds(2))
    #expect(script.state(80).phases.count == 6 && script.state(80).rounds == 2 && script.state(80).phaseIndex == 5)
    #expect(script.state(130).status == .finished)
    #expect(script.refusal(130, .rounds(4)) == "no rounds to change: the run is finished")
    script.add(120, .rounds(4))
    #expect(script.state(120).phases.count == 12 && script.state(120).remainingMs == 5000)
    #expect(script.refusal(120, .rounds(10_001)) != nil && script.refusal(120, .rounds(.max)) != nil)
  }

  @Test("a list that no longer holds the current phase ends the run")
  func roundsRemoveTheCurrentPhase() {
    var script = Script(rows("rotation 10,break 10,reading 10,feedback 10"), rounds: 3)
    #expect(script.state(75).phaseIndex == 8 && script.state(75).round == 2)
    script.add(75, .rounds(2))
    #expect(script.state(75).status == .finished && script.state(75).rounds == 2)
    #expect(script.fold(75).timeline.passages.last?.ending == .removed)
  }

  @Test("stop finishes; only a jump leads back")
  func stop() {
    var script = Script(list)
    script.add(10, .pause)
    script.add(20, .stop)
    let state = script.state(20)
    #expect(state.status == .finished && state.phase == nil && state.rounds == 1 && state.remainingMs == nil)
    #expect(state.passage == nil && state.phaseIndex == nil && state.endsAt == nil)
    #expect(script.refusal(21, .stop) == "nothing to stop: the run is finished")
    for kind in [ClockEventKind.pause, .resume, .skip, .restart, .extend(seconds: 1), .rounds(9)] {
      #expect(script.refusal(21, kind)?.hasSuffix("the run is finished") == true)
    }
    #expect(script.refusal(21, .start(StartPlan(durations: list, warnings: nil, rounds: 1))) != nil)
    script.add(30, .jump(index: 2))
    #expect(script.state(30).status == .running)
    #expect(Script(list).refusal(400, .stop) == nil)
  }

  @Test("an annulled event is taken out before the fold")
  func annul() {
    var script = Script(list)
    let skip = script.add(10, .skip)
    script.add(30, .annul(target: skip))
    #expect(script.state(29).phaseIndex == 2)
    #expect(script.state(30).phaseIndex == 1 && script.state(30).elapsedMs == 30_000)
    let verdict = script.fold(30).verdicts.first { $0.eventID == skip }
    #expect(verdict?.applied == false && verdict?.reason == "annulled")
  }

  @Test("an annul is not annulled, and has to have a target")
  func annulOfAnnul() {
    var script = Script(list)
    let skip = script.add(10, .skip)
    let annul = script.add(30, .annul(target: skip))
    #expect(script.refusal(40, .annul(target: annul)) == "an annul is not annulled")
    #expect(script.refusal(40, .annul(target: "nobody")) == "there is no event nobody to annul")
    #expect(script.refusal(40, .annul(target: skip)) == nil)
    script.add(40, .annul(target: annul))
    #expect(script.state(50).phaseIndex == 1)
    #expect(script.fold(50).verdicts.map(\.applied) == [true, false, true, false])
  }

  @Test("annulling the start leaves the clock not started")
  func annulStart() {
    var script = Script(list)
    script.add(10, .annul(target: "e10"))
    #expect(script.state(9).status == .running && script.state(10).status == .notStarted)
  }

  @Test("a scheduled event can be annulled before its time")
  func annulScheduled() {
    var script = Script()
    let start = script.add(100, .start(StartPlan(durations: list, warnings: nil, rounds: 1)))
    #expect(script.refusal(50, .annul(target: start)) == nil)
    script.add(50, .annul(target: start))
    #expect(script.state(200).status == .notStarted && script.fold(60).scheduled.isEmpty)
  }
}
