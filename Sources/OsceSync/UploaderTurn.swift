import ExamStore
import Glibc

/// The right to exchange a store: one process at a time has it, and the kernel takes it back when that ends.
final class UploaderTurn {
  private let file: OpenFile

  /// - Returns: nil where another process has it.
  /// - Throws: `StoreError` if the file beside the store cannot be opened.
  init?(of location: StoreLocation) throws {
    let path = location.path + ".sync"
    guard let file = OpenFile(open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)) else {
      throw StoreError("cannot open \(path): \(String(cString: strerror(errno)))")
    }
    if flock(file.descriptor, LOCK_EX | LOCK_NB) != 0 { return nil }
    self.file = file
  }
}
