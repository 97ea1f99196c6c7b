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
