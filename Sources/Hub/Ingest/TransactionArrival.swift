import Journal
import Sync

/// Takes operations that are chain-valid, a transaction at a time: tells copies from what is new, and refuses what the
/// door or the form of a transaction speaks against.
struct TransactionArrival {
  private let tables: IngestTables
  private let settling: Settling

  init(_ tables: IngestTables, _ settling: Settling) {
    self.tables = tables
    self.settling = settling
  }

  /// Takes operations of one device that follow its chain, in the chain's order.
  /// - Parameter relayers: who passed on what of them.
  func take(
    _ arrivals: [OpenedOperation], from sender: DeviceRecord, passedOnBy relayers: Relayers = [:]
  ) throws -> [Settling.Outcome] {
    if arrivals.isEmpty { return [] }
    tables.memory.forget()
    try ArrivalRows(tables.log).load(arrivals)
    var outcomes: [Settling.Outcome] = []
    var rest = arrivals[...]
    var before = try last(before: arrivals[0].operation)
    while let first = rest.first?.operation {
      let group = rest.prefix { $0.operation.tx == first.tx && $0.operation.device == first.device }
      rest = rest.dropFirst(group.count)
      if let before, before.tx != first.tx { try endTransaction(of: before) }
      before = group.count < first.txSize ? group.last?.operation : nil
      outcomes += try takeTransaction(Array(group), from: sender, relayers)
      try tables.log.held.writeAhead()
    }
    return outcomes
  }

  private func takeTransaction(
    _ opened: [OpenedOperation], from sender: DeviceRecord, _ relayers: Relayers
  ) throws -> [Settling.Outcome] {
    let arrivals = opened.map(\.operation)
    let door = try Door(tables, sender, relayers, transaction: opened)
    defer { tables.memory.note(opened) }
    let checked = try check(opened, at: door)
    let decided: [Settling.Outcome]
    if checked.refused.isEmpty {
      decided = checked.new.isEmpty ? [] : try decide(checked.new)
    } else {
      decided = try refuse(
        checked.new.map(\.operation), checked.refused, isRelayed: arrivals.contains { relayers[$0.hash] != nil })
    }
    var byHash = Dictionary(decided.map { ($0.operation.hash, $0) }, uniquingKeysWith: { first, _ in first })
    for arrival in arrivals {
      guard let first = checked.firsts[arrival.id] else { continue }
      byHash[arrival.hash] = try keepCopy(arrival, of: first)
    }
    try settling.ruleOn(decided.map(\.operation.id))
    return arrivals.compactMap { byHash[$0.hash] }
  }

  /// The operations of a transaction as they come, told apart.
  private struct Checked {
    /// What is here already of changes that come in a copy.
    var firsts: [OperationID: StoredOperation] = [:]
    /// What is no copy.
    var new: [OpenedOperation] = []
    /// Why some of the new ones do not count.
    var refused: [OperationID: HubResult] = [:]
  }

  private func check(_ opened: [OpenedOperation], at door: Door) throws -> Checked {
    var checked = Checked()
    var seen: Set<OperationID> = []
    for opened in opened {
      let operation = opened.operation
      if let first = try tables.operations.versions(of: operation.id).first {
        if try isSame(first.operation, operation) {
          checked.firsts[operation.id] = first
        } else {
          checked.refused[operation.id] = .rejected(.twoVersions)
        }
      } else if !seen.insert(operation.id).inserted {
        checked.refused[operation.id] = .rejected(.twoVersions)
      } else if let refusal = try door.refusal(of: opened) {
        checked.refused[operation.id] = refusal
      }
    }
    checked.new = opened.filter { checked.firsts[$0.operation.id] == nil }
    let fresh = checked.new.map(\.operation)
    if checked.refused.isEmpty, try !areNeighbours(fresh) {
      for operation in fresh { checked.refused[operation.id] = .rejected(.transactionForm) }
    }
    return checked
  }

