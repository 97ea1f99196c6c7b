import Dispatch
import ExamStore
import GRDB
import Journal
import Sync
import Synchronization

import class Foundation.FileManager
import class Foundation.NSString

/// A hub's database in one SQLite file: nothing to install.
///
/// Changes that wait at one moment are made durable together; each is in a savepoint of its own, so that one that fails
/// takes no other with it. The lock of the file is the terminal's: no commit overlaps another process's checkpoint.
public final class SQLiteDatabase: HubDatabase {
  private let pool: DatabasePool
  private let path: String
  private let lock: StoreLock
  private let queue = DispatchQueue(label: "osce-hub.writer")
  private let waiting = Mutex<[Job]>([])

  /// A change that waits for its turn.
  private struct Job: Sendable {
    let weight: Int
    /// Runs it; what it throws fails only this one.
    let run: @Sendable (SQLiteConnection) throws -> Void
    /// Tells who waits, once it is durable or has failed.
    let end: @Sendable ((any Error)?) -> Void
  }

  /// How many changes, and how many operations, are made durable together at most.
  private static let (mostJobs, greatestWeight) = (64, 2000)

  /// Opens the file, and makes it if it is not there.
  /// - Throws: `StoreError` if the file is not a hub's, is newer than this program, or cannot be durable.
  public init(path: String) throws {
    let lock = try StoreLock(storePath: path)
    (self.path, self.lock) = (path, lock)
    var configuration = Configuration()
    configuration.maximumReaderCount = 4
    configuration.busyMode = .timeout(5)
    configuration.prepareDatabase { db in
      try db.execute(sql: "PRAGMA trusted_schema = 0")
      try db.execute(sql: "PRAGMA mmap_size = 0")
    }
    pool = try SQLiteDatabase.naming(path) {
      try lock.holding {
        let pool = try DatabasePool(path: path, configuration: configuration)
        try pool.writeWithoutTransaction { db in
          // Switching the log on lowers it.
          try db.execute(sql: "PRAGMA synchronous = FULL")
          guard try Int.fetchOne(db, sql: "PRAGMA synchronous") == 2 else {
            throw StoreError("\(path) cannot be made durable")
          }
          try SQLiteDatabase.makeTables(db, path)
        }
        return pool
      }
    }
    for file in [path, path + "-wal", path + "-shm"] {
      try? FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
    }
  }

  private static func naming<T>(_ path: String, _ body: () throws -> T) throws -> T {
    do { return try body() } catch let error as DatabaseError {
      switch error.resultCode {
      case .SQLITE_NOTADB: throw notHub(path)
      case .SQLITE_CORRUPT:
        throw StoreError("\(path) is damaged; keep a copy of it, and put a backup back: osce-hub restore FILE")
      case .SQLITE_CANTOPEN, .SQLITE_IOERR:
        throw StoreError("\(path) cannot be opened; check the file, its folder and the disk")
      case .SQLITE_FULL: throw DiskFull(path: path)
      default: throw error
      }
    }
  }

  private static func notHub(_ path: String) -> StoreError {
    StoreError("\(path) is not a hub's database; nothing was changed")
  }

