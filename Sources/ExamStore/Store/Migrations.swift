import Catalogue
import GRDB
import Timer

/// The versions of a store's tables. A version that has been released is never edited; later ones only add.
enum Migrations {
  static let migrator: DatabaseMigrator = {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("1") { db in
      try Tables.create(.standard, in: db)
      try Tables.createHousekeeping(in: db)
    }
    // Slot changes, re-runs, messages, jots, released stations, record items.
    migrator.registerMigration("2") { db in
      try Tables.complete(.standard, in: db)
    }
    // What an open sheet looks up with every save: who else has it open, and whether the hub refused a change of it.
    migrator.registerMigration("3") { db in
      try Tables.complete(.standard, in: db)
      try Tables.indexRefused(db)
    }
    // What speaks against the wall clock after a start of the machine, and who set the exam's time.
    migrator.registerMigration("4") { db in
      try Tables.complete(.standard, in: db)
      try db.execute(sql: "ALTER TABLE bootClock ADD COLUMN lastRecord INTEGER")
    }
    // When the process of a sitting was started.
    migrator.registerMigration("5-process-start") { db in
      try Tables.complete(.standard, in: db)
    }
    // Operations of other devices: those that wait, those that count for nothing, and what changes without a new one.
    migrator.registerMigration("5-merging") { db in
      try Tables.complete(.standard, in: db)
      try PendingOperations.create(in: db)
    }
    // What a mark writes: no index on what each mark changes, and none whose words make a table at each insert.
    migrator.registerMigration("6-lighter-marks") { db in
      try db.execute(sql: "DROP INDEX operation_refused")
      try Tables.indexRefused(db)
      for column in ["markedAt", "descriptorID", "judgedByID", "enteredByID"] {
        try db.execute(sql: "DROP INDEX IF EXISTS dataQuestion_\(column)")
      }
    }
    // By which key somebody came in over ssh, and every passcode that was tried.
    migrator.registerMigration("7-who-signs-in") { db in
      try Tables.complete(.standard, in: db)
    }
    // What is owed to a hub and which hub; what hubs and persons say of an operation; content that is not here.
    migrator.registerMigration("8-outbox") { db in
      try Tables.complete(.standard, in: db)
      try PendingOperations.addAnswers(in: db)
      try Enrolment.createTables(in: db)
      try db.execute(sql: "DROP INDEX operation_refused")
      try Tables.indexUnsettled(db)
      try Outbox.createIndexes(in: db)
      try Outbox.judgeAll(as: nil, in: db)
    }
    // What came from elsewhere and could not be taken.
    migrator.registerMigration("9-exchange") { db in
      try RefusedEntry.createTable(in: db)
    }
    // What the uploader says of itself; chains and plans that gave way to others.
    migrator.registerMigration("10-hub") { db in
      try Tables.complete(.standard, in: db)
      try SyncState.createTable(in: db)
      try FormerOperations.createTable(in: db)
      try WithheldContent.createTable(in: db)
    }
    // Rulings of the exam lead, and locks.
    migrator.registerMigration("11-closing") { db in
      try Tables.complete(.standard, in: db)
    }
    // Which device has a run of the clock.
    migrator.registerMigration("12-host") { db in
      try Tables.complete(.standard, in: db)
    }
    // Why a station is withdrawn.
    migrator.registerMigration("13-withdrawn") { db in
      try Tables.complete(.standard, in: db)
    }
    // What the hub says of the exam's time.
    migrator.registerMigration("14-hub-time") { db in
      try HubClock.createTable(in: db)
    }
    // What a candidate agreed to, and how long an exam keeps what tells of its candidates.
    migrator.registerMigration("15-consent") { db in
      try Tables.complete(.standard, in: db)
    }
    // That what was erased may still lie in free pages of the file.
    migrator.registerMigration("16-erasure") { db in
      try ErasedPages.createTable(in: db)
    }
    // Of which operations a hub had the content destroyed.
    migrator.registerMigration("17-erased") { db in
      try ErasedOperations.createTable(in: db)
      try ErasedOperations.noteThoseOfBefore(in: db)
    }
    // A row may name one that has not arrived, or never will: doctor says so, nothing fails because of it.
    return migrator.disablingDeferredForeignKeyChecks()
  }()

  /// Brings a store up to date.
  /// - Parameter isCopy: whether it is a copy that is only read: then nobody is in the middle of anything, and nothing is
  ///   kept of how it was.
  /// - Throws: `StoreError` if a newer program has written it, or if a run is open.
  static func run(
    _ writer: DatabaseQueue, location: StoreLocation, isCopy: Bool, knowing knowledge: ExamKnowledge, now: Instant
  ) throws {
    let isCurrent = try writer.inDatabase { db in
      try prepare(db, location: location, isCopy: isCopy, knowing: knowledge, now: now)
    }
    if !isCurrent { try migrator.migrate(writer) }
  }

  /// Whether a store has the tables of this version.
  /// - Throws: `StoreError` if a newer program has written it.
  static func isCurrent(_ db: Database, location: StoreLocation) throws -> Bool {
    if try migrator.appliedIdentifiers(db) == Set(migrator.migrations) { return true }
    if try migrator.hasBeenSuperseded(db) {
      throw StoreError("\(location.path) was written by a newer osce; nothing was changed; use that version here")
    }
    return false
  }

  /// - Returns: whether nothing needs doing.
  private static func prepare(
    _ db: Database, location: StoreLocation, isCopy: Bool, knowing knowledge: ExamKnowledge, now: Instant
  ) throws -> Bool {
    if try isCurrent(db, location: location) { return true }
    let applied = try migrator.appliedIdentifiers(db)
    if !applied.isEmpty {
      if isCopy { return false }
      if try !knowledge.openSessions(db, now).isEmpty {
        throw StoreError("\(location.path) needs an upgrade, but a session is running; stop it with the older osce")
      }
      try BackupCopy.copyAside(db, ofStoreAt: location, to: location.path + ".before-migration")
    } else if try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_master WHERE tbl_name <> 'grdb_migrations'") != 0 {
      // An import that was ended before the first tables were made leaves the list of versions, and nothing else.
      throw StoreError.foreignDatabase(location.path)
    }
    return false
  }
}
