import GRDB

extension StoreError {
  /// Says a failure of SQLite in the words of somebody who has to act on it.
  package static func from(_ error: DatabaseError, path: String) -> StoreError {
    StoreError(words(for: error, path: path), isOfDisk: true)
  }

  private static func words(for error: DatabaseError, path: String) -> String {
    switch error.resultCode {
    case .SQLITE_FULL:
      return "the disk is full: the last change was NOT saved, everything before it is safe; free some space"
    case .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_AUTH:
      return "\(path) cannot be written: the last change was NOT saved; check its permissions"
    case .SQLITE_BUSY, .SQLITE_LOCKED:
      return "\(path) is in use by a program that does not take turns: the change was NOT saved; try again"
    case .SQLITE_NOTADB:
      return "\(path) is not an exam store"
    case .SQLITE_CORRUPT:
      return "\(path) is damaged; keep a copy, run: osce doctor, and restore the last backup"
    case .SQLITE_IOERR:
      return "the disk failed while \(path) was in use: the last change was NOT saved (\(error.extendedResultCode))"
    case .SQLITE_CANTOPEN:
      return "\(path) cannot be opened; check the folder's owner and permissions"
    default:
      return "the store refused the change, nothing was saved: \(error.message ?? "\(error.resultCode)")"
    }
  }
}
