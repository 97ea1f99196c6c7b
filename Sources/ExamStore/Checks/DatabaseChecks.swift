import Catalogue
import GRDB

/// Looks at the database as such.
package struct DatabaseChecks {
  let db: Database
  let program: String
  let location: StoreLocation
  /// Looks at the file beside these checks; nil: it is looked at with them.
  let integrity: IntegrityCheck?

  package init(db: Database, program: String, location: StoreLocation, beside integrity: IntegrityCheck? = nil) {
    self.db = db
    self.program = program
    self.location = location
    self.integrity = integrity
  }

  /// How many problems SQLite looks for.
  package static let mostProblems = 20
  private static let integrityName = "integrity"

  /// Waits for the check of the file and notes what it found where it is to stand.
  package static func finish(_ integrity: IntegrityCheck?, _ diagnosis: inout Diagnosis) throws {
    guard let integrity, let place = diagnosis.checks.firstIndex(where: { $0.name == integrityName }) else { return }
    let found = Result { try integrity.problems() }
    diagnosis.replace(at: place) { one in
      if let found = try? found.get() { note(found, &one) }
    }
    _ = try found.get()
  }

  private static func note(_ found: [String], _ diagnosis: inout Diagnosis) {
    var problems = Problems()
    for line in found { problems.add(line) }
    diagnosis.add(integrityName, problems: problems, sound: "SQLite finds the file whole")
  }

  /// - Returns: whether the tables are such that journal and rows can be read.
  package func run(_ diagnosis: inout Diagnosis) throws -> Bool {
    try versions(&diagnosis)
    try integrity(&diagnosis)
    guard try tables(&diagnosis) else { return false }
    try foreignKeys(&diagnosis)
    try durability(&diagnosis)
    try device(&diagnosis)
    return true
  }

  private func versions(_ diagnosis: inout Diagnosis) throws {
    let library = try String.fetchOne(db, sql: "SELECT sqlite_version()") ?? "unknown"
    guard try db.tableExists("grdb_migrations") else {
      diagnosis.add("versions", .failed, "osce \(program), SQLite \(library), no tables of an exam store")
      return
    }
    let applied = try String.fetchAll(db, sql: "SELECT identifier FROM grdb_migrations ORDER BY rowid")
    let known = Migrations.migrator.migrations
    let text = "osce \(program), SQLite \(library), tables \(applied.last ?? "none")"
    if applied.contains(where: { !known.contains($0) }) {
      diagnosis.add("versions", .warning, "\(text): written by a newer osce; use that version here")
    } else if applied.count < known.count {
      diagnosis.add("versions", .warning, "\(text): older than this program; the next opening brings them up to date")
    } else {
      diagnosis.add("versions", .ok, text)
    }
  }

  private func integrity(_ diagnosis: inout Diagnosis) throws {
    if integrity != nil { return diagnosis.add(DatabaseChecks.integrityName, .warning, "not finished") }
    DatabaseChecks.note(try IntegrityCheck.problems(db, most: DatabaseChecks.mostProblems), &diagnosis)
  }

  private func tables(_ diagnosis: inout Diagnosis) throws -> Bool {
    var problems = Problems()
    for table in Catalogue.standard.tables {
      guard try db.tableExists(table.name) else {
        problems.add("the table \(table.name) is missing")
        continue
      }
      let present = Set(try db.columns(in: table.name).map(\.name))
      for column in table.columns.map(\.name) + (table.name == "operation" ? [] : ["heads"])
      where !present.contains(column) {
        problems.add("the column \(table.name).\(column) is missing")
      }
    }
    for table in ["chain", "bootClock", "storeInfo", "fork"] + PendingOperations.tables where try !db.tableExists(table)
    {
      problems.add("the table \(table) is missing")
    }
    diagnosis.add("tables", problems: problems, sound: "every table and column of the data model")
    return problems.isEmpty
  }

  private func foreignKeys(_ diagnosis: inout Diagnosis) throws {
    var problems = Problems()
    let rows = try Row.fetchCursor(db, sql: "PRAGMA foreign_key_check")
    while let row = try rows.next() {
      let (table, parent) = (row[0] as String, row[2] as String)
      problems.add("a row of \(table) names one of \(parent) that is not there")
    }
    // Of what other devices made, some may not be here yet, or not be for this store.
    let hasOthers = try Int.fetchOne(db, sql: "SELECT count(*) FROM chain") ?? 0 > 1
    diagnosis.add(
      "foreign keys", problems: problems, otherwise: hasOthers ? .warning : .failed,
      sound: "every row that is named is there")
  }

  private func durability(_ diagnosis: inout Diagnosis) throws {
    let mode = try String.fetchOne(db, sql: "PRAGMA journal_mode") ?? "unknown"
    if mode == "wal" {
      diagnosis.add("durability", .ok, "write-ahead log; every writer sets synchronous FULL and reads it back")
    } else if isBackup(mode) {
      diagnosis.add("durability", .ok, "a backup: one file without a log; opening it turns the write-ahead log on")
    } else {
      diagnosis.add("durability", .failed, "journal mode is \(mode), not wal; another program has changed it")
    }
  }

  /// Whether the file is as a backup is made: in one piece, and never opened where it lies.
  private func isBackup(_ mode: String) -> Bool { mode == "delete" && !location.wasOpened }

  private func device(_ diagnosis: inout Diagnosis) throws {
    let known = try String.fetchOne(db, sql: "SELECT value FROM storeInfo WHERE key = 'place'")
    if known == DeviceBinding.place(of: location) {
      diagnosis.add(
        "device", .ok, try String.fetchOne(db, sql: "SELECT value FROM storeInfo WHERE key = 'device'") ?? "")
    } else if !location.wasOpened {
      diagnosis.add("device", .ok, "none here: it was never opened here; opening it starts a chain of its own")
    } else {
      diagnosis.add("device", .warning, "the store was copied here; the next opening starts a chain of its own")
    }
  }
}
