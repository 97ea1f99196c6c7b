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

  /// Waits for the check of the file and notes what it found where it is to stand; once, however often it is asked.
  package static func finish(_ integrity: IntegrityCheck?, _ diagnosis: inout Diagnosis) {
    guard let integrity, let place = diagnosis.checks.firstIndex(where: { $0.name == integrityName }) else { return }
    let found = Result { try integrity.problems() }
    diagnosis.replace(at: place) { one in
      _ = one.attempt(integrityName) { note(try found.get(), &$0) }
    }
  }

  private static func note(_ found: [String], _ diagnosis: inout Diagnosis) {
    var problems = Problems()
    for line in found { problems.add(line.split(separator: "\n").joined(separator: ", ")) }
    diagnosis.add(integrityName, problems: problems, sound: "SQLite finds the file whole")
  }

  /// Looks at the file.
  /// - Returns: whether an older version has made the tables: then a copy that has those of this version is to be
  ///   examined, see `ReadingCopy.migrated(_:)`.
  package func file(_ diagnosis: inout Diagnosis) -> Bool {
    let isOlder = diagnosis.attempt("versions") { try versions(&$0) } ?? false
    _ = diagnosis.attempt(DatabaseChecks.integrityName) { try integrity(&$0) }
    return isOlder
  }

  /// Looks at the tables, and at what the store notes of itself in them.
  /// - Returns: whether the tables are such that journal and rows can be read.
  package func contents(_ diagnosis: inout Diagnosis) -> Bool {
    guard diagnosis.attempt("tables", { try tables(&$0) }) == true else { return false }
    _ = diagnosis.attempt("foreign keys") { try foreignKeys(&$0) }
    _ = diagnosis.attempt("durability") { try durability(&$0) }
    _ = diagnosis.attempt("device") { try device(&$0) }
    _ = diagnosis.attempt("lost log") { try lostLog(&$0) }
    return true
  }

  /// - Returns: whether an older version has made the tables.
  private func versions(_ diagnosis: inout Diagnosis) throws -> Bool {
    let library = try String.fetchOne(db, sql: "SELECT sqlite_version()") ?? "unknown"
    guard try db.holdsTable("grdb_migrations") else {
      diagnosis.add("versions", .failed, "osce \(program), SQLite \(library), no tables of an exam store")
      return false
    }
    var applied: [String] = []
    try RawRow.forEach(db, "SELECT identifier FROM grdb_migrations ORDER BY rowid") { row in
      applied.append(row.text(0) ?? "?")
    }
    let known = Migrations.migrator.migrations
    let text = "osce \(program), SQLite \(library), tables \(applied.last ?? "none")"
    if applied.contains(where: { !known.contains($0) }) {
      diagnosis.add(
        "versions", .failed, "\(text): written by a newer osce, or not by one; only that version can judge it")
    } else if applied == known {
      diagnosis.add("versions", .ok, text)
    } else if applied == Array(known.prefix(applied.count)), try !SchemaCheck(db).isSound {
      diagnosis.add("versions", .warning, "\(text): older than this program; the next opening brings them up to date")
      return true
    } else {
      diagnosis.add("versions", .failed, "\(text): the list of versions was changed")
    }
    return false
  }

  private func integrity(_ diagnosis: inout Diagnosis) throws {
    if integrity != nil { return diagnosis.add(DatabaseChecks.integrityName, .warning, "not finished") }
    DatabaseChecks.note(try IntegrityCheck.problems(db, most: DatabaseChecks.mostProblems), &diagnosis)
  }

  private func tables(_ diagnosis: inout Diagnosis) throws -> Bool {
    let check = try SchemaCheck(db)
    var problems = check.unreadable
    problems.add(check.strange)
    diagnosis.add("tables", problems: problems, sound: "those of the data model, and nothing beside them")
    return check.unreadable.isEmpty
  }

  private func foreignKeys(_ diagnosis: inout Diagnosis) throws {
    var problems = Problems()
    try RawRow.forEach(db, "PRAGMA foreign_key_check") { row in
      problems.add("a row of \(row.text(0) ?? "?") names one of \(row.text(2) ?? "?") that is not there")
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

  private func lostLog(_ diagnosis: inout Diagnosis) throws {
    guard let lost = try LostLog.read(db) else { return }
    let found = "\(lost.detail), found at an opening at \(Timestamp.text(lost.foundAt))"
    if let known = lost.acknowledgedAt {
      return diagnosis.add("lost log", .ok, "\(found), acknowledged at \(Timestamp.text(known))")
    }
    diagnosis.add("lost log", .warning, "\(found): what was saved last before is not here")
  }

  private func device(_ diagnosis: inout Diagnosis) throws {
    let info = try StoreNotes.info(db)
    var problems = info.problems
    if let device = info.values["device"], let place = info.values["place"] {
      let journalled = try String.fetchOne(
        db, sql: "SELECT file FROM device WHERE uuid = ?", arguments: [device])
      if journalled == nil {
        problems.add("the store writes as \(device), of which its journal knows nothing")
      } else if let journalled, !DeviceBinding.Place.isSame(place, as: journalled) {
        problems.add("the place that is noted is not the one that the device \(device) was made at")
      }
    } else if try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM operation)") == true {
      problems.add("it is not noted as which device, or where, the store writes")
    }
    if !problems.isEmpty { return diagnosis.add("device", problems: problems, sound: "") }
    if DeviceBinding.place(of: location).isKept(as: info.values["place"]) {
      diagnosis.add("device", .ok, info.values["device"] ?? "")
    } else if !location.wasOpened {
      diagnosis.add("device", .ok, "none here: it was never opened here; opening it starts a chain of its own")
    } else {
      diagnosis.add("device", .warning, "the store was copied here; the next opening starts a chain of its own")
    }
  }
}
