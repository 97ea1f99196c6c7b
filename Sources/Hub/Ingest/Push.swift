import CircuitModel
import ExamStore
import Journal
import Sync

/// Takes what a device brings: its own operations, or those of others that it passes on.
struct Push {
  private let log: ExamLog
  private let devices: DeviceTable
  private let operations: OperationStore
  private let heads: HeadTable
  private let transactions: TransactionArrival
  private let secondLook: SecondLook
  private let former: FormerRefusals

  init(_ log: ExamLog) {
    self.log = log
    let tables = IngestTables(log)
    former = tables.former
    devices = tables.devices
    operations = tables.operations
    heads = tables.heads
    let settling = Settling(tables)
    transactions = TransactionArrival(tables, settling)
    secondLook = SecondLook(tables, settling)
  }

  /// Takes down what the operations that come are said to have been answered before: of another's a device is believed
  /// only where a hub gives it what does not count of theirs.
  func noteAnswers(to operations: [WireOperation], by device: DeviceRecord) throws {
    guard log.isFilling else { return }
    let own = device.seesOthers ? [] : try devices.lineage(of: device.id)
    for wire in operations where device.seesOthers || own.contains(wire.operation.device) {
      former.note(wire.said, of: wire.operation)
    }
  }

  // MARK: A device's own

  /// Refuses a device whose chain is not the one that is here.
  /// - Throws: `HubError.fork`.
  func checkTip(_ tip: ChainTip, of device: DeviceRecord) throws {
    let last = device.last
    guard tip.deviceSeq <= last.deviceSeq else { return }
    if tip == last || last.deviceSeq == 0 { return }
    let here = try tip.deviceSeq == 0 ? nil : operations.hash(device: device.id, deviceSeq: tip.deviceSeq)
    throw HubError.fork(deviceSeq: tip.deviceSeq, hash: here ?? Operation.genesisHash, last: last.deviceSeq)
  }

  /// Takes a device's own operations.
  /// - Throws: `HubError.gap` or `fork` where they do not follow what is here: nothing is taken then.
  func take(_ opened: [OpenedOperation], of device: inout DeviceRecord) throws -> [SyncAnswer.Result] {
    let arrivals = opened.map(\.operation)
    for (index, operation) in arrivals.enumerated() where operation.device != device.id {
      throw HubError.malformed(pointer: "/ops/\(index)/header")
    }
    guard let first = arrivals.first else { return [] }
    if first.deviceSeq > device.last.deviceSeq + 1 { throw gap(after: device.last) }
    try lookUp(arrivals, of: device)
    try noteKeptAside(arrivals, of: device)
    var known: [Journal.Operation] = []
    var fresh: [OpenedOperation] = []
    var end = device.last
    for (index, operation) in arrivals.enumerated() {
      if index > 0, operation.deviceSeq != arrivals[index - 1].deviceSeq + 1 {
        throw gap(after: device.last)
      }
      if operation.deviceSeq <= device.last.deviceSeq {
        let here = try operations.hash(device: device.id, deviceSeq: operation.deviceSeq)
        guard here == operation.hash else {
          throw HubError.fork(
            deviceSeq: operation.deviceSeq, hash: here ?? Operation.genesisHash, last: device.last.deviceSeq)
        }
        known.append(operation)
      } else {
        guard operation.prevHash == end.hash else {
          throw HubError.fork(deviceSeq: end.deviceSeq, hash: end.hash, last: device.last.deviceSeq)
        }
        fresh.append(opened[index])
        end = operation.tip
      }
    }
    try secondLook.takeAgain(known, from: device)
    let results = try known.map { try repeated($0) } + answers(to: transactions.take(fresh, from: device))
    try noteEnd(fresh.map(\.operation), of: &device)
    try carryOutErasures(arrivals)
    return results
  }

  /// Looks up together what is here of a device's chain where some operations of it come again.
  private func lookUp(_ arrivals: [Journal.Operation], of device: DeviceRecord) throws {
    let numbers = arrivals.map(\.deviceSeq).filter { $0 <= device.last.deviceSeq }
    try log.held.load(.operationsByChain, numbers.map { [HubValue(device.id), .integer($0)] })
  }

  private func gap(after last: ChainTip) -> HubError { .gap(expected: last.deviceSeq + 1, hash: last.hash) }

