import Foundation
import GRDB
import Synchronization

/// SQLite's own check of a file, on a connection and a thread of its own: it takes as long as all other checks together,
/// and needs nothing of them.
package final class IntegrityCheck: Sendable {
  private let outcome = Mutex<Result<[String], any Error>?>(nil)
  private let ended = DispatchSemaphore(value: 0)

  /// Begins the check.
  /// - Parameters:
  ///   - connection: used by nobody else; it is closed at the end.
  ///   - most: how many problems are looked for.
  package init(_ connection: DatabaseQueue, most: Int) {
    Thread.detachNewThread { [self] in
      let found = Result {
        try connection.inDatabase { db in
          try Connection.keepMore(db)
          return try IntegrityCheck.problems(db, most: most)
        }
      }
      try? connection.close()
      outcome.withLock { $0 = found }
      ended.signal()
    }
  }

  /// Waits for the end.
  /// - Returns: what is wrong; nothing where the file is whole.
  package func problems() throws -> [String] {
    ended.wait()
    ended.signal()
    return try outcome.withLock { $0 }?.get() ?? []
  }

  /// The same at once.
  static func problems(_ db: Database, most: Int) throws -> [String] {
    try String.fetchAll(db, sql: "PRAGMA integrity_check(\(most))").filter { $0 != "ok" }
  }
}

/// How far a check of a whole store has come, for somebody who waits for it.
public struct CheckProgress: Sendable {
  private let tell: (@Sendable (_ what: String, _ count: Int) -> Void)?

  /// - Parameter tell: takes what is looked at and how many of it have been, now and then.
  public init(_ tell: @escaping @Sendable (_ what: String, _ count: Int) -> Void) { self.tell = tell }

  private init() { tell = nil }

  /// Nobody waits.
  public static let silent = CheckProgress()

  /// Says how many of something have been looked at; told now and then.
  package func report(_ what: String, _ count: Int) {
    if count & 0xFFF == 0 { tell?(what, count) }
  }
}
