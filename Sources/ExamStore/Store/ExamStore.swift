import Catalogue
import GRDB
import Glibc
import Journal
import Synchronization
import Timer

/// One exam's store: a SQLite file that many processes of one machine share.
///
/// Reads go through a connection of their own and never wait for a writer. Every change goes through
/// `write(_:_:)` or `submit(_:_:then:)`, which take the store's lock, run one durable transaction and append to
/// the journal in that same transaction. There is no other way to change a store.
public final class ExamStore: Sendable {
  /// Where the store lies.
  public let location: StoreLocation
  /// Why nothing can be written where the store lies, so that this reads a copy of it; nil where it can.
  public let obstacle: String?
  /// Why nothing is written, in words; nil where it can be.
  private let refusal: String?
  /// What a person is to know of changes that were saved and are lost: of the last day; nil where none are.
  public let lostLog: String?
  /// The lock that every writer takes.
  public let lock: StoreLock
  /// This machine's identity in the journal. It changes when another copy of the store wrote under the same: this one
  /// goes on as a new device, in all processes.
  public var device: UUIDBytes { boundDevice.withLock { $0 } }
  /// The exam's clock: the same second in every process of this machine.
  public let clock: ExamClock

  let writer: DatabaseQueue
  let reader: DatabaseQueue
  let knowledge: ExamKnowledge
  /// Which file this is, for when another one is put in its place.
  private let file: FileIdentity?
  /// The last number of this device's chain that was seen here: a file that was written over has less.
  let seenChain = Atomic<Int64>(0)
  private let thread: WriterThread
  /// The second copy that is kept on another disk.
  public let timedBackup: TimedBackup
  private let completions = Mutex<[@MainActor @Sendable () -> Void]>([])
  private let waker = Mutex<Waker?>(nil)
  private let pending = Atomic<Int>(0)
  private let seenVersion = Atomic<Int>(-1)
  let boundDevice: Mutex<UUIDBytes>

  /// How the screen's thread is told. A function that is kept in a mutex by itself is wrapped once more at every look,
  /// so that each save would cost more memory, and more stack, than the one before.
  private struct Waker: Sendable {
    let wake: @Sendable () -> Void
  }

  /// What may be done when a store is opened.
  public enum Opening: Sendable {
    /// The store must be there.
    case existing
    /// The store is made if it is not there.
    case createIfMissing
  }

  /// Opens a store to be read, so that looking at it changes nothing of it: no device, no clock, no tables, no file
  /// beside a backup. One in use is read in its place; a backup, a store of an older version and one whose place takes
  /// nothing are read from a private copy.
  /// - Throws: `StoreError` if there is none, if it is unfit, damaged or newer than this program.
  public static func toRead(
    _ location: StoreLocation, knowing knowledge: ExamKnowledge, system: SystemClock = .live
  ) throws -> ExamStore {
    try location.refuseMissing()
    func copy(_ obstacle: String) throws -> ExamStore {
      try ExamStore(copyOf: location, because: obstacle, knowing: knowledge, system: system)
    }
    if !location.wasOpened { return try copy("it was never opened here: a backup is only read") }
    do {
      try location.check(for: .reading)
      if (try? location.check(for: .writing)) == nil { return try copy("it belongs to another user") }
      try location.refuseForeign(.existing)
      // The first who opens a store makes the index of its log again, and hides what the log has lost.
      if LogCheck(location: location).loss() != nil { return try copy("its log is damaged") }
      return try ExamStore(reading: location, knowing: knowledge, system: system) ?? copy("its tables are older")
    } catch {
      guard let obstacle = location.obstacle else { throw error }
      return try copy(obstacle)
    }
  }

  /// Opens a store, checks its place, brings its tables up to date and proves its durability.
  /// - Throws: `StoreError` if there is none, if it is unfit, damaged, newer than this program, or cannot be durable.
  public convenience init(
    _ location: StoreLocation, _ opening: Opening, knowing knowledge: ExamKnowledge, system: SystemClock
  ) throws {
    try location.refuseMissing(opening)
    if opening == .createIfMissing { try location.makeFolder() }
    try location.check(for: .writing)
    try location.refuseForeign(opening)
    try self.init(location, openedAt: location, obstacle: nil, knowing: knowledge, system: system)
  }

  /// Opens a copy of a store. What is written to it would be lost, so nothing is.
  package convenience init(
    copyOf location: StoreLocation, because obstacle: String, knowing knowledge: ExamKnowledge, system: SystemClock
  ) throws {
    try location.check(for: .reading)
    let copy = try ReadingCopy(of: location)
    defer { copy.remove() }
    try copy.location.refuseForeign(.existing, copyOf: location)
    try self.init(location, openedAt: copy.location, obstacle: obstacle, knowing: knowledge, system: system)
  }

