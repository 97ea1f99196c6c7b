import GRDB
import Timer

/// What is stored of the hub's time, for one start of the machine: the uploader writes it, every process reads it. None
/// of it travels.
enum HubClock {
  static func createTable(in db: Database) throws {
    try db.execute(
      sql: """
        CREATE TABLE hubClock (bootID TEXT PRIMARY KEY, applied INTEGER NOT NULL, appliedAt INTEGER NOT NULL,
          target INTEGER NOT NULL, hub INTEGER NOT NULL, halfTrip INTEGER NOT NULL, sampledAt INTEGER NOT NULL,
          answeredAt INTEGER NOT NULL)
        """)
  }

  /// What is stored for a start of the machine; nil where no hub has answered since.
  static func read(_ db: Database, bootID: String) throws -> HubOffset? {
    // A copy that is only read may be older than the table.
    guard try db.holdsTable("hubClock") else { return nil }
    let statement = try db.cachedStatement(
      sql: """
        SELECT applied, appliedAt, target, hub, halfTrip, sampledAt, answeredAt FROM hubClock WHERE bootID = ?
        """)
    return try ReadRow.fetchOne(statement, arguments: [bootID]).map { row in
      func number(_ column: Int) -> Int64 { Instant(stored: row[column]).milliseconds }
      return HubOffset(
        applied: number(0), appliedAt: number(1), target: number(2), hub: number(3), halfTrip: number(4),
        sampledAt: number(5), answeredAt: number(6))
    }
  }

  static func write(_ offset: HubOffset, bootID: String, in db: Database) throws {
    try db.execute(
      sql: "INSERT OR REPLACE INTO hubClock VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
      arguments: [
        bootID, offset.applied, offset.appliedAt, offset.target, offset.hub, offset.halfTrip, offset.sampledAt,
        offset.answeredAt,
      ])
  }

  /// Forgets what a former hub said.
  static func forget(_ db: Database) throws { try db.execute(sql: "DELETE FROM hubClock") }
}

extension ExamClock {
  /// Whether the exam's time of this machine was a hub's before, after this start of it or an earlier one.
  package func hasFollowedHub(_ db: Database) throws -> Bool {
    try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM hubClock WHERE target = hub)") ?? false
  }

  /// Stores what is in use of the hub's time from now on.
  package func store(_ offset: HubOffset, in db: Database) throws {
    try HubClock.write(offset, bootID: bootID, in: db)
    try follow(db)
  }
}
