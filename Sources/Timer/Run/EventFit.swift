extension RunMachine {
  /// Why this is not the passage that an event was given in; nil if it is, or the event names none.
  func movedOn(from event: ClockEvent) -> EventRefusal? {
    guard let shown = event.passage, status == .finished || shown != passage else { return nil }
    let place = "phase \(number)" + (round.map { ", round \($0)" } ?? "")
    let here = status.isOpen ? "passage \(passage), not \(shown) (\(place))" : standing
    return EventRefusal(status == .notStarted ? here : "the clock has moved on: \(here)")
  }

  /// Why an event does not fit here, at an instant to which the machine has been advanced; nil if it fits.
  ///
  /// Every annul fits here: whether its target exists is known to the whole run, not to one instant of it.
  func refusal(of event: ClockEvent) -> EventRefusal? {
    if event.target == nil, let refusal = movedOn(from: event) { return refusal }
    switch event.kind {
    case .start(let plan): return refusal(ofStart: plan)
    case .pause:
      return status == .paused
        ? EventRefusal("the clock is already paused") : refusal("nothing to pause", unless: [.running])
    case .resume: return refusal("nothing to resume", unless: [.paused])
    case .extend(let seconds): return refusal(ofExtending: seconds)
    case .skip: return refusal("nothing to skip", unless: [.running, .paused])
    case .restart: return refusal("nothing to restart", unless: [.running, .paused])
    case .jump(let index): return refusal(ofJumpTo: index)
    case .rounds(let rounds): return refusal(ofRounds: rounds)
    case .stop: return refusal("nothing to stop", unless: [.running, .paused, .waiting])
    case .annul: return nil
    }
  }

  private func refusal(_ complaint: String, unless allowed: [ClockStatus]) -> EventRefusal? {
    allowed.contains(status) ? nil : EventRefusal("\(complaint): \(standing)")
  }

  private func refusal(ofStart plan: StartPlan) -> EventRefusal? {
    if status == .notStarted, plan.phases.isEmpty {
      return EventRefusal("nothing to start: the circuit has no phases")
    }
    return refusal("nothing to start", unless: [.notStarted, .waiting])
  }

  private func refusal(ofExtending seconds: Int64) -> EventRefusal? {
    let longest = ClockEventKind.longestExtension
    guard seconds >= -longest, seconds <= longest else {
      return EventRefusal("an extension is at most a day either way (\(longest) seconds)")
    }
    if status == .waiting, allottedMs.addingSaturated(seconds * 1000) <= 0 {
      return EventRefusal("that would leave no time in phase \(number), which has not begun")
    }
    return refusal("nothing to extend", unless: [.running, .paused, .waiting])
  }

  private func refusal(ofJumpTo index: Int) -> EventRefusal? {
    if status != .notStarted, phases.phase(index) == nil {
      return EventRefusal("there is no phase \(index): the phases are 1 to \(phases.count)")
    }
    return refusal("nothing to jump in", unless: [.running, .paused, .waiting, .finished])
  }

  private func refusal(ofRounds rounds: Int) -> EventRefusal? {
    guard rounds <= Expansion.mostRounds else {
      return EventRefusal("a run has at most \(Expansion.mostRounds) rounds")
    }
    if status.isOpen {
      guard canExpand else { return EventRefusal("the start of this run carries no list of phases to expand") }
      if let round, rounds < round {
        return EventRefusal("there cannot be fewer rounds than \(round): the clock is in round \(round)")
      }
    }
    return refusal("no rounds to change", unless: [.running, .paused, .waiting])
  }

  private var standing: String {
    switch status {
    case .notStarted: "the clock has not started"
    case .running: "the clock is running"
    case .paused: "the clock is paused"
    case .waiting: "phase \(number) waits to be started"
    case .finished: "the run is finished"
    }
  }
}
