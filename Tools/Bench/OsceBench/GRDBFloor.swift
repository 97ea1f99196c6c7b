import GRDB

/// The rows of one save through GRDB alone: what the store would cost without the journal's work.
final class GRDBFloor {
  private static let columns = """
    id, device, deviceSeq, tx, txIndex, txSize, kind, entity, entityID, body, bodyHash, hlc, wallTime, clockError, \
    examTime, staff, sitting, reason, schema, prevHash, hash, hubSeq, result
    """

  private let queue: DatabaseQueue
  private let item: String
  private var operation: [DatabaseValue]
  private var heads: String
  private var sequence: Int64
  private var time: Int64

  init(path: String, item: String) throws {
    var configuration = Configuration()
    configuration.foreignKeysEnabled = true
    configuration.prepareDatabase { db in
      try db.execute(
        sql: """
          PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA mmap_size = 0; PRAGMA cache_size = -512;
          PRAGMA trusted_schema = OFF; PRAGMA wal_autocheckpoint = 0
          """)
    }
    queue = try DatabaseQueue(path: path, configuration: configuration)
    self.item = item
    (operation, heads, sequence) = try queue.inDatabase { db in
      let model = try Row.fetchOne(
        db, sql: "SELECT \(GRDBFloor.columns) FROM operation WHERE entityID = ? ORDER BY seq DESC LIMIT 1",
        arguments: [item])!
      let heads = try String.fetchOne(db, sql: "SELECT heads FROM dataQuestion WHERE uuid = ?", arguments: [item])!
      return (Array(model.databaseValues), heads, try Int64.fetchOne(db, sql: "SELECT lastSeq FROM chain")!)
    }
    time = Int64.fromDatabaseValue(operation[11])!
  }

  func save(rating: Double) throws {
    sequence += 1
    time += 65536
    let old = String.fromDatabaseValue(operation[0])!
    let id = renewed(old)
    heads = heads.replacing(old, with: id)
    operation[0] = id.databaseValue
    operation[2] = sequence.databaseValue
    operation[3] = renewed(String.fromDatabaseValue(operation[3])!).databaseValue
    operation[11] = time.databaseValue
    try queue.writeWithoutTransaction { db in
      try db.inTransaction(.immediate) {
        try db.cachedStatement(
          sql: """
            UPDATE dataQuestion SET heads = ?, enteredByID = ?, judgedByID = ?, markedAt = ?, rating = ?,
              source = 'screen', unable = 0 WHERE uuid = ?
            """
        ).execute(arguments: [heads, operation[15], operation[15], time >> 16, rating, item])
        try db.cachedStatement(
          sql: """
            INSERT INTO operation (\(GRDBFloor.columns)) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)
            """
        ).execute(arguments: StatementArguments(operation))
        try db.cachedStatement(
          sql: "INSERT OR REPLACE INTO chain (device, lastSeq, lastHash, lastTime) VALUES (?,?,?,?)"
        ).execute(arguments: [operation[1], sequence, operation[20], time])
        return .commit
      }
      // As often as the store does, so that all write to a log that has been written over.
      if sequence % 200 == 0 { try db.checkpoint(.passive) }
    }
  }

  /// A fresh identifier in the place of the old: the last eight digits count.
  private func renewed(_ identifier: String) -> String {
    let digits = String(UInt32(truncatingIfNeeded: sequence), radix: 16)
    return identifier.prefix(28) + String(repeating: "0", count: 8 - digits.count) + digits
  }
}
