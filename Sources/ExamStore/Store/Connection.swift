import GRDB
import GRDBSQLite

/// How a connection to a store is set up, and the proof that it took effect.
package enum Connection {
  /// How long SQLite waits for the lock of a program that does not know the store's own, in seconds: as long as this
  /// process waits for that one, where that has an end.
  static var busySeconds: Int { StoreLock.patience.withLock { $0 } ?? 5 }

  /// The settings of every connection.
  package static func configuration(readOnly: Bool) -> Configuration {
    var configuration = Configuration()
    configuration.busyMode = .timeout(Double(busySeconds))
    // Rows arrive before those that they name, or without them: the tables declare what names what, so that doctor
    // can say which rows are missing, but no save and no arrival fails because of it.
    configuration.foreignKeysEnabled = false
    configuration.readonly = readOnly
    configuration.prepareDatabase { db in
      // The library notes every column that a statement names, set by set, so as to tell observers of changes. Nobody
      // observes a connection that changes nothing, and to prepare a statement takes a third less time without.
      if readOnly { sqlite3_set_authorizer(db.sqliteConnection, nil, nil) }
      try db.execute(sql: "PRAGMA mmap_size = 0")
      try db.execute(sql: "PRAGMA cache_size = -256")
      try db.execute(sql: "PRAGMA trusted_schema = OFF")
      // Checkpoints run in idle time under the store's lock, never inside somebody's save.
      try db.execute(sql: "PRAGMA wal_autocheckpoint = 0")
    }
    return configuration
  }

  /// Lets a connection that goes through a whole store keep more of it: a terminal's share is small, for there are many.
  package static func keepMore(_ db: Database) throws { try db.execute(sql: "PRAGMA cache_size = -32768") }

  /// Turns on the write-ahead log with a sync at each commit, and reads both settings back.
  /// - Throws: `StoreError` if the file system or the library does not give that durability.
  static func makeDurable(_ db: Database) throws {
    let mode = try String.fetchOne(db, sql: "PRAGMA journal_mode = WAL")
    try db.execute(sql: "PRAGMA synchronous = FULL")
    // As a number whatever the layer below answers with: some answer a pragma themselves, in text.
    let synchronous = try Int.fetchOne(db, sql: "SELECT CAST(synchronous AS INTEGER) FROM pragma_synchronous")
    guard mode == "wal", synchronous == 2 else {
      throw StoreError(
        "this store cannot promise durability (journal mode \(mode ?? "unknown"), synchronous \(synchronous ?? -1));"
          + " nothing was changed; use a local disk")
    }
  }
}

extension DatabaseQueue {
  /// Reads one consistent view. One that was closed is refused: the library would read memory that is gone.
  /// - Throws: `StoreError` if it was closed, `DatabaseError`, and what `body` throws.
  func view<T>(_ body: (Database) throws -> T) throws -> T {
    try inDatabase { db in
      if db.sqliteConnection == nil {
        throw StoreError("the exam has been closed here; begin again", isDiskError: true)
      }
      var result: T?
      try db.inTransaction(.deferred) {
        result = try body(db)
        return .commit
      }
      return result!
    }
  }
}