  /// Opens a store in its place to be read: nothing is written, also not where a device or the clock's anchor is
  /// lacking.
  /// - Returns: nil if its tables are of an older version, which this program cannot read.
  private convenience init?(
    reading location: StoreLocation, knowing knowledge: ExamKnowledge, system: SystemClock
  ) throws {
    let lock = try StoreLock(storePath: location.path)
    let opened = try ExamStore.opening(location) {
      try lock.holding { () throws -> OpenedStore? in
        let reader = try DatabaseQueue(path: location.path, configuration: Connection.configuration(readOnly: true))
        let isCurrent = try reader.inDatabase { db in try Migrations.isCurrent(db, location: location) }
        if !isCurrent { return nil }
        let anchor = try reader.inDatabase { db in try ClockAnchor.found(db, system: system, knowing: knowledge) }
        return OpenedStore(
          writer: reader, reader: reader, device: try DeviceBinding.known(reader),
          clock: ExamClock(system: system, anchor: anchor), file: location.file,
          lostLog: try reader.inDatabase { db in try LostLog.read(db) })
      }
    }
    guard let opened else { return nil }
    self.init(
      location, opened, lock: lock, obstacle: nil, refusal: "the store was opened to be read: nothing is changed",
      knowing: knowledge, system: system)
  }

