import Glibc

/// A file that appears whole or not at all: it is written beside its place and then given its name. A file that is
/// there already is replaced.
public final class AtomicFile {
  private let path: String
  private let part: String
  /// What another program may write through instead.
  public let descriptor: Int32
  private var isNamed = false

  /// Opens the file beside `path`.
  /// - Parameter kept: files that must not be replaced, such as the store's own.
  /// - Throws: `StoreError` if that is not possible, or if there is something else than a plain file at the path.
  public init(_ path: String, keeping kept: [String] = []) throws {
    self.path = path
    var target = stat()
    if lstat(path, &target) == 0 {
      guard target.st_mode & S_IFMT == S_IFREG else {
        throw StoreError("\(path) is not a plain file; leave --out away to write to standard output")
      }
      for file in kept {
        var other = stat()
        if lstat(file, &other) == 0, other.st_dev == target.st_dev, other.st_ino == target.st_ino {
          throw StoreError("\(path) is the store itself; name another file")
        }
      }
    }
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
