import Hub
import Journal
import SeededNumbers
import Sync

/// A device with a place at the hub that sends what no program of ours writes: its chain is sound, its content is not.
final class HostileDevice {
  private var random: Seeded
  private let id: UUIDBytes
  private var token: String?
  private var epoch = UUIDBytes(high: 0, low: 0)
  private var exam = UUIDBytes(high: 0, low: 0)
  private var chain: [Journal.Operation] = []
  private var unanswered: Journal.Operation?
  /// What others were said to follow, and when: it comes after them.
  private var promised: (id: OperationID, time: Int64)?

  init(seed: UInt64) {
    random = Seeded(seed: seed ^ 0xBAD)
    id = UUIDBytes.random(using: &random)
  }

  private var tip: ChainTip {
    chain.last?.tip ?? ChainTip(device: id, deviceSeq: 0, hash: Journal.Operation.genesisHash)
  }

  func enrol(at hub: Hub, of exam: UUIDBytes) async throws {
    self.exam = exam
    let code = "HOSTILE\(UUIDBytes.random(using: &random))"
    try await hub.keep(code: code, for: .station, in: exam)
    let asked = EnrolRequest(code: code, device: id, name: "host-x", tip: tip, schema: 2)
    let response = await hub.answer(WireRequest(.post, .enrol, body: asked.encoded))
    let answer = try EnrolAnswer.decode(response.body(expecting: 201))
    (token, epoch) = (answer.token, answer.exam.epoch)
  }

  /// Takes its place again at a hub that was restored, and sends again what that lost.
  func begin(at hub: Hub) async throws {
    // Where the hub's process ended it may have kept what was sent last, and the copy may have that, too.
    if let operation = unanswered { chain.append(operation) }
    unanswered = nil
    try await enrol(at: hub, of: exam)
    let last = Int(await last(at: hub) ?? 0)
    guard last < chain.count else { return }
    _ = await send(Array(chain[last...]), to: hub)
  }

  /// How much a hub has of the chain.
  private func last(at hub: Hub) async -> Int64? {
    let response = await hub.answer(WireRequest(.get, .hello, token: token))
    return (try? HelloAnswer.decode(response.body))?.device?.last.deviceSeq
  }

  private func send(_ operations: [Journal.Operation], to hub: Hub) async -> WireResponse {
    let request = SyncRequest(
      device: id, cursor: LogCursor(epoch: epoch, seq: 0), hash: LogHash.start(of: exam).hash, marks: [],
      tip: operations.last?.tip ?? tip, operations: operations.map { WireOperation($0) }, limit: 0, held: 0)
    return await hub.answer(WireRequest(.post, .sync, token: token, body: request.encoded))
  }

  /// Sends one more piece of nonsense.
  /// - Parameter ownTime: whether it is a plain edit whose time follows its own chain alone.
  func push(at hub: Hub, knowing known: [OperationID], ownTime: Bool, at now: Int64) async -> WireResponse {
    // Where the hub's process ended it may have kept what was sent last.
    if let operation = unanswered, await last(at: hub) == operation.deviceSeq { chain.append(operation) }
    unanswered = nil
    let other = known.randomElement(using: &random)
    var (row, fields) = (RowKey(entity: History.entity, id: "c0"), ["text": Value.text("hostile")])
    var (kind, replaces, hlc, staff) = (OperationKind.set, [String: [OperationID]](), now << 16, Int64?.none)
    var (operation, size, covers) = (
      UUIDBytes.v7(milliseconds: now, using: &random), 1, [RowKey: [String: [OperationID]]]()
    )
    if !ownTime, let due = promised {
      (operation, hlc, promised) = (due.id, due.time, nil)
    } else if ownTime {
      (hlc, staff) = (1 << 16, 1)
      if let other { replaces = ["text": [other]] }
    } else {
      switch Int.random(in: 0..<20, using: &random) {
      case 0: row = RowKey(entity: "Nonsense", id: "1")
      case 1: fields = ["text": .integer(7)]
      case 2: fields = ["nonsense": .text("x")]
      case 3: hlc = (now + 26 * 3_600_000) << 16
      case 4: hlc = -1
      case 5: hlc = .max
      case 6: replaces = ["text": [operation]]
      case 7: replaces = ["text": [UUIDBytes.random(using: &random)]]
      case 8: if let other { operation = other }
      case 9: size = 3
      case 10:
        kind = .delete
        if let other { covers = [row: ["text": [other]]] }
      case 11: (kind, fields) = (OperationKind.delete, ["text": .text("x")])
      case 12: row = RowKey(entity: History.entity, id: String(repeating: "k", count: 3000) + "\u{0}")
      case 13:
        (kind, row) = (
          OperationKind(rawValue: "admit"), RowKey(entity: "Operation", id: (other ?? operation).description)
        )
        fields = ["verdict": .text("rejected")]
      case 14...16: return await promise(to: hub, at: now)
      case 17: (row, fields) = (RowKey(entity: "ClinicGroup", id: "1"), ["name": .text("hostile")])
      default: fields = ["text": .text("\u{1B}]0;x\u{7}" + String(repeating: "é", count: 2000))]
      }
    }
    let sealed = Journal.Operation.seal(
      id: operation, device: id, deviceSeq: tip.deviceSeq + 1, tx: .random(using: &random), txIndex: 0, txSize: size,
      kind: kind, row: row, body: OperationBody(fields: fields, replaces: replaces, covers: covers),
      hlc: HybridTime(raw: hlc), wallTime: now, staff: staff, schema: 2, prevHash: tip.hash,
      salt: .drawn(using: &random))
    return await push(sealed, to: hub)
  }

  private func push(_ operation: Journal.Operation, to hub: Hub) async -> WireResponse {
    let response = await send([operation], to: hub)
    if response.status == 200 { chain.append(operation) } else if response.status >= 500 { unanswered = operation }
    return response
  }

  /// Sends two changes that both follow one which comes only later.
  private func promise(to hub: Hub, at now: Int64) async -> WireResponse {
    let due = UUIDBytes.v7(milliseconds: now, using: &random)
    var response = WireResponse(status: 204)
    for key in ["c1", "c2"] {
      let sealed = Journal.Operation.seal(
        id: .v7(milliseconds: now, using: &random), device: id, deviceSeq: tip.deviceSeq + 1,
        tx: .random(using: &random), txIndex: 0, txSize: 1, kind: .set, row: RowKey(entity: History.entity, id: key),
        body: OperationBody(fields: ["text": .text("early")], replaces: ["text": [due]]),
        hlc: HybridTime(raw: (now << 16) + 1), wallTime: now, staff: nil, schema: 2, prevHash: tip.hash,
        salt: .drawn(using: &random))
      response = await push(sealed, to: hub)
      guard response.status == 200 else { return response }
    }
    promised = (due, now << 16)
    return response
  }
}
