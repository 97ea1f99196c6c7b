import GRDB
import Journal

/// What of a store's journal may leave it, as it travels: what its direction keeps here goes without its content.
package enum OutgoingOperations {
  /// How many there are.
  package static func count(_ db: Database) throws -> Int {
    try Int.fetchOne(db, sql: "SELECT count(*) FROM (\(OperationTable.everywhere))") ?? 0
  }

  /// Calls `body` with each operation that is here, of whatever device and whether it counts or not, chain by chain, and
  /// with what a hub said of it.
  package static func forEach(in db: Database, _ body: (WireOperation) throws -> Void) throws {
    let rows = try ReadRow.fetchCursor(
      db, sql: "\(OperationTable.everywhere) ORDER BY device, deviceSeq, hash")
    while let row = try rows.next() {
      let operation = try OperationTable.operation(row)
      let sends: Bool? = row[OperationTable.extra]
      let stays = sends == false && operation.sealedBody != nil
      var wire = WireOperation(operation, withholding: stays ? .withheld : nil)
      wire.said =
        operation.hubSeq == nil ? operation.refusalOfItsTime : operation.result.flatMap { HubResult($0) }
      try body(wire)
    }
  }

  /// The end of each device's chain, as far as it is here.
  package static func tips(_ db: Database) throws -> [ChainTip] {
    try String.fetchAll(db, sql: "SELECT device FROM chain WHERE lastSeq > 0 ORDER BY device").compactMap { text in
      try UUIDBytes(text).map { try ChainEnd.tip(of: $0, in: db) }
    }
  }

  /// What was ruled on operations that are here.
  package static func verdicts(_ db: Database) throws -> [(id: OperationID, verdict: Journal.Verdict)] {
    let sql = """
      SELECT id, verdict FROM operation WHERE verdict IS NOT NULL
      UNION SELECT id, verdict FROM pending WHERE verdict IS NOT NULL ORDER BY id
      """
    return try ReadRow.fetchAll(db, sql: sql).compactMap { row in
      guard let id = OperationID(row[0]), let verdict = Journal.Verdict(rawValue: row[1]) else { return nil }
      return (id, verdict)
    }
  }

  /// The operations whose content was destroyed because a hub said so.
  package static func erased(_ db: Database) throws -> [OperationID] {
    guard try Enrolment.exists(db) else { return [] }
    let sql = """
      SELECT id FROM operation WHERE absent = 'erased' UNION SELECT id FROM pending WHERE absent = 'erased' ORDER BY id
      """
    return try String.fetchAll(db, sql: sql).compactMap { OperationID($0) }
  }
}
