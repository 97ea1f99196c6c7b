/// One thing that happened to a run, for the timeline and the announcements.
struct RunChange {
  enum What {
    case entered(PhaseEntry)
    /// The waited-for phase began.
    case began
    /// Time ran from `since` until the change's instant, with `remainingMs` left at `since`.
    case ran(since: Instant, remainingMs: Int64)
    case paused
    case resumed
    case restarted
    /// The allotment changed by `seconds`; `remainingMs` was left before.
    case extended(seconds: Int64, remainingMs: Int64)
    case left(PassageEnding)
    case finished
  }

  let at: Instant
  let what: What
}

/// An entry into a phase; `status` says whether the phase runs, is paused or is waited for.
struct PhaseEntry {
  let passage: Int
  let number: Int
  let status: ClockStatus
  let phase: PlannedPhase
  let round: Int
  /// Whether no round follows.
  let isLastRound: Bool
  let plannedStart: Instant
}

/// A run between two events: what has been entered, and how much of it has run.
///
/// Times only go forward: `advance(to:)` before each event, `apply` at it.
struct RunMachine {
  typealias Note = (RunChange) -> Void

  private(set) var status = ClockStatus.notStarted
  private(set) var phases = PhaseList(cycle: [])
  private(set) var number = 0
  private(set) var passage = 0
  private(set) var allottedMs: Int64 = 0
  private var startedAt = Instant.earliest
  private var plan: StartPlan?
  /// Running time up to `since`, or all of it when not running.
  private var elapsedBefore: Int64 = 0
  private var since = Instant.earliest

  var phase: PlannedPhase? { phases.phase(number) }
  var round: Int? { phases.round(ofPhase: number) }
  var canExpand: Bool { plan?.durations.isEmpty == false }

  /// When the running phase ends if nothing changes.
  var phaseEnd: Instant { since + allottedMs.subtractingSaturated(elapsedBefore) }

  func elapsedMs(at now: Instant) -> Int64 {
    status == .running ? elapsedBefore.addingSaturated(now - since) : elapsedBefore
  }

  /// Passes every phase boundary at or before `now`.
  mutating func advance(to now: Instant, note: Note? = nil) {
    while status == .running, phaseEnd <= now {
      let end = phaseEnd
      settle(at: end, note: note)
      leave(.ranOut, at: end, note: note)
      enterNext(at: end, note: note)
    }
  }

  /// Applies an event at its own instant if it fits there; otherwise says why not.
  @discardableResult
  mutating func take(_ event: ClockEvent, note: Note? = nil) -> EventRefusal? {
    advance(to: event.at, note: note)
    let refusal = refusal(of: event)
    if refusal == nil { apply(event.kind, at: event.at, note: note) }
    return refusal
  }

  /// Applies an event that fits, at `now`, to which the machine has been advanced. An annul changes nothing here.
  mutating func apply(_ kind: ClockEventKind, at now: Instant, note: Note? = nil) {
    settle(at: now, note: note)
    switch kind {
    case .start(let plan): start(plan, at: now, note: note)
    case .pause:
      status = .paused
      note?(RunChange(at: now, what: .paused))
    case .resume:
      status = .running
      since = now
      note?(RunChange(at: now, what: .resumed))
    case .extend(let seconds): extend(by: seconds, at: now, note: note)
    case .skip:
      leave(.skipped, at: now, note: note)
      enterNext(at: now, note: note)
    case .restart:
      elapsedBefore = 0
      note?(RunChange(at: now, what: .restarted))
    case .jump(let index):
      if status.isOpen { leave(.jumped, at: now, note: note) }
      enter(index, status: status == .paused ? .paused : .running, at: now, note: note)
    case .rounds(let rounds): expand(to: rounds, at: now, note: note)
    case .stop:
      leave(.stopped, at: now, note: note)
      finish(at: now, note: note)
    case .annul: break
    }
  }

