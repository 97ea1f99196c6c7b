import Glibc

/// A private folder for one test, taken away afterwards.
public struct ScratchFolder: Sendable {
  /// Its path.
  public let path: String

  /// Makes a folder.
  /// - Parameter parent: where; on the file system that is to be measured.
  /// - Throws: `RigError` if it cannot be made.
  public init(in parent: String) throws {
    var template = Array((parent + "/osce-rig-XXXXXX").utf8CString)
    guard mkdtemp(&template) != nil else {
      throw RigError("cannot make a folder in \(parent): \(String(cString: strerror(errno)))")
    }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// The path of a file in the folder.
  public func file(_ name: String) -> String { path + "/" + name }

  /// Copies a closed store under another name in the same folder.
  /// - Throws: `RigError` if a file cannot be read or written.
  public func copyStore(_ from: String, to name: String) throws {
    try Files.copy(from, to: file(name))
  }

  /// Takes the folder and what is in it away.
  public func remove() {
    for name in Files.names(in: path) { unlink(path + "/" + name) }
    rmdir(path)
  }
}

/// Files as the rig needs them.
public enum Files {
  /// The names in a folder.
  public static func names(in folder: String) -> [String] {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != "." && name != ".." { names.append(name) }
    }
    return names
  }

  /// How many bytes a file has; 0 if there is none.
  public static func size(_ path: String) -> Int {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : 0
  }

  /// A file's bytes.
  /// - Throws: `RigError` if it cannot be read.
  public static func read(_ path: String) throws -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw RigError("cannot read \(path): \(String(cString: strerror(errno)))") }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = Glibc.read(descriptor, &chunk, chunk.count)
      if count <= 0 { return bytes }
      bytes.append(contentsOf: chunk[0..<count])
    }
  }

  /// A file's text.
  /// - Throws: `RigError` if it cannot be read.
  public static func text(_ path: String) throws -> String { String(decoding: try read(path), as: UTF8.self) }

  /// Writes a file (0600), replacing what is there.
  /// - Throws: `RigError` if it cannot be written.
  public static func write(_ bytes: [UInt8], to path: String) throws {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw RigError("cannot write \(path): \(String(cString: strerror(errno)))") }
    defer { close(descriptor) }
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress! + written, bytes.count - written) }
      guard count > 0 else { throw RigError("cannot write \(path): \(String(cString: strerror(errno)))") }
      written += count
    }
    fsync(descriptor)
  }

  /// Copies a file.
  /// - Throws: `RigError` if it cannot be read or written.
  public static func copy(_ from: String, to path: String) throws { try write(try read(from), to: path) }
}
