import Glibc
import Timer

/// Which wall or desk of this machine runs the announcement command: the one that holds a lock on `<store>.announcer`.
///
/// The kernel frees the lock when its holder dies. The file holds the instant last announced, so that whoever takes
/// over repeats nothing.
final class AnnouncerSeat {
  private let path: String
  private var descriptor: Int32 = -1
  /// Whether this process announces.
  private(set) var isTaken = false
  /// What was last announced on this machine, as far as this process knows.
  private var lastAnnounced = Instant.earliest
  /// Why the file cannot be used; nil if it can.
  private(set) var problem: String?

  /// - Parameter storePath: the store's path; the file lies beside it.
  init(storePath: String) { path = storePath + ".announcer" }

  deinit { release() }

  /// Takes the seat if it is free. Never waits.
  /// - Returns: whether this process announces.
  /// - Parameter now: an instant in the file that is later than this can be announced in cannot be right, and is
  ///   passed over.
  func take(now: Instant) -> Bool {
    if isTaken { return true }
    if descriptor < 0 {
      descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
      var status = stat()
      if descriptor >= 0, fstat(descriptor, &status) != 0 || status.st_mode & S_IFMT != S_IFREG {
        close(descriptor)
        descriptor = -1
        errno = EINVAL
      }
      guard descriptor >= 0 else {
        problem = "\(path) cannot be used: \(String(cString: strerror(errno)))"
        return false
      }
      problem = nil
    }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { return false }
    isTaken = true
    var bytes = [UInt8](repeating: 0, count: 24)
    let count = pread(descriptor, &bytes, bytes.count, 0)
    let digits = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self).prefix { $0 != "\n" }
    if let milliseconds = Int64(digits), milliseconds <= now.milliseconds + Announcements.graceMs {
      lastAnnounced = Instant(milliseconds: milliseconds)
    }
    return true
  }

  /// Whether an instant's announcements are still to be made; from now on they are not.
  func claim(_ instant: Instant) -> Bool {
    guard isTaken, instant > lastAnnounced else { return false }
    lastAnnounced = instant
    let text = Array("\(instant.milliseconds)\n".utf8)
    ftruncate(descriptor, 0)
    _ = pwrite(descriptor, text, text.count, 0)
    return true
  }

  /// Gives the seat up.
  func release() {
    if descriptor >= 0 { close(descriptor) }
    descriptor = -1
    isTaken = false
  }
}
