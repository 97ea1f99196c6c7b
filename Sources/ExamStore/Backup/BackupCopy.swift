import GRDB
import Glibc

/// Makes verified copies of stores.
enum BackupCopy {
  /// Copies the store at a place, through a connection of its own, so that neither reads nor saves wait for it.
  /// - Throws: `StoreError` if the copy cannot be made, or must not be put there; a file already there is then untouched.
  static func copy(storeAt location: StoreLocation, lock: StoreLock, to place: BackupPlace) throws {
    do {
      let source = try lock.holding {
        try DatabaseQueue(path: location.path, configuration: Connection.configuration(readOnly: true))
      }
      defer { _ = lock.ifFree { try? source.close() } }
      try copy(source, ofStoreAt: location, to: place)
    } catch let error as DatabaseError {
      throw StoreError.from(error, path: location.path, while: .reading)
    }
  }

  /// Copies a store that is open already.
  /// - Throws: `StoreError` if the copy cannot be made, or must not be put there; a file already there is then untouched.
  static func copy(_ source: DatabaseQueue, ofStoreAt location: StoreLocation, to place: BackupPlace) throws {
    do {
      try source.inDatabase { db in
        let earlier = try EarlierBackup.find(at: place.path, of: db, in: location)
        try write(db, to: place.makePart())
        try place.put(replacing: earlier)
      }
    } catch let error as DatabaseError {
      throw StoreError.from(error, path: location.path, while: .reading)
    }
  }

  /// Copies a store to the first of some names that is free.
  static func copyAside(_ source: Database, to path: String) throws {
    let place = try BackupPlace.take(BackupPlace.freeName(path))
    try write(source, to: place.makePart())
    try place.put(replacing: nil)
  }

  /// Opens a copy to be read; nothing is made beside it.
  static func open(_ path: String) throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.readonly = true
    return try DatabaseQueue(path: path, configuration: configuration)
  }

  /// Copies a store into an empty file while others use it, and checks the copy.
  /// - Parameter isVerified: whether the source was looked through already: its pages are copied one by one.
  /// - Throws: `StoreError` if the copy cannot be made or is not whole.
  static func write(_ source: Database, to part: String, isVerified: Bool = false) throws {
    do {
      let copy = try DatabaseQueue(path: part)
      try copy.inDatabase { destination in
        // What is not whole is thrown away, and the whole is put on the disk at the end.
        try destination.execute(sql: "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
        try source.backup(to: destination)
        // The copy must be one file: a log beside it would be left behind when it is carried away.
        try destination.execute(sql: "PRAGMA journal_mode = DELETE")
        if isVerified { try refuseForeign(destination) } else { try verify(destination) }
      }
      try copy.close()
    } catch let error as DatabaseError {
      throw StoreError("cannot write the backup \(part): \(words(error)); nothing else was changed", isDiskError: true)
    }
  }

  private static func words(_ error: DatabaseError) -> String {
    switch error.resultCode {
    case .SQLITE_FULL: "the disk is full"
    case .SQLITE_IOERR: "the disk failed (error \(error.extendedResultCode.rawValue))"
    case .SQLITE_BUSY, .SQLITE_LOCKED: "another program has it locked"
    case .SQLITE_CANTOPEN, .SQLITE_READONLY, .SQLITE_PERM: "it cannot be written"
    default: StoreError.reason(error)
    }
  }

  /// - Throws: `StoreError` if the file is not a whole store.
  static func verify(_ db: Database) throws {
    try refuse(try IntegrityCheck.problems(db, most: 1))
    try refuseForeign(db)
  }

  /// - Throws: `StoreError` if SQLite found a file to be damaged.
  static func refuse(_ problems: [String]) throws {
    if let first = problems.first { throw StoreError("the copy is not whole: \(first)") }
  }

  /// - Throws: `StoreError` if a database is no store.
  static func refuseForeign(_ db: Database) throws {
    guard try db.holdsTable("operation"), try db.holdsTable("storeInfo") else {
      throw StoreError("the file is not an exam store")
    }
  }

  static func synchronise(_ path: String) throws {
    let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw StoreError("cannot open \(path): \(systemError())") }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw StoreError("cannot put \(path) on the disk: \(systemError())") }
  }
}

extension ExamStore {
  /// Makes a verified copy while others work.
  /// - Returns: how many operations of the journal it holds.
  /// - Throws: `StoreError` if the copy cannot be made or is not whole, or if something else than an earlier backup of
  ///   this exam is there; a file already there is then untouched.
  public func backup(to path: String) throws -> Int {
    let place = try BackupPlace.take(path)
    if obstacle == nil {
      try BackupCopy.copy(storeAt: location, lock: lock, to: place)
    } else {
      try BackupCopy.copy(reader, ofStoreAt: location, to: place)
    }
    return try BackupCopy.operations(in: path)
  }
}

extension BackupCopy {
  /// How many operations a copy holds, read back from its file.
  static func operations(in path: String) throws -> Int {
    do {
      let copy = try open(path)
      defer { try? copy.close() }
      return try copy.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM operation") ?? 0 }
    } catch let error as DatabaseError {
      throw StoreError.from(error, path: path, while: .reading)
    }
  }
}
