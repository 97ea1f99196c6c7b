import GRDB
import Journal
import Timer

import struct Foundation.Data

/// An entry that came from elsewhere and could not be taken: damaged, of no known form, against its device's chain, or
/// none that a file may bring.
/// It is kept as it came, so that what was meant can still be found, and it stops nothing else.
public struct RefusedEntry: Equatable, Sendable {
  /// Why, in a word: `form`, `body_hash`, `hash`, `fork`, `too_large`, `schema`, `malformed`, `store`, `no_hub`,
  /// `plan`, `lock`.
  public let why: String
  /// The operation, where it says which.
  public let operation: OperationID?
  /// When it came first.
  public let since: Instant

  static func createTable(in db: Database) throws {
    try db.execute(
      sql: """
        CREATE TABLE refusedEntry (digest BLOB PRIMARY KEY, why TEXT NOT NULL, operation TEXT, entry BLOB NOT NULL,
          since INTEGER NOT NULL) WITHOUT ROWID
        """)
  }

  /// Keeps an entry; one that is kept already stays as it is.
  func save(_ bytes: [UInt8], in db: Database) throws {
    try db.cachedStatement(
      sql: "INSERT OR IGNORE INTO refusedEntry (digest, why, operation, entry, since) VALUES (?, ?, ?, ?, ?)"
    ).execute(
      arguments: [
        Data(StreamDigest.of(bytes)), why, operation?.description, Data(bytes), since.milliseconds,
      ])
  }

  /// Forgets what was kept of an operation whose content is to be destroyed.
  /// - Returns: how many entries that were.
  static func destroy(_ id: OperationID, in db: Database) throws -> Int {
    try db.cachedStatement(sql: "DELETE FROM refusedEntry WHERE operation = ?").execute(arguments: [id.description])
    return db.changesCount
  }

  /// How many are kept.
  package static func count(_ db: Database) throws -> Int {
    guard try db.holdsTable("refusedEntry") else { return 0 }
    return try Int.fetchOne(db, sql: "SELECT count(*) FROM refusedEntry") ?? 0
  }
}
