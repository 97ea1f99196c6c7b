import GRDB
import Glibc

/// A private copy of a store whose place takes nothing: there the store is read.
///
/// SQLite reads a write-ahead log only where it can write beside it. Opened as unchangeable, a store would lack what is
/// still in its log: the last marks. So the log is copied with it.
package struct ReadingCopy {
  /// Where the copy lies.
  package let location: StoreLocation

  /// The ends of the names of what is copied.
  private static let suffixes = ["", StoreLocation.Companion.log.rawValue]

  /// Copies the store and its log into a new folder that only its owner can read.
  /// - Throws: `StoreError` if the store cannot be read, or no disk takes the copy.
  package init(of store: StoreLocation) throws {
    let size = FileFacts.status(store.path)?.size ?? 0
    let log = FileFacts.status(store.path(of: .log))?.size ?? 0
    let folder = try ReadingCopy.makeFolder(for: size + log)
    location = StoreLocation(path: folder + "/exam.sqlite")
    do {
      // Who only reads keeps no writer waiting, but for the moment of a copy where others write all the time.
      if try !copyUnlocked(store) { try copyLocked(store) }
    } catch {
      remove()
      throw error
    }
  }

  /// Opens a copy of a store of an older version that has the tables of this one; nothing of it is left on the disk.
  /// - Throws: `StoreError` if there can be no copy, `DatabaseError` if its tables cannot be brought up to date.
  package static func migrated(_ store: StoreLocation) throws -> DatabaseQueue {
    let copy = try ReadingCopy(of: store)
    defer { copy.remove() }
    let queue = try DatabaseQueue(path: copy.location.path, configuration: Connection.configuration(readOnly: false))
    try Migrations.migrator.migrate(queue)
    return queue
  }

  /// Removes the copy. A process that has opened it goes on reading it, and leaves nothing behind however it ends; only
  /// a process that is killed while it copies leaves the folder.
  package func remove() {
    for file in location.files { unlink(file) }
    rmdir(location.folder)
  }

  private func copyOnce(_ store: StoreLocation) throws {
    for suffix in ReadingCopy.suffixes where suffix.isEmpty || access(store.path + suffix, F_OK) == 0 {
      try ReadingCopy.copy(store.path + suffix, to: location.path + suffix)
    }
  }

  /// Without the lock, a copy counts only if nobody wrote while it was made.
  /// - Returns: whether there was such a moment.
  private func copyUnlocked(_ store: StoreLocation) throws -> Bool {
    for _ in 0..<5 {
      let before = ReadingCopy.state(store)
      try copyOnce(store)
      if ReadingCopy.state(store) == before { return true }
      for file in location.files { unlink(file) }
    }
    return false
  }

  private func copyLocked(_ store: StoreLocation) throws {
    let lock = try StoreLock(storePath: store.path, onlyReads: true)
    for _ in 0..<20 {
      if let copied = lock.ifFree({ Result { try copyOnce(store) } }) { return try copied.get() }
      usleep(100_000)
    }
    throw StoreError.gaveUp("cannot lock \(store.path): it is in constant use; try again")
  }

  private static func state(_ store: StoreLocation) -> [Int64] {
    suffixes.flatMap { suffix -> [Int64] in
      var status = stat()
      guard stat(store.path + suffix, &status) == 0 else { return [] }
      return [Int64(status.st_size), Int64(status.st_mtim.tv_sec), Int64(status.st_mtim.tv_nsec)]
    }
  }

  private static func makeFolder(for size: Int64) throws -> String {
    let places = [getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp", "/tmp", "/dev/shm"].filter {
      $0.hasPrefix("/")
    }
    for place in places {
      guard let free = FileFacts.freeBytes(folder: place), free > size else { continue }
      var name = Array("\(place)/osce-XXXXXX".utf8CString)
      if let made = mkdtemp(&name) { return String(cString: made) }
    }
    throw StoreError(
      "no disk has room for a temporary copy of the store (tried \(places.joined(separator: ", "))): "
        + "set TMPDIR to a folder with \(FileFacts.size(size)) free")
  }

  private static func copy(_ path: String, to target: String) throws {
    let source = open(path, O_RDONLY | O_CLOEXEC)
    guard source >= 0 else { throw StoreError("cannot read \(path): \(systemError())") }
    defer { close(source) }
    let copy = open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard copy >= 0 else { throw StoreError("cannot write \(target): \(systemError())") }
    defer { close(copy) }
    var chunk = [UInt8](repeating: 0, count: 1 << 18)
    while true {
      let count = read(source, &chunk, chunk.count)
      if count == 0 { return }
      if count < 0 { throw StoreError("cannot read \(path): \(systemError())") }
      var rest = chunk[..<count]
      while !rest.isEmpty {
        let written = write(copy, Array(rest), rest.count)
        if written < 0 { throw StoreError("cannot write \(target): \(systemError())") }
        rest = rest.dropFirst(written)
      }
    }
  }
}
