import GRDB
import Journal

/// A change that counts for nothing because the hub refused it or keeps it back, and on which nobody has ruled there.
public struct KeptChange: Equatable, Sendable {
  /// The operation.
  public let id: OperationID
  /// The row that it is on.
  public let row: RowKey

  /// Those with one of these identifiers, or on a row with one of these keys, the earliest first; of each transaction one,
  /// for the hub rules on all of it together.
  /// - Throws: `StoreError` with the first of the names by which nothing is held back.
  public static func named(_ names: [String], in db: Database) throws -> [KeptChange] {
    let found = try ReadRow.fetchAll(
      db,
      sql: """
        SELECT k.id, k.entity, k.entityID, coalesce(
          (SELECT device || ' ' || tx FROM operation o WHERE o.id = k.id),
          (SELECT device || ' ' || tx FROM pending p WHERE p.id = k.id)) AS tx
        FROM (\(Outbox.attention)) k WHERE substr(k.why, 1, 8) <> 'deferred' ORDER BY k.since, k.id
        """, arguments: [Int64.min])
    let asked = Set(names)
    let named = found.filter { asked.contains($0[0]) || asked.contains($0[2]) }
    let known = Set(named.flatMap { [$0[0], $0[2]] as [String] })
    if let unknown = names.first(where: { !known.contains($0) }) {
      throw StoreError("nothing named '\(unknown)' is held back; osce close --json lists what is")
    }
    var seen: Set<String> = []
    return try named.compactMap { row in
      let (text, entity, key, tx): (String, String, String, String?) = (row[0], row[1], row[2], row[3])
      guard let id = OperationID(text) else {
        throw StoreError("the journal holds an operation with a broken identifier; run: osce doctor")
      }
      return seen.insert(tx ?? text).inserted ? KeptChange(id: id, row: RowKey(entity: entity, id: key)) : nil
    }
  }

  /// The operation of a change: as it is kept aside, else as it is in the journal on its row; nil where it is in neither.
  public static func operation(_ id: OperationID, on row: RowKey, in db: Database) throws -> Journal.Operation? {
    try PendingOperations.copies(of: id, in: db).last
      ?? OperationTable.versions(of: id, in: db).first { $0.row == row }
  }

  /// Whether somebody ruled on a change here and the hub does not have that yet.
  public static func isRuled(_ id: String, in db: Database) throws -> Bool {
    let statement = try db.cachedStatement(
      sql: """
        SELECT EXISTS (SELECT 1 FROM operation
          WHERE entity = '\(Ruling.entity)' AND entityID = ? AND hubSeq IS NULL)
        """)
    return try Bool.fetchOne(statement, arguments: [id]) ?? false
  }
}