  /// What was said of an operation that is here.
  private func repeated(_ operation: Journal.Operation) throws -> SyncAnswer.Result {
    let versions = try operations.versions(of: operation.id)
    guard let stored = versions.first(where: { $0.operation.hash == operation.hash }) else {
      throw HubDamage(what: "an operation has no number")
    }
    // What is said of the first is said of its copy: people may have ruled on the first since.
    let isOther = stored.fate.answer == .rejected(.twoVersions)
    let fate = isOther ? stored.fate : versions.first?.fate ?? stored.fate
    return SyncAnswer.Result(
      id: operation.id, deviceSeq: operation.deviceSeq, hubSeq: stored.seq, outcome: .stored(fate.answer),
      isDuplicate: true)
  }

  private func answers(to outcomes: [Settling.Outcome]) -> [SyncAnswer.Result] {
    outcomes.map {
      SyncAnswer.Result(
        id: $0.operation.id, deviceSeq: $0.operation.deviceSeq, hubSeq: $0.seq, outcome: .stored($0.result),
        isDuplicate: $0.isDuplicate)
    }
  }

  private func noteEnd(_ fresh: [Journal.Operation], of device: inout DeviceRecord) throws {
    guard let last = fresh.last else { return }
    if log.isFilling { try carryOutErasures(keptAside(of: device.id, 1...last.deviceSeq).map(\.operation)) }
    device.last = last.tip
    device.lastTime = max(device.lastTime, fresh.map(\.hlc).max() ?? last.hlc)
    try devices.saveEnd(of: device)
    try log.beside.run(
      "DELETE FROM loose WHERE exam = ? AND device = ? AND deviceSeq <= ?",
      [HubValue(log.exam), HubValue(device.id), .integer(last.deviceSeq)])
  }

  /// Destroys, at a hub that is being filled, the content of what a store has as erased, whether it came whole before or
  /// comes after: the hub that said so is lost.
  private func carryOutErasures(_ taken: [Journal.Operation]) throws {
    guard log.isFilling else { return }
    for operation in taken where operation.absent == .erased {
      if try operations.erase(operation) { try heads.rebuild(operation.row) }
    }
  }

  // MARK: Relayed

  /// Takes operations of other devices, each by its own chain; what does not follow it yet is kept aside.
  func relay(_ arrivals: [OpenedOperation], from relayer: DeviceRecord) throws -> [SyncAnswer.Result] {
    var results: [SyncAnswer.Result] = []
    var rest = arrivals[...]
    while let first = rest.first?.operation {
      let chain = rest.prefix { $0.operation.device == first.device }
      rest = rest.dropFirst(chain.count)
      var device: DeviceRecord
      if let known = try devices.find(first.device) {
        device = known
      } else {
        device = DeviceRecord(first.device, name: "relayed by \(relayer.name)", role: relayer.role ?? .office)
        if let former = try former(of: first) { (device.role, device.continues) = (former.role, former.id) }
        try devices.insert(device)
      }
      results += try relay(Array(chain), of: &device, by: relayer)
    }
    return results
  }

  /// The device in whose place another goes on, as its first operation says: believed only where a former run of the log
  /// may have known it, for one that this run knows has its row. Nobody goes on in the place of the hub's own device.
  private func former(of first: Journal.Operation) throws -> DeviceRecord? {
    guard first.deviceSeq == 1, first.row == Stored.Device.row(first.device.description),
      log.mayHaveLost(first),
      case .text(let text)? = OpenedOperation(first).body?.fields[Stored.Device.Field.continues],
      let id = UUIDBytes(text), id != log.hubDevice, let former = try devices.find(id)
    else { return nil }
    return log.isFilling && former.role == nil ? nil : former
  }

