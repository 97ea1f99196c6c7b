import GRDB
import Journal
import Timer

import struct Foundation.Data

/// Operations of other devices that wait for others, and all that count for nothing.
///
/// One that waits, or is refused, is kept here whole; in the journal are those that are applied, and all that this
/// device made itself, because they are its chain.
enum PendingOperations {
  /// What an operation that is kept here waits for, or why it is refused.
  enum State: String {
    case parked
    case refused
  }

  /// Makes the tables. None of them travels.
  static func create(in db: Database) throws {
    try db.execute(
      sql: """
        CREATE TABLE pending (id TEXT NOT NULL, hash BLOB NOT NULL, device TEXT NOT NULL, deviceSeq INTEGER NOT NULL,
          tx TEXT NOT NULL, txIndex INTEGER NOT NULL, txSize INTEGER NOT NULL, kind TEXT NOT NULL,
          entity TEXT NOT NULL, entityID TEXT NOT NULL, body BLOB, bodyHash BLOB NOT NULL, hlc INTEGER NOT NULL,
          wallTime INTEGER NOT NULL, clockError INTEGER NOT NULL, examTime INTEGER, staff INTEGER, sitting TEXT,
          reason TEXT, schema INTEGER NOT NULL, prevHash BLOB NOT NULL, hubSeq INTEGER, result TEXT,
          state TEXT NOT NULL, why TEXT NOT NULL, since INTEGER NOT NULL, PRIMARY KEY (id, hash)) WITHOUT ROWID;
        CREATE INDEX pending_transaction ON pending (device, tx);
        CREATE INDEX pending_sequence ON pending (device, deviceSeq);
        CREATE TABLE pendingCause (cause TEXT NOT NULL, device TEXT NOT NULL, tx TEXT NOT NULL,
          PRIMARY KEY (cause, device, tx)) WITHOUT ROWID;
        CREATE TABLE barred (id TEXT PRIMARY KEY, why TEXT NOT NULL) WITHOUT ROWID;
        CREATE TABLE merged (device TEXT NOT NULL, tx TEXT NOT NULL, firstSeq INTEGER NOT NULL,
          lastSeq INTEGER NOT NULL, PRIMARY KEY (device, tx)) WITHOUT ROWID;
        CREATE TABLE rowChange (seq INTEGER PRIMARY KEY, entity TEXT NOT NULL, entityID TEXT NOT NULL);
        """)
  }

  /// Adds what hubs and persons say of an operation that is kept here, and why its content is not.
  static func addAnswers(in db: Database) throws {
    for column in ["answeredAt INTEGER", "absent TEXT", "verdict TEXT"] {
      try db.execute(sql: "ALTER TABLE pending ADD COLUMN \(column)")
    }
  }

  /// The names of the tables.
  static let tables = ["pending", "pendingCause", "barred", "merged", "rowChange"]

  // MARK: Whether an operation counts

  /// Whether an operation that is here counts for nothing, or not yet.
  static func isVoid(_ operation: Operation, in db: Database) throws -> Bool {
    let statement = try db.cachedStatement(
      sql: """
        SELECT EXISTS (SELECT 1 FROM pending WHERE id = ?1 AND hash = ?2)
          OR EXISTS (SELECT 1 FROM barred WHERE id = ?1)
        """)
    return try Bool.fetchOne(statement, arguments: [operation.id.description, Data(operation.hash)]) ?? false
  }

  /// What became of an operation as far as the tables say; nil while it waits or is not here.
  static func fate(of id: OperationID, in db: Database) throws -> AdmissionResult? {
    if try isBarred(id, in: db) { return .void }
    let statement = try db.cachedStatement(
      sql: """
        SELECT hlc, body IS NULL FROM operation o WHERE id = ?
          AND NOT EXISTS (SELECT 1 FROM pending p WHERE p.id = o.id AND p.hash = o.hash)
        """)
    if let row = try ReadRow.fetchOne(statement, arguments: [id.description]) {
      return row[1] ? .void : .applied(HybridTime(raw: row[0]))
    }
    return try state(of: id, in: db) == .refused ? .void : nil
  }

  /// The latest time of a device's operations that count here; nil where none does.
  static func latestTime(of device: UUIDBytes, in db: Database) throws -> HybridTime? {
    let statement = try db.cachedStatement(
      sql: """
        SELECT max(hlc) FROM operation o WHERE device = ? AND body IS NOT NULL
          AND NOT EXISTS (SELECT 1 FROM pending p WHERE p.id = o.id AND p.hash = o.hash)
          AND NOT EXISTS (SELECT 1 FROM barred b WHERE b.id = o.id)
        """)
    return try Int64.fetchOne(statement, arguments: [device.description]).map { HybridTime(raw: $0) }
  }

  /// What became of an operation that is kept here; of several with one identifier, of the one that may still count.
  static func state(of id: OperationID, in db: Database) throws -> State? {
    let statement = try db.cachedStatement(sql: "SELECT state FROM pending WHERE id = ? ORDER BY state LIMIT 1")
    return try String.fetchOne(statement, arguments: [id.description]).flatMap { State(rawValue: $0) }
  }

