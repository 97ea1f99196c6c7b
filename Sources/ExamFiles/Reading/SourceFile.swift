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
    do { bytes = try BoundedFile.bytes(path, limit: Self.sizeLimit) } catch {
      problems.error(start, Self.reason(error, path))
      return nil
    }
    self.init(bytes: bytes, name: name, problems: problems)
  }

  /// Takes bytes as if they had been read.
  init?(bytes: [UInt8], name: String, problems: ProblemList) {
    if bytes.starts(with: Array("SQLite format 3".utf8)) {
      problems.error(
        Place(file: name, line: 1),
        "this is a database, not an exam folder or bundle; check a store with: osce doctor --store FILE")
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
      if name.hasSuffix(".csv"), !body.contains(0), let text = Windows1252.text(body) {
        problems.warning(
          Place(file: name, line: line),
          "these bytes are not UTF-8: read as Windows-1252, as Excel writes it; look at the names, or save it as UTF-8")
        (self.name, self.text) = (name, text)
        return
      }
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

  private static func reason(_ fault: BoundedFile.Fault, _ path: String) -> String {
    switch fault {
    case .refused(let number): Unreadable.reason(number, path)
    case .noFile: "this is not a file"
    case .tooLong: "larger than 16 MB: this is not an exam file"
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