  private func relay(
    _ opened: [OpenedOperation], of device: inout DeviceRecord, by relayer: DeviceRecord
  ) throws -> [SyncAnswer.Result] {
    let chain = opened.map(\.operation)
    var results: [[UInt8]: SyncAnswer.Result] = [:]
    var fresh: [OpenedOperation] = []
    var known: [Journal.Operation] = []
    var end = device.last
    try lookUp(chain, of: device)
    try noteKeptAside(chain, of: device)
    for arrival in opened {
      let operation = arrival.operation
      if operation.deviceSeq <= device.last.deviceSeq,
        try operations.hash(device: device.id, deviceSeq: operation.deviceSeq) == operation.hash
      {
        known.append(operation)
      } else if operation.deviceSeq == end.deviceSeq + 1, operation.prevHash == end.hash,
        !waitsForContent(operation, from: relayer)
      {
        fresh.append(arrival)
        end = operation.tip
      } else {
        try keepLoose(operation, from: relayer)
        results[operation.hash] = SyncAnswer.Result(
          id: operation.id, deviceSeq: operation.deviceSeq, hubSeq: nil, outcome: .hole)
      }
    }
    try secondLook.takeAgain(known, from: device, passedOnBy: relayer)
    for operation in known { results[operation.hash] = try repeated(operation) }
    var relayers = Relayers(fresh.map { ($0.operation.hash, relayer) }, uniquingKeysWith: { first, _ in first })
    let followers = try loose(after: end)
    for follower in followers { relayers[follower.operation.hash] = follower.relayer ?? relayer }
    fresh += followers.map { OpenedOperation($0.operation) }
    let outcomes = try transactions.take(fresh, from: device, passedOnBy: relayers)
    let taken = fresh.map(\.operation)
    try noteEnd(taken, of: &device)
    try carryOutErasures(known + taken)
    try noteRelay(of: taken, by: relayer)
    for (outcome, answer) in zip(outcomes, answers(to: outcomes)) { results[outcome.operation.hash] = answer }
    // In the order in which they came: a client holds them against what it sent.
    return chain.compactMap { results[$0.hash] }
  }

  /// Notes who passed on what of whom: a chain is signed by nobody, so its device is taken at the relayer's word.
  private func noteRelay(of fresh: [Journal.Operation], by relayer: DeviceRecord) throws {
    guard let first = fresh.first, let last = fresh.last else { return }
    try log.audit(.relay, by: relayer.id.description, "\(first.device) \(first.deviceSeq) to \(last.deviceSeq)")
  }

  /// Whether an operation waits for a store that has it whole: it only was not sent to who passes it on, or is said to be
  /// erased, which a hub alone decides, and this one would have it then. A hub that may have lost it believes that, and
  /// every hub who runs it.
  private func waitsForContent(_ operation: Journal.Operation, from relayer: DeviceRecord?) -> Bool {
    switch operation.absent {
    case .scope: true
    case .erased: relayer?.role != nil && !log.hasFormerRun
    case .withheld, .damaged, nil: false
    }
  }

  /// Takes what was kept aside although something before it, or its content, is missing: it will not come any more.
  /// - Returns: the chains with a hole, and each number that is missing in one, or begins what is.
  func admitLoose() throws -> [(device: UUIDBytes, missing: Int64)] {
    var holes: [(device: UUIDBytes, missing: Int64)] = []
    while true {
      let row = try log.beside.row(
        "SELECT device, op FROM loose WHERE exam = ? ORDER BY device, deviceSeq LIMIT 1", [HubValue(log.exam)])
      guard let row else { return holes }
      guard var device = try devices.find(row.id(0)), let first = try Loose(row.bytes(1)) else {
        throw HubDamage(what: "an operation that was kept aside cannot be read")
      }
      let operation = first.operation
      former.note(first.wire.said, of: operation)
      try forget(operation)
      if operation.deviceSeq <= device.last.deviceSeq { continue }
      if operation.prevHash != device.last.hash { holes.append((device.id, device.last.deviceSeq + 1)) }
      let fresh = try [operation] + loose(after: operation.tip, isClosing: true).map(\.operation)
      for stub in fresh where stub.absent == .scope { holes.append((device.id, stub.deviceSeq)) }
      _ = try transactions.take(fresh.map { OpenedOperation($0) }, from: device)
      try noteEnd(fresh, of: &device)
      try carryOutErasures(fresh)
      try log.held.settle()
    }
  }

  // MARK: Kept aside

  /// An operation that is kept aside, and who passed it on.
  private struct Loose {
    var wire: WireOperation
    let by: UUIDBytes?
    var operation: Journal.Operation { wire.operation }

    init(_ operation: Journal.Operation, by relayer: DeviceRecord) {
      (wire, by) = (WireOperation(received: operation), relayer.id)
    }

