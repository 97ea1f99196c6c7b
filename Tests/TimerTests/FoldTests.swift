import Testing
import Timer

@Suite("Folding a run")
struct FoldTests {
  let list = rows("rotation 100,break 50!,rotation 100")

  @Test("a phase whose time is up is passed at that very instant")
  func boundary() {
    let script = Script(rows("reading 60,rotation 300"))
    let fold = script.fold(0)
    #expect(fold.state(at: .second(60) - 1).phaseIndex == 1)
    #expect(fold.state(at: .second(60) - 1).remainingMs == 1)
    #expect(fold.state(at: .second(60)).phaseIndex == 2)
    #expect(fold.state(at: .second(60)).remainingMs == 300_000)
    #expect(fold.state(at: .second(360)).status == .finished)
  }

  @Test("a boundary at an event's own time is passed before the event")
  func boundaryFirst() {
    var script = Script(rows("reading 60,rotation 300"))
    script.add(60, .extend(seconds: 30))
    #expect(script.state(60).phaseIndex == 2 && script.state(60).allottedMs == 330_000)
    #expect(Script(list).refusal(100, .pause) == "nothing to pause: phase 2 waits to be started")
  }

  @Test("waiting shows the phase that is waited for")
  func waiting() {
    let state = Script(list).state(777)
    #expect(state.status == .waiting && state.phaseIndex == 2 && state.passage == 2 && state.round == 1)
    #expect(state.elapsedMs == 0 && state.remainingMs == 50_000 && state.allottedMs == 50_000)
    #expect(state.endsAt == nil && state.alert == .none)
  }

  @Test("only events at or before now exist: a future start is a scheduled start")
  func scheduledStart() {
    var script = Script()
    let id = script.add(100, .start(StartPlan(durations: list, warnings: nil, rounds: 1)))
    let fold = script.fold(50)
    #expect(fold.state(at: .second(99)).status == .notStarted && fold.verdicts.isEmpty)
    #expect(fold.scheduled.map(\.id) == [id])
    #expect(fold.state(at: .second(100)).status == .running)
    #expect(script.refusal(50, .pause) != nil && script.refusal(100, .pause) == nil)
  }

  @Test("events of one instant are applied in the order of their ids")
  func orderOfIds() {
    let plan = StartPlan(durations: list, warnings: nil, rounds: 1)
    let events = [
      ClockEvent(id: "c", at: .second(5), kind: .resume), ClockEvent(id: "a", at: .second(0), kind: .start(plan)),
      ClockEvent(id: "b", at: .second(5), kind: .pause),
    ]
    #expect(Rotation.fold(events, until: .second(9)).state(at: .second(9)).elapsedMs == 9000)
    let swapped = events.map { event in
      var other = event
      if event.id != "a" { other.id = event.id == "b" ? "c" : "b" }
      return other
    }
    #expect(Rotation.fold(swapped, until: .second(9)).state(at: .second(9)).status == .paused)
  }

