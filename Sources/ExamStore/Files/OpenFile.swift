import Glibc

/// An open file, pipe or folder. Its only owner closes it, once: also where an initialiser fails that had it already.
public struct OpenFile: ~Copyable, Sendable {
  /// The descriptor, for as long as this is there.
  public let descriptor: Int32

  /// Takes a descriptor that nobody else closes; nil where opening had failed.
  public init?(_ descriptor: Int32) {
    guard descriptor >= 0 else { return nil }
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }
}

extension OpenFile {
  /// Puts a file or a folder on the disk.
  /// - Parameter name: what it is called in an error; nil: by its path.
  static func synchronise(_ path: String, named name: String? = nil) throws {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw StoreError("cannot open \(name ?? path): \(systemError())") }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw StoreError("cannot put \(name ?? path) on the disk: \(systemError())") }
  }
}