    init?(_ document: [UInt8]) {
      guard let node = try? WireJSON.decode(document), let wire = try? WireOperation(node) else { return nil }
      self.wire = wire
      by = node["by"]?.text.flatMap { UUIDBytes($0) }
    }

    var document: [UInt8] {
      wire.encoded(adding: by.map { [CanonicalJSON.Member("by", .text($0.description))] } ?? [])
    }
  }

  private func keepLoose(_ operation: Journal.Operation, from relayer: DeviceRecord) throws {
    func isErased(_ operation: Journal.Operation) -> Bool { log.isFilling && operation.absent == .erased }
    // What came with its content stands in any case, but where a hub is filled.
    let isAsked = log.isFilling || operation.sealedBody == nil
    let here = isAsked ? try keptAside(of: operation.device, operation.deviceSeq...operation.deviceSeq) : []
    var loose = Loose(operation, by: relayer)
    // One that came without its content is replaced by itself with it, unless that was erased.
    if let kept = here.first(where: { $0.operation.hash == operation.hash }),
      isErased(kept.operation) || operation.sealedBody == nil && !isErased(operation)
    {
      loose = kept
    }
    loose.wire.said = former[operation]
    try log.beside.run(
      """
      INSERT INTO loose (exam, device, deviceSeq, hash, op) VALUES (?, ?, ?, ?, ?)
      ON CONFLICT (exam, device, deviceSeq, hash) DO UPDATE SET op = excluded.op
      """,
      [
        HubValue(log.exam), HubValue(operation.device), .integer(operation.deviceSeq), .bytes(operation.hash),
        .bytes(loose.document),
      ])
  }

  /// Takes down what those said of operations who passed them on before: they come again, and may come without it.
  private func noteKeptAside(_ arrivals: [Journal.Operation], of device: DeviceRecord) throws {
    let numbers = arrivals.map(\.deviceSeq)
    guard log.isFilling, let first = numbers.min(), let last = numbers.max() else { return }
    for loose in try keptAside(of: device.id, first...last) { former.note(loose.wire.said, of: loose.operation) }
  }

  /// What is kept aside of a part of a device's chain.
  private func keptAside(of device: UUIDBytes, _ numbers: ClosedRange<Int64>) throws -> [Loose] {
    try log.beside.rows(
      "SELECT op FROM loose WHERE exam = ? AND device = ? AND deviceSeq BETWEEN ? AND ?",
      [HubValue(log.exam), HubValue(device), .integer(numbers.lowerBound), .integer(numbers.upperBound)]
    ).compactMap { try Loose($0.bytes(0)) }
  }

  private func forget(_ operation: Journal.Operation) throws {
    try log.beside.run(
      "DELETE FROM loose WHERE exam = ? AND device = ? AND deviceSeq = ? AND hash = ?",
      [HubValue(log.exam), HubValue(operation.device), .integer(operation.deviceSeq), .bytes(operation.hash)])
  }

  /// What was kept aside and follows now, in order, and who passed it on; it is kept aside no longer.
  /// - Parameter isClosing: whether what waits for its content waits no more.
  private func loose(
    after end: ChainTip, isClosing: Bool = false
  ) throws -> [(operation: Journal.Operation, relayer: DeviceRecord?)] {
    var (end, found) = (end, [(operation: Journal.Operation, relayer: DeviceRecord?)]())
    var relayers: [UUIDBytes: DeviceRecord] = [:]
    while true {
      let rows = try log.beside.rows(
        "SELECT op FROM loose WHERE exam = ? AND device = ? AND deviceSeq = ?",
        [HubValue(log.exam), HubValue(end.device), .integer(end.deviceSeq + 1)])
      let following = try rows.compactMap { row in try Loose(row.bytes(0)) }.first { $0.operation.prevHash == end.hash }
      let relayer = try following?.by.flatMap { id in
        if relayers[id] == nil { relayers[id] = try devices.find(id) }
        return relayers[id]
      }
      guard let following, isClosing || !waitsForContent(following.operation, from: relayer) else { return found }
      former.note(following.wire.said, of: following.operation)
      found.append((following.operation, relayer))
      end = following.operation.tip
      try forget(following.operation)
    }
  }
}
