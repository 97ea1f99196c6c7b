import Glibc

/// A file that appears whole or not at all: it is written beside its place under a name that nobody can guess, and then
/// given its own. A file that is there already is replaced, unless it is a database or belongs to one.
public final class AtomicFile {
  private let path: String
  private let folder: String
  private let part: String
  private let isOfStore: Bool
  private let file: OpenFile
  private var isNamed = false

  /// Opens the file beside `path`.
  /// - Parameter isOfStore: whether it is one that lies beside a store by its name.
  /// - Throws: `StoreError` if that is not possible, or if there is something at the path that must not be replaced.
  public init(_ path: String, isOfStore: Bool = false) throws {
    (self.path, self.isOfStore) = (path, isOfStore)
    folder = StoreLocation(path: path).folder
    try AtomicFile.refuseToReplace(path, isOfStore: isOfStore)
    part = path + ".osce-part-" + RandomName.text()
    guard let file = OpenFile(open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)) else {
      throw StoreError("cannot write \(path): \(systemError())")
    }
    self.file = file
  }

  /// What another program may write through instead.
  public var descriptor: Int32 { file.descriptor }

  deinit {
    if !isNamed { unlink(part) }
  }

  /// Refuses what is no plain file, a database of whatever program, and what is called like a file of one.
  private static func refuseToReplace(_ path: String, isOfStore: Bool) throws {
    let file = FileState(path)
    if let file, !file.isRegular {
      throw StoreError("\(path) is not a plain file; name another file")
    }
    if isOfStore { return }
    let place = StoreLocation(path: path)
    let isDatabase = file != nil && place.isDatabase
    if isDatabase || FileState(place.path(of: .log)) != nil || FileState(place.path(of: .lock)) != nil {
      throw StoreError("\(path) is a database; it was left as it is; name another file")
    }
    if let owner = StoreLocation.owner(of: path), StoreLocation(path: owner).isDatabase {
      throw StoreError("\(path) belongs to the database \(owner); name another file")
    }
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
        throw failed()
      }
    }
  }

  /// Puts the bytes on the disk, gives the file its name and puts that on the disk too.
  /// - Throws: `StoreError` if that fails; before it is named nothing has changed.
  public func finish() throws {
    // Asked again: while the bytes were made somebody may have put a store there.
    try AtomicFile.refuseToReplace(path, isOfStore: isOfStore)
    guard fsync(descriptor) == 0, rename(part, path) == 0 else { throw failed() }
    isNamed = true
    try OpenFile.synchronise(folder)
  }

  private func failed() -> StoreError {
    StoreError("cannot write \(path): \(systemError()); the file there was left as it is")
  }
}

/// Names that nobody can guess, for files beside those that they become.
enum RandomName {
  /// 32 hexadecimal digits.
  static func text() -> String {
    let words = (0..<2).map { _ in String(UInt64.random(in: 0...(.max)), radix: 16) }
    return words.map { String(repeating: "0", count: 16 - $0.count) + $0 }.joined()
  }
}
