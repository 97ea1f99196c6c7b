import Characters
import CircuitModel
import ExamStore
import GRDB
import Glibc

/// Examines a store without changing it: its place, its files, its database, its journal, and whether every row is
/// what the journal says.
public struct Doctor: Sendable {
  private let location: StoreLocation
  private let program: String
  private let surroundings: MachineSurroundings

  /// - Parameters:
  ///   - program: the version of the running program.
  ///   - backup: where the timed backup goes.
  public init(_ location: StoreLocation, program: String, backup: BackupChoice? = nil) {
    self.init(location, program: program, surroundings: MachineSurroundings(backup: backup))
  }

  init(_ location: StoreLocation, program: String = "test", surroundings: MachineSurroundings) {
    self.location = location
    self.program = program
    self.surroundings = surroundings
  }

  /// Examines the store.
  /// - Parameters:
  ///   - isBefore: also looks at what must be ready before an exam, and puts what failed first.
  ///   - since: hashes that were noted as a chain's end: each must still be in its chain.
  ///   - comparesLocks: also holds the results against those that were locked.
  ///   - progress: is told how far it has come.
  /// - Throws: `StoreError` only if there is no store.
  public func examine(
    before isBefore: Bool = false, since: [ChainHash] = [], comparesLocks: Bool = false,
    progress: CheckProgress = .silent
  ) throws -> Diagnosis {
    try location.refuseMissing()
    try location.refuseIrregular()
    var diagnosis = Diagnosis()
    FileChecks(location: location, freeBytes: surroundings.freeBytes).run(&diagnosis)
    // Before anything is opened: the first who opens a store makes the index of its log again.
    LogCheck(location: location).run(&diagnosis)
    _ = diagnosis.attempt("database") { diagnosis in
      let (connection, beside) = try open(&diagnosis)
      defer { try? connection.close() }
      let integrity = beside.map { IntegrityCheck($0, most: DatabaseChecks.mostProblems) }
      let outcome = Result {
        try examine(connection, integrity, before: isBefore, since, comparesLocks, progress, &diagnosis)
      }
      DatabaseChecks.finish(integrity, &diagnosis)
      try outcome.get()
    }
    return isBefore ? diagnosis.redFirst : diagnosis
  }

  private func examine(
    _ connection: DatabaseQueue, _ integrity: IntegrityCheck?, before isBefore: Bool, _ since: [ChainHash],
    _ comparesLocks: Bool, _ progress: CheckProgress, _ diagnosis: inout Diagnosis
  ) throws {
    func checks(_ db: Database) -> DatabaseChecks {
      DatabaseChecks(db: db, program: program, location: location, beside: integrity)
    }
    var examined = connection
    if try connection.read({ db in checks(db).file(&diagnosis) }) {
      guard let copy = diagnosis.attempt("tables", { _ in try ReadingCopy.migrated(location) }) else { return }
      examined = copy
    }
    defer { if examined !== connection { try? examined.close() } }
    try examined.inDatabase { try Connection.keepMore($0) }
    try examined.read { db in
      guard checks(db).contents(&diagnosis) else { return }
      let isReliable = compare(db, since, progress, &diagnosis)
      DatabaseChecks.finish(integrity, &diagnosis)
      // What the exam says is read as its rows are written: from others nothing can be told, and nothing must be.
      guard isReliable, diagnosis.isOK("integrity") else {
        return diagnosis.add("exam", .warning, "not looked at: what it would be read from is damaged")
      }
      _ = diagnosis.attempt("exam") { try look(at: db, before: isBefore, &$0) }
      if comparesLocks {
        _ = diagnosis.attempt("locked results") {
          try LockedResultsCheck.run(db, at: try MachineChecks.now(db, surroundings), &$0)
        }
      }
    }
  }

  /// Holds tables and notes against the journal.
  /// - Returns: whether they are what the journal says.
  private func compare(
    _ db: Database, _ since: [ChainHash], _ progress: CheckProgress, _ diagnosis: inout Diagnosis
  ) -> Bool {
    let before = diagnosis.checks.count
    let journal = diagnosis.attempt("chains") { try JournalCheck.run(db, since: since, progress: progress, &$0) }
    guard let journal, journal.isWhole else { return false }
    _ = diagnosis.attempt("rows") { try RowCheck.run(db, journal, progress: progress, &$0) }
    _ = diagnosis.attempt("notes") { try StoreNotes.run(db, journal, &$0) }
    return !diagnosis.checks[before...].contains { $0.result == .failed && $0.name != "since" }
  }

