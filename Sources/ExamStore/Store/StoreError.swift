import GRDB

/// A failure that a person meets: one line that says what happened, what is safe and what to do next.
public struct StoreError: Error, CustomStringConvertible, Equatable, Sendable {
  /// The line as it is printed on standard error or on the screen.
  public let description: String
  /// Whether the disk or the store did not take it; else a rule refused it.
  public let isOfDisk: Bool

  /// - Parameters:
  ///   - description: one line, without a final full stop or a newline.
  ///   - isOfDisk: whether the disk or the store did not take it.
  public init(_ description: String, isOfDisk: Bool = false) {
    (self.description, self.isOfDisk) = (description, isOfDisk)
  }

  /// Nothing can be written where the store lies.
  public static func unwritable(_ obstacle: String) -> StoreError {
    StoreError(
      "nothing can be written there (\(obstacle)): no marking, no changes; what only reads still works: plan, status, "
        + "missing, differences, journal, export, clock status, doctor, backup to another disk", isOfDisk: true)
  }

  /// The file at a store's path belongs to another program.
  static func foreignDatabase(_ path: String) -> StoreError {
    StoreError("\(path) is a database of another program; nothing was changed")
  }
}

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

/// Why a rule does not allow what was asked. Nothing was changed by it, and nothing is wrong with the disk.
///
/// The model says which rule and about what; who shows a refusal puts it into words (`Reports/Words`).
public protocol RuleRefusal: Error, Equatable {}

/// Whether an error is a rule's refusal; else the disk or the store did not take it.
public func isRefusal(_ error: any Error) -> Bool {
  error is any RuleRefusal || (error as? StoreError)?.isOfDisk == false
}
