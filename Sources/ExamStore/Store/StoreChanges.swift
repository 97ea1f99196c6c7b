import GRDB
import Journal

/// What was changed in a store since a look before: what a screen that shows some rows needs to know whether to read
/// them again. It costs what was changed, whatever was changed before.
public struct StoreChanges: Equatable, Sendable {
  /// The number of the last operation that has arrived here.
  public let last: Int64
  /// The rows that were changed.
  public let rows: Set<RowKey>
  /// Whether a hub takes what is stored here, and how much it does not have yet.
  public let hub: HubContact

  /// - Parameters:
  ///   - sequence: the number of the last operation at the look before.
  ///   - seen: rows that were read since, each with the number of the last operation then: they are left out unless
  ///     they were changed again.
  static func read(after sequence: Int64, except seen: [RowKey: Int64], in db: Database) throws -> StoreChanges {
    let statement = try db.cachedStatement(
      sql: """
        SELECT seq, entity, entityID FROM operation WHERE seq > ?1
        UNION ALL SELECT seq, entity, entityID FROM rowChange WHERE seq > ?1 ORDER BY 1
        """)
    var last = sequence
    var rows: Set<RowKey> = []
    let found = try ReadRow.fetchCursor(statement, arguments: [sequence])
    while let row = try found.next() {
      last = row[0]
      let key = RowKey(entity: row[1], id: row[2])
      if seen[key].map({ last > $0 }) ?? true { rows.insert(key) }
    }
    return StoreChanges(last: last, rows: rows, hub: try HubContact.read(db))
  }
}

extension ExamStore {
  /// The number of the last operation that has arrived here.
  public func lastSequence() throws -> Int64 { try read { try ExamStore.lastSequence($0) } }

  /// The same in a read that is under way.
  public static func lastSequence(_ db: Database) throws -> Int64 {
    try Int64.fetchOne(
      db.cachedStatement(
        sql: "SELECT max(coalesce((SELECT max(seq) FROM operation), 0), coalesce((SELECT max(seq) FROM rowChange), 0))"
      )) ?? 0
  }

  /// What was changed after an operation.
  /// - Parameter seen: rows that were read since, each with the number of the last operation then.
  public func changes(since sequence: Int64, except seen: [RowKey: Int64] = [:]) throws -> StoreChanges {
    try read { try StoreChanges.read(after: sequence, except: seen, in: $0) }
  }
}
