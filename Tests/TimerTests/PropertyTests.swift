import Testing

@testable import Timer

@Suite("Properties of every run")
struct PropertyTests {
  private func forEachRun(tick: Int64 = 250, annuls: Bool = true, _ check: (inout RandomRun) -> String?) {
    for seed in seeds {
      var run = RandomRun(seed: seed, tick: tick, annuls: annuls)
      if let failure = check(&run) {
        Issue.record("OSCE_SEED=\(seed): \(failure)")
        return
      }
    }
  }

  @Test(
    "without annuls the engine agrees at every tick with a clock that walks through time",
    arguments: [1, 250] as [Int64])
  func agreesTickByTick(tick: Int64) {
    forEachRun(tick: tick, annuls: false) { run in
      let fold = Rotation.fold(run.events, until: run.instant())
      var failure: String?
      _ = NaiveClock.run(run.events, asOf: run.end, tick: tick) { time, clock in
        let state = fold.state(at: Instant(milliseconds: time))
        if failure == nil, let difference = clock.difference(from: state) { failure = "at \(time): \(difference)" }
      }
      return failure
    }
  }

  @Test("stepping by a millisecond and jumping give the same state")
  func steps() {
    forEachRun(tick: 5, annuls: false) { run in
      let log = EventLog(run.events)
      let fold = Rotation.fold(run.events, until: run.instant())
      var machine = RunMachine()
      var next = 0
      for time in 0...run.end {
        let now = Instant(milliseconds: time)
        machine.advance(to: now)
        while next < log.events.count, log.events[next].at <= now {
          let event = log.events[next]
          if machine.refusal(of: event) == nil { machine.apply(event.kind, at: now) }
          next += 1
        }
        let stepped = machine.state(at: now)
        if stepped != fold.state(at: now) { return "at \(now)" }
        if time % 60 == 0, stepped != Rotation.fold(run.events, until: now).state(at: now) { return "fold at \(now)" }
      }
      return nil
    }
  }

  @Test("an event to come is expected if and only if it is applied when its time has come")
  func expectedEvents() {
    forEachRun { run in
      let fold = Rotation.fold(run.events, until: run.instant())
      let expected = Set(fold.expected.map(\.id))
      for event in fold.scheduled {
        let verdict = Rotation.fold(run.events, until: event.at).verdicts.first { $0.eventID == event.id }
        if verdict?.applied != expected.contains(event.id) { return "event \(event.id)" }
      }
      return nil
    }
  }

  @Test("with annuls it agrees as of any instant, whatever instant the fold was made for")
  func agreesAsOf() {
    forEachRun { run in
      let fold = Rotation.fold(run.events, until: run.instant())
      for _ in 0..<4 {
        let now = run.instant()
        let clock = NaiveClock.run(run.events, asOf: now.milliseconds, tick: run.tick)
        if let difference = clock.difference(from: fold.state(at: now)) { return "at \(now): \(difference)" }
        let fresh = Rotation.fold(run.events, until: now).state(at: now)
        if fresh != fold.state(at: now) { return "at \(now): a fresh fold differs" }
      }
      return nil
    }
  }

  @Test("expansion agrees with copying by hand, and so do rounds")
  func expansion() {
    forEachRun { run in
      for rounds in -1...7
      where Expansion.expand(run.durations, rounds: rounds, warnings: nil).map(\.manualStart)
        != NaiveClock.expand(run.durations, rounds, nil).map(\.manualStart)
        || Expansion.expand(run.durations, rounds: rounds, warnings: nil).map(\.type)
          != NaiveClock.expand(run.durations, rounds, nil).map(\.type)
      { return "rounds \(rounds)" }
      return nil
    }
  }

  @Test("neither the order of arrival nor repeats matter")
  func arrival() {
    forEachRun { run in
      let until = run.instant()
      let one = Rotation.fold(run.events, until: until)
      let other = Rotation.fold(run.shuffledWithRepeats(), until: until)
      if one.verdicts != other.verdicts || one.scheduled != other.scheduled { return "verdicts differ" }
      if one.timeline != other.timeline { return "timelines differ" }
      for _ in 0..<4 {
        let now = run.instant()
        if one.state(at: now) != other.state(at: now) { return "states differ at \(now)" }
      }
      return nil
    }
  }

  @Test("the time left never rises within a passage but by an extension, a restart or an annul")
  func neverRises() {
    forEachRun { run in
      let fold = Rotation.fold(run.events, until: .latest)
      var before = fold.state(at: Instant(milliseconds: 0))
      for time in stride(from: run.tick, through: run.end, by: Int(run.tick)) {
        let state = fold.state(at: Instant(milliseconds: time))
        if state.passage == before.passage, let left = state.remainingMs, let had = before.remainingMs, left > had {
          let allowed = run.events.contains { event in
            guard event.at == state.at else { return false }
            switch event.kind {
            case .extend(let seconds): return seconds > 0
            case .restart, .annul: return true
            default: return false
            }
          }
          if !allowed { return "rises at \(time)" }
        }
        before = state
      }
      return nil
    }
  }

