import Glibc

/// Somebody else who holds the lock of a file, as a stopped process does.
public final class HeldLock: Sendable {
  private let descriptor: Int32

  /// Takes the lock as soon as it is free; the file is made where it is missing.
  /// - Throws: `Failure` where it is not free within ten seconds: who is tested keeps it.
  public init(_ path: String) throws {
    descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    for _ in 0..<1000 where descriptor >= 0 {
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return }
      usleep(10_000)
    }
    throw Failure()
  }

  /// Lets others have it.
  public func release() { flock(descriptor, LOCK_UN) }

  deinit { close(descriptor) }

  /// Whether somebody holds the lock of a file.
  public static func isHeld(_ path: String) -> Bool {
    let descriptor = open(path, O_RDWR | O_CLOEXEC)
    if descriptor < 0 { return false }
    defer { close(descriptor) }
    return flock(descriptor, LOCK_EX | LOCK_NB) != 0
  }

  private struct Failure: Error {}
}
