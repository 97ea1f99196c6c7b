import Catalogue
import GRDB

/// Looks at the database as such.
package struct DatabaseChecks {
  let db: Database
  let program: String
  let location: StoreLocation

  package init(db: Database, program: String, location: StoreLocation) {
    self.db = db
    self.program = program
    self.location = location
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
    var problems = Problems()
    for line in try String.fetchAll(db, sql: "PRAGMA integrity_check(20)") where line != "ok" {
      problems.add(line)
    }
    diagnosis.add("integrity", problems: problems, sound: "SQLite finds the file whole")
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
    for table in ["chain", "bootClock", "storeInfo", "fork"] where try !db.tableExists(table) {
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
    diagnosis.add("foreign keys", problems: problems, sound: "every row that is named is there")
  }

  private func durability(_ diagnosis: inout Diagnosis) throws {
    let mode = try String.fetchOne(db, sql: "PRAGMA journal_mode") ?? "unknown"
    if mode == "wal" {
      diagnosis.add("durability", .ok, "write-ahead log; every writer sets synchronous FULL and reads it back")
    } else {
      diagnosis.add("durability", .failed, "journal mode is \(mode), not wal; another program has changed it")
    }
  }

  private func device(_ diagnosis: inout Diagnosis) throws {
    let known = try String.fetchOne(db, sql: "SELECT value FROM storeInfo WHERE key = 'place'")
    if known == DeviceBinding.place(of: location) {
      diagnosis.add(
        "device", .ok, try String.fetchOne(db, sql: "SELECT value FROM storeInfo WHERE key = 'device'") ?? "")
    } else {
      diagnosis.add("device", .warning, "the store was copied here; the next opening starts a chain of its own")
    }
  }
}
