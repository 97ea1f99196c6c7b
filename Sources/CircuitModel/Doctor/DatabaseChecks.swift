import Catalogue
import GRDB
import Timer

/// Looks at the database as such, and at what it says of the exam's surroundings.
struct DatabaseChecks {
  let db: Database
  let program: String
  let location: StoreLocation
  let surroundings: Doctor.Surroundings
  /// Whether clock and second copy are looked at more strictly elsewhere.
  let isBefore: Bool

  /// How far the wall clock may stand from the exam's before that is worth a look, in milliseconds.
  private static let tolerableLead: Int64 = 2000

  /// - Returns: whether the tables are such that journal and rows can be read.
  func run(_ diagnosis: inout Diagnosis) throws -> Bool {
    try versions(&diagnosis)
    try integrity(&diagnosis)
    guard try tables(&diagnosis) else { return false }
    try foreignKeys(&diagnosis)
    try durability(&diagnosis)
    if !isBefore { try clock(&diagnosis) }
    try timeZone(&diagnosis)
    try device(&diagnosis)
    if !isBefore { try backup(&diagnosis) }
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

  private func clock(_ diagnosis: inout Diagnosis) throws {
    if try MachineChecks.doubt(db, surroundings, &diagnosis) { return }
    guard let offset = try MachineChecks.offset(db, surroundings) else {
      diagnosis.add(
        "clock", .warning, "not fixed since the machine was started; the next opening takes the wall clock's time")
      return
    }
    let lead = surroundings.system.wall() - (surroundings.system.boot() + offset)
    let text = "the wall clock is \(lead.magnitude) ms \(lead < 0 ? "behind" : "ahead of") the exam's"
    diagnosis.add("clock", lead.magnitude > DatabaseChecks.tolerableLead.magnitude ? .warning : .ok, text)
  }

  private func timeZone(_ diagnosis: inout Diagnosis) throws {
    guard let zone = try ExamSettings.read(db).timeZone else {
      diagnosis.add("time zone", .ok, "the machine's own")
      return
    }
    if LocalTime.isKnown(zone: zone) {
      diagnosis.add("time zone", .ok, zone)
    } else {
      diagnosis.add("time zone", .failed, "this machine does not know \(zone): planned starts would be wrong")
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

  private func backup(_ diagnosis: inout Diagnosis) throws {
    let settings = BackupSettings.chosen(try ExamSettings.read(db).backup, environment: surroundings.environment)
    guard let settings else {
      diagnosis.add("backup", .ok, "no timed backup is configured")
      return
    }
    guard let status = FileFacts.status(settings.path) else {
      diagnosis.add("backup", .warning, "none yet at \(settings.path)")
      return
    }
    let minutes = (surroundings.system.wall() - status.changed) / 60_000
    let isOld = minutes > 3 * Int64(settings.minutes)
    diagnosis.add("backup", isOld ? .warning : .ok, "\(settings.path), \(max(0, minutes)) minutes old")
  }
}
