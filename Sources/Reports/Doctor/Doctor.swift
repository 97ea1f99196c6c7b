import CircuitModel
import ExamStore
import GRDB
import Glibc
import Timer

/// Examines a store without changing it: its place, its files, its database, its journal, and whether every row is
/// what the journal says.
public struct Doctor: Sendable {
  private let location: StoreLocation
  private let program: String
  private let surroundings: MachineSurroundings

  /// - Parameters:
  ///   - program: the version of the running program.
  ///   - environment: where `OSCE_BACKUP` is looked up.
  public init(_ location: StoreLocation, program: String, environment: [String: String] = [:]) {
    self.init(location, program: program, surroundings: MachineSurroundings(environment: environment))
  }

  init(_ location: StoreLocation, program: String = "test", surroundings: MachineSurroundings) {
    self.location = location
    self.program = program
    self.surroundings = surroundings
  }

  /// Examines the store.
  /// - Parameter isBefore: also looks at what must be ready before an exam, and puts what failed first.
  /// - Throws: `StoreError` only if there is no store.
  public func examine(before isBefore: Bool = false) throws -> Diagnosis {
    guard location.exists else { throw StoreError("there is no exam at \(location.path)") }
    var diagnosis = Diagnosis()
    FileChecks(location: location, freeBytes: surroundings.freeBytes).run(&diagnosis)
    do {
      let connection = try open(&diagnosis)
      defer { try? connection.close() }
      try connection.read { db in
        let isReadable = try DatabaseChecks(db: db, program: program, location: location).run(&diagnosis)
        guard isReadable else { return }
        try SettingsChecks(db: db, surroundings: surroundings).run(before: isBefore, &diagnosis)
        let journal = try JournalCheck.run(db, &diagnosis)
        try RowCheck.run(db, journal, &diagnosis)
        if isBefore {
          LocalTime.use(zone: try ExamSettings.read(db).timeZone)
          try Readiness.run(db, program: program, surroundings, &diagnosis)
        }
      }
    } catch let error as DatabaseError {
      diagnosis.add("database", .failed, StoreError.from(error, path: location.path).description)
    } catch let error as StoreError {
      diagnosis.add("database", .failed, error.description)
    }
    return isBefore ? diagnosis.redFirst : diagnosis
  }

  /// Opens the store for reading, under the lock as every opening is; a lock that stays taken is said and passed over.
  private func open(_ diagnosis: inout Diagnosis) throws -> DatabaseQueue {
    let path = location.path
    func connect(to path: String = location.path, readOnly: Bool = true) throws -> DatabaseQueue {
      let queue = try DatabaseQueue(path: path, configuration: Connection.configuration(readOnly: readOnly))
      _ = try queue.inDatabase { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_master") }
      return queue
    }
    func orCopy(_ opened: Result<DatabaseQueue, any Error>) throws -> DatabaseQueue {
      do { return try opened.get() } catch {
        guard let obstacle = location.obstacle else { throw error }
        diagnosis.add("place", .warning, "nothing can be written there (\(obstacle)); a copy is examined")
        let copy = try ReadingCopy(of: location)
        defer { copy.remove() }
        return try connect(to: copy.location.path, readOnly: false)
      }
    }
    // The examined file may be another's, or a backup: nothing is made beside it.
    guard let lock = try? StoreLock(storePath: path, onlyReads: true) else {
      if location.wasOpened {
        diagnosis.add("lock", .warning, "the lock file \(path).lock cannot be opened; examined without it")
      } else {
        diagnosis.add("lock", .ok, "none: nobody has opened it here")
      }
      return try orCopy(Result { try connect() })
    }
    for _ in 0..<surroundings.lockAttempts {
      if let opened = lock.ifFree({ Result { try connect() } }) {
        diagnosis.add("lock", .ok, "free")
        return try orCopy(opened)
      }
      usleep(100_000)
    }
    let holder = lock.holder().map { "process \($0.process) (\($0.command))" } ?? "another process"
    diagnosis.add("lock", .warning, "held by \(holder); examined without it")
    return try connect()
  }
}
