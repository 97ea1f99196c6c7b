import Glibc
import Timer

/// What was announced on this machine: walls and desks claim an instant in `<store>.announcer` before they announce it,
/// and the first has it.
///
/// The file's lock is held for the moment of a claim alone, so a process that is stopped or killed silences no other.
struct AnnouncementClaims {
  /// What became of a claim.
  enum Outcome: Equatable {
    /// It is this process's to announce.
    case ours
    /// Another process has announced it.
    case taken
    /// Another process claims something at this moment: to be tried again.
    case busy
    /// The file cannot be used.
    case failed(String)
  }

  private let path: String

  /// How long an instant is kept, in milliseconds: longer than anything may be announced after it.
  private static let keptMs: Int64 = 10_000

  /// - Parameter storePath: the store's path; the file lies beside it.
  init(storePath: String) { path = storePath + ".announcer" }

  /// Claims an instant's announcements. Never waits.
  func claim(_ instant: Instant, now: Instant) -> Outcome {
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
    guard descriptor >= 0 else { return failed(errno) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return failed(EINVAL) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { return .busy }
    let kept = read(descriptor).filter { now - $0 <= AnnouncementClaims.keptMs && $0 - now <= Announcements.graceMs }
    if kept.contains(instant) { return .taken }
    let text = Array((kept + [instant]).map { "\($0.milliseconds)\n" }.joined().utf8)
    guard ftruncate(descriptor, 0) == 0, pwrite(descriptor, text, text.count, 0) == text.count else {
      return failed(errno)
    }
    return .ours
  }

  private func failed(_ code: Int32) -> Outcome {
    .failed("\(path) cannot be used: \(String(cString: strerror(code)))")
  }

  /// The instants in the file; what is not a number is passed over.
  private func read(_ descriptor: Int32) -> [Instant] {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = pread(descriptor, &bytes, bytes.count, 0)
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self).split(separator: "\n")
      .compactMap { Int64($0) }.map { Instant(stored: $0) }
  }
}