  private func look(at db: Database, before isBefore: Bool, _ diagnosis: inout Diagnosis) throws {
    let objection = surroundings.backup.flatMap { EarlierBackup.objection(to: $0.path, of: db, in: location) }
    try SettingsChecks(db: db, surroundings: surroundings, copyObjection: objection).run(before: isBefore, &diagnosis)
    try OutboxCheck.run(db, at: try MachineChecks.now(db, surroundings), &diagnosis)
    let tags = try TagMirror.differences(in: db)
    diagnosis.add("tags", problems: tags, sound: "the lists of chosen tags are what their items say")
    try hiddenMarks(db, &diagnosis)
    try ItemKindCheck.run(db, &diagnosis)
    if isBefore {
      LocalTime.use(zone: try ExamSettings.read(db).timeZone)
      try Readiness.run(db, program: program, surroundings, copyObjection: objection, &diagnosis)
    }
  }

  private func hiddenMarks(_ db: Database, _ diagnosis: inout Diagnosis) throws {
    let hidden = try HiddenMarks.read(db)
    guard hidden.marks > 0 else { return diagnosis.add("hidden marks", .ok, "every mark is in a session") }
    var problems = Problems()
    for place in hidden.places { problems.add(place) }
    let few =
      "\(Plural.count(hidden.marks, "mark")) in no session, for what is above was deleted or cancelled"
    diagnosis.add("hidden marks", .warning, "\(few): \(problems.summary)")
  }

  /// Opens the store for reading, under the lock as every opening is; a lock that stays taken is said and passed over.
  /// - Returns: also a second connection, for what is looked at meanwhile; none where a copy is examined.
  private func open(_ diagnosis: inout Diagnosis) throws -> (DatabaseQueue, beside: DatabaseQueue?) {
    let path = location.path
    func connect(to path: String = location.path, readOnly: Bool = true) throws -> DatabaseQueue {
      let queue = try DatabaseQueue(path: path, configuration: Connection.configuration(readOnly: readOnly))
      _ = try queue.inDatabase { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_master") }
      return queue
    }
    func connectTwice() throws -> (DatabaseQueue, DatabaseQueue?) { (try connect(), try? connect()) }
    func connectToCopy() throws -> (DatabaseQueue, DatabaseQueue?) {
      let copy = try ReadingCopy(of: location)
      defer { copy.remove() }
      return (try connect(to: copy.location.path, readOnly: false), nil)
    }
    func orCopy(_ opened: Result<(DatabaseQueue, DatabaseQueue?), any Error>) throws -> (DatabaseQueue, DatabaseQueue?)
    {
      do { return try opened.get() } catch {
        guard let obstacle = location.obstacle else { throw error }
        diagnosis.add("place", .warning, "nothing can be written there (\(obstacle)); a copy is examined")
        return try connectToCopy()
      }
    }
    // What the log has lost is to be seen until somebody opens the store for work, which notes it.
    if diagnosis.checks.contains(where: { $0.name == "log" && $0.result == .failed }) { return try connectToCopy() }
    // The examined file may be another's, or a backup: nothing is made beside it.
    guard let lock = try? StoreLock(storePath: path, onlyReads: true) else {
      if location.wasOpened {
        diagnosis.add("lock", .warning, "the lock file \(path).lock cannot be opened; examined without it")
      } else {
        diagnosis.add("lock", .ok, "none: nobody has opened it here")
      }
      return try orCopy(Result { try connectTwice() })
    }
    for _ in 0..<surroundings.lockAttempts {
      if let opened = lock.ifFree({ Result { try connectTwice() } }) {
        if let writer = lock.blocker() {
          diagnosis.add(
            "lock", .warning, "\(writer.name) is in the middle of a change; nothing can be saved until it ends")
        } else {
          diagnosis.add("lock", .ok, "free")
        }
        return try orCopy(opened)
      }
      usleep(100_000)
    }
    let holder = lock.blocker()?.name ?? "another process"
    diagnosis.add("lock", .warning, "held by \(holder); examined without it")
    return try connectTwice()
  }
}
