import GRDB
import Glibc

/// A path at which a whole file is put in one step, held against all others that would put one there.
///
/// The file is written beside the path under a name that nobody can guess. That name stands in the lock file before the
/// file is made, so that what a killed process leaves is known for ours, and nothing else is ever removed. The lock file
/// goes with its holder; one that was killed leaves it to the next.
package final class BackupPlace {
  /// The path.
  package let path: String
  private let name: String
  private let folder: String
  private let lockPath: String
  private let lock: OpenFile
  private var part: String?

  private static let heading = "osce backup"
  /// A database and what is kept beside it while it is written, by the ends of the names.
  private static let suffixes = [""] + StoreLocation.Companion.ofOpen.map(\.rawValue)

  /// Takes a path, and removes what a process that was killed has left of its file.
  /// - Parameter seconds: how long to wait for another that has it; 0: not at all.
  /// - Returns: nil if another still has it then.
  /// - Throws: `StoreError` if nothing can be put there.
  static func take(_ path: String, within seconds: Int?) throws -> BackupPlace? {
    let location = StoreLocation(path: path)
    let name = String(path.split(separator: "/", omittingEmptySubsequences: false).last ?? "")
    if name.isEmpty || name == "." || name == ".." { throw StoreError("\(path) is a folder; name a file in it") }
    let lockPath = "\(location.folder)/.\(name).osce-lock"
    while true {
      guard let lock = try locked(lockPath, beside: path, within: seconds) else { return nil }
      // The one before takes the file away with it, and the next may have made another.
      if isAt(lockPath, lock.descriptor) {
        let place = BackupPlace(path, name: name, folder: location.folder, lockPath: lockPath, lock)
        try place.tidy()
        return place
      }
    }
  }

  /// The same, as a person waits for it.
  /// - Throws: also if another still has it then.
  package static func take(_ path: String) throws -> BackupPlace {
    let seconds = StoreLock.patience.withLock { $0 } ?? StoreLock.usualPatience
    if let place = try take(path, within: seconds) { return place }
    throw StoreError(
      "another backup to \(path) is running\(holder(of: path).map { ", in \($0.name)" } ?? ""): gave up after "
        + "\(seconds) s, nothing was changed; try again, or wait longer with --wait SECONDS")
  }

  private static func holder(of path: String) -> LockHolder? {
    let name = path.split(separator: "/").last ?? ""
    let file = FileIdentity("\(StoreLocation(path: path).folder)/.\(name).osce-lock")
    return file.flatMap { FileLock.holder(of: $0.inode) }
  }

  private init(_ path: String, name: String, folder: String, lockPath: String, _ lock: consuming OpenFile) {
    (self.path, self.name, self.folder, self.lockPath) = (path, name, folder, lockPath)
    self.lock = lock
  }

  deinit {
    removePart()
    unlink(lockPath)
  }

  /// The first of some names at which nothing is: the name itself, then with `-2`, `-3` and so on.
  static func freeName(_ name: String) -> String {
    var (candidate, number) = (name, 1)
    while suffixes.contains(where: { FileState(candidate + $0) != nil }) {
      number += 1
      candidate = "\(name)-\(number)"
    }
    return candidate
  }

  // MARK: The lock

  private static func locked(_ lockPath: String, beside path: String, within seconds: Int?) throws -> OpenFile? {
    guard let lock = OpenFile(open(lockPath, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)) else {
      throw StoreError("cannot write beside \(path): \(systemError()) (\(lockPath))")
    }
    var status = stat()
    guard fstat(lock.descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_nlink <= 1,
      let text = readSmallFile(lockPath, limit: 1024), text.isEmpty || text.hasPrefix(heading + "\n")
    else {
      // Only the holder takes it away: what is gone by now was a lock.
      if !isAt(lockPath, lock.descriptor) { return try locked(lockPath, beside: path, within: seconds) }
      throw StoreError("\(lockPath) is there and is no lock of a backup; it was left as it is; name another file")
    }
    do {
      if try !FileLock.take(lock.descriptor, within: seconds) { return nil }
    } catch {
      throw StoreError("\(lockPath) \(error); name a file on another disk")
    }
    return lock
  }

  private static func isAt(_ path: String, _ descriptor: Int32) -> Bool {
    var (open, there) = (stat(), stat())
    return fstat(descriptor, &open) == 0 && lstat(path, &there) == 0 && open.st_ino == there.st_ino
      && open.st_dev == there.st_dev
  }

  /// Removes what the lock file names, if it is a file as this program makes it.
  private func tidy() throws {
    let lines = (readSmallFile(lockPath, limit: 1024) ?? "").split(separator: "\n").dropFirst()
    if let left = lines.first.map(String.init), isName(left), let lock = FileState(lockPath) {
      for suffix in BackupPlace.suffixes {
        let file = "\(folder)/\(left)\(suffix)"
        guard let state = FileState(file), state.isRegular, state.names == 1, state.owner == lock.owner else {
          continue
        }
        unlink(file)
      }
    }
    guard ftruncate(lock.descriptor, 0) == 0 else { throw StoreError("cannot write \(lockPath): \(systemError())") }
  }

  /// Whether a name is one that `makePart` gives.
  private func isName(_ text: String) -> Bool {
    let beginning = ".\(name).osce-part-"
    guard text.hasPrefix(beginning) else { return false }
    let number = text.dropFirst(beginning.count).utf8
    return number.count == 32 && number.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }

  // MARK: The file

  /// Makes the empty file that is to be put at the path.
  package func makePart() throws -> String {
    let partName = ".\(name).osce-part-\(RandomName.text())"
    let record = Array("\(BackupPlace.heading)\n\(partName)\n".utf8)
    guard ftruncate(lock.descriptor, 0) == 0, pwrite(lock.descriptor, record, record.count, 0) == record.count,
      fsync(lock.descriptor) == 0
    else { throw StoreError("cannot write beside \(path): \(systemError())") }
    let part = "\(folder)/\(partName)"
    let created = open(part, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard created >= 0 else { throw StoreError("cannot write \(path): \(systemError())") }
    close(created)
    self.part = part
    return part
  }

  /// Puts the file on the disk and then at the path, in one step.
  /// - Parameter earlier: the file that it replaces; nil: there is none.
  /// - Throws: `StoreError` if it cannot be, or if something else is at the path by now, which then stays.
  func put(replacing earlier: FileState?) throws {
    guard let part else { return }
    try OpenFile.synchronise(part, named: path)
    if let earlier { try exchange(part, with: earlier) } else { try name(part) }
    removePart()
    try OpenFile.synchronise(folder)
  }

  /// Puts the file at the path, where nothing is.
  /// - Throws: `StoreError` if it cannot be, or if something is there, which then stays.
  package func put() throws { try put(replacing: nil) }

  /// Puts the file at the path and keeps the database that is there, with its log, under the first free name. To be done
  /// under the lock of that database.
  /// - Returns: that name; nil where nothing was there.
  /// - Throws: `StoreError` that says where the earlier one is if the file cannot be put there.
  package func put(keepingEarlierAs name: String) throws -> String? {
    if FileState(path) != nil,
      let present = try? DatabaseQueue(path: path, configuration: Connection.configuration(readOnly: false))
    {
      // The log is moved into the main file, so that what is kept is one file, where it can still be read.
      Checkpoint.run(present)
      try? present.close()
    }
    // Also a log alone, whose database was lost: it would be taken for that of the new one. The database goes first: one
    // that was left at the path without its log would be opened as if nothing were missing.
    let there = ([""] + [StoreLocation.Companion.log, .logIndex].map(\.rawValue)).filter { FileState(path + $0) != nil }
    let kept = there.isEmpty ? nil : BackupPlace.freeName(name)
    for suffix in there {
      guard let kept else { continue }
      guard rename(path + suffix, kept + suffix) == 0 else {
        throw StoreError("cannot put \(path)\(suffix) aside: \(systemError())")
      }
    }
    do { try put(replacing: nil) } catch {
      throw StoreError("\(error)" + (kept.map { "; previous store kept as \($0)" } ?? ""))
    }
    return kept
  }

  private func name(_ part: String) throws {
    if RenameOnce.move(part, path, RenameOnce.keeping) == 0 { return }
    if errno == EEXIST { throw appeared() }
    guard BackupPlace.isUnknownToDisk(errno) else { throw failed() }
    // The best that this file system has to offer.
    if FileState(path) != nil { throw appeared() }
    if rename(part, path) != 0 { throw failed() }
  }

  private func exchange(_ part: String, with earlier: FileState) throws {
    guard FileState(path) == earlier else { throw appeared() }
    if RenameOnce.move(part, path, RenameOnce.exchanging) == 0 {
      // Now nobody can put another file between the look and the deed.
      if FileState(part) == earlier { return }
      _ = RenameOnce.move(part, path, RenameOnce.exchanging)
      throw appeared()
    }
    guard BackupPlace.isUnknownToDisk(errno) else { throw failed() }
    if rename(part, path) != 0 { throw failed() }
  }

  private static func isUnknownToDisk(_ error: Int32) -> Bool { [EINVAL, ENOSYS, ENOTSUP, EOPNOTSUPP].contains(error) }

  private func appeared() -> StoreError {
    StoreError("\(path) was changed by another program meanwhile; it was left as it is; name another file")
  }

  private func failed() -> StoreError { StoreError("cannot name \(path): \(systemError())") }

  private func removePart() {
    guard let part else { return }
    for suffix in BackupPlace.suffixes { unlink(part + suffix) }
    self.part = nil
  }
}

/// `renameat2`, which Swift's Glibc module leaves out.
private enum RenameOnce {
  /// `RENAME_NOREPLACE`: fails where something is at the new name.
  static let keeping: UInt32 = 1
  /// `RENAME_EXCHANGE`: what is at the new name gets the old one.
  static let exchanging: UInt32 = 2

  static func move(_ old: String, _ new: String, _ flags: UInt32) -> Int32 {
    renameWithFlags(AT_FDCWD, old, AT_FDCWD, new, flags)
  }
}

@_silgen_name("renameat2") private func renameWithFlags(
  _ oldFolder: Int32, _ old: UnsafePointer<CChar>, _ newFolder: Int32, _ new: UnsafePointer<CChar>, _ flags: UInt32
) -> Int32
