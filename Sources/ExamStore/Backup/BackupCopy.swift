import GRDB

/// Makes verified copies of stores.
enum BackupCopy {
  /// Copies the store at a place, through a connection of its own, so that neither reads nor saves wait for it.
  /// - Parameter keepsUnsound: whether the copy of a store that is not sound is put there too.
  /// - Returns: what is not sound, as the first line of an examination says it; nil if all is.
  /// - Throws: `StoreError` if the copy cannot be made, or must not be put there; a file already there is then untouched.
  static func copy(
    storeAt location: StoreLocation, lock: StoreLock, to place: BackupPlace, keepsUnsound: Bool
  ) throws -> String? {
    try reading(location) {
      let source = try lock.holding {
        try DatabaseQueue(path: location.path, configuration: Connection.configuration(readOnly: true))
      }
      defer { _ = lock.ifFree { try? source.close() } }
      return try copy(source, ofStoreAt: location, to: place, keepsUnsound: keepsUnsound)
    }
  }

  /// Copies a store that is open already; see the other.
  static func copy(
    _ source: DatabaseQueue, ofStoreAt location: StoreLocation, to place: BackupPlace, keepsUnsound: Bool
  ) throws -> String? {
    try reading(location) {
      try source.inDatabase { db in
        let earlier = try EarlierBackup.find(at: place.path, of: db, in: location)
        let part = try place.makePart()
        try write(db, to: part, as: "the backup \(place.path)")
        let verdict = try unsoundness(of: part, copiedFrom: location)
        if verdict == nil || keepsUnsound { try place.put(replacing: earlier) }
        return verdict
      }
    }
  }

  /// Copies a store to the first of some names that is free.
  static func copyAside(_ source: Database, ofStoreAt location: StoreLocation, to path: String) throws {
    try reading(location) {
      let place = try BackupPlace.take(BackupPlace.freeName(path))
      let part = try place.makePart()
      try write(source, to: part, as: "the copy \(place.path)")
      try refuseDamaged(part, of: location)
      try place.put(replacing: nil)
    }
  }

  /// Reads a store that is backed up.
  /// - Throws: `StoreError` in the place of SQLite's words.
  static func reading<T>(_ location: StoreLocation, _ body: () throws -> T) throws -> T {
    do { return try body() } catch let error as DatabaseError {
      throw error.isOfDamage ? damaged(location) : StoreError.from(error, path: location.path, while: .reading)
    }
  }

  /// A store that cannot be read to its end.
  private static func damaged(_ location: StoreLocation) -> StoreError {
    StoreError(
      "\(location.path) is damaged, so no backup was made; run: osce doctor --store \(location.path.shellWord); "
        + "an earlier backup is left as it was", isDiskError: true)
  }

  /// Copies a store into an empty file while others use it.
  /// - Parameter what: what it is to be, and where, for what is said of a failure.
  /// - Throws: `StoreError` if the copy cannot be made, `DatabaseError` if what is copied is damaged.
  static func write(_ source: Database, to part: String, as what: String) throws {
    try writing(what) {
      let copy = try DatabaseQueue(path: part)
      try copy.inDatabase { destination in
        // What is not whole is thrown away, and the whole is put on the disk at the end.
        try destination.execute(sql: "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
        try source.backup(to: destination)
        // The copy must be one file: a log beside it would be left behind when it is carried away.
        try destination.execute(sql: "PRAGMA journal_mode = DELETE")
      }
      try copy.close()
    }
  }

  /// Writes to a file that is nothing yet.
  static func writing<T>(_ what: String, _ body: () throws -> T) throws -> T {
    do { return try body() } catch let error as DatabaseError where !error.isOfDamage {
      throw StoreError("cannot write \(what): \(text(error)); nothing was changed", isDiskError: true)
    }
  }

  private static func text(_ error: DatabaseError) -> String {
    switch error.resultCode {
    case .SQLITE_FULL: "the disk is full"
    case .SQLITE_IOERR: "the disk failed (error \(error.extendedResultCode.rawValue))"
    case .SQLITE_BUSY, .SQLITE_LOCKED: "another program has it locked"
    case .SQLITE_CANTOPEN, .SQLITE_READONLY, .SQLITE_PERM: "it cannot be written"
    default: StoreError.reason(error)
    }
  }

  /// What is not sound in a copy; nil if all is, as far as this program can judge.
  private static func unsoundness(of part: String, copiedFrom location: StoreLocation) throws -> String? {
    switch try CopyFault.find(in: part) {
    case nil, .newer: nil
    case .unsound(let verdict): verdict
    case .damaged, .foreign: throw damaged(location)
    }
  }

  /// - Throws: `StoreError` if SQLite finds the copy of a store to be damaged, and so the store.
  private static func refuseDamaged(_ part: String, of location: StoreLocation) throws {
    let copy = try StoreLocation.openAlone(part)
    defer { try? copy.close() }
    guard try copy.inDatabase({ try IntegrityCheck.problems($0, most: 1) }).isEmpty else { throw damaged(location) }
  }
}

extension ExamStore {
  /// Makes a verified copy while others work.
  /// - Returns: how many operations of the journal it holds.
  /// - Throws: `StoreError` if the copy cannot be made or is not whole, or if something else than an earlier backup of
  ///   this exam is there; a file already there is then untouched. Also if the store is not sound: the copy is then made
  ///   where nothing was, and replaces no earlier backup.
  public func backup(to path: String) throws -> Int {
    let place = try BackupPlace.take(path)
    let isFree = FileState(path) == nil
    let verdict =
      try obstacle == nil
      ? BackupCopy.copy(storeAt: location, lock: lock, to: place, keepsUnsound: isFree)
      : BackupCopy.copy(reader, ofStoreAt: location, to: place, keepsUnsound: isFree)
    if let verdict {
      let doctor = "run: osce doctor --store \(location.path.shellWord)"
      throw StoreError(
        isFree
          ? "\(path) was written, but \(location.path) is \(verdict); \(doctor)"
          : "\(location.path) is \(verdict), so the earlier backup \(path) was left as it was; \(doctor), or name "
            + "another file")
    }
    return try BackupCopy.operations(in: path)
  }
}

extension BackupCopy {
  /// How many operations a copy holds, read back from its file.
  static func operations(in path: String) throws -> Int {
    do {
      let copy = try StoreLocation.openAlone(path)
      defer { try? copy.close() }
      return try copy.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM operation") ?? 0 }
    } catch let error as DatabaseError {
      throw StoreError.from(error, path: path, while: .reading)
    }
  }
}
