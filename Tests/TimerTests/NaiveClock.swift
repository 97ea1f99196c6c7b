import Timer

/// The clock told a second time, as plainly as can be: it walks through time tick by tick and expands lists by hand.
/// It shares no code with the engine but the types of its input.
struct NaiveClock: Equatable {
  var status = "notStarted"
  var list: [PlannedPhase] = []
  var durations: [PhaseDuration] = []
  var warnings: [WarningRule]?
  var position = 0
  var passage = 0
  var elapsed: Int64 = 0
  var allotted: Int64 = 0

  /// The clock as of `now`; every time and length must be a multiple of `tick`.
  static func run(
    _ arrived: [ClockEvent], asOf now: Int64, tick: Int64, look: (Int64, NaiveClock) -> Void = { _, _ in }
  ) -> NaiveClock {
    var byID: [String: ClockEvent] = [:]
    for event in arrived where event.at.milliseconds <= now { byID[event.id] = event }
    for event in Array(byID.values) {
      guard case .annul(let target) = event.kind, let victim = byID[target] else { continue }
      if case .annul = victim.kind { continue }
      byID[target] = nil
    }
    let events = byID.values.sorted { ($0.at.milliseconds, $0.id) < ($1.at.milliseconds, $1.id) }
    var clock = NaiveClock()
    var next = 0
    var time: Int64 = 0
    while time <= now {
      if time > 0, clock.status == "running" { clock.elapsed += tick }
      clock.endPhases()
      while next < events.count, events[next].at.milliseconds == time {
        clock.take(events[next])
        clock.endPhases()
        next += 1
      }
      look(time, clock)
      time += tick
    }
    return clock
  }

  static func expand(_ durations: [PhaseDuration], _ rounds: Int, _ warnings: [WarningRule]?) -> [PlannedPhase] {
    var result: [PhaseDuration] = []
    let inList = durations.filter { $0.type == .rotation }.count
    if inList == 0 || inList >= rounds {
      result = durations
    } else {
      var seen = 0
      copies: while seen < rounds {
        for row in durations {
          if seen == rounds, row.type == .rotation || row.type == .reading { break copies }
          result.append(row)
          if row.type == .rotation { seen += 1 }
        }
      }
    }
    return result.map { row in
      var rules = (warnings ?? []).filter { $0.phaseType == row.type }
      if warnings == nil, row.type == .rotation {
        rules = [
          WarningRule(phaseType: .rotation, leftMs: min(120_000, row.lengthMs / 2), level: .amber, text: ""),
          WarningRule(phaseType: .rotation, leftMs: min(30_000, row.lengthMs / 2), level: .red, text: ""),
        ]
      }
      return PlannedPhase(type: row.type, plannedMs: row.lengthMs, manualStart: row.manualStart, warnings: rules)
    }
  }

  var round: Int {
    let before = list[..<position].filter { $0.type == .rotation }.count
    let after = list[position...].contains { $0.type == .rotation }
    switch list[position].type {
    case .rotation: return before + 1
    case .reading: return after ? before + 1 : before
    default: return before
    }
  }

  var alert: AlertLevel {
    guard status == "running" || status == "paused" else { return .none }
    let raised = list[position].warnings.filter { allotted - elapsed <= $0.leftMs }.map(\.level)
    return raised.contains(.red) ? .red : raised.contains(.amber) ? .amber : .none
  }

  private mutating func endPhases() {
    while status == "running", elapsed >= allotted { goOn() }
  }

  private mutating func goOn() {
    if position + 1 == list.count {
      status = "finished"
    } else {
      begin(position + 1)
      if list[position].manualStart { status = "waiting" }
    }
  }

  private mutating func begin(_ position: Int) {
    self.position = position
    passage += 1
    elapsed = 0
    allotted = list[position].plannedMs
  }

  private mutating func take(_ event: ClockEvent) {
    let live = status == "running" || status == "paused"
    if let shown = event.passage, shown != passage || status == "finished" { return }
    switch event.kind {
    case .start(let plan):
      if status == "waiting" {
        status = "running"
      } else if status == "notStarted" {
        (list, durations, warnings) = (plan.phases, plan.durations, plan.warnings)
        begin(0)
        status = "running"
      }
    case .pause: if status == "running" { status = "paused" }
    case .resume: if status == "paused" { status = "running" }
    case .extend(let seconds):
      if live {
        allotted += seconds * 1000
        if allotted <= elapsed { goOn() }
      } else if status == "waiting", allotted + seconds * 1000 > 0 {
        allotted += seconds * 1000
      }
    case .skip: if live { goOn() }
    case .restart: if live { elapsed = 0 }
    case .jump(let index):
      if status != "notStarted", index >= 1, index <= list.count {
        begin(index - 1)
        if status != "paused" { status = "running" }
      }
    case .rounds(let rounds):
      if live || status == "waiting", rounds >= round {
        list = Self.expand(durations, rounds, warnings)
        if position >= list.count { status = "finished" }
      }
    case .stop: if live || status == "waiting" { status = "finished" }
    case .annul: break
    }
  }

  /// Where the engine's answer differs from this one; nil if nowhere.
  func difference(from state: ClockState) -> String? {
    guard state.status.rawValue == status else { return "status \(state.status) for \(status)" }
    guard status != "notStarted" else { return state.phase == nil && state.rounds == nil ? nil : "shows a phase" }
    guard state.rounds == list.filter({ $0.type == .rotation }).count else { return "rounds" }
    guard state.phases.count == list.count else { return "phases" }
    if status == "finished" {
      let shows = state.phase != nil || state.round != nil || state.elapsedMs != nil || state.remainingMs != nil
      return shows || state.endsAt != nil || state.alert != .none ? "shows a phase" : nil
    }
    guard state.phaseIndex == position + 1, state.phase?.type == list[position].type else { return "phase" }
    guard state.passage == passage else { return "passage" }
    guard state.phase?.plannedMs == list[position].plannedMs, state.allottedMs == allotted else { return "allotment" }
    guard state.elapsedMs == elapsed, state.remainingMs == allotted - elapsed else { return "elapsed" }
    guard state.round == round else { return "round" }
    guard state.alert == alert else { return "alert" }
    let end = status == "running" ? state.at + (allotted - elapsed) : nil
    return state.endsAt == end ? nil : "end"
  }
}