  /// Reports the running time that has not been reported, up to `now`, and counts it as elapsed.
  mutating func settle(at now: Instant, note: Note?) {
    guard status == .running else { return }
    note?(
      RunChange(at: now, what: .ran(since: since, remainingMs: allottedMs.subtractingSaturated(elapsedBefore))))
    elapsedBefore = elapsedMs(at: now)
    since = now
  }

  private mutating func start(_ plan: StartPlan, at now: Instant, note: Note?) {
    if status == .waiting {
      status = .running
      since = now
      note?(RunChange(at: now, what: .began))
      return
    }
    self.plan = plan
    phases = PhaseList(cycle: plan.phases)
    startedAt = now
    enter(1, status: .running, at: now, note: note)
  }

  private mutating func extend(by seconds: Int64, at now: Instant, note: Note?) {
    let remaining = allottedMs.subtractingSaturated(elapsedBefore)
    allottedMs = allottedMs.addingSaturated(seconds * 1000)
    note?(RunChange(at: now, what: .extended(seconds: seconds, remainingMs: remaining)))
    if status != .waiting, allottedMs <= elapsedBefore {
      leave(.shortened, at: now, note: note)
      enterNext(at: now, note: note)
    }
  }

  /// A shorter list may end before the current phase: the run then is over.
  private mutating func expand(to rounds: Int, at now: Instant, note: Note?) {
    guard let plan else { return }
    phases = Expansion.list(plan.durations, rounds: rounds, warnings: plan.warnings)
    if number > phases.count {
      leave(.removed, at: now, note: note)
      finish(at: now, note: note)
    }
  }

  private mutating func enterNext(at now: Instant, note: Note?) {
    guard let next = phases.phase(number + 1) else {
      finish(at: now, note: note)
      return
    }
    let begun: ClockStatus = status == .paused ? .paused : .running
    enter(number + 1, status: next.manualStart ? .waiting : begun, at: now, note: note)
  }

  private mutating func enter(_ number: Int, status: ClockStatus, at now: Instant, note: Note?) {
    self.number = number
    self.status = status
    passage += 1
    allottedMs = phases.phase(number)?.plannedMs ?? 0
    elapsedBefore = 0
    since = now
    guard let note, let phase else { return }
    let entry = PhaseEntry(
      passage: passage, number: number, status: status, phase: phase, round: round ?? 0,
      isLastRound: (round ?? 0) >= phases.rotations,
      plannedStart: startedAt + phases.plannedOffsetMs(ofPhase: number))
    note(RunChange(at: now, what: .entered(entry)))
  }

  private func leave(_ ending: PassageEnding, at now: Instant, note: Note?) {
    note?(RunChange(at: now, what: .left(ending)))
  }

  private mutating func finish(at now: Instant, note: Note?) {
    status = .finished
    number = 0
    note?(RunChange(at: now, what: .finished))
  }
}

extension RunMachine {
  /// What the clock shows at `now`, to which the machine has been advanced.
  func state(at now: Instant) -> ClockState {
    guard status.isOpen, let phase else {
      return ClockState(
        at: now, status: status, phaseIndex: nil, passage: nil, phase: nil, allottedMs: nil, round: nil,
        rounds: status == .notStarted ? nil : phases.rotations, elapsedMs: nil, remainingMs: nil, alert: .none,
        endsAt: nil, phases: phases)
    }
    let elapsed = elapsedMs(at: now)
    let remaining = allottedMs.subtractingSaturated(elapsed)
    return ClockState(
      at: now, status: status, phaseIndex: number, passage: passage, phase: phase, allottedMs: allottedMs,
      round: round, rounds: phases.rotations, elapsedMs: elapsed, remainingMs: remaining,
      alert: status == .waiting ? .none : phase.alert(remainingMs: remaining),
      endsAt: status == .running ? phaseEnd : nil, phases: phases)
  }
}
