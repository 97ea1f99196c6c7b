import Dispatch
import Glibc
import Synchronization

/// `flock` with an end: the kernel wakes a waiter at once, but offers no time after which it gives up.
enum FileLock {
  /// Locks an open file.
  /// - Parameter seconds: how long to wait; 0: not at all, nil: as long as it takes.
  /// - Returns: whether it is locked.
  /// - Throws: `StoreError` if the file cannot be locked at all.
  static func take(_ descriptor: Int32, within seconds: Int?) throws -> Bool {
    if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return true }
    guard errno == EWOULDBLOCK || errno == EINTR else { throw StoreError("cannot be locked: \(systemError())") }
    if seconds == 0 { return false }
    guard let seconds else { return try wait(descriptor) { false } }
    // A process may have been started with all signals blocked.
    var (heard, before) = (sigset_t(), sigset_t())
    sigemptyset(&heard)
    sigaddset(&heard, SIGURG)
    pthread_sigmask(SIG_UNBLOCK, &heard, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    let alarm = LockAlarm(after: seconds)
    defer { alarm.stop() }
    return try wait(descriptor) { alarm.isOver }
  }

  private static func wait(_ descriptor: Int32, until isOver: () -> Bool) throws -> Bool {
    while flock(descriptor, LOCK_EX) != 0 {
      if errno != EINTR { throw StoreError("cannot be locked: \(systemError())") }
      if isOver() { return false }
    }
    return true
  }

  /// The process that holds the lock on a file, read from `/proc/locks`; nil if nobody does, or the kernel does not
  /// say.
  static func holder(of inode: UInt64) -> LockHolder? {
    // The kernel gives the table page by page: where others let locks go meanwhile, lines are passed over.
    for _ in 0..<looks { if let holder = listed(inode) { return holder } }
    return nil
  }

  private static let looks = 5

  private static func listed(_ inode: UInt64) -> LockHolder? {
    // A waiter's line has "->" in second place, so its kind is not in the same column.
    KernelLocks.lines(on: inode).lazy.filter { $0.count >= 6 && $0[1] == "FLOCK" }.compactMap { Int32($0[4]) }.first
      .map { LockHolder($0) }
  }
}

/// Interrupts the thread that waits for a lock once its time is over, until that thread has seen it: a signal that
/// comes just before the call would be missed.
private final class LockAlarm: Sendable {
  private struct State {
    var isStopped = false
    var isOver = false
  }

  private static let pause = DispatchTimeInterval.milliseconds(50)
  /// A handler that does nothing: what counts is that the call returns.
  private static let isHeard: Bool = {
    var action = sigaction()
    action.__sigaction_handler.sa_handler = { _ in }
    return sigaction(SIGURG, &action, nil) == 0
  }()

  private let thread = pthread_self()
  private let state = Mutex(State())

  init(after seconds: Int) {
    _ = LockAlarm.isHeard
    DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(seconds)) { [self] in ring() }
  }

  /// Whether the time is over.
  var isOver: Bool { state.withLock { $0.isOver } }

  func stop() { state.withLock { $0.isStopped = true } }

  private func ring() {
    let goesOn = state.withLock { state in
      if state.isStopped { return false }
      state.isOver = true
      pthread_kill(thread, SIGURG)
      return true
    }
    if goesOn { DispatchQueue.global().asyncAfter(deadline: .now() + LockAlarm.pause) { [self] in ring() } }
  }
}

/// Who keeps the others waiting.
public struct LockHolder: Equatable, Sendable {
  /// The process number.
  public let process: Int32
  /// The command's name as the kernel keeps it (at most 15 bytes).
  public let command: String
  /// Whether it is stopped, so that it will not release the lock by itself.
  public let isStopped: Bool

  init(_ process: Int32) {
    self.process = process
    command = readSmallFile("/proc/\(process)/comm", limit: 64).map { String($0.prefix { $0 != "\n" }) } ?? "unknown"
    // The state follows the name, which stands in brackets and may hold brackets and blanks itself.
    let status = readSmallFile("/proc/\(process)/stat", limit: 4096) ?? ""
    let state = status.lastIndex(of: ")").map { status[$0...].dropFirst(2).prefix(1) } ?? ""
    isStopped = state == "T" || state == "t"
  }

  /// `process 4711 (osce)`, `process 4711 (osce, stopped)`.
  public var name: String { "process \(process) (\(command)\(isStopped ? ", stopped" : ""))" }
}