  /// What became of one copy of an operation, and why; nil if it is not kept here.
  static func standing(
    of id: OperationID, _ hash: [UInt8], in db: Database
  ) throws -> (state: State, why: String)? {
    let statement = try db.cachedStatement(sql: "SELECT state, why FROM pending WHERE id = ? AND hash = ?")
    let row = try ReadRow.fetchOne(statement, arguments: [id.description, Data(hash)])
    return row.flatMap { row in State(rawValue: row[0]).map { ($0, row[1]) } }
  }

  /// Whether another operation under the identifier of this one stands at the hub, or would: only a hub's word changes
  /// that.
  static func isOutvoted(_ operation: Operation, in db: Database) throws -> Bool {
    try standing(of: operation.id, operation.hash, in: db).map(isOutvoted) ?? false
  }

  static func isOutvoted(_ standing: (state: State, why: String)) -> Bool {
    standing == (.refused, Journal.Refusal.twoVersions.code)
  }

  static func isBarred(_ id: OperationID, in db: Database) throws -> Bool {
    let statement = try db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM barred WHERE id = ?)")
    return try Bool.fetchOne(statement, arguments: [id.description]) ?? false
  }

  /// Bars an operation, here or not, for good.
  static func bar(_ id: OperationID, because why: Journal.Refusal, in db: Database) throws {
    try db.cachedStatement(
      sql: """
        INSERT INTO barred (id, why) VALUES (?1, ?2)
        ON CONFLICT DO UPDATE SET why = ?2 WHERE why <> '\(Journal.Refusal.rejected.code)'
        """
    ).execute(arguments: [id.description, why.code])
  }

  /// Lifts the bar from operations under one identifier: which of them stands, a hub has said.
  static func liftBarOfVersions(_ id: OperationID, in db: Database) throws {
    try db.cachedStatement(sql: "DELETE FROM barred WHERE id = ? AND why = '\(Journal.Refusal.twoVersions.code)'")
      .execute(arguments: [id.description])
  }

  /// Lifts the bar from an operation that a hub or a clock kept back, and a person admits. What contradicts itself stays
  /// barred.
  /// - Returns: whether it was barred so.
  static func admit(_ id: OperationID, in db: Database) throws -> Bool {
    let reasons = [Journal.Refusal.rejected, .quarantined, .clockAhead, .locked].map(\.code)
    try db.cachedStatement(sql: "DELETE FROM barred WHERE id = ? AND why IN (?, ?, ?, ?)")
      .execute(arguments: StatementArguments([id.description] + reasons))
    return db.changesCount > 0
  }

  static func reasonBarred(_ id: OperationID, in db: Database) throws -> String? {
    try String.fetchOne(
      db.cachedStatement(sql: "SELECT why FROM barred WHERE id = ?"), arguments: [id.description])
  }

  // MARK: Operations

  static func save(
    _ operation: Operation, _ state: State, why: String, at now: Instant, in db: Database
  ) throws {
    let statement = try db.cachedStatement(
      sql: """
        INSERT INTO pending (\(OperationTable.columns), state, why, since)
        VALUES (\(OperationTable.marks), ?, ?, ?)
        ON CONFLICT (id, hash) DO UPDATE SET state = excluded.state, why = excluded.why, body = excluded.body,
          absent = excluded.absent
        """)
    try statement.execute(
      arguments: OperationTable.arguments(of: operation) + [state.rawValue, why, now.milliseconds])
  }

  static func remove(_ operation: Operation, in db: Database) throws {
    try db.cachedStatement(sql: "DELETE FROM pending WHERE id = ? AND hash = ?").execute(
      arguments: [operation.id.description, Data(operation.hash)])
  }

  /// All copies of an operation that are kept here.
  static func copies(of id: OperationID, in db: Database) throws -> [Operation] {
    try fetch("id = ?", [id.description], in: db)
  }

  static func members(device: UUIDBytes, tx: UUIDBytes, in db: Database) throws -> [Operation] {
    try fetch("device = ? AND tx = ?", [device.description, tx.description], in: db)
  }

  static func fetch(_ condition: String, _ arguments: StatementArguments, in db: Database) throws -> [Operation] {
    let statement = try db.cachedStatement(
      sql: "SELECT \(OperationTable.columns) FROM pending WHERE \(condition) ORDER BY id, hash")
    return try ReadRow.fetchAll(statement, arguments: arguments).map { try OperationTable.operation($0) }
  }
}

/// An operation that waits, or that counts for nothing, as lists show it.
public struct PendingOperation: Sendable {
  /// The operation.
  public let operation: Journal.Operation
  /// Whether it waits for others; false: it is refused.
  public let isParked: Bool
  /// Why it is refused, as `Refusal.code` has it; while it waits, what for, as `HubResult.Delay` has it.
  public let why: String
  /// Since when it is kept here.
  public let since: Instant

  /// All of them, those that wait first, in the order of their devices' chains.
  public static func all(in db: Database) throws -> [PendingOperation] {
    try ReadRow.fetchAll(
      db,
      sql: """
        SELECT \(OperationTable.columns), state, why, since FROM pending ORDER BY state, device, deviceSeq, hash
        """
    ).map { row in
      PendingOperation(
        operation: try OperationTable.operation(row),
        isParked: row["state"] == PendingOperations.State.parked.rawValue, why: row["why"],
        since: Instant(stored: row["since"]))
    }
  }
}
