import GRDB
import Journal
import Timer

import struct Foundation.Data

/// An entry that came from elsewhere and could not be taken: damaged, of no known form, against its device's chain, or
/// none that a file may bring.
/// It is kept as it came, so that what was meant can still be found, and it stops nothing else.
public struct RefusedEntry: Equatable, Sendable {
  /// Why one could not be taken, by the word that is stored.
  public enum Why: String, Sendable {
    /// It is none, or not in the form of one.
    case malformed
    /// It is larger than allowed.
    case tooLarge = "too_large"
    /// The operation is of a schema that this program does not know.
    case schema
    /// The operation is not in the form of one.
    case form
    /// Its content is not what its author sealed.
    case bodyHash = "body_hash"
    /// Its header is not what its author sealed.
    case hash
    /// It contradicts its device's chain.
    case fork
    /// The hub has another under its identifier.
    case twoVersions = "two_versions"
    /// What is in it made the store refuse it.
    case store
    /// Nobody but a hub can say it, and the store has none.
    case noHub = "no_hub"
    /// It is on the plan, the people or the templates, which no file may bring.
    case plan
    /// It is on a lock, which no file may bring.
    case lock

    /// What is wrong with what was read.
    public init(_ fault: WireFault) {
      self =
        switch fault.kind {
        case .malformed: .malformed
        case .tooLarge: .tooLarge
        case .schema: .schema
        case .damaged(.form): .form
        case .damaged(.bodyHash): .bodyHash
        case .damaged(.hash): .hash
        }
    }

    /// What is wrong with an operation in its chain.
    init(_ kind: ChainProblem.Kind) {
      self =
        switch kind {
        case .bodyHash: .bodyHash
        case .hash: .hash
        case .fork, .gap, .otherDevice: .fork
        }
    }
  }

  /// Why.
  public let why: Why
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
        Data(StreamDigest.of(bytes)), why.rawValue, operation?.description, Data(bytes), since.milliseconds,
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
