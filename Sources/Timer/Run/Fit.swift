extension RunMachine {
  /// Why this is not the passage that an event was given in; nil if it is, or the event names none.
  func movedOn(from event: ClockEvent) -> Refusal? {
    guard let shown = event.passage, status == .finished || shown != passage else { return nil }
    let here = isInPhase ? "passage \(passage), not \(shown)" : standing
    return Refusal(status == .notStarted ? here : "the clock has moved on: \(here)")
  }

  /// Why an event does not fit here, at an instant to which the machine has been advanced; nil if it fits.
  ///
  /// Every annul fits here: whether its target exists is known to the whole run, not to one instant of it.
  func refusal(of event: ClockEvent, at now: Instant) -> Refusal? {
    if event.target == nil, let refusal = movedOn(from: event) { return refusal }
    switch event.kind {
    case .start(let plan): return refusal(ofStart: plan)
    case .pause:
      return status == .paused
        ? Refusal("the clock is already paused") : refusal("nothing to pause", unless: [.running])
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

  private func refusal(_ complaint: String, unless allowed: [ClockStatus]) -> Refusal? {
    allowed.contains(status) ? nil : Refusal("\(complaint): \(standing)")
  }

  private func refusal(ofStart plan: StartPlan) -> Refusal? {
    if status == .notStarted, plan.phases.isEmpty {
      return Refusal("nothing to start: the circuit has no phases")
    }
    return refusal("nothing to start", unless: [.notStarted, .waiting])
  }

  private func refusal(ofExtending seconds: Int64) -> Refusal? {
    let longest = ClockEventKind.longestExtension
    guard seconds >= -longest, seconds <= longest else {
      return Refusal("an extension is at most a day either way (\(longest) seconds)")
    }
    if status == .waiting, allottedMs.addingSaturated(seconds * 1000) <= 0 {
      return Refusal("that would leave no time in phase \(number), which has not begun")
    }
    return refusal("nothing to extend", unless: [.running, .paused, .waiting])
  }

  private func refusal(ofJumpTo index: Int) -> Refusal? {
    if status != .notStarted, phases.phase(index) == nil {
      return Refusal("there is no phase \(index): the phases are 1 to \(phases.count)")
    }
    return refusal("nothing to jump in", unless: [.running, .paused, .waiting, .finished])
  }

  private func refusal(ofRounds rounds: Int) -> Refusal? {
    guard rounds <= Expansion.mostRounds else {
      return Refusal("a run has at most \(Expansion.mostRounds) rounds")
    }
    if isInPhase {
      guard canExpand else { return Refusal("the start of this run carries no list of phases to expand") }
      if let round, rounds < round {
        return Refusal("there cannot be fewer rounds than \(round): the clock is in round \(round)")
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

/// Why an event does not fit, in one line for a person.
public struct Refusal: Error, Hashable, Sendable, CustomStringConvertible {
  /// One line, without a full stop: "nothing to resume: the clock is running".
  public let reason: String

  /// A refusal with its reason.
  public init(_ reason: String) {
    self.reason = reason
  }

  /// The reason.
  public var description: String { reason }
}

/// What became of one event.
public struct Verdict: Hashable, Sendable {
  /// The event's id.
  public let eventID: String
  /// Whether it took effect.
  public let applied: Bool
  /// Why it did not; nil when it did.
  public let reason: String?
}
