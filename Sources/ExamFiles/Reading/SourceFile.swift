#if canImport(Glibc)
  import Glibc
#endif

/// A text file as it was found on the disk.
struct SourceFile {
  /// More than this is not an exam.
  static let sizeLimit = 16 * 1_024 * 1_024

  /// The file as problems name it.
  let name: String
  /// Its text: valid UTF-8, without a byte order mark, lines ended by `\n`.
  let text: String

  /// Reads a file, or says in `problems` why it cannot be read and returns nil.
  ///
  /// - Parameters:
  ///   - path: where it is.
  ///   - name: how problems name it.
  init?(path: String, name: String, problems: ProblemList) {
    let start = Place(file: name, line: 1)
    let bytes: [UInt8]
    switch Self.bytes(path) {
    case .success(let found): bytes = found
    case .failure(let failure):
      problems.error(start, failure.reason)
      return nil
    }
    self.init(bytes: bytes, name: name, problems: problems)
  }

  /// Takes bytes as if they had been read.
  init?(bytes: [UInt8], name: String, problems: ProblemList) {
    if bytes.starts(with: Array("SQLite format 3".utf8)) {
      problems.error(
        Place(file: name, line: 1),
        "this is a store or another database, no exam folder and no bundle; "
          + "a store is examined with: osce doctor --store FILE")
      return nil
    }
    var body = bytes[...]
    if body.starts(with: [0xEF, 0xBB, 0xBF]) { body = body.dropFirst(3) }
    if body.starts(with: [0xFF, 0xFE]) || body.starts(with: [0xFE, 0xFF]) {
      problems.error(Place(file: name, line: 1), "this is UTF-16; save the file as UTF-8")
      return nil
    }
    if let bad = Self.firstInvalid(body) {
      let line = 1 + body[..<bad].count { $0 == 0x0A }
      problems.error(Place(file: name, line: line), "these bytes are not UTF-8; save the file as UTF-8")
      return nil
    }
    if let zero = body.firstIndex(of: 0) {
      let line = 1 + body[..<zero].count { $0 == 0x0A }
      problems.error(Place(file: name, line: line), "there is a zero byte; this is not a text file")
      return nil
    }
    self.name = name
    self.text = String(decoding: body, as: UTF8.self)
  }

  private struct Failure: Error { let reason: String }

  private static func bytes(_ path: String) -> Result<[UInt8], Failure> {
    // Not blocking: a FIFO under this name must not stop the program for ever.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      return .failure(Failure(reason: Unreadable.reason(errno, path)))
    }
    defer { close(descriptor) }
    var info = stat()
    guard fstat(descriptor, &info) == 0, info.st_mode & S_IFMT == S_IFREG else {
      return .failure(Failure(reason: "this is not a file"))
    }
    let tooLarge = Failure(reason: "larger than 16 MB: this is not an exam file")
    guard info.st_size <= sizeLimit else { return .failure(tooLarge) }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Int(info.st_size))
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { return .failure(Failure(reason: Unreadable.reason(errno, path))) }
      if count == 0 { return .success(bytes) }
      bytes.append(contentsOf: buffer[..<count])
      guard bytes.count <= sizeLimit else { return .failure(tooLarge) }
    }
  }

  private static func firstInvalid(_ bytes: ArraySlice<UInt8>) -> Int? {
    var decoder = UTF8()
    var iterator = bytes.makeIterator()
    var index = bytes.startIndex
    while true {
      switch decoder.decode(&iterator) {
      case .scalarValue(let scalar): index += UTF8.width(scalar)
      case .emptyInput: return nil
      case .error: return index
      }
    }
  }
}
