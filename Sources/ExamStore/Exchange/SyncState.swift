import GRDB
import Journal
import Timer

/// What the uploader of a store last said of its work: any terminal of the store reads it.
public struct SyncState: Equatable, Sendable {
  /// What an uploader does, by the word that is stored.
  public enum Work: String, Sendable {
    /// Nothing: the store has no place at a hub, or its token is gone.
    case none
    /// An exchange is out, or is about to be.
    case sync
    /// It waits until there is more: everything is exchanged.
    case wait
    /// It waits after something failed.
    case backoff
    /// It goes back: the hub was restored.
    case recover
    /// It goes on as a new device: another copy of the store wrote under this one.
    case fork
    /// Nothing, until a person acts.
    case blocked
  }

  /// When it last tried to reach the hub.
  public var attemptAt: Instant?
  /// When the hub last answered.
  public var contactAt: Instant?
  /// What it does.
  public var state: Work
  /// What is wrong, in words; nil: nothing is.
  public var trouble: String?
  /// How far this machine's clock is from the hub's, and how wrong that may be, in milliseconds; nil: not known.
  public var clockOffset: Int64?
  /// How wrong the offset may be, in milliseconds.
  public var clockBound: Int64?
  /// What each device holds, as the hub lists it, as JSON; nil where the hub does not say.
  public var devices: String?

  /// What is said.
  public init(
    attemptAt: Instant? = nil, contactAt: Instant? = nil, state: Work, trouble: String? = nil,
    clockOffset: Int64? = nil, clockBound: Int64? = nil, devices: String? = nil
  ) {
    self.attemptAt = attemptAt
    self.contactAt = contactAt
    self.state = state
    self.trouble = trouble
    self.clockOffset = clockOffset
    self.clockBound = clockBound
    self.devices = devices
  }

  /// Whether nothing more is exchanged until somebody acts: the hub refuses this store, or its token is gone.
  public var needsPerson: Bool { state == .blocked || state == .none && trouble != nil }

  static func createTable(in db: Database) throws {
    try db.execute(
      sql: """
        CREATE TABLE syncState (one INTEGER PRIMARY KEY CHECK (one = 1), attemptAt INTEGER, contactAt INTEGER,
          state TEXT NOT NULL, trouble TEXT, clockOffset INTEGER, clockBound INTEGER, devices TEXT)
        """)
  }

  /// What was last said; nil where no uploader ever ran.
  public static func read(_ db: Database) throws -> SyncState? {
    let statement = try db.cachedStatement(
      sql: "SELECT attemptAt, contactAt, state, trouble, clockOffset, clockBound, devices FROM syncState")
    return try ReadRow.fetchOne(statement).map { row in
      let (attempt, contact): (Int64?, Int64?) = (row[0], row[1])
      return SyncState(
        attemptAt: attempt.map { Instant(stored: $0) }, contactAt: contact.map { Instant(stored: $0) },
        // The word of another version says no more than that it is at work.
        state: Work(rawValue: row[2]) ?? .sync, trouble: row[3], clockOffset: row[4], clockBound: row[5],
        devices: row[6])
    }
  }

  /// Forgets what a hub said of devices: another may say it next.
  static func forgetDevices(_ db: Database) throws { try db.execute(sql: "UPDATE syncState SET devices = NULL") }

  func write(_ db: Database) throws {
    try db.cachedStatement(
      sql: """
        INSERT INTO syncState (one, attemptAt, contactAt, state, trouble, clockOffset, clockBound)
        VALUES (1, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (one) DO UPDATE SET attemptAt = excluded.attemptAt, contactAt = excluded.contactAt,
          state = excluded.state, trouble = excluded.trouble, clockOffset = excluded.clockOffset,
          clockBound = excluded.clockBound
        """
    ).execute(
      arguments: [
        attemptAt?.milliseconds, contactAt?.milliseconds, state.rawValue, trouble, clockOffset, clockBound,
      ])
  }
}

extension ExamStore {
  /// Says what the uploader does. It is no change of the exam.
  /// - Throws: `StoreError` if the disk or the store refuses.
  public func note(_ state: SyncState) throws {
    try merge { try state.write($0.db) }
  }

  /// Keeps what the hub says of the exam's devices, as JSON; where no uploader has said anything yet, nothing.
  /// - Throws: `StoreError` if the disk or the store refuses.
  public func note(devices: String) throws {
    try merge {
      try $0.db.execute(sql: "UPDATE syncState SET devices = ?1 WHERE devices IS NOT ?1", arguments: [devices])
    }
  }
}
