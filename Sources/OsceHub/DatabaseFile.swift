import Console
import ExamStore
import Foundation
import Glibc
import Hub

/// Files that hold a hub's database and that no hub runs on.
enum DatabaseFile {
  /// Changes a file so that afterwards it is whole without the log beside it.
  /// - Parameters:
  ///   - target: what the file is to become.
  ///   - original: what it is a copy of; nil: of none.
  static func change(
    _ path: String, as target: String, of original: String? = nil, _ body: (SQLiteDatabase) async throws -> Void
  ) async throws {
    do { try await change(path, of: original, body) } catch is DiskFull {
      throw CommandFailure("the disk of \(target) is full: it was not written; free some space")
    }
  }

  private static func change(
    _ path: String, of original: String?, _ body: (SQLiteDatabase) async throws -> Void
  ) async throws {
    let database: SQLiteDatabase
    do { database = try SQLiteDatabase(path: path) } catch let error as StoreError {
      throw CommandFailure(original.map { error.description.replacing(path, with: $0) } ?? error.description)
    }
    defer { try? database.close() }
    try await body(database)
    // Closing moves the log only where the last connection to close may write.
    guard try await database.scrub() else {
      throw CommandFailure("\(path) could not be written whole; nothing else was changed")
    }
  }

  /// Copies a backup, with its log if it has one, into an empty file.
  /// - Parameter target: what the file is to become.
  /// - Throws: `CommandFailure` for what is no file, which would be waited for, for a database that is in use, and where there
  ///   is no room.
  static func copy(_ backup: String, to path: String, as target: String) throws {
    if let user = StoreUsers.others(of: StoreLocation(path: backup)).first {
      throw CommandFailure(
        "\(backup) is open in \(user.name); end that first, or take a copy that osce-hub export --file made")
    }
    for suffix in ["", "-wal"] where suffix.isEmpty || access(backup + suffix, F_OK) == 0 {
      try copyFile(backup + suffix, to: path + suffix, as: target)
    }
  }

  private static func copyFile(_ source: String, to path: String, as target: String) throws {
    let descriptor = open(source, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw CommandFailure("cannot read \(source): \(String(cString: strerror(errno)))") }
    let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw CommandFailure("\(source) is not a file, so it is no backup")
    }
    let flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW
    let written = open(path, flags, 0o600)
    guard written >= 0 else { throw unwritten(target) }
    defer { close(written) }
    while let bytes = try file.read(upToCount: 1 << 20), !bytes.isEmpty {
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = rest.withUnsafeBytes { Glibc.write(written, $0.baseAddress, $0.count) }
        if count < 0, errno != EINTR { throw unwritten(target) }
        rest = rest.dropFirst(max(count, 0))
      }
    }
  }

  private static func unwritten(_ target: String) -> CommandFailure {
    CommandFailure("cannot write \(target): \(String(cString: strerror(errno))); nothing was changed")
  }
}
