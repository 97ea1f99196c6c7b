import Glibc

/// The right to exchange a store: one process at a time has it, and the kernel takes it back when that ends.
package final class UploaderTurn {
  private let file: OpenFile

  private static let flags = O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK

  /// - Returns: nil where another process has it.
  /// - Throws: `StoreError` if the file beside the store cannot be opened.
  package init?(of location: StoreLocation) throws {
    let path = location.uploaderTurnPath
    guard let file = OpenFile(open(path, Self.flags | O_CREAT, 0o600)) else {
      throw StoreError("cannot open \(path): \(systemError())")
    }
    if flock(file.descriptor, LOCK_EX | LOCK_NB) != 0 { return nil }
    self.file = file
  }

  /// Whether a process has it. Looks without leaving a file where none ever had it.
  package static func isTaken(of location: StoreLocation) -> Bool {
    guard let file = OpenFile(open(location.uploaderTurnPath, flags)) else { return false }
    return flock(file.descriptor, LOCK_EX | LOCK_NB) != 0
  }
}
