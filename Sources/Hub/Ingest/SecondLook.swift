import Journal
import Sync

/// Looks again at operations that are here and come once more.
struct SecondLook {
  private let tables: IngestTables
  private let settling: Settling

  init(_ tables: IngestTables, _ settling: Settling) {
    self.tables = tables
    self.settling = settling
  }

  /// Looks again at operations that are here and come once more: with the content that was missing, or from the device
  /// itself where another had passed them on that may not, or while the device had no place.
  func takeAgain(_ arrivals: [Journal.Operation], from sender: DeviceRecord, passedOnBy relayer: DeviceRecord? = nil)
    throws
  {
    try tables.log.held.load(.operationsByID, arrivals.map { [HubValue($0.id)] })
    var open: [TransactionKey: Set<OperationID>] = [:]
    var keys: [TransactionKey] = []
    for operation in arrivals {
      let versions = try tables.operations.versions(of: operation.id)
      guard let stored = versions.first(where: { $0.operation.hash == operation.hash }) else { continue }
      if Self.isContent(operation, of: stored.operation, isOwn: relayer == nil) {
        if let relayer, try !mayBring(operation, relayer, from: sender) { continue }
        let atoms = try tables.scope.atoms(for: OpenedOperation(operation), at: tables.log.head.seq + 1, counts: false)
        try tables.operations.fill(operation, atoms: atoms)
        settling.filled.insert(operation.id)
      } else {
        guard relayer == nil, Self.isForTheAuthor(stored.fate), try tables.log.note(at: stored.seq) == .relayed
        else { continue }
      }
      // A copy does nothing that the first has not done.
      guard versions.first?.operation.hash == operation.hash else { continue }
      try tables.operations.note(.result(.deferred(.transactionIncomplete)), of: operation)
      let key = TransactionKey(operation)
      if open.updateValue(open[key, default: []].union([operation.id]), forKey: key) == nil { keys.append(key) }
    }
    for key in keys {
      try decideAgain(open[key, default: []], key, from: sender, relayer)
    }
  }

  /// Whether an operation that others passed on was kept back for what its author's own token answers.
  private static func isForTheAuthor(_ fate: LogEntry.Fate) -> Bool {
    fate == .result(.quarantined(.session)) || fate == .result(.quarantined(.revoked))
  }

  /// Whether an operation brings what one that is here lacks: what only was not sent, or by the device itself what
  /// another said to be lost or kept back.
  private static func isContent(
    _ operation: Journal.Operation, of stored: Journal.Operation, isOwn: Bool
  ) -> Bool {
    guard operation.sealedBody != nil, stored.sealedBody == nil else { return false }
    return stored.absent == .scope || isOwn && stored.absent != .erased
  }

  /// Whether what a device brings of another would count: content that would only be kept for a person waits for who may
  /// bring it, for it takes with it what stands of its transaction.
  private func mayBring(
    _ operation: Journal.Operation, _ relayer: DeviceRecord, from sender: DeviceRecord
  ) throws -> Bool {
    let opened = OpenedOperation(operation)
    let door = try Door(tables, sender, [operation.hash: relayer], transaction: [opened])
    defer { tables.memory.note([opened]) }
    return try door.refusal(of: opened) != .quarantined(.session)
  }

  /// Decides again on the members of a transaction that came once more, as on new ones.
  private func decideAgain(
    _ ids: Set<OperationID>, _ key: TransactionKey, from sender: DeviceRecord, _ relayer: DeviceRecord?
  ) throws {
    let members = try tables.members(of: key)
    let open = members.filter { ids.contains($0.operation.id) }
    let relayers = relayer.map { relayer in
      Relayers(open.map { ($0.operation.hash, relayer) }, uniquingKeysWith: { first, _ in first })
    }
    let door = try Door(tables, sender, relayers ?? [:], transaction: open.map(\.opened))
    defer { tables.memory.forget() }
    var refused: [OperationID: HubResult] = [:]
    for member in open {
      if let refusal = try door.refusal(of: member.opened) { refused[member.operation.id] = refusal }
    }
    if refused.isEmpty {
      try settling.settle(members, key)
    } else {
      try settling.finish(members, refused.spread(over: members.map(\.operation)))
    }
    for member in open {
      // That it waits now is news, too.
      guard let stored = try tables.operations.versions(of: member.operation.id).first, stored.fate.isDeferred
      else { continue }
      tables.log.append(
        .verdict(member.operation.id, stored.fate, by: nil), settling.note(of: member.operation.id))
    }
    try settling.wake(members.map(\.operation.id))
    try settling.ruleOn(open.map(\.operation.id))
  }
}
