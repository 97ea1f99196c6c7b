import Hub
import Journal
import Sync

/// The way of requests to the hub and of its answers, and what goes wrong on it.
extension History {
  /// What is on its way.
  struct Deliveries {
    /// By the number of the client that waits for it.
    var flights: [Int: Flight] = [:]
    /// Until when a terminal has no network.
    var cutUntil: [Int: Int64] = [:]
    /// Requests that may arrive once more much later.
    var ghosts: [WireRequest] = []
  }

  /// A request on its way.
  struct Flight {
    let key: Int64
    var state: State
    enum State {
      case answered(Stage.Answer, due: Int64)
      case listening(until: Int64)
      case stalled
    }
  }

  /// What may go wrong with a request and its answer.
  private enum Fault {
    case requestLost, busy, tooLarge, stalled, otherPage, deliveredTwice, answerLost, answerCut, badGateway, spoiltEntry
    case nothing
  }

  /// In a thousand requests. A recorded seed repeats its course only while these stay in this order.
  private static let faults: [(Int, Fault)] = [
    (60, .requestLost),
    (15, .busy),
    (10, .tooLarge),
    (10, .stalled),
    (10, .otherPage),
    (20, .deliveredTwice),
    (65, .answerLost),
    (30, .answerCut),
    (20, .badGateway),
    (20, .spoiltEntry),
    (740, .nothing),
  ]

  func undelivered() -> [SimulatedTerminal] {
    alive.filter { terminal in
      guard let parked = stage.parked(terminal.number), case .request = parked.waiting else { return false }
      return deliveries.flights[terminal.number]?.key != parked.key
    }
  }

  func deliverAny() async throws {
    let ready = undelivered()
    guard let terminal = ready.randomElement(using: &random) else { return advanceToNext() }
    try await deliver(terminal)
  }

  func deliver(_ terminal: SimulatedTerminal) async throws {
    guard let parked = stage.parked(terminal.number), case .request(let request, let wait, _) = parked.waiting else {
      return
    }
    let state = try await carry(request, of: terminal, listening: .listening(until: parked.since + wait * 1000))
    deliveries.flights[terminal.number] = Flight(key: parked.key, state: state)
  }

  private func answered(_ answer: Stage.Answer, after delay: Int) -> Flight.State {
    .answered(answer, due: stage.time + Int64(delay))
  }

  /// Carries a request to the hub and its answer back.
  /// - Parameter listening: what it becomes where the hub has no news.
  private func carry(
    _ sent: WireRequest, of terminal: SimulatedTerminal, listening: Flight.State
  ) async throws -> Flight.State {
    if !isCalm, let until = deliveries.cutUntil[terminal.index] {
      if stage.time < until { return answered(.failure(.unreachable("cut")), after: pick(1..<3000)) }
      deliveries.cutUntil[terminal.index] = nil
    }
    let fault: Fault = isCalm ? .nothing : draw(Self.faults)
    if let lost = notArriving(sent, by: fault) { return lost }
    var request = sent
    if request.route == .wait {
      request.query["t"] = "0"
      let response = await hub.hub.answer(request)
      return response.status == 204 ? listening : answered(.success(response), after: pick(1..<80))
    }
    if request.route == .sync, let mistaken = try await prepareSync(&request) {
      return answered(.success(mistaken), after: 20)
    }
    if deliveries.ghosts.count < 12, request.route == .sync { deliveries.ghosts.append(request) }
    let epoch = try await epoch()
    var response = await hub.hub.answer(request)
    // What the hub itself writes, and what is hostile, is no change that comes again.
    hub.database.isMistaken = sabotage != .dropDedupe
    note("\(request.path) \(response.status)", "t\(terminal.index)")
    if try await reviveHub() { return answered(.failure(.broken("reset")), after: pick(1..<50)) }
    if fault == .deliveredTwice {
      note("delivered twice")
      response = await hub.hub.answer(request)
      if try await reviveHub() { return answered(.failure(.broken("reset")), after: pick(1..<50)) }
    }
    if !outages.wasCopied, !outages.wasRestored, !outages.wasFilled, response.status == 409,
      case .fork = HubError(response)
    {
      throw Finding(.fork, "t\(terminal.index) is told that a copy of it has written, and there is none")
    }
    if request.route == .sync, response.status == 200 {
      try await checkAnswer(response, to: request, of: terminal, epoch)
    }
    ring()
    if fault == .answerLost {
      note("answer lost")
      return answered(.failure(.timeout), after: pick(100..<30_000))
    }
    spoil(&response, to: request, by: fault)
    return answered(.success(response), after: isCalm ? 5 : pick(1..<400))
  }

