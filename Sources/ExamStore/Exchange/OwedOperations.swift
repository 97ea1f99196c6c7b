import GRDB
import Journal

import struct Foundation.Data

/// What a store sends to its hub next.
public enum OwedOperations: Sendable {
  /// Operations in the order of a chain; none: the hub has all.
  case operations([WireOperation])
  /// What the hub has of this chain is not what is here.
  case otherChain
}

/// How much of a chain is sent at once.
public struct OwedLimit: Sendable {
  /// Operations; a transaction that has no more is not split.
  public var operations: Int
  /// Bytes as they are written, before they are compressed.
  public var bytes: Int

  /// A limit.
  public init(operations: Int, bytes: Int) {
    self.operations = operations
    self.bytes = bytes
  }
}

extension ExamStore {
  /// What of this device's chain follows what the hub has: all of it, what stays here without its content. What the hub
  /// has and never answered for, because its answer was lost, goes again.
  /// - Parameters:
  ///   - last: where the chain ends at the hub.
  ///   - damaged: operations whose content the hub does not take: they are sent without it.
  public func owed(
    after last: ChainTip, limit: OwedLimit, damaged: Set<OperationID> = []
  ) throws -> OwedOperations {
    try read { db in
      let device = try device(in: db)
      guard last.device == device, try OutgoingOperations.isOfChain(last, in: db) else { return .otherChain }
      let unanswered = try OutgoingOperations.firstUnanswered(of: device, in: db) ?? .max
      return .operations(
        try OutgoingOperations.batch(
          from: "operation", where: "device = ? AND deviceSeq > ? ORDER BY deviceSeq",
          [device.description, min(last.deviceSeq, unanswered - 1)], limit: limit, damaged: damaged, in: db))
    }
  }

  /// How many operations of other devices have content and no number of the hub. It costs what waits.
  public func unnumbered() throws -> Int {
    try read { db in
      let statement = try db.cachedStatement(
        sql: """
          SELECT (SELECT count(*) FROM operation WHERE sends = 1 AND hubSeq IS NULL AND device <> ?1)
            + (SELECT count(*) FROM pending p WHERE \(Outbox.waitsAside("p")) AND device <> ?1)
          """)
      let device = try device(in: db)
      return try Int.fetchOne(statement, arguments: [device.description]) ?? 0
    }
  }

  /// Operations of other devices that have no number of the hub, chain by chain.
  /// - Parameter place: the last one that was sent before; nil: from the beginning.
  public func unnumbered(after place: ChainTip?, limit: OwedLimit) throws -> [WireOperation] {
    try read { db in
      let device = try device(in: db)
      return try OutgoingOperations.batch(
        from: "(\(OperationTable.everywhere))",
        where: """
          hubSeq IS NULL AND device <> ?1 AND (device, deviceSeq, hash) > (?2, ?3, ?4) ORDER BY device, deviceSeq, hash
          """,
        [
          device.description, place?.device.description ?? "", place?.deviceSeq ?? 0, Data(place?.hash ?? []),
        ], limit: limit, damaged: [], in: db)
    }
  }
}

extension OutgoingOperations {
  /// The place in a chain of the first of its operations here that has no number of the hub; nil: all have. In the order
  /// of arrival, which is a chain's own, it is found at once, however many there are.
  fileprivate static func firstUnanswered(of device: UUIDBytes, in db: Database) throws -> Int64? {
    try [1, 0].compactMap { sends in
      let statement = try db.cachedStatement(
        sql: """
          SELECT deviceSeq FROM operation WHERE sends = \(sends) AND hubSeq IS NULL AND device = ? ORDER BY seq LIMIT 1
          """)
      return try Int64.fetchOne(statement, arguments: [device.description])
    }.min()
  }

  /// Whether what a hub has of a chain is here, and the same.
  fileprivate static func isOfChain(_ tip: ChainTip, in db: Database) throws -> Bool {
    if tip.deviceSeq == 0 { return tip.hash == Operation.genesisHash }
    return try OperationTable.fetch(
      "device = ? AND deviceSeq = ?", [tip.device.description, tip.deviceSeq], in: db
    ).first?.hash == tip.hash
  }

  fileprivate static func batch(
    from source: String, where condition: String, _ arguments: StatementArguments, limit: OwedLimit,
    damaged: Set<OperationID>, in db: Database
  ) throws -> [WireOperation] {
    let rows = try ReadRow.fetchCursor(
      db.cachedStatement(sql: "SELECT \(OperationTable.columns), sends FROM \(source) WHERE \(condition)"),
      arguments: arguments)
    var (batch, size, isCut) = ([WireOperation](), 0, false)
    while let row = try rows.next() {
      let operation = try OperationTable.operation(row)
      let sends: Bool? = row[OperationTable.extra]
      let reason: AbsentContent? =
        damaged.contains(operation.id) && operation.sealedBody != nil
        ? .damaged : sends == false && operation.sealedBody != nil ? .withheld : nil
      var wire = WireOperation(operation, withholding: reason)
      wire.said = operation.refusalOfItsTime
      size += 1024 + (wire.operation.sealedBody?.count ?? 0)
      let isFull = batch.count >= limit.operations || size > limit.bytes
      // One transaction that fits by its number goes whole, though it is larger than a batch as a rule.
      let isWithin =
        batch.first?.operation.tx == operation.tx && operation.txSize <= limit.operations && size <= 3 * limit.bytes
      if isFull && !batch.isEmpty && !isWithin {
        isCut = true
        break
      }
      batch.append(wire)
    }
    return isCut ? wholeTransactions(batch) : batch
  }

  /// A batch without the beginning of a transaction at its end, unless there is nothing else in it.
  private static func wholeTransactions(_ batch: [WireOperation]) -> [WireOperation] {
    guard let last = batch.last?.operation, last.txIndex < last.txSize - 1 else { return batch }
    let whole = batch.prefix { $0.operation.tx != last.tx }
    return whole.isEmpty ? batch : Array(whole)
  }
}