  /// Keeps the new operations of a transaction that does not count.
  private func refuse(
    _ fresh: [Journal.Operation], _ refused: [OperationID: HubResult], isRelayed: Bool
  ) throws -> [Settling.Outcome] {
    let outcomes = try settling.keep(fresh, refused.spread(over: fresh), note: isRelayed ? .relayed : nil)
    // That they count for nothing is what others waited to know, those first that came of the same transaction before.
    // What is only passed on may still come from its own device, and count; not where a hub is filled, which goes by what
    // the lost one said.
    var ids = fresh.map(\.id)
    if let first = fresh.first, !isRelayed || tables.log.isFilling, fresh.count < first.txSize {
      let members = try tables.members(of: TransactionKey(first))
      try settling.finish(members, refused.spread(over: members.map(\.operation)))
      ids = members.map(\.operation.id)
    }
    try settling.wake(ids)
    return outcomes
  }

  /// Keeps a copy in a chain that continues another, so that the chain is whole; it does nothing a second time.
  private func keepCopy(_ arrival: Journal.Operation, of first: StoredOperation) throws -> Settling.Outcome {
    // What was erased comes back with no other copy.
    let isErased = first.operation.sealedBody == nil && first.operation.absent == .erased
    let operation = isErased ? arrival.withoutBody() : arrival
    let result = first.fate.answer
    let seq = tables.log.append(.operation(hash: operation.hash, result: result))
    let atoms = try tables.scope.atoms(for: OpenedOperation(operation), at: seq, counts: false)
    tables.operations.insert(operation, seq: seq, result: result, untilSeq: seq, atoms: atoms)
    return Settling.Outcome(operation: operation, seq: first.seq, result: result, isDuplicate: true)
  }

  /// The operation before one in its device's chain, where that waits; nil where there is none.
  private func last(before first: Journal.Operation) throws -> Journal.Operation? {
    guard first.deviceSeq > 1,
      let last = try tables.operations.find(device: first.device, deviceSeq: first.deviceSeq - 1),
      last.fate.isDeferred
    else { return nil }
    return last.operation
  }

  /// Refuses a transaction that waits for others of it, after which its device's chain has gone on: they would have to
  /// stand beside it.
  private func endTransaction(of last: Journal.Operation) throws {
    let members = try tables.members(of: TransactionKey(last))
    let size = members.map(\.operation.txSize).min() ?? 0
    guard members.count < size, members.contains(where: { $0.stored?.fate.isDeferred == true }) else { return }
    let refused = members.map { ($0.operation.id, HubResult.rejected(.transactionForm)) }
    try settling.finish(members, Dictionary(refused, uniquingKeysWith: { first, _ in first }))
    try settling.wake(members.map(\.operation.id))
  }

  /// Whether the operations of a transaction stand in its order and beside each other in their device's chain.
  private func areNeighbours(_ fresh: [Journal.Operation]) throws -> Bool {
    guard let first = fresh.first else { return true }
    let begin = first.deviceSeq - Int64(first.txIndex)
    guard fresh.allSatisfy({ $0.deviceSeq - Int64($0.txIndex) == begin }) else { return false }
    if fresh.count == first.txSize { return true }
    return try tables.operations.members(device: first.device, tx: first.tx).allSatisfy {
      $0.operation.deviceSeq - Int64($0.operation.txIndex) == begin
    }
  }

  /// Whether two operations with one identifier are the same change: sealed again in another chain.
  private func isSame(_ first: Journal.Operation, _ second: Journal.Operation) throws -> Bool {
    if first.row != second.row || first.hlc != second.hlc || first.kind != second.kind { return false }
    if first.bodyHash == second.bodyHash { return true }
    let lineage = Set(try tables.lineage(of: first.device))
    return try tables.lineage(of: second.device).contains { lineage.contains($0) }
  }

  /// Decides on a transaction of which operations are new.
  private func decide(_ fresh: [OpenedOperation]) throws -> [Settling.Outcome] {
    guard let first = fresh.first?.operation else { return [] }
    let key = TransactionKey(first)
    let isWhole = fresh.count == first.txSize && fresh.allSatisfy { $0.operation.txSize == first.txSize }
    let earlier = isWhole ? [] : try tables.members(of: key)
    let members = earlier + fresh.map { TransactionMember(opened: $0, stored: nil) }
    let outcomes = try settling.settle(members, key)
    try settling.wake(outcomes.map(\.operation.id) + earlier.map(\.operation.id))
    return outcomes
  }
}