  /// What becomes of a request that does not reach the hub; nil where it does.
  private func notArriving(_ request: WireRequest, by fault: Fault) -> Flight.State? {
    switch fault {
    case .requestLost:
      note("request lost")
      return answered(.failure(.timeout), after: 10_000)
    case .busy:
      note("busy")
      return answered(.success(HubError.busy(after: Int64(pick(1..<20))).response), after: 20)
    case .tooLarge where (try? SyncRequest.decode(request.body))?.operations.count ?? 0 > 1:
      note("too large")
      return answered(.success(HubError.tooLarge(limit: 1).response), after: 20)
    case .stalled:
      note("stalled")
      return .stalled
    case .otherPage:
      note("other page")
      return answered(
        .success(WireResponse(status: 200, content: nil, body: Array("<html>sign in".utf8))), after: 20)
    default: return nil
    }
  }

  /// Makes a terminal ask for few entries now and then, and the hub mistaken where a sabotage has it so.
  /// - Returns: the hub's answer, where it does not even look.
  private func prepareSync(_ request: inout WireRequest) async throws -> WireResponse? {
    if !isCalm, chance(sabotage == .membersAsTheyCome ? 60 : 25), var asked = try? SyncRequest.decode(request.body),
      asked.limit > 0
    {
      asked.limit = Int64(pick(1..<6))
      request.body = asked.encoded
    }
    let brought = (try? SyncRequest.decode(request.body))?.operations ?? []
    // Who is said to have a run is written where that is known.
    hub.database.isMistaken = sabotage != .anyHost || !brought.contains { $0.operation.row.entity == "CircuitRun" }
    return try await mistake(&request)
  }

  /// Spoils an answer on its way back.
  private func spoil(_ response: inout WireResponse, to request: WireRequest, by fault: Fault) {
    switch fault {
    case .answerCut:
      note("answer cut")
      response.body = Array(response.body.prefix(pick(0..<max(1, response.body.count))))
    case .badGateway:
      note("bad gateway")
      response = WireResponse(status: 502, content: nil, body: Array("<html>bad gateway".utf8))
    case .spoiltEntry where request.route == .sync:
      guard let answer = try? SyncAnswer.decode(response.body) else { return }
      note("spoilt entry")
      let spoilt = Array(#"{"op":{"header":"{}"},"seq":1,"time":0,"type":"op"}"#.utf8)
      var entries = answer.entries.map { entry -> [UInt8] in
        var bytes: [UInt8] = []
        entry.write(to: &bytes)
        return bytes
      }
      entries.insert(spoilt, at: pick(0..<entries.count + 1))
      response.body = answer.encoded(entries: entries)
    default: break
    }
  }

  /// Everybody who listens asks again.
  func ring() {
    for (number, flight) in deliveries.flights {
      if case .listening = flight.state { deliveries.flights[number] = nil }
    }
  }

  /// A hub that compares less than it should.
  /// - Returns: its answer, where it does not even look.
  private func mistake(_ request: inout WireRequest) async throws -> WireResponse? {
    guard sabotage == .compareCursorNotHash || sabotage == .compareNumberNotHash,
      var asked = try? SyncRequest.decode(request.body)
    else { return nil }
    if sabotage == .compareCursorNotHash {
      let exam = try await hub.rows("SELECT epoch, head FROM exam WHERE exam = ?").first?.values
      guard case .text(let text)? = exam?[0], let epoch = UUIDBytes(text), case .integer(let head)? = exam?[1] else {
        return nil
      }
      let seq = min(asked.cursor.seq ?? 0, head)
      let row = try await hub.rows("SELECT hash FROM log WHERE exam = ? AND seq = ?", [.integer(seq)]).first
      if case .bytes(let hash)? = row?.values.first { asked.hash = hash }
      asked.cursor = LogCursor(epoch: epoch, seq: seq)
      request.body = asked.encoded
      return nil
    }
    let row = try await hub.rows(
      "SELECT last, lastHash FROM device WHERE exam = ? AND device = ?", [.text(asked.device.description)]
    ).first?.values
    guard case .integer(let last)? = row?[0], case .bytes(let hash)? = row?[1] else { return nil }
    if asked.tip.deviceSeq <= last { asked.tip = ChainTip(device: asked.device, deviceSeq: last, hash: hash) }
    guard !asked.isRelay, let end = asked.operations.last?.operation, end.deviceSeq <= last else {
      request.body = asked.encoded
      return nil
    }
    let results = asked.operations.map {
      SyncAnswer.Result(
        id: $0.operation.id, deviceSeq: $0.operation.deviceSeq, hubSeq: 1, outcome: .stored(.applied), isDuplicate: true
      )
    }
    let body = SyncAnswer(
      results: results, entries: [], cursor: asked.cursor, hash: asked.hash, more: false,
      scope: SyncScope(version: 1, atoms: ["all"]), last: end.deviceSeq, lastHash: end.hash, time: 0)
    let response = WireResponse(status: 200, content: .json, body: body.encoded)
    if let terminal = alive.first(where: { $0.store.device == asked.device }) {
      try await checkAnswer(response, to: request, of: terminal, nil)
    }
    return response
  }
}
