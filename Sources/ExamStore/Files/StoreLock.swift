import Dispatch
import Glibc
import Synchronization

/// The lock that every writer of a store takes first: `flock` on `<store>.lock`.
///
/// The kernel wakes waiters at once and frees the lock when its holder dies. Because commits, checkpoints, opens and
/// closes all take it, no commit ever overlaps another process's checkpoint (SQLite before 3.51.3 can corrupt a WAL
/// exactly there).
public final class StoreLock: Sendable {
  private let storePath: String
  private let onlyReads: Bool
  /// Which file is open, for who asks while another thread has its turn.
  private let inode: Atomic<UInt64>
  /// Whether this process has the lock.
  private let isHeldHere = Atomic(false)
  /// `flock` belongs to the open file, so threads of this process take turns here.
  private let turn: Mutex<LockFile>

  /// Opens, and if needed creates, the lock file beside the store.
  /// - Throws: `StoreError` if the file cannot be opened or is a symbolic link.
  public convenience init(storePath: String) throws { try self.init(storePath: storePath, onlyReads: false) }

  /// - Parameter onlyReads: where the lock file cannot be written or made, it can still be locked if it is there.
  package init(storePath: String, onlyReads: Bool) throws {
    let file = try LockFile(of: storePath, onlyReads: onlyReads)
    self.storePath = storePath
    self.onlyReads = onlyReads
    inode = Atomic(UInt64(file.inode))
    turn = Mutex(file)
  }

  /// Runs `body` while this process holds the lock, waiting for it as long as `patience` says.
  /// - Warning: not reentrant.
  /// - Throws: what `body` throws; `StoreError` that names the holder, with nothing done, if the lock stayed taken.
  package func holding<T>(_ body: () throws -> T) throws -> T {
    try turn.withLock { file in
      try acquire(&file)
      defer { release(file) }
      return try body()
    }
  }

  /// Takes the lock if it is free.
  private func takeIfFree(_ file: inout LockFile) -> Bool {
    while flock(file.descriptor, LOCK_EX | LOCK_NB) == 0 {
      if keeps(file) { return true }
      if (try? reopen(&file)) == nil { return false }
    }
    return false
  }

  /// Notes that the lock was taken, unless its file was removed: others make a new one and would not wait for this.
  private func keeps(_ file: borrowing LockFile) -> Bool {
    let isInPlace = file.isInPlace(of: storePath)
    if isInPlace { isHeldHere.store(true, ordering: .relaxed) }
    return isInPlace
  }

  private func reopen(_ file: inout LockFile) throws {
    flock(file.descriptor, LOCK_UN)
    file = try LockFile(of: storePath, onlyReads: onlyReads)
    inode.store(UInt64(file.inode), ordering: .relaxed)
  }

  private func release(_ file: borrowing LockFile) {
    isHeldHere.store(false, ordering: .relaxed)
    flock(file.descriptor, LOCK_UN)
  }

  /// Called, on another thread, when this process has waited for a lock for three seconds; nil where a screen says so
  /// itself.
  public static let longWait = Mutex<(@Sendable (LockHolder?) -> Void)?>(nil)

  /// How long this process waits for a lock before it gives up, in seconds; nil: as long as it takes, as a screen does,
  /// which shows who holds it.
  public static let patience = Mutex<Int?>(nil)
  /// How long a command waits where nobody says, in seconds.
  public static let usualPatience = 20
  /// What can be asked for: at most a day.
  public static let possiblePatience = 0...86_400

  private func acquire(_ file: inout LockFile) throws {
    if takeIfFree(&file) { return }
    let notice = StoreLock.longWait.withLock { $0 }.map { tell in DispatchWorkItem { [self] in tell(blocker()) } }
    if let notice { DispatchQueue.global().asyncAfter(deadline: .now() + 3, execute: notice) }
    defer { notice?.cancel() }
    let patience = StoreLock.patience.withLock { $0 }
    while try file.take(within: patience) {
      if keeps(file) { return }
      try reopen(&file)
    }
    throw StoreError.gaveUp(StoreLock.gaveUp(after: patience ?? 0, blocker()))
  }

  /// What a command says that waited in vain.
  static func gaveUp(after seconds: Int, _ holder: LockHolder?) -> String {
    let who = holder?.name ?? "another process"
    let remedy =
      holder.map { $0.isStopped ? "let it continue (kill -CONT \($0.process)) or end it" : "wait for it or end it" }
      ?? "try again"
    return "the store is held by \(who): gave up after \(seconds) s, nothing was changed; \(remedy), or wait longer "
      + "with --wait SECONDS"
  }

  /// Runs `body` if the lock is free now.
  /// - Returns: what `body` returns, or nil if another process holds the lock.
  package func ifFree<T>(_ body: () -> T) -> T? {
    turn.withLockIfAvailable { file in
      guard takeIfFree(&file) else { return nil }
      defer { release(file) }
      return body()
    } ?? nil
  }

  /// The process that holds the lock now; nil if nobody does.
  package func holder() -> LockHolder? { FileLock.holder(of: inode.load(ordering: .relaxed)) }

