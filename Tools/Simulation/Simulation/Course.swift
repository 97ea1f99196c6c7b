import Journal
import Sync

/// The course of a history: what happens in each step, and who goes on as time passes.
extension History {
  /// What may happen in a step.
  private enum Event {
    case deliver, edit, tellTime, pressClock, advance, crashTerminal, crashHub, copyHub, restoreHub, copyStore, rollBack
    case makeTwin, enrolNewcomer, pushHostile, repeatLate, retry, rule, erase, cut
  }

  /// In a thousand steps. A recorded seed repeats its course only while these stay in this order.
  private static let weights: [(Int, Event)] = [
    (420, .deliver),
    (230, .edit),
    (15, .tellTime),
    (25, .pressClock),
    (130, .advance),
    (30, .crashTerminal),
    (14, .crashHub),
    (14, .copyHub),
    (8, .restoreHub),
    (18, .copyStore),
    (10, .rollBack),
    (6, .makeTwin),
    (6, .enrolNewcomer),
    (18, .pushHostile),
    (10, .repeatLate),
    (8, .retry),
    (14, .rule),
    (4, .erase),
    (20, .cut),
  ]

  func play(_ steps: Int) async throws {
    for index in 0..<4 { try await begin(index, from: slot.images[index], as: Slot.roles[index] ?? .station) }
    try await hostile.enrol(at: hub.hub, of: slot.exam)
    try await beginPart()
    let forced = Int.random(in: 20..<100, using: &random)
    for step in 0..<steps {
      if step == forced { try await force() }
      stage.advance(Int64(pick(1..<200)))
      try await act()
      try await fire()
      try await checkCursors()
      try checkStep()
    }
    try await becomeQuiet()
    if sabotage == .deleteOnReject {
      let exam = slot.exam
      try await hub.database.real.write(weight: 1) {
        _ = try $0.run("DELETE FROM op WHERE exam = ? AND result LIKE 'rejected%'", [.text(exam.description)])
      }
    }
    try await checkQuiet()
    try await eraseForGood()
    if !pseudonyms.isEmpty || chance(10) {
      try checkSound()
      try await checkQuiet()
    }
    if sabotage?.expected == .filled || (sabotage == nil && chance(12)) {
      try await loseHub()
      try await checkQuiet()
      try await eraseForGood()
    }
  }

  /// What a sabotage needs to be seen at all happens for certain.
  private func force() async throws {
    switch sabotage?.expected {
    case .once, .fork: try await makeTwin()
    case .restored: outages.hubCopy = hub.image()
    default: break
    }
  }

  private func act() async throws {
    if part != nil, chance(3) { return try await changePart() }
    if sabotage?.expected == .partitioned, chance(10) { return try beParted() }
    if sabotage?.expected == .restored, outages.hubCopy != nil, chance(3) { return try await restoreHub() }
    switch draw(Self.weights) {
    case .deliver: try await deliverAny()
    case .edit: try await edit()
    case .tellTime: try tellTime()
    case .pressClock: try await pressClock()
    case .advance: advanceToNext()
    case .crashTerminal: try await crashTerminal()
    case .crashHub: try await crashHub()
    case .copyHub:
      outages.hubCopy = hub.image()
      note("hub copied")
    case .restoreHub: try await restoreHub()
    case .copyStore:
      if let terminal = alive.randomElement(using: &random) {
        outages.copies[terminal.index] = StoreImage(of: terminal.path, besides: [".hub"])
        note("store copied", "t\(terminal.index)")
      }
    case .rollBack: try await rollBack()
    case .makeTwin: try await makeTwin()
    case .enrolNewcomer: try await enrolNewcomer()
    case .pushHostile: try await pushHostile()
    case .repeatLate:
      if let ghost = deliveries.ghosts.randomElement(using: &random) {
        note("late repetition", ghost.path)
        _ = await hub.hub.answer(ghost)
        try await reviveHub()
      }
    case .retry:
      if let terminal = alive.randomElement(using: &random) {
        await terminal.client.retry()
        await stage.settle(terminal.number)
      }
    case .rule: try await rule()
    case .erase: try await erase()
    case .cut:
      if let terminal = alive.randomElement(using: &random) {
        deliveries.cutUntil[terminal.index] = stage.time + Int64(pick(1000..<120_000))
        note("cut", "t\(terminal.index)")
      }
    }
  }

  /// The next moment at which anything happens by itself.
  private func nextDue() -> Int64? {
    var due: [Int64] = []
    for terminal in alive {
      guard let parked = stage.parked(terminal.number) else { continue }
      switch parked.waiting {
      case .sleep(let until, _): due.append(until)
      case .request:
        guard let flight = deliveries.flights[terminal.number], flight.key == parked.key else { continue }
        switch flight.state {
        case .answered(_, let at), .listening(let at): due.append(at)
        case .stalled: break
        }
      }
    }
    return due.min()
  }

  func advanceToNext() {
    let now = stage.time
    let next = nextDue().map { max($0, now) } ?? now + 5_000
    stage.advance(min(5_000, next - now))
  }

  /// Lets everybody go on whose time has come.
  func fire() async throws {
    for terminal in alive {
      guard let parked = stage.parked(terminal.number) else { continue }
      switch parked.waiting {
      case .sleep(let until, _): if until <= stage.time { try await resume(terminal, nil) }
      case .request:
        terminal.lastAttempt = max(terminal.lastAttempt, parked.since)
        guard let flight = deliveries.flights[terminal.number], flight.key == parked.key else { continue }
        switch flight.state {
        case .answered(let answer, let due): if due <= stage.time { try await resume(terminal, answer) }
        case .listening(let until):
          if until <= stage.time { try await resume(terminal, .success(WireResponse(status: 204))) }
        case .stalled: break
        }
      }
    }
    if stage.time - lastWatch >= 5_000 {
      lastWatch = stage.time
      if sabotage == .noWatchdog { return }
      for terminal in alive {
        await terminal.client.watch()
        await stage.settle(terminal.number)
      }
    }
  }

  private func resume(_ terminal: SimulatedTerminal, _ answer: Stage.Answer?) async throws {
    if answer != nil {
      deliveries.flights[terminal.number] = nil
      terminal.lastAttempt = stage.time
    }
    await stage.resume(terminal.number, answer)
    if terminal.faulty.isDead { return try await restart(terminal) }
    if terminal.faulty.took != terminal.tookBefore {
      terminal.tookBefore = terminal.faulty.took
      try checkWhole(terminal)
      try checkCursor(terminal)
    }
  }
}