  private static func makeTables(_ db: Database, _ path: String) throws {
    // A terminal's store has a table of this name, too.
    if try db.tableExists("hub"), try db.columns(in: "hub").contains(where: { $0.name == "version" }) {
      let version = try Int64.fetchOne(db, sql: "SELECT version FROM hub") ?? 0
      if let refusal = HubSchema.refusal(of: version, in: path) { throw StoreError(refusal) }
      if version < HubSchema.version {
        try db.inTransaction(.immediate) {
          try HubSchema.upgrade(SQLiteConnection(db: db), from: version, .sqlite)
          return .commit
        }
      }
      return
    }
    if try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_master") != 0 {
      throw notHub(path)
    }
    try db.inTransaction(.immediate) {
      for statement in HubSchema.statements(.sqlite) { try db.execute(sql: statement) }
      return .commit
    }
  }

  /// The share of the file's disk that is free.
  public var freeShare: Double? { FileFacts.freeShare(folder: (path as NSString).deletingLastPathComponent) }

  /// Runs a read: one consistent view.
  public func read<T: Sendable>(_ body: @escaping @Sendable (any HubConnection) throws -> T) async throws -> T {
    try await pool.read { db in try body(SQLiteConnection(db: db)) }
  }

  /// Runs a change, with all others that wait at that moment.
  public func write<T: Sendable>(
    weight: Int, _ body: @escaping @Sendable (any HubConnection) throws -> T
  ) async throws -> T {
    let outcome = Mutex<T?>(nil)
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
      let job = Job(weight: weight) { connection in
        let result = try body(connection)
        outcome.withLock { $0 = result }
      } end: { error in
        if let error { continuation.resume(throwing: error) } else { continuation.resume() }
      }
      waiting.withLock { $0.append(job) }
      queue.async { [self] in drain() }
    }
    guard let result = outcome.withLock({ $0 }) else { throw HubError.unavailable }
    return result
  }

  /// Runs a read on this thread.
  func look<T>(_ body: (any HubConnection) throws -> T) throws -> T {
    try pool.read { db in try body(SQLiteConnection(db: db)) }
  }

  /// Runs a change on this thread; no other may run.
  func change(_ body: (any HubConnection) throws -> Void) throws {
    do {
      try lock.holding { try pool.write { db in try body(SQLiteConnection(db: db)) } }
    } catch { throw told(error) }
  }

  /// Runs what waits; everything that joined meanwhile is in the next commit.
  private func drain() {
    let jobs = waiting.withLock { jobs in
      var (count, weight) = (0, 0)
      while count < jobs.count, count < Self.mostJobs, count == 0 || weight + jobs[count].weight <= Self.greatestWeight
      {
        weight += jobs[count].weight
        count += 1
      }
      defer { jobs.removeFirst(count) }
      return Array(jobs.prefix(count))
    }
    if jobs.isEmpty { return }
    var failures = [(any Error)?](repeating: nil, count: jobs.count)
    do {
      try lock.holding {
        try pool.writeWithoutTransaction { db in
          try db.inTransaction(.immediate) {
            for (index, job) in jobs.enumerated() {
              do {
                try db.inSavepoint {
                  try job.run(SQLiteConnection(db: db))
                  return .commit
                }
              } catch {
                // A full disk ends the transaction: nobody's change is there then.
                guard db.isInsideTransaction else { throw error }
                failures[index] = error
              }
            }
            return .commit
          }
        }
      }
    } catch {
      failures = jobs.map { _ in error }
    }
    for (index, job) in jobs.enumerated() { job.end(failures[index].map(told)) }
  }

  /// A full disk in words of who can free it; any other failure as it is.
  private func told(_ error: any Error) -> any Error {
    (error as? DatabaseError)?.resultCode == .SQLITE_FULL ? DiskFull(path: path) : error
  }

  /// Rewrites the file without its free pages, and empties the log beside it.
  public func scrub() async throws -> Bool {
    try await withCheckedThrowingContinuation { continuation in
      queue.async { [self] in
        continuation.resume(
          with: Result {
            try lock.holding {
              try pool.barrierWriteWithoutTransaction { db in
                try db.execute(sql: "VACUUM")
                return try Int.fetchOne(db, sql: "PRAGMA wal_checkpoint(TRUNCATE)") == 0
              }
            }
          }.mapError(told))
      }
    }
  }

  /// Closes the file. Unless another process reads it at that moment, it is whole then without the log beside it.
  public func close() throws {
    try lock.holding {
      // The readers close last, and may not write: what the log has would stay in it, and a copy of the file lack it.
      try? pool.barrierWriteWithoutTransaction { db in
        // Nobody waits for a reader here: a hub may run meanwhile.
        try db.execute(sql: "PRAGMA busy_timeout = 0")
        try db.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
      }
      try pool.close()
    }
  }
}
