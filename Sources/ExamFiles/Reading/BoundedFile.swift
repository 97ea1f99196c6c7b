import Glibc

/// Reads a file of a stranger whole, if it is one and not too long.
enum BoundedFile {
  /// Why it cannot be read.
  enum Fault: Error {
    /// The system refuses, by its number.
    case refused(Int32)
    /// There is something else under this name: a folder, a pipe, a device.
    case noFile
    /// It is longer than the limit.
    case tooLong
  }

  /// - Parameter limit: the most bytes that are read.
  static func bytes(_ path: String, limit: Int) throws(Fault) -> [UInt8] {
    // Not blocking: a FIFO under this name must not stop the program for ever.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw .refused(errno) }
    defer { close(descriptor) }
    var info = stat()
    guard fstat(descriptor, &info) == 0, info.st_mode & S_IFMT == S_IFREG else { throw .noFile }
    guard info.st_size <= limit else { throw .tooLong }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Int(info.st_size))
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { throw .refused(errno) }
      if count == 0 { return bytes }
      bytes.append(contentsOf: buffer[..<count])
      guard bytes.count <= limit else { throw .tooLong }
    }
  }
}
