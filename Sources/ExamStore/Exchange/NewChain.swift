import GRDB
import Journal

import struct Foundation.Data

/// Operations as they were in a chain that another copy of the store wrote too.
enum FormerOperations {
  static func createTable(in db: Database) throws {
    try db.execute(
      sql: """
        CREATE TABLE formerOperation (device TEXT NOT NULL, deviceSeq INTEGER NOT NULL, id TEXT NOT NULL,
          hash BLOB NOT NULL, prevHash BLOB NOT NULL, PRIMARY KEY (device, deviceSeq, hash)) WITHOUT ROWID
        """)
  }

  /// Notes where an operation was; all else of it is kept under its new place.
  static func keep(_ operation: Operation, in db: Database) throws {
    try db.cachedStatement(
      sql: "INSERT OR IGNORE INTO formerOperation (device, deviceSeq, id, hash, prevHash) VALUES (?, ?, ?, ?, ?)"
    ).execute(
      arguments: [
        operation.device.description, operation.deviceSeq, operation.id.description, Data(operation.hash),
        Data(operation.prevHash),
      ])
  }
}

extension ExamStore {
  /// Goes on as a new device, because another copy of this store has written under the same: what the hub has of the
  /// chain stays, and what follows is sealed again in a chain of its own, each change with its identifier, time and
  /// content. All in one durable transaction.
  ///
  /// The cursor goes back to where the chains parted: a hub gives nobody their own operations, so what the other copy
  /// had sent by then was passed over here as this device's own.
  /// - Parameters:
  ///   - next: the new device.
  ///   - start: where the hub's log begins.
  public func continueAsNewDevice(_ next: UUIDBytes, logFrom start: LogMark) throws {
    let (author, clock, knowledge) = (Author.program, clock, knowledge)
    try merge { merge in
      let former = try device(in: merge.db)
      let (tail, shared) = try merge.releaseTail(of: former)
      try merge.goBack(to: shared, logFrom: start)
      try DeviceBinding.rebind(merge.db, to: next)
      let transaction = try JournalTransaction(
        merge.db, author: author, device: next, knowing: knowledge, clock: clock)
      try transaction.create(
        DeviceBinding.entity, next.description,
        DeviceBinding.description(at: location, continuing: former, clock))
      try transaction.seal()
      try merge.seal(tail, as: next)
    }
    boundDevice.withLock { $0 = next }
    seenChain.store(0, ordering: .relaxed)
  }
}

extension MergeTransaction {
  /// Takes the end of a chain out of it: what is before belongs to a device that is not this one any more.
  /// - Returns: the operations from the first that the hub has not numbered, in the order of the chain, and the number of
  ///   the last before them in the hub's log. What of them is there anyway, because its answer was lost, is known there
  ///   as the same change.
  fileprivate func releaseTail(of former: UUIDBytes) throws -> (tail: [Journal.Operation], shared: Int64) {
    let unanswered = try Int64.fetchOne(
      db, sql: "SELECT min(deviceSeq) FROM operation WHERE device = ? AND hubSeq IS NULL",
      arguments: [former.description])
    var first = try unanswered ?? ChainEnd.read(db, device: former).sequence + 1
    let following = try OperationTable.fetch("device = ? AND deviceSeq = ?", [former.description, first], in: db).first
    // A transaction that the hub has a part of goes over whole: the hub knows what it has of it.
    if let following, following.txIndex > 0 { first = max(1, first - Int64(following.txIndex)) }
    let tail = try OperationTable.fetch(
      "device = ? AND deviceSeq >= ?", [former.description, first], in: db
    ).sorted { $0.deviceSeq < $1.deviceSeq }
    for operation in tail { try FormerOperations.keep(operation, in: db) }
    let before = try OperationTable.fetch("device = ? AND deviceSeq = ?", [former.description, first - 1], in: db).first
    var end = try ChainEnd.read(db, device: former)
    (end.sequence, end.hash) = (first - 1, before?.hash ?? Journal.Operation.genesisHash)
    let latest = try Int64.fetchOne(
      db, sql: "SELECT max(hlc) FROM operation WHERE device = ? AND deviceSeq < ?",
      arguments: [former.description, first])
    end.time = HybridTime(raw: latest ?? 0)
    if end.sequence > 0 {
      try end.write(db, device: former)
    } else {
      try db.execute(sql: "DELETE FROM chain WHERE device = ?", arguments: [former.description])
    }
    try db.execute(
      sql: """
        INSERT OR REPLACE INTO merged (device, tx, firstSeq, lastSeq)
        SELECT device, tx, min(deviceSeq), max(deviceSeq) FROM operation WHERE device = ? AND deviceSeq < ? GROUP BY tx
        """, arguments: [former.description, first])
    return (tail, before?.hubSeq ?? 0)
  }

  /// Moves the cursor back to the last known place of the hub's log that is not after a number, and up to which it is
  /// here.
  fileprivate func goBack(to seq: Int64, logFrom start: LogMark) throws {
    guard let enrolment = try Enrolment.read(db) else { return }
    let last = min(seq, enrolment.mark?.seq ?? 0)
    let known = try LogMark.all(db).first { $0.seq <= last } ?? start
    let here = ExchangeCursor(epoch: enrolment.epoch, backTo: known, isPartial: enrolment.isPartial)
    try Enrolment.move(to: here, scope: nil, in: db)
  }

  /// Seals operations again at the end of a chain. They arrive again too: a chain stands in the order of arrival.
  fileprivate func seal(_ tail: [Journal.Operation], as device: UUIDBytes) throws {
    var end = try ChainEnd.read(db, device: device)
    for operation in tail {
      let sealed = operation.resealed(as: device, deviceSeq: end.sequence + 1, after: end.hash)
      for table in Shelf.tables {
        try db.cachedStatement(
          sql: """
            UPDATE \(table) SET device = ?, deviceSeq = ?, prevHash = ?, hash = ?, hubSeq = NULL, result = ?,
              answeredAt = NULL WHERE id = ? AND hash = ?
            """
        ).execute(
          arguments: [
            device.description, sealed.deviceSeq, Data(sealed.prevHash), Data(sealed.hash),
            operation.refusalOfItsTime?.description, operation.id.description, Data(operation.hash),
          ])
      }
      // A number in that order stays taken, as that of a change of the row.
      try db.cachedStatement(
        sql: """
          INSERT INTO rowChange (seq, entity, entityID) SELECT seq, entity, entityID FROM operation
          WHERE id = ? AND hash = ?
          """
      ).execute(arguments: [operation.id.description, Data(sealed.hash)])
      try db.cachedStatement(
        sql: "UPDATE operation SET seq = \(OperationTable.nextNumber) WHERE id = ? AND hash = ?"
      ).execute(arguments: [operation.id.description, Data(sealed.hash)])
      try db.execute(
        sql: "UPDATE withheldContent SET hash = ? WHERE id = ? AND hash = ?",
        arguments: [Data(sealed.hash), operation.id.description, Data(operation.hash)])
      end = ChainEnd(sequence: sealed.deviceSeq, hash: sealed.hash, time: max(end.time, sealed.hlc))
    }
    try end.write(db, device: device)
  }
}
