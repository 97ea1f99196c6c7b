import Console
import Glibc

/// The use of a hub's file: by any number of processes that open it, or by the one that puts another in its place. A hub
/// that went on beside that would write into a file that nobody opens again.
///
/// It is held until the process ends: the kernel gives it back then.
enum DatabaseUse {
  /// Takes part in the use of a file.
  /// - Throws: `CommandFailure` while another is put in its place.
  static func take(_ path: String) throws {
    if try !lock(path, LOCK_SH) { throw CommandFailure("\(path) is being restored; try again") }
  }

  /// Takes a file alone.
  /// - Throws: `CommandFailure` while a hub runs on it, or another command has it open.
  static func takeAlone(_ path: String) throws {
    if try !lock(path, LOCK_EX) {
      throw CommandFailure("a hub runs on \(path), or a command has it open: stop the hub first; nothing was changed")
    }
  }

  private static func lock(_ path: String, _ kind: Int32) throws -> Bool {
    let file = path + ".use"
    let descriptor = open(file, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
    guard descriptor >= 0 else { throw CommandFailure("cannot open \(file): \(String(cString: strerror(errno)))") }
    if flock(descriptor, kind | LOCK_NB) == 0 { return true }
    close(descriptor)
    return false
  }
}
