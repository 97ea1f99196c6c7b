import GRDB

/// What is wrong with a copy of a store.
enum CopyFault: Equatable {
  /// The file is damaged, as SQLite finds it.
  case damaged
  /// It is no exam store.
  case foreign
  /// A newer program has written it.
  case newer
  /// The journal is not whole, or the rows are not what it says: an examination's first line.
  case unsound(String)

  /// Looks through the whole of a copy: the file, the journal and the rows.
  /// - Returns: nil if it is sound.
  static func find(in path: String, progress: CheckProgress = .silent) throws -> CopyFault? {
    do {
      let copy = try StoreLocation.openAlone(path)
      defer { try? copy.close() }
      let integrity = IntegrityCheck(try StoreLocation.openAlone(path), most: 1)
      let found = Result { try look(into: copy, progress) }
      // A file that is not whole makes whatever else was found of it worthless.
      if try !integrity.problems().isEmpty { return .damaged }
      return try found.get()
    } catch let error as DatabaseError where error.isOfDamage {
      return error.resultCode == .SQLITE_NOTADB ? .foreign : .damaged
    }
  }

  private static func look(into copy: DatabaseQueue, _ progress: CheckProgress) throws -> CopyFault? {
    try copy.inDatabase { try Connection.keepMore($0) }
    return try copy.read { db in
      guard try db.holdsTable("operation"), try db.holdsTable("storeInfo") else { return .foreign }
      if try Migrations.migrator.hasBeenSuperseded(db) { return .newer }
      var diagnosis = Diagnosis()
      let journal = try JournalCheck.run(db, progress: progress, &diagnosis)
      try RowCheck.run(db, journal, progress: progress, &diagnosis)
      return diagnosis.isSound ? nil : .unsound(diagnosis.verdict)
    }
  }
}

extension DatabaseError {
  /// Whether the file itself is damaged, whatever was tried.
  var isOfDamage: Bool { [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(resultCode) }
}
