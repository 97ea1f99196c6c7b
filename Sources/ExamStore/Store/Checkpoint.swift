import GRDB
import Glibc

/// Moves the write-ahead log into the main file, always under the store's lock.
///
/// Under load and in quiet spells the log is moved but its file kept, so that later saves write over blocks that the
/// disk already has: a save that makes the file grow takes longer.
enum Checkpoint {
  /// In a quiet spell, a log of more than this is moved.
  private static let idleBytes: Int64 = 1 << 20
  /// Under steady load the log is moved once in this many operations. Waiting saves feel how long that takes, so it is
  /// to be rare and short.
  private static let operationsBetween: Int64 = 200
  /// A log of more pages than this is moved to its end: the store waits until nobody reads from the log any more, which
  /// is milliseconds, so that the next save begins it again. Where there is always one who reads, it would else grow
  /// on.
  private static let mostPages = 1000

  static func whenIdle(writer: DatabaseQueue, lock: StoreLock, path: String) {
    guard logSize(path) > idleBytes else { return }
    _ = lock.ifFree { move(writer, "PASSIVE") }
  }

  /// Whether the operations with these numbers of a device's chain bring it past the next checkpoint: of all processes
  /// just one sees that.
  static func isDue(after operations: Range<Int64>) -> Bool {
    operations.lowerBound / operationsBetween != operations.upperBound / operationsBetween
  }

  static func underLoad(writer: DatabaseQueue, lock: StoreLock) {
    try? lock.holding {
      if move(writer, "PASSIVE") > mostPages { move(writer, "RESTART") }
    }
  }

  /// Moves the whole log and empties its file, for a backup.
  static func run(_ writer: DatabaseQueue) { _ = try? waiting(writer) { db in try empty(db, storeAt: writer.path) } }

  /// Moves the whole log and empties its file.
  /// - Parameter synchronise: puts a file on the disk.
  /// - Returns: whether that could be done: not while somebody else reads.
  static func empty(
    _ db: Database, storeAt path: String, synchronise: (String) throws -> Void = { try OpenFile.synchronise($0) }
  ) throws -> Bool {
    guard try Int.fetchOne(db, sql: "PRAGMA wal_checkpoint(FULL)") == 0 else { return false }
    // SQLite leaves the log's index in memory: after a power cut an older one beside an emptied log would say that the
    // log had lost what was moved.
    try? synchronise(StoreLocation(path: path).path(of: .logIndex))
    return try Int.fetchOne(db, sql: "PRAGMA wal_checkpoint(TRUNCATE)") == 0
  }

  /// - Returns: how many pages the log held.
  @discardableResult private static func move(_ writer: DatabaseQueue, _ mode: String) -> Int {
    // A failure loses nothing: the log stays and the next attempt moves it.
    let pages = try? waiting(writer) { db in
      try ReadRow.fetchOne(db, sql: "PRAGMA wal_checkpoint(\(mode))").map { $0["log"] as Int }
    }
    return (pages ?? nil) ?? 0
  }

  /// Waits for others who read at most as long as a checkpoint may.
  private static func waiting<T>(_ writer: DatabaseQueue, _ body: (Database) throws -> T) throws -> T {
    try writer.inDatabase { db in
      try db.execute(sql: "PRAGMA busy_timeout = 100")
      defer { try? db.execute(sql: "PRAGMA busy_timeout = \(Connection.busySeconds * 1000)") }
      return try body(db)
    }
  }

  private static func logSize(_ path: String) -> Int64 {
    var status = stat()
    return stat(StoreLocation(path: path).path(of: .log), &status) == 0 ? Int64(status.st_size) : 0
  }
}
