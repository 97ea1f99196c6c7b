import Glibc

/// Somebody else who holds the lock of a file, as a stopped process does.
public final class HeldLock: Sendable {
  private let descriptor: Int32

  /// Takes the lock as soon as it is free; the file is made where it is missing.
  public init(_ path: String) throws {
    descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0, flock(descriptor, LOCK_EX) == 0 else { throw Failure() }
  }

  /// Lets others have it.
  public func release() { flock(descriptor, LOCK_UN) }

  deinit { close(descriptor) }

  /// Whether somebody holds the lock of a file.
  public static func isHeld(_ path: String) -> Bool {
    let descriptor = open(path, O_RDWR | O_CLOEXEC)
    defer { close(descriptor) }
    return flock(descriptor, LOCK_EX | LOCK_NB) != 0
  }

  private struct Failure: Error {}
}
