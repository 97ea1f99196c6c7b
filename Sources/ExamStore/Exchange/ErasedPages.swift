import GRDB
import Timer

/// What was destroyed in the rows and may still lie in the file: in free pages, and in the log beside it.
enum ErasedPages {
  static func createTable(in db: Database) throws {
    try db.execute(sql: "CREATE TABLE erasedPages (one INTEGER PRIMARY KEY CHECK (one = 1), since INTEGER NOT NULL)")
  }

  /// Notes that something was destroyed, in the transaction that does it.
  static func note(at now: Instant, in db: Database) throws {
    try db.cachedStatement(sql: "INSERT OR IGNORE INTO erasedPages (one, since) VALUES (1, ?)").execute(
      arguments: [now.milliseconds])
  }

  /// Whether there is any.
  static func areThere(_ db: Database) throws -> Bool {
    try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM erasedPages)") ?? false
  }
}

extension ExamStore {
  /// Takes what was erased out of the store's file and the log beside it, where there is any: not while a clock runs, for
  /// nobody can save meanwhile, and not to its end while somebody else reads. What is left to do stays noted.
  /// - Returns: whether nothing is left to do.
  /// - Throws: `StoreError` if the disk or the store refuses.
  @discardableResult public func clearErasedPages() throws -> Bool {
    let (knowledge, now) = (knowledge, clock.now)
    let (isNeeded, isRunOpen) = try read { db in
      let isNeeded = try ErasedPages.areThere(db)
      return (isNeeded, try isNeeded && !knowledge.openSessions(db, now).isEmpty)
    }
    if !isNeeded { return true }
    if isRunOpen { return false }
    return try outsideTransaction { [path = location.path] db in
      try db.execute(sql: "VACUUM")
      guard try Checkpoint.empty(db, storeAt: path) else { return false }
      try db.execute(sql: "DELETE FROM erasedPages")
      return true
    }
  }
}
