import GRDB

/// A failure that a person meets: one line that says what happened, what is safe and what to do next.
public struct StoreError: Error, CustomStringConvertible, Equatable, Sendable {
  /// The line as it is printed on standard error or on the screen.
  public let description: String
  /// Whether the disk or the store did not take it; else a rule refused it.
  public let isDiskError: Bool
  /// Whether it was given up because another process had the store: nothing is known then of what is in it.
  package let isOfWaiting: Bool

  /// - Parameters:
  ///   - description: one line, without a final full stop or a newline.
  ///   - isDiskError: whether the disk or the store did not take it.
  public init(_ description: String, isDiskError: Bool = false) {
    (self.description, self.isDiskError, isOfWaiting) = (description, isDiskError, false)
  }

  private init(gaveUp description: String) {
    (self.description, isDiskError, isOfWaiting) = (description, true, true)
  }

  /// Another process had the store for longer than was to be waited.
  static func gaveUp(_ description: String) -> StoreError { StoreError(gaveUp: description) }

  /// Nothing can be written where the store lies.
  public static func unwritable(_ obstacle: String) -> StoreError {
    StoreError(
      "nothing can be written to the store (\(obstacle)): marking is off; still available: plan, status, "
        + "missing, differences, journal, export, clock status, doctor, backup to another disk", isDiskError: true)
  }

  /// The file at a store's path belongs to another program.
  static func foreignDatabase(_ path: String) -> StoreError {
    StoreError("\(path) is a database of another program; nothing was changed")
  }
}

extension StoreError {
  /// What failed: only of a change can be said that it was not saved.
  package enum Attempt {
    case reading
    case writing
  }

  /// Says a failure of SQLite in the words of somebody who has to act on it.
  package static func from(_ error: DatabaseError, path: String, while attempt: Attempt) -> StoreError {
    let text = attempt == .reading ? readingText(for: error, path: path) : text(for: error, path: path)
    let isOfWaiting = [.SQLITE_BUSY, .SQLITE_LOCKED].contains(error.resultCode)
    return isOfWaiting ? .gaveUp(text) : StoreError(text, isDiskError: true)
  }

  /// Runs a look into a store that may be damaged.
  /// - Returns: nil where it cannot be read.
  /// - Throws: `StoreError` where another process has it: what cannot be looked at now is not unreadable.
  package static func ifReadable<T>(_ path: String, _ look: () throws -> T) throws -> T? {
    do { return try look() } catch {
      let told = (error as? DatabaseError).map { from($0, path: path, while: .reading) } ?? error as? StoreError
      if let told, told.isOfWaiting { throw told }
      return nil
    }
  }

  private static func text(for error: DatabaseError, path: String) -> String {
    switch error.resultCode {
    case .SQLITE_FULL:
      "the disk is full: this change was NOT saved; free some space"
    case .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_AUTH:
      "\(path) cannot be written: the last change was NOT saved; check its permissions"
    case .SQLITE_BUSY, .SQLITE_LOCKED:
      "\(path) is locked by another program: change NOT saved; try again"
    case .SQLITE_IOERR:
      "the disk failed while \(path) was in use: the last change was NOT saved (error \(error.extendedResultCode.rawValue))"
    default:
      unusable(error, path: path)
        ?? "the store refused the change, nothing was saved: \(reason(error)); run: osce doctor"
    }
  }

  private static func readingText(for error: DatabaseError, path: String) -> String {
    switch error.resultCode {
    case .SQLITE_FULL:
      "\(path) cannot be read: the disk is full; free some space"
    case .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_AUTH:
      "\(path) cannot be read; check its permissions"
    case .SQLITE_BUSY, .SQLITE_LOCKED:
      "\(path) cannot be read: a program that does not take turns uses it; try again"
    case .SQLITE_IOERR:
      "\(path) cannot be read: the disk failed (error \(error.extendedResultCode.rawValue)); run: osce doctor"
    default:
      unusable(error, path: path) ?? "\(path) cannot be read: \(reason(error)); run: osce doctor"
    }
  }

  /// What is wrong with the file itself, whatever was tried; nil if that is not it.
  private static func unusable(_ error: DatabaseError, path: String) -> String? {
    switch error.resultCode {
    case .SQLITE_NOTADB: "\(path) is not an exam store"
    case .SQLITE_CORRUPT: "\(path) is damaged; keep a copy, run: osce doctor, and restore the last backup"
    case .SQLITE_MISMATCH, .SQLITE_RANGE, .SQLITE_TOOBIG:
      "\(path) holds a value that cannot be right; nothing was changed; keep a copy and run: osce doctor"
    case .SQLITE_CANTOPEN: "\(path) cannot be opened; check the folder's owner and permissions"
    default: nil
    }
  }

  /// What is left once file, disk and locks are out of question. What SQLite says of it is nobody's to understand.
  package static func reason(_ error: DatabaseError) -> String {
    [.SQLITE_NOMEM, .SQLITE_TOOBIG].contains(error.resultCode)
      ? "something in it is larger than this program writes" : "it holds what this program never writes"
  }
}

/// Why a rule does not allow what was asked. Nothing was changed by it, and nothing is wrong with the disk.
///
/// The model says which rule and about what; who shows a refusal puts it into words (`Reports/Text`).
public protocol RuleRefusal: Error, Equatable {}

/// Whether an error is a rule's refusal; else the disk or the store did not take it.
public func isRefusal(_ error: any Error) -> Bool {
  error is any RuleRefusal || (error as? StoreError)?.isDiskError == false
}
