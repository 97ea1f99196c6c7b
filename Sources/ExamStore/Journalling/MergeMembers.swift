import GRDB
import Journal

/// What is here of transactions: their operations, what waits for one, and what names it.
extension MergeTransaction {
  func copies(of id: OperationID) throws -> [Journal.Operation] {
    let kept = try PendingOperations.copies(of: id, in: db)
    let journalled = try OperationTable.versions(of: id, in: db)
    return journalled.filter { operation in !kept.contains { $0.hash == operation.hash } } + kept
  }

  func members(of key: TransactionKey) throws -> [Member] {
    let kept = try PendingOperations.members(device: key.device, tx: key.tx, in: db)
    var members: [Member] = []
    let journalled = try journalled(key, besides: kept)
    for operation in journalled where !kept.contains(where: { $0.id == operation.id && $0.hash == operation.hash }) {
      members.append(Member(opened: OpenedOperation(operation), isInJournal: true, state: nil))
    }
    for operation in kept {
      let standing = try PendingOperations.standing(of: operation.id, operation.hash, in: db)
      members.append(
        Member(
          opened: OpenedOperation(operation),
          isInJournal: journalled.contains { $0.id == operation.id && $0.hash == operation.hash },
          state: standing?.state, isOutvoted: standing.map(PendingOperations.isOutvoted) ?? false))
    }
    return members
  }

  /// The operations of a transaction that are in the journal.
  private func journalled(_ key: TransactionKey, besides kept: [Journal.Operation]) throws -> [Journal.Operation] {
    if key.device == device {
      return try OperationTable.fetch("device = ? AND tx = ?", [key.device.description, key.tx.description], in: db)
    }
    let bounds = try ReadRow.fetchOne(
      db.cachedStatement(sql: "SELECT firstSeq, lastSeq FROM merged WHERE device = ? AND tx = ?"),
      arguments: [key.device.description, key.tx.description])
    guard let bounds else { return [] }
    return try OperationTable.fetch(
      "device = ? AND deviceSeq BETWEEN ? AND ? AND tx = ?",
      [key.device.description, try bounds.counted(0), try bounds.counted(1), key.tx.description], in: db)
  }

  /// The transactions that wait for an operation; they are taken off the list.
  func waiters(for id: OperationID) throws -> [TransactionKey] {
    let statement = try db.cachedStatement(sql: "SELECT device, tx FROM pendingCause WHERE cause = ?")
    let keys = try ReadRow.fetchAll(statement, arguments: [id.description]).compactMap { TransactionKey($0) }
    if !keys.isEmpty {
      try db.cachedStatement(sql: "DELETE FROM pendingCause WHERE cause = ?").execute(arguments: [id.description])
    }
    return keys
  }

  /// The transactions that name an operation that was decided before: nothing lists them, for next to none ever change.
  func namers(of id: OperationID) throws -> [TransactionKey] {
    try Shelf.tables.flatMap { table in
      try ReadRow.fetchAll(
        db, sql: "SELECT DISTINCT device, tx FROM \(table) WHERE instr(body, CAST(? AS BLOB)) > 0",
        arguments: [id.description]
      ).compactMap { TransactionKey($0) }
    }
  }
}

extension TransactionKey {
  /// Reads device and transaction, the first two columns of a row; nil where they are none.
  fileprivate init?(_ row: ReadRow) {
    guard let device = UUIDBytes(row[0]), let tx = UUIDBytes(row[1]) else { return nil }
    self.init(device: device, tx: tx)
  }
}
