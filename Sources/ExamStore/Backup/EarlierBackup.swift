import GRDB
import Glibc

import struct Foundation.Data

/// What a backup may replace: an earlier backup of the same exam, of which the store has lost nothing. Everything else
/// stays byte for byte: a database of another program, one that is open, a backup of another exam.
package enum EarlierBackup {
  /// Looks at the file that a backup would replace. Nothing of it is changed, and nothing is made beside it.
  /// - Parameters:
  ///   - store: the store that is backed up.
  ///   - location: where that lies.
  /// - Returns: the file; nil if there is none.
  /// - Throws: `StoreError` that says why it must not be replaced.
  static func find(at path: String, of store: Database, in location: StoreLocation) throws -> FileState? {
    try refuseCompanion(path)
    guard let file = FileState(path) else {
      if errno == ENOENT { return nil }
      throw StoreError("cannot write \(path): \(systemError())")
    }
    if file.isLink { throw StoreError("\(path) is a symbolic link; name the file itself for the backup") }
    guard file.isRegular else { throw refused(path, "is no file") }
    if file.identity == FileIdentity(location.path) {
      throw StoreError("\(path) is the store itself; name another file for the backup")
    }
    let beside = StoreLocation.Companion.ofOpen.map(StoreLocation(path: path).path(of:))
    if let beside = beside.first(where: { FileState($0) != nil }) {
      throw refused(path, "is a database in use, not a backup (\(beside) lies beside it)")
    }
    guard isPlainDatabase(path) else { throw refused(path, "is no backup of this exam") }
    let ends: [End]
    do {
      let backup = try StoreLocation.openAlone(path)
      defer { try? backup.close() }
      ends = try backup.read { try self.ends(of: $0, path) }
    } catch let error as DatabaseError {
      throw refused(path, "cannot be read as a backup (\(error.resultCode))")
    }
    try BackupCopy.reading(location) {
      for end in ends where try !isKnown(end, in: store) { throw losing(path) }
    }
    guard FileState(path) == file else { throw refused(path, "is being written by another program") }
    return file
  }

  /// Why a file is no backup of this exam; nil if it is one, or the very file that is looked at.
  package static func objection(to path: String, of store: Database, in location: StoreLocation) -> String? {
    if let file = FileIdentity(path), file == FileIdentity(location.path) { return nil }
    do {
      _ = try find(at: path, of: store, in: location)
      return nil
    } catch { return "\(error)" }
  }

  /// A backup named like what belongs to a database would be taken for it.
  private static func refuseCompanion(_ path: String) throws {
    if let owner = StoreLocation.owner(of: path) {
      throw StoreError("\(path) belongs to \(owner); name another file for the backup")
    }
  }

  /// Whether a file is a database in one piece. One with a log is opened nowhere without making files beside it.
  private static func isPlainDatabase(_ path: String) -> Bool {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var head = [UInt8](repeating: 0, count: 20)
    guard read(descriptor, &head, head.count) == head.count else { return false }
    return head.starts(with: Array("SQLite format 3\0".utf8)) && head[18] == 1 && head[19] == 1
  }

  /// An operation of a backup that stands for all before it.
  private typealias End = (device: String, number: Int64, hash: Data)

  /// What a store must hold so that the backup may be replaced.
  private static func ends(of backup: Database, _ path: String) throws -> [End] {
    for table in ["operation", "chain", "storeInfo", "grdb_migrations"] where try !backup.holdsTable(table) {
      throw refused(path, "is no backup of this exam")
    }
    let device = try String.fetchOne(backup, sql: "SELECT value FROM storeInfo WHERE key = 'device'")
    let chains = try ReadRow.fetchAll(backup, sql: "SELECT device, max(deviceSeq), hash FROM operation GROUP BY device")
    guard let device, chains.contains(where: { $0[0] as String == device }) else {
      throw refused(path, "is no backup of this exam")
    }
    // Each operation's hash stands for all before it: where the last is, nothing is lacking.
    let pending =
      try backup.holdsTable("pending")
      ? ReadRow.fetchAll(backup, sql: "SELECT device, deviceSeq, hash FROM pending") : []
    return try (chains + pending).map { (try $0.held(0), try $0.held(1), try $0.held(2)) }
  }

  /// Whether an operation is in the journal, or aside because it waits or is refused.
  private static func isKnown(_ end: End, in store: Database) throws -> Bool {
    let tables = try Shelf.tables.filter { try store.holdsTable($0) }
    let places = tables.map { "EXISTS (SELECT 1 FROM \($0) WHERE device = ?1 AND deviceSeq = ?2 AND hash = ?3)" }
    let sql = "SELECT " + places.joined(separator: " OR ")
    return try Bool.fetchOne(store, sql: sql, arguments: [end.device, end.number, end.hash]) ?? false
  }

  private static func refused(_ path: String, _ reason: String) -> StoreError {
    StoreError("\(path) \(reason); it was left as it is; name another file")
  }

  private static func losing(_ path: String) -> StoreError {
    StoreError(
      "\(path) is a backup of another exam or a newer state; not replaced; "
        + "move it away, or name another file")
  }
}
