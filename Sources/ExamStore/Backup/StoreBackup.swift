import GRDB

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
      throw StoreError.from(error, path: path)
    }
  }
}