  /// For whom the changes of this process wait; nil: for nobody, so it is the disk that is slow.
  public func blocker() -> LockHolder? {
    let holder = holder()
    // A program that does not know this lock has SQLite's own, and who holds this one waits for it too.
    if let writer = StoreUsers.writer(of: storePath), writer.process != holder?.process { return writer }
    return isHeldHere.load(ordering: .relaxed) ? nil : holder
  }
}

/// The lock file beside a store, open.
private struct LockFile: ~Copyable, Sendable {
  private let file: OpenFile
  private let device: dev_t
  let inode: ino_t
  var descriptor: Int32 { file.descriptor }

  private static func path(of storePath: String) -> String { StoreLocation(path: storePath).path(of: .lock) }

  init(of storePath: String, onlyReads: Bool) throws {
    let path = LockFile.path(of: storePath)
    // Not blocking: a FIFO under this name must not stop the program for ever.
    guard
      let file = OpenFile(
        open(path, (onlyReads ? O_RDONLY : O_RDWR | O_CREAT) | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600))
    else {
      throw StoreError("cannot open the lock file \(path): \(systemError()); check the folder's owner and permissions")
    }
    var status = stat()
    guard fstat(file.descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw StoreError("the lock file \(path) is not a regular file; remove it")
    }
    (device, inode) = (status.st_dev, status.st_ino)
    self.file = file
  }

  /// Whether this file still has the lock's name. A store that was moved away as a whole has taken it along.
  func isInPlace(of storePath: String) -> Bool {
    var status = stat()
    if lstat(LockFile.path(of: storePath), &status) == 0 { return (status.st_dev, status.st_ino) == (device, inode) }
    return errno != ENOENT || access(storePath, F_OK) != 0
  }

  func take(within seconds: Int?) throws -> Bool {
    do { return try FileLock.take(descriptor, within: seconds) } catch {
      throw StoreError("the store \(error); nothing was changed")
    }
  }
}

/// The text of `errno`.
func systemError(_ number: Int32 = errno) -> String { String(cString: strerror(number)) }

/// Who else has a store open.
package enum StoreUsers {
  /// The other processes that hold SQLite's lock on the log's index, which every connection does.
  package static func others(of location: StoreLocation) -> [LockHolder] {
    let own = getpid()
    let processes = Set(locks(on: location.path(of: .logIndex)).map(\.process)).subtracting([own])
    return processes.sorted().map { LockHolder($0) }
  }

  /// Whether a process has a store open, this one too.
  static func isOpen(_ storePath: String) -> Bool { !locks(on: logIndex(of: storePath)).isEmpty }

  /// The process that is in the middle of a change, whether or not it knows the store's own lock; nil if none is.
  static func writer(of storePath: String) -> LockHolder? {
    locks(on: logIndex(of: storePath)).first { $0.isExclusive && $0.bytes.contains(writersByte) }.map {
      LockHolder($0.process)
    }
  }

  private static func logIndex(of storePath: String) -> String { StoreLocation(path: storePath).path(of: .logIndex) }

  /// Which byte of the log's index a writer locks (https://sqlite.org/walformat.html#wal_locks).
  private static let writersByte = 120

  private struct Lock {
    let process: Int32
    let isExclusive: Bool
    let bytes: ClosedRange<Int>
  }

  /// SQLite's locks on a file, from `/proc/locks`.
  private static func locks(on path: String) -> [Lock] {
    var status = stat()
    guard stat(path, &status) == 0 else { return [] }
    return KernelLocks.lines(on: UInt64(status.st_ino)).compactMap { fields in
      guard fields.count >= 8, fields[1] == "POSIX", let process = Int32(fields[4]), process > 0,
        let first = Int(fields[6])
      else { return nil }
      return Lock(
        process: process, isExclusive: fields[3] == "WRITE", bytes: first...max(first, Int(fields[7]) ?? Int.max))
    }
  }
}

/// Which process a number means: the kernel gives the number of one that has ended to another.
package enum ProcessStart {
  /// When a process was started: the identity of the machine's start and the clock ticks since, as one word each.
  /// - Returns: nil if there is no such process, or the kernel does not say.
  package static func text(of process: Int32) -> String? { facts(of: process)?.start }

  /// When a process was started, and whether it has ended and only waits for its parent to hear of it.
  private static func facts(of process: Int32) -> (start: String, hasEnded: Bool)? {
    guard let status = readSmallFile("/proc/\(process)/stat", limit: 4096),
      // The command's name stands in brackets and may hold brackets and blanks itself.
      let name = status.lastIndex(of: ")")
    else { return nil }
    let fields = status[name...].split(separator: " ")
    // Field 22 of the line; the name is field 2.
    guard fields.count > 20 else { return nil }
    return ("\(SystemClock.live.bootID()) \(fields[20])", ["Z", "X"].contains(fields[1]))
  }

  /// Whether a process is there, no matter who owns it, and is the one that was started then.
  /// - Parameter start: as `text` gave it; nil where it was not recorded, so that the number alone tells.
  package static func isAlive(_ process: Int32, startedAt start: String?) -> Bool {
    guard kill(process, 0) == 0 || errno == EPERM else { return false }
    guard let facts = facts(of: process) else { return true }
    return !facts.hasEnded && (start == nil || start == facts.start)
  }
}
