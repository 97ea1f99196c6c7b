import Journal

/// A clock that only ever runs forward, and its pauses.
public protocol SteadyClock: Sendable {
  /// Milliseconds from anywhere; also while the machine sleeps.
  func now() -> Int64
  /// Waits; ends early, without a word, where the task is cancelled.
  func sleep(milliseconds: Int64) async
}

/// Drives a `SyncMachine`: carries out its steps over a transport and a store, one at a time.
public actor SyncClient {
  private let store: any SyncStore
  private let transport: any Transport
  private let clock: any SteadyClock
  private var random: any RandomNumberGenerator & Sendable
  private var machine = SyncMachine()
  private var lastAttempt: Int64
  /// When the hub last answered.
  private var lastContact: Int64?
  private var lastReport: (report: SyncReport, at: Int64)?
  /// The state after the step before.
  private var lastPhase = SyncMachine.Phase.none
  /// Gives up the request or the pause that is under way; nil: none is.
  private var giveUp: (@Sendable () -> Void)?
  private var isWoken = false
  /// Since when somebody waits to hear what came of an attempt; nil: nobody does.
  private var awaitedSince: Int64?
  private var relay = Relay()
  private var isEnrolled = false
  /// What the hub was last told of how far its log is held here, and how much waits.
  private var told: (held: Int64, waiting: Int64)?
  /// The clock's estimate, as it goes out with each request.
  private var estimate: DeviceNote.Clock?

  /// How often the state is written down at most while nothing changes, in milliseconds.
  private static let reportEvery: Int64 = 15_000

  /// A client that has not begun.
  public init(
    store: any SyncStore, transport: any Transport, clock: any SteadyClock,
    random: any RandomNumberGenerator & Sendable
  ) {
    self.store = store
    self.transport = transport
    self.clock = clock
    self.random = random
    lastAttempt = clock.now()
  }

  /// What it does at this moment.
  public var phase: SyncMachine.Phase { machine.phase }
  /// What is wrong; nil: nothing is.
  public var trouble: SyncTrouble? { machine.trouble }

  // MARK: From outside

  /// Something was written to the store.
  public func noteCommit() {
    machine.noteCommit()
    interruptListening()
  }

  /// A person wants it now, or the network came back.
  public func retry() {
    let before = machine.phase
    machine.retry()
    (isWoken, awaitedSince) = (true, clock.now())
    if isListening || before != .sync { giveUp?() }
  }

  /// The hub has answered somebody else of this machine.
  public func noteAnswer() {
    if machine.noteAnswer() { giveUp?() }
  }

  /// Takes a new estimate of the clock.
  public func note(clock estimate: DeviceNote.Clock) { self.estimate = estimate }

  /// Looks whether the last attempt is too old; to be called now and then from another task.
  public func watch() {
    guard machine.phase != .none, clock.now() - lastAttempt > SyncMachine.watchdog else { return }
    machine.wake()
    isWoken = true
    lastAttempt = clock.now()
    giveUp?()
  }

  private func interruptListening() {
    isWoken = true
    if isListening { giveUp?() }
  }

  private var isListening = false

  // MARK: The loop

  /// Runs until the task is cancelled.
  /// - Parameter delaysStart: whether the first attempt is put off a little.
  public func run(delaysStart: Bool = true) async {
    var delays = delaysStart
    while !Task.isCancelled {
      await advance(delaysStart: delays)
      delays = false
    }
  }

  /// Exchanges until nothing is left to exchange, or something stands in the way. Then the hub is told how the store
  /// stands: it may not hear of it again for long.
  /// - Returns: whether everything was exchanged.
  public func runOnce() async -> Bool {
    var isTelling = false
    while !Task.isCancelled {
      switch machine.phase {
      case .wait:
        if isTelling { return true }
        guard let told, let standing = try? await store.standing(), told != (standing.held, standing.waiting) else {
          return true
        }
        isTelling = true
        machine.retry()
      case .backoff, .blocked: return isTelling
      case .none where isEnrolled: return false
      case .none, .sync, .recover, .fork: await advance(delaysStart: false)
      }
      if machine.phase == .none { return false }
    }
    return false
  }

  /// One step, and what came of it.
  private func advance(delaysStart: Bool) async {
    let standing: SyncStanding?
    do { standing = try await store.standing() } catch {
      note(.storeFailed, isRunOpen: false)
      return await clock.sleep(milliseconds: SyncMachine.floor)
    }
    guard let standing else {
      (machine, isEnrolled) = (SyncMachine(), false)
      return await clock.sleep(milliseconds: 1000)
    }
    if !isEnrolled {
      isEnrolled = true
      machine.enrol(isNew: standing.cursor.seq == 0)
      if delaysStart { machine.delayStart(at: clock.now(), isRunOpen: standing.isRunOpen, using: &random) }
    }
    let step = machine.step(at: clock.now()).taken(asKnown: standing.former == nil)
    let outcome = await perform(step, standing)
    if let outcome { note(outcome, isRunOpen: standing.isRunOpen) }
    await report(isContact: outcome?.isContact ?? false)
  }

  private func note(_ outcome: SyncMachine.Outcome, isRunOpen: Bool) {
    machine.note(outcome, at: clock.now(), isRunOpen: isRunOpen, using: &random)
  }

  private func report(isContact: Bool) async {
    let now = clock.now()
    if isContact { lastContact = now }
    let report = SyncReport(
      phase: machine.phase, trouble: machine.trouble, sinceContact: lastContact.map { now - $0 },
      sinceAttempt: now - lastAttempt, clock: estimate)
    // An exchange between two times of listening is no state that anybody would meet: what is written lasts.
    let isWaiting = machine.phase == .wait
    let isLasting = isWaiting || machine.phase == lastPhase
    lastPhase = machine.phase
    let isDue =
      lastReport.map { last in
        last.report.trouble != report.trouble || isWaiting && last.report.phase != .wait
          || isLasting && now - last.at >= Self.reportEvery
      } ?? true
    let isAwaited =
      awaitedSince.map { lastAttempt >= $0 && (machine.phase == .wait || machine.trouble != nil) } ?? false
    if !isDue && !isAwaited { return }
    if isAwaited { awaitedSince = nil }
    lastReport = (report, now)
    try? await store.note(report)
  }

  private func perform(_ step: SyncMachine.Step, _ standing: SyncStanding) async -> SyncMachine.Outcome? {
    switch step {
    case .idle: await clock.sleep(milliseconds: 1000)
    case .pause(let milliseconds): await pause(milliseconds)
    case .listen(let seconds): return await listen(seconds, standing)
    case .exchange(let exchange): return await self.exchange(exchange, standing)
    case .snapshot(let page): return await snapshot(page, standing)
    case .hello: return await hello(standing)
    case .rewind(let mark, let epoch):
      // What was passed on before has lost its number: it is passed on from the first again.
      relay.restart()
      return await stored { try await self.store.rewind(to: mark, epoch: epoch) }
    case .newDevice: return await newDevice()
    }
    return nil
  }

  private func newDevice() async -> SyncMachine.Outcome {
    lastAttempt = clock.now()
    defer { lastAttempt = clock.now() }
    do {
      try await givingUp { [store, transport] in try await store.continueAsNewDevice(asking: transport) }
      relay.restart()
      return .done
    } catch let error as HubError {
      return .refused(error, sent: [])
    } catch let failure as TransportFailure {
      return .lost(failure)
    } catch { return .storeFailed }
  }

  private func stored(_ body: () async throws -> Void) async -> SyncMachine.Outcome {
    do {
      try await body()
      return .done
    } catch { return .storeFailed }
  }

  private func pause(_ milliseconds: Int64) async {
    if isWoken {
      isWoken = false
      return
    }
    try? await givingUp { [clock] in await clock.sleep(milliseconds: milliseconds) }
  }

  /// Runs a task that `giveUp` cancels, as does the end of the one that waits for it.
  private func givingUp<T: Sendable>(_ body: @escaping @Sendable () async throws -> T) async throws -> T {
    let task = Task { try await body() }
    giveUp = { task.cancel() }
    defer { giveUp = nil }
    return try await withTaskCancellationHandler {
      try await task.value
    } onCancel: {
      task.cancel()
    }
  }

  // MARK: Requests

  private func send(
    _ method: WireRequest.Method, _ route: Route, query: [String: String] = [:], _ standing: SyncStanding,
    body: [UInt8] = [], wait: Int64 = 0
  ) async throws -> WireResponse {
    lastAttempt = clock.now()
    var generator = SystemRandomNumberGenerator()
    let request = WireRequest(
      method, route, query: query, token: standing.token, id: .random(using: &generator),
      note: DeviceNote(waiting: standing.waiting, clock: estimate).text, body: body)
    defer { lastAttempt = clock.now() }
    let response = try await givingUp { [transport] in try await transport.send(request, wait: wait) }
    guard (200..<300).contains(response.status) else { throw HubError(response) }
    return response
  }

  /// How far the operations of other devices were passed on.
  private struct Relay {
    /// The last one that was.
    var place: ChainTip?
    /// How many there were when the first was.
    var began = 0
    /// How many there were before all of them had been.
    private(set) var settled = 0

    /// From the first again.
    mutating func restart(settled: Int = 0) { self = Relay(settled: settled) }
  }

  /// What a round trip brings to the hub.
  private struct Load {
    var operations: [WireOperation] = []
    /// Whether they are those of other devices.
    var isRelay = false

    var ids: [OperationID] { operations.map(\.operation.id) }
    /// Where the chain of the last one ends with it.
    var end: ChainTip? { operations.last?.operation.tip }
  }

  private func exchange(_ plan: SyncMachine.Exchange, _ standing: SyncStanding) async -> SyncMachine.Outcome? {
    let load: Load
    do {
      guard let collected = try await collect(plan, standing) else {
        return plan.from.map {
          .refused(.fork(deviceSeq: $0.deviceSeq, hash: $0.hash, last: $0.deviceSeq), sent: [])
        }
      }
      load = collected
    } catch { return .storeFailed }
    let answer: SyncAnswer
    do { answer = try await post(load, plan, standing) } catch { return outcome(of: error, load) }
    told = (standing.held, standing.waiting)
    guard answer.results.map(\.id) == load.ids else { return .lost(.broken("the answer is not to what was sent")) }
    do { try await store.take(answer) } catch { return .storeFailed }
    if load.isRelay { relay.place = load.end }
    return await outcome(of: answer, plan, standing)
  }

  /// What is to be sent now.
  /// - Returns: nil where the chain that the hub has is not the one here.
  private func collect(_ plan: SyncMachine.Exchange, _ standing: SyncStanding) async throws -> Load? {
    guard let from = plan.from, from.device == standing.device else { return Load() }
    guard let owed = try await store.owed(after: from, operations: plan.operations, damaged: plan.damaged) else {
      return nil
    }
    if !owed.isEmpty || !plan.relays { return Load(operations: owed) }
    let relayed = try await relayed(plan.operations)
    return Load(operations: relayed, isRelay: !relayed.isEmpty)
  }

  private func post(
    _ load: Load, _ plan: SyncMachine.Exchange, _ standing: SyncStanding
  ) async throws -> SyncAnswer {
    // What was saved since the standing was read goes too. A request that brought more than the end of the chain which it
    // names would be a fork where a hub gets it twice.
    var tip = standing.tip
    if !load.isRelay, let end = load.end, end.deviceSeq > tip.deviceSeq { tip = end }
    let request = SyncRequest(
      device: standing.device, cursor: standing.cursor, hash: standing.hash, marks: standing.marks, tip: tip,
      operations: load.operations, isRelay: load.isRelay, wantsReceipts: plan.receipts,
      limit: plan.pulls ? SyncLimits.standard.page : 0, held: standing.held)
    return try SyncAnswer.decode(try await send(.post, .sync, standing, body: request.encoded).body)
  }

  /// What came of a round trip that failed; nil where the next one goes on behind what the hub did not take.
  private func outcome(of error: any Error, _ load: Load) -> SyncMachine.Outcome? {
    let outcome = Self.outcome(of: error, sent: load.ids)
    guard load.isRelay, load.operations.count == 1, case .refused(let refusal, _) = outcome,
      refusal.status == 400 || refusal.status == 413, refusal != .tooLarge(limit: SyncLimits.head)
    else { return outcome }
    // What others made and cannot be passed on stops neither them nor this device.
    relay.place = load.end
    return nil
  }

  /// What came of a round trip whose answer is on the disk.
  private func outcome(
    of answer: SyncAnswer, _ plan: SyncMachine.Exchange, _ standing: SyncStanding
  ) async -> SyncMachine.Outcome {
    let last = ChainTip(device: standing.device, deviceSeq: answer.last, hash: answer.lastHash)
    // Of a chain that is not the hub's everything is owed: the next exchange finds out.
    var owes = (try? await store.owed(after: last, operations: 1, damaged: plan.damaged))?.isEmpty != true
    // The own ones go first: of the others it is asked once none is left.
    if !owes { owes = ((try? await store.unnumbered()) ?? 0) != relay.settled }
    return .exchanged(last: last, more: answer.more && plan.pulls, owes: owes)
  }

  /// The next operations of other devices to be passed on.
  private func relayed(_ operations: Int) async throws -> [WireOperation] {
    let unnumbered = try await store.unnumbered()
    if unnumbered == relay.settled { return [] }
    if relay.place == nil { relay.began = unnumbered }
    let next = try await store.unnumbered(after: relay.place, operations: operations)
    // What came meanwhile may stand before the place, so another round looks for it.
    if next.isEmpty { relay.restart(settled: unnumbered == 0 ? 0 : relay.began) }
    return next
  }

  private func snapshot(_ page: String?, _ standing: SyncStanding) async -> SyncMachine.Outcome {
    // All of it: what stands names what it replaced, and a store decides by what is named.
    let query = ["history": "1"].merging(page.map { ["page": $0] } ?? [:]) { $1 }
    do {
      let response = try await send(.get, .snapshot, query: query, standing)
      let page = try SnapshotPage.decode(response.body)
      do { try await store.take(page) } catch { return .storeFailed }
      return .snapshot(next: page.next)
    } catch { return Self.outcome(of: error, sent: []) }
  }

  private func listen(_ seconds: Int64, _ standing: SyncStanding) async -> SyncMachine.Outcome {
    // What was written since the last exchange goes at once.
    if isWoken {
      isWoken = false
      return .rang
    }
    let query = ["cursor": standing.cursor.description, "t": String(seconds)]
    isListening = true
    defer { isListening = false }
    do {
      _ = try await send(.get, .wait, query: query, standing, wait: seconds)
    } catch {
      if !isWoken { return Self.outcome(of: error, sent: []) }
    }
    isWoken = false
    return .rang
  }

  private func hello(_ standing: SyncStanding) async -> SyncMachine.Outcome {
    do {
      let hello = try HelloAnswer.decode(try await send(.get, .hello, standing).body)
      guard hello.protocols.contains(SyncProtocol.version) else { return .refused(.version(hello.protocols), sent: []) }
      return .greeted
    } catch { return Self.outcome(of: error, sent: []) }
  }

  private static func outcome(of error: any Error, sent: [OperationID]) -> SyncMachine.Outcome {
    switch error {
    case let error as HubError: .refused(error, sent: sent)
    case let failure as TransportFailure: .lost(failure)
    case is WireFault: .lost(.broken("the answer is not what the protocol says"))
    default: .lost(.broken("the request failed"))
    }
  }
}

extension SyncStanding {
  /// How far the hub's log is held here.
  fileprivate var held: Int64 { cursor.seq ?? 0 }
}

extension SyncMachine.Step {
  /// The step itself, or where it would ask the hub as a device that the hub does not know, that of becoming known.
  fileprivate func taken(asKnown isKnown: Bool) -> SyncMachine.Step {
    switch self {
    case .exchange, .snapshot, .listen, .hello: isKnown ? self : .newDevice
    case .idle, .pause, .rewind, .newDevice: self
    }
  }
}

extension SyncMachine.Outcome {
  /// Whether the hub answered.
  fileprivate var isContact: Bool {
    switch self {
    case .exchanged, .snapshot, .rang, .greeted: true
    case .refused(.unavailable, _), .refused(.notReady, _): false
    case .refused: true
    case .done, .lost, .storeFailed: false
    }
  }
}