  @Test("a pause and a resume at one instant change nothing")
  func pauseAndResume() {
    forEachRun(annuls: false) { run in
      let at = run.instant()
      let plain = Rotation.fold(run.events, until: .latest)
      guard plain.state(at: at).status == .running else { return nil }
      let both = [ClockEvent(id: "z1", at: at, kind: .pause), ClockEvent(id: "z2", at: at, kind: .resume)]
      let with = Rotation.fold(run.events + both, until: .latest)
      for time in stride(from: 0, through: run.end, by: Int(run.tick)) {
        let now = Instant(milliseconds: time)
        if plain.state(at: now) != with.state(at: now) { return "differs at \(time)" }
      }
      return nil
    }
  }

  @Test("fit and verdict agree: an event is applied if and only if it fitted among those before it")
  func fitAgreesWithVerdict() {
    forEachRun(annuls: false) { run in
      let verdicts = Rotation.fold(run.events, until: .latest).verdicts
      for event in run.events {
        let others = Rotation.fold(run.events.filter { $0.id != event.id }, until: .earliest)
        let fits = others.fit(event) == nil
        if verdicts.first(where: { $0.eventID == event.id })?.applied != fits { return "event \(event.id)" }
      }
      return nil
    }
  }

  @Test("what does not fit changes nothing")
  func unfitChangesNothing() {
    forEachRun(annuls: false) { run in
      let fold = Rotation.fold(run.events, until: .latest)
      let applied = Set(fold.verdicts.filter(\.applied).map(\.eventID))
      let fitting = Rotation.fold(run.events.filter { applied.contains($0.id) }, until: .latest)
      for time in stride(from: 0, through: run.end, by: Int(run.tick * 3)) {
        let now = Instant(milliseconds: time)
        if fold.state(at: now) != fitting.state(at: now) { return "differs at \(time)" }
      }
      return nil
    }
  }

  @Test("nothing shown changes before the next change, and something does at it")
  func nextChange() {
    forEachRun(tick: 40) { run in
      let fold = Rotation.fold(run.events, until: run.instant())
      let from = run.instant()
      let shown = { (now: Instant) in
        let state = fold.state(at: now)
        return [
          state.phaseIndex ?? 0, state.passage ?? 0, Int(state.shownSeconds ?? -1), state.alert.rawValue,
          ClockStatus.allCases.firstIndex(of: state.status) ?? 0, state.rounds ?? -1,
        ]
      }
      let next = fold.nextChange(after: from)
      if let next, next <= from || shown(next) == shown(from) { return "no change at \(next)" }
      let last = next.map { $0 - 1 } ?? Instant(milliseconds: run.end + 5000)
      let step = max(1, Int(last - from) / 50)
      for time in stride(from: from.milliseconds, through: last.milliseconds, by: step) {
        if shown(Instant(milliseconds: time)) != shown(from) { return "changes at \(time), not at \(next as Any)" }
      }
      return nil
    }
  }

  @Test("windows in a row announce what one window announces")
  func announcementWindows() {
    forEachRun(annuls: false) { run in
      let fold = Rotation.fold(run.events, until: .latest)
      let cut = run.instant()
      let (from, to) = (Instant(milliseconds: -1), Instant(milliseconds: run.end))
      let whole = Announcements.between(fold, from: from, to: to)
      let parts = Announcements.between(fold, from: from, to: cut) + Announcements.between(fold, from: cut, to: to)
      if whole != parts { return "cut at \(cut)" }
      return whole.map(\.at) == whole.map(\.at).sorted() ? nil : "not in order"
    }
  }

  @Test("passages never overlap, and what ran of the last one is what has elapsed")
  func timeline() {
    forEachRun { run in
      let now = run.instant()
      let fold = Rotation.fold(run.events, until: now)
      let timeline = fold.timeline
      let state = fold.state(at: now)
      if state.passage != nil, state.passage != timeline.passages.last?.number { return "last passage" }
      for passage in timeline.passages where (passage.end ?? now) < passage.entered { return "ends before it begins" }
      for (one, next) in zip(timeline.passages, timeline.passages.dropFirst()) {
        guard let end = one.end, end <= next.entered else { return "passages overlap" }
      }
      if let last = timeline.passages.last, let start = last.start, last.restarts.isEmpty,
        let elapsed = state.elapsedMs,
        elapsed != now - start - last.pausedMs(at: now)
      {
        return "elapsed"
      }
      return nil
    }
  }
}