  private convenience init(
    _ location: StoreLocation, openedAt place: StoreLocation, obstacle: String?, knowing knowledge: ExamKnowledge,
    system: SystemClock
  ) throws {
    let lock = try StoreLock(storePath: place.path)
    let opened = try ExamStore.opening(location) {
      try lock.holding { () throws -> OpenedStore in
        // SQLite gives the log files the permissions of the main file.
        let descriptor = Glibc.open(place.path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        if descriptor < 0 { throw StoreError("cannot open \(place.path): \(systemError())") }
        Glibc.close(descriptor)
        let wall = Instant(milliseconds: system.wall())
        // Before the first connection, which makes the index of the log again.
        let loss = LogCheck(location: location).loss().map { LostLog(foundAt: wall, detail: $0) }
        let writer = try DatabaseQueue(
          path: place.path, configuration: Connection.configuration(readOnly: false))
        try writer.inDatabase { db in try Connection.makeDurable(db) }
        // Nobody can find the loss again, also where the tables cannot be brought up to date.
        let isNoted = try loss.map { loss in try writer.write { db in try loss.note(db) } } ?? true
        try Migrations.run(
          writer, location: location, isCopy: obstacle != nil, knowing: knowledge, now: wall)
        if let loss, !isNoted { _ = try writer.write { db in try loss.note(db) } }
        let anchor = try writer.inDatabase { db in try ClockAnchor.fix(db, system: system, knowing: knowledge) }
        let clock = ExamClock(system: system, anchor: anchor)
        let device =
          try obstacle == nil
          ? DeviceBinding.bind(writer, location: place, knowing: knowledge, clock: clock) : DeviceBinding.known(writer)
        let reader = try DatabaseQueue(
          path: place.path, configuration: Connection.configuration(readOnly: true))
        // The first read maps the log's index, and recovers it after a crash, while nobody writes.
        _ = try reader.inDatabase { db in try Int.fetchOne(db, sql: "PRAGMA data_version") }
        return OpenedStore(
          writer: writer, reader: reader, device: device, clock: clock, file: location.file,
          lostLog: try reader.inDatabase { db in try LostLog.read(db) })
      }
    }
    self.init(
      location, opened, lock: lock, obstacle: obstacle, refusal: obstacle.map { StoreError.unwritable($0).description },
      knowing: knowledge, system: system)
  }

  private init(
    _ location: StoreLocation, _ opened: OpenedStore, lock: StoreLock, obstacle: String?, refusal: String?,
    knowing knowledge: ExamKnowledge, system: SystemClock
  ) {
    self.location = location
    self.knowledge = knowledge
    self.obstacle = obstacle
    self.refusal = refusal
    self.lock = lock
    writer = opened.writer
    reader = opened.reader
    boundDevice = Mutex(opened.device)
    file = opened.file
    clock = opened.clock
    lostLog = opened.lostLog?.line(at: Instant(milliseconds: system.wall()))
    let (writer, reader) = (self.writer, self.reader)
    let backup = TimedBackup(location: location, lock: lock, reader: reader, knowing: knowledge, system: system)
    timedBackup = backup
    let tidy = WriterThread.Housekeeping(after: 2_000) {
      Checkpoint.whenIdle(writer: writer, lock: lock, path: location.path)
      backup.keep()
    }
    // Later: an assessor gives a key every few seconds, and the next one needs the same pages.
    let release = WriterThread.Housekeeping(after: 30_000) { IdleMemory.release(writer, reader) }
    thread = WriterThread(refusal == nil ? [tidy, release] : [])
  }

  private static func opening<T>(_ location: StoreLocation, _ body: () throws -> T) throws -> T {
    do { return try body() } catch let error as DatabaseError {
      throw StoreError.from(error, path: location.path, while: .reading)
    }
  }

  private struct OpenedStore {
    let writer: DatabaseQueue
    let reader: DatabaseQueue
    let device: UUIDBytes
    let clock: ExamClock
    let file: FileIdentity?
    let lostLog: LostLog?
  }

  // MARK: Reading

  /// Runs a read on the calling thread: one consistent view, never waiting for a writer.
  public func read<T>(_ body: (Database) throws -> T) throws -> T { try reading { try reader.view(body) } }

  private func reading<T>(_ body: () throws -> T) throws -> T {
    do { return try body() } catch let error as DatabaseError {
      throw StoreError.from(error, path: location.path, while: .reading)
    }
  }

  /// Lets reads keep more of the file in memory: for a command that goes through all of it and ends.
  public func keepMore() throws { try reading { try reader.inDatabase { try Connection.keepMore($0) } } }

  /// A number that changes whenever another connection, of this process or another, commits. Where it has, the exam's
  /// clock follows what is stored of it.
  public func dataVersion() throws -> Int {
    try reading {
      try reader.inDatabase { db in
        let version = try Int.fetchOne(db.cachedStatement(sql: "PRAGMA data_version")) ?? 0
        if seenVersion.load(ordering: .relaxed) != version {
          try clock.follow(db)
          seenVersion.store(version, ordering: .relaxed)
        }
        return version
      }
    }
  }

  /// Whether the file at the path is not the one that was opened any more: moved away, or replaced by a backup. Whether
  /// its content was replaced in its place is looked at with each change.
  public var isReplaced: Bool { location.file != file }

  /// What a person is told then.
  public static let replacedText =
    "STORE REPLACED OR MOVED: nothing more is saved here; quit with Q and restart"

  // MARK: Writing

  /// Whether nothing can be written where the store lies.
  public var takesNothing: Bool { obstacle != nil || location.obstacle != nil }

  /// Runs one durable transaction on the calling thread. For commands; screens use `submit`.
  /// - Returns: what `body` returns, after the transaction is on the disk.
  /// - Throws: what `body` throws, with nothing changed; `StoreError` if the disk or the store refuses.
  @discardableResult public func write<T>(_ author: Author, _ body: (JournalTransaction) throws -> T) throws -> T {
    let (result, _, isCheckpointDue) = try commit(author, body, reading: { _ in })
    if isCheckpointDue { checkpoint() }
    return result
  }

  /// Queues one transaction for the writer thread and returns at once.
  /// - Parameter then: called on the main actor by `deliver()` once the transaction is on the disk or has failed.
  public func submit<T: Sendable>(
    _ author: Author, _ body: @escaping @Sendable (JournalTransaction) throws -> T,
    then: @escaping @MainActor @Sendable (Result<T, any Error>) -> Void
  ) {
    submit(author, body, reading: { _ in }) { then($0.map(\.result)) }
  }

  /// Queues one transaction, and reads what it leaves behind where that is cheapest: the reading connection would have
  /// to look again at every page after each commit.
  /// - Parameters:
  ///   - reading: sees the store as the transaction has made it. Where it throws, the transaction stands anyway.
  ///   - then: called on the main actor by `deliver()` once the transaction is on the disk or has failed.
  public func submit<T: Sendable, R: Sendable>(
    _ author: Author, _ body: @escaping @Sendable (JournalTransaction) throws -> T,
    reading: @escaping @Sendable (Database) throws -> R,
    then: @escaping @MainActor @Sendable (Result<(result: T, read: Result<R, any Error>), any Error>) -> Void
  ) {
    pending.add(1, ordering: .relaxed)
    thread.submit { [self] in
      let outcome = Result { try commit(author, body, reading: reading) }
      tell { then(outcome.map { ($0.result, $0.read) }) }
      // The screen has been told, so nobody waits for this.
      if case .success((_, _, true)) = outcome { checkpoint() }
    } refused: { [self] error in
      tell { then(.failure(error)) }
    }
  }

  /// Leaves for `deliver()` how a transaction has ended.
  private func tell(_ completion: @escaping @MainActor @Sendable () -> Void) {
    completions.withLock { $0.append(completion) }
    waker.withLock { $0 }?.wake()
  }

  /// Runs one durable transaction.
  /// - Returns: also whether it is this transaction's turn to be followed by a checkpoint.
  private func commit<T, R>(
    _ author: Author, _ body: (JournalTransaction) throws -> T, reading: (Database) throws -> R
  ) throws -> (result: T, read: Result<R, any Error>, isCheckpointDue: Bool) {
    try holding { writer in
      let (result, numbers, read) = try writer.write { db in
        let device = try followDevice(db)
        let transaction = try JournalTransaction(db, author: author, device: device, knowing: knowledge, clock: clock)
        try refuseOlder(transaction.chainLength)
        let result = try body(transaction)
        let numbers = try transaction.seal()
        return (result, numbers, Result { try reading(db) })
      }
      // Still under the lock: another thread's commit, perhaps as a new device, comes after this number.
      seenChain.store(numbers.upperBound - 1, ordering: .relaxed)
      return (result, read, Checkpoint.isDue(after: numbers))
    }
  }

  /// The device of this transaction: another process may have gone on as a new one.
  private func followDevice(_ db: Database) throws -> UUIDBytes {
    guard let stored = try DeviceBinding.known(db) else { return device }
    if stored != device {
      boundDevice.withLock { $0 = stored }
      seenChain.store(0, ordering: .relaxed)
    }
    return stored
  }

  /// Refuses a file whose content is another's, or an older state: it has less of this device's chain than was here.
  private func refuseOlder(_ length: Int64) throws {
    if length < max(1, seenChain.load(ordering: .relaxed)) {
      throw StoreError(ExamStore.replacedText, isDiskError: true)
    }
  }

  /// Runs one durable transaction that takes in what other devices made; see `apply`.
  func merge<T>(_ body: (MergeTransaction) throws -> T) throws -> T {
    let result = try locked { db in
      try body(MergeTransaction(db, device: followDevice(db), knowing: knowledge, now: clock.now))
    }
    checkpoint()
    return result
  }

  private func locked<T>(_ body: (Database) throws -> T) throws -> T { try holding { try $0.write(body) } }

  /// Runs what no transaction can hold, under the store's lock.
  func outsideTransaction<T>(_ body: (Database) throws -> T) throws -> T {
    try holding { try $0.writeWithoutTransaction(body) }
  }

  /// Gives out the writing connection under the store's lock, if the store may be written.
  private func holding<T>(_ body: (DatabaseQueue) throws -> T) throws -> T {
    do {
      return try lock.holding {
        if let refusal { throw StoreError(refusal, isDiskError: true) }
        if isReplaced { throw StoreError(ExamStore.replacedText, isDiskError: true) }
        return try body(writer)
      }
    } catch let error as DatabaseError {
      throw StoreError.from(error, path: location.path, while: .writing)
    }
  }

  private func checkpoint() { Checkpoint.underLoad(writer: writer, lock: lock) }

  /// How many submitted transactions have an outcome that the screen has not dealt with yet: a refusal that is known to
  /// the writer thread alone would otherwise be lost by a program that ends once nothing is pending.
  public var pendingWrites: Int { pending.load(ordering: .relaxed) }

  /// Says how the screen's thread is told that a transaction has ended; called from any thread.
  public func onCompletion(_ wake: @escaping @Sendable () -> Void) { waker.withLock { $0 = Waker(wake: wake) } }

  /// Calls back for every transaction that has ended, in order.
  @MainActor public func deliver() {
    let ended = completions.withLock { list in
      defer { list = [] }
      return list
    }
    for completion in ended {
      completion()
      pending.subtract(1, ordering: .relaxed)
    }
  }

  /// Finishes what is queued, then closes.
  /// - Returns: whether all of it reached the disk in time (milliseconds).
  @discardableResult public func close(within milliseconds: Int = 5000) -> Bool {
    let done = thread.finish(within: milliseconds)
    // Closing the last connection checkpoints, so it needs the lock; a lock held by a stopped process must not keep
    // this one from ending: the log is then simply left for the next to open.
    if done {
      _ = lock.ifFree {
        try? reader.close()
        try? writer.close()
      }
    }
    return done
  }
}
