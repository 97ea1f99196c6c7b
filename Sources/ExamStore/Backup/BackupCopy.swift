import GRDB
import Glibc

/// Makes verified copies of stores.
enum BackupCopy {
  /// Copies the store at a place, through a connection of its own, so that neither reads nor saves wait for it.
  /// - Throws: `StoreError` if the copy cannot be made, or if a file is there that is not a database.
  static func copy(storeAt location: StoreLocation, lock: StoreLock, to path: String) throws {
    do {
      let source = try lock.holding {
        try DatabaseQueue(path: location.path, configuration: Connection.configuration(readOnly: true))
      }
      defer { _ = lock.ifFree { try? source.close() } }
      try copy(source, ofStoreAt: location, to: path)
    } catch let error as DatabaseError {
      throw StoreError.from(error, path: location.path, while: .reading)
    }
  }

  /// Copies a store that is open already.
  /// - Throws: `StoreError` if the copy cannot be made, or if a file is there that is not a database.
  static func copy(_ source: DatabaseQueue, ofStoreAt location: StoreLocation, to path: String) throws {
    try refuseOverwriting(path, store: location)
    do {
      try source.inDatabase { db in
        try refuseLosing(path, to: db)
        try copy(db, to: path)
      }
    } catch let error as DatabaseError {
      throw StoreError.from(error, path: location.path, while: .reading)
    }
  }

  /// Opens a copy to be read; nothing is made beside it.
  static func open(_ path: String) throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.readonly = true
    return try DatabaseQueue(path: path, configuration: configuration)
  }

  /// A backup takes the place of an earlier one, never that of the store or of somebody's other file.
  private static func refuseOverwriting(_ path: String, store: StoreLocation) throws {
    var there = stat()
    guard lstat(path, &there) == 0 else { return }
    var own = stat()
    if stat(store.path, &own) == 0, own.st_ino == there.st_ino, own.st_dev == there.st_dev {
      throw StoreError("\(path) is the store itself; name another file for the backup")
    }
    let isFile = there.st_mode & S_IFMT == S_IFREG
    if !isFile || there.st_size > 0 && readSmallFile(path, limit: 15)?.hasPrefix("SQLite format 3") != true {
      throw StoreError("\(path) is there and is no backup; it was left as it is; name another file")
    }
  }

  /// A backup of another exam, or of a state that this store has lost, is not written over: it may be all that is left.
  private static func refuseLosing(_ path: String, to store: Database) throws {
    // What cannot be read as a backup has nothing to lose.
    guard let backup = try? open(path) else { return }
    defer { try? backup.close() }
    let newest = "SELECT id FROM operation ORDER BY seq DESC LIMIT 1"
    guard let last = try? backup.read({ db in try Row.fetchOne(db, sql: newest) }) else { return }
    let id: DatabaseValue = last[0]
    if try Row.fetchOne(store, sql: "SELECT 1 FROM operation WHERE id = ?", arguments: [id]) == nil {
      throw StoreError(
        "\(path) holds what this store does not: a backup of another exam, or of a newer state; it was left as it is; "
          + "move it away, or name another file")
    }
  }

  /// Copies a store while others use it, checks the copy, puts it on the disk and only then gives it its name.
  /// - Parameter isVerified: whether the source was looked through already: its pages are copied one by one.
  /// - Throws: `StoreError` if the copy cannot be made or is not whole; a file already there is then untouched.
  static func copy(_ source: Database, to path: String, isVerified: Bool = false) throws {
    let part = path + ".part"
    unlink(part)
    defer { unlink(part) }
    let created = Glibc.open(part, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard created >= 0 else { throw StoreError("cannot write \(part): \(systemError())") }
    close(created)
    do {
      let copy = try DatabaseQueue(path: part)
      try copy.inDatabase { destination in
        try source.backup(to: destination)
        // The copy must be one file: a log beside it would be left behind when it is carried away.
        try destination.execute(sql: "PRAGMA journal_mode = DELETE")
        if isVerified { try refuseForeign(destination) } else { try verify(destination) }
      }
      try copy.close()
    } catch let error as DatabaseError {
      throw StoreError.from(error, path: part, while: .writing)
    }
    try synchronise(part)
    guard rename(part, path) == 0 else { throw StoreError("cannot name the backup \(path): \(systemError())") }
    try synchronise(StoreLocation(path: path).folder)
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
    guard try db.tableExists("operation"), try db.tableExists("storeInfo") else {
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
  /// - Throws: `StoreError` if the copy cannot be made or is not whole; a file already there is then untouched.
  public func backup(to path: String) throws -> Int {
    if obstacle == nil {
      try BackupCopy.copy(storeAt: location, lock: lock, to: path)
    } else {
      try BackupCopy.copy(reader, ofStoreAt: location, to: path)
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
