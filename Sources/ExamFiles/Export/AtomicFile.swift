import CircuitModel
import Glibc

/// A file that appears whole or not at all: it is written beside its place and then given its name. A file that is
/// there already is replaced.
public final class AtomicFile {
  private let path: String
  private let part: String
  private let descriptor: Int32
  private var isNamed = false

  /// Opens the file beside `path`.
  /// - Throws: `StoreError` if that is not possible.
  public init(_ path: String) throws {
    self.path = path
    part = path + ".\(getpid()).part"
    unlink(part)
    descriptor = open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw StoreError("cannot write \(path): \(String(cString: strerror(errno)))") }
  }

  deinit {
    close(descriptor)
    if !isNamed { unlink(part) }
  }

  /// Appends bytes.
  /// - Throws: `StoreError` if the disk is full or the like.
  public func write(_ bytes: [UInt8]) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if errno != EINTR {
        throw StoreError("cannot write \(path): \(String(cString: strerror(errno))); the file there was left as it is")
      }
    }
  }

  /// Puts the bytes on the disk and gives the file its name.
  /// - Throws: `StoreError` if that fails; nothing has then changed.
  public func finish() throws {
    guard fsync(descriptor) == 0, rename(part, path) == 0 else {
      throw StoreError("cannot write \(path): \(String(cString: strerror(errno))); the file there was left as it is")
    }
    isNamed = true
  }
}
