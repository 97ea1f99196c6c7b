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
    let asked = Set(names)
    let found = try held(in: db) { id, key in asked.contains(id) || asked.contains(key) }
    let known = Set(found.flatMap { [$0.change.id.description, $0.change.row.id] })
    if let unknown = names.first(where: { !known.contains($0) }) {
      throw StoreError("nothing named '\(unknown)' is held back; osce close --json lists what is")
    }
    return onePerTransaction(found)
  }

  /// Those of some changes that are still held back, in the same order and as few.
  public static func still(_ changes: [OperationID], in db: Database) throws -> [KeptChange] {
    let asked = Set(changes.map(\.description))
    return onePerTransaction(try held(in: db) { id, _ in asked.contains(id) })
  }

  private typealias Held = (change: KeptChange, transaction: String)

  /// - Parameter isAsked: whether a change is one of those, by its identifier and the key of the row that it is on.
  private static func held(in db: Database, where isAsked: (String, String) -> Bool) throws -> [Held] {
    try ReadRow.fetchAll(
      db,
      sql: """
        SELECT k.id, k.entity, k.entityID, coalesce(
          (SELECT device || ' ' || tx FROM operation o WHERE o.id = k.id),
          (SELECT device || ' ' || tx FROM pending p WHERE p.id = k.id)) AS tx
        FROM (\(Outbox.attention)) k WHERE NOT \(RefusedChanges.deferredSQL("k.why")) ORDER BY k.since, k.id
        """, arguments: [Int64.min]
    ).compactMap { row in
      let (text, entity, key, tx): (String, String, String, String?) = (row[0], row[1], row[2], row[3])
      if !isAsked(text, key) { return nil }
      guard let id = OperationID(text) else {
        throw StoreError("the journal holds an operation with a broken identifier; run: osce doctor")
      }
      return (KeptChange(id: id, row: RowKey(entity: entity, id: key)), tx ?? text)
    }
  }

  private static func onePerTransaction(_ held: [Held]) -> [KeptChange] {
    var seen: Set<String> = []
    return held.filter { seen.insert($0.transaction).inserted }.map(\.change)
  }

  /// The operation of a change: as it is kept aside, else as it is in the journal on its row; nil where it is in neither.
  public static func operation(_ id: OperationID, on row: RowKey, in db: Database) throws -> Journal.Operation? {
    try PendingOperations.copies(of: id, in: db).last
      ?? OperationTable.versions(of: id, in: db).first { $0.row == row }
  }

  /// Whether somebody ruled on a change here and the hub does not have that yet.
  public static func isRuled(_ id: OperationID, in db: Database) throws -> Bool {
    let statement = try db.cachedStatement(
      sql: """
        SELECT EXISTS (SELECT 1 FROM operation
          WHERE entity = '\(Ruling.entity)' AND entityID = ? AND hubSeq IS NULL)
        """)
    return try Bool.fetchOne(statement, arguments: [id.description]) ?? false
  }
}