  @Test("an event that carries a passage fits only there: two skips of one second skip once")
  func passage() {
    var script = Script(list)
    script.add(10, .skip, passage: 1)
    let second = script.add(10, .skip, passage: 1)
    #expect(script.state(10).phaseIndex == 2)
    let verdict = script.fold(10).verdicts.first { $0.eventID == second }
    #expect(
      verdict?.applied == false
        && verdict?.reason?.hasPrefix("the clock has moved on: passage 2, not 1 (phase 2") == true)
    #expect(script.refusal(10, .extend(seconds: 5), passage: 2) == nil)
    #expect(script.refusal(10, .extend(seconds: 5), passage: 3) != nil)
  }

  @Test("an event of an earlier passage of the same phase is told which passage it is")
  func passageOfSamePhase() throws {
    var script = Script(list)
    script.add(10, .jump(index: 1), passage: 1)
    let reason = try #require(script.refusal(10, .extend(seconds: 5), passage: 1))
    #expect(reason.hasPrefix("the clock has moved on: passage 2, not 1 (phase 1"), "\(reason)")
  }

  @Test("a clock that has not started has not moved on")
  func passageBeforeStart() {
    #expect(
      Script().refusal(0, .start(StartPlan(durations: list, warnings: nil, rounds: 1)), passage: 5)
        == "the clock has not started")
  }

  @Test("coming back to a phase is another passage")
  func anotherPassage() {
    var script = Script(list)
    script.add(10, .jump(index: 1))
    #expect(script.state(10).passage == 2)
    #expect(script.refusal(11, .pause, passage: 1) != nil && script.refusal(11, .pause, passage: 2) == nil)
    script.add(20, .stop)
    #expect(script.refusal(21, .jump(index: 1), passage: 2) != nil && script.refusal(21, .jump(index: 1)) == nil)
  }

  @Test("fit is judged at the event's own time, not at the real now")
  func ownTime() {
    var script = Script(list)
    script.add(50, .pause)
    #expect(
      script.refusal(40, .pause) == nil && script.refusal(40, .resume) != nil && script.refusal(60, .resume) == nil)
  }

  @Test("an event that came late is put in its place, and what it makes unfit is ignored")
  func lateArrival() {
    var script = Script(list)
    let pause = script.add(50, .pause)
    script.add(40, .pause)
    #expect(script.state(60).elapsedMs == 40_000)
    #expect(script.fold(60).verdicts.first { $0.eventID == pause }?.applied == false)
  }

  @Test("the start that took effect rules: its phases stand as they are, a later one is ignored")
  func firstStart() {
    var script = Script(list)
    script.add(5, .start(StartPlan(durations: rows("break 9"), warnings: nil, rounds: 1)))
    #expect(script.state(6).phases.count == 3)
    let odd = StartPlan(
      durations: rows("rotation 10"), warnings: nil, rounds: 1,
      phases: [
        PlannedPhase(type: .breakTime, plannedMs: 7000)
      ])
    let event = ClockEvent(id: "a", at: .second(0), kind: .start(odd))
    #expect(Rotation.fold([event], until: .second(0)).state(at: .second(0)).allottedMs == 7000)
  }

  @Test("a fold answers for instants before and after an annul alike")
  func aroundAnnul() {
    var script = Script(list)
    let pause = script.add(10, .pause)
    script.add(40, .annul(target: pause))
    let fold = script.fold(20)
    #expect(fold.state(at: .second(30)).status == .paused && fold.state(at: .second(40)).elapsedMs == 40_000)
    let later = script.fold(60)
    #expect(later.state(at: .second(30)).status == .paused && later.state(at: .second(5)).elapsedMs == 5000)
    #expect(later.verdicts.count == 3 && later.verdicts.map(\.applied) == [true, false, true])
  }

  @Test("every seen event has a verdict, in the order of application")
  func verdicts() {
    var script = Script(list)
    script.add(10, .resume)
    script.add(20, .pause)
    script.add(900, .resume)
    let verdicts = script.fold(30).verdicts
    #expect(verdicts.map(\.eventID) == ["e10", "e11", "e12"] && verdicts.map(\.applied) == [true, false, true])
    #expect(verdicts[1].reason == "nothing to resume: the clock is running")
  }

  static let edges: [Int64] = [.min, .min + 1, -1, 0, 1, .max - 1, .max]

  @Test("hostile numbers neither trap nor hang", arguments: edges, edges)
  func hostile(length: Int64, at: Int64) {
    let durations = [PhaseDuration(type: .rotation, lengthMs: length), PhaseDuration(type: .reading, lengthMs: 1)]
    let plan = StartPlan(durations: durations, warnings: nil, rounds: 20)
    let kinds: [ClockEventKind] = [
      .start(plan), .extend(seconds: 86_400), .pause, .extend(seconds: -86_400), .resume, .jump(index: .max),
      .rounds(.max), .rounds(30), .extend(seconds: .max), .restart, .skip, .stop, .jump(index: 1),
    ]
    let events = kinds.enumerated().map { number, kind in
      ClockEvent(id: "\(10 + number)", at: Instant(milliseconds: number == 0 ? at : Self.edges[number % 7]), kind: kind)
    }
    let fold = Rotation.fold(events, until: .latest)
    for now in Self.edges {
      let state = fold.state(at: Instant(milliseconds: now))
      #expect(state.status != .running || (state.remainingMs ?? 0) > 0)
      _ = fold.nextChange(after: state.at)
    }
    #expect(fold.timeline.lostMs >= 0 && fold.verdicts.count == events.count)
    _ = Announcements.between(fold, from: .earliest, to: .latest)
  }

  @Test("ten thousand rounds of phases without a length end as they begin")
  func manyRounds() {
    let plan = StartPlan(durations: rows("rotation 0,break 0"), warnings: nil, rounds: .max)
    let event = ClockEvent(id: "a", at: .second(0), kind: .start(plan))
    let state = Rotation.fold([event], until: .second(0)).state(at: .second(0))
    #expect(state.status == .finished && state.rounds == Expansion.mostRounds)
  }
}
