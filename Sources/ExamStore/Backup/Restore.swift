import GRDB
import Glibc
import Timer

/// Puts a backup in the place of a store. What was there is kept beside it.
public struct Restore: Sendable {
  /// Where the replaced store is kept; nil if there was none.
  public let kept: String?
  /// How many operations the restored store holds.
  public let operations: Int
  /// When the last of them was made that did not come from another device, by the exam's clock.
  public let lastChange: Instant?
  /// What is to be known of the file that was restored from, where it is no backup but a store; nil for a backup.
  public let caution: String?
  /// The names of the sessions whose clocks run, are paused or wait, now.
  public let openSessions: [String]

  /// Restores a backup.
  /// - Parameter isForced: also over a store with an open run, one that other processes have open (they must then be
  ///   ended by hand), or a file that is no store; and from a backup that is damaged but can be read, or a store in use.
  /// - Throws: `StoreError` if the backup cannot be relied on or the present store must not be replaced; nothing is
  ///   then changed.
  public static func run(
    from path: String, to location: StoreLocation, isForced: Bool, knowing knowledge: ExamKnowledge,
    system: SystemClock = .live, progress: CheckProgress = .silent
  ) throws -> Restore {
    let file = try readable(path)
    if !isForced { try refuseLive(path) }
    try verify(path, isForced: isForced, progress)
    try location.makeFolder()
    try location.check(for: .writing)
    if location.exists {
      guard !isSame(path, location.path) else { throw StoreError("\(path) is the store itself; nothing was changed") }
      if !isForced {
        // Before the lock file is there, by which a store is known that is nothing but rubble now.
        if location.isForeign {
          throw StoreError(
            "\(location.path) is there and is no exam store; nothing was changed; name another place with --store, "
              + "or put it aside with --force")
        }
        try refuseIfInUse(location, knowing: knowledge, now: Instant(milliseconds: system.wall()))
      }
    }
    do {
      let place = try BackupPlace.take(location.path)
      let content = try copy(path, file, to: place, knowing: knowledge, now: Instant(milliseconds: system.wall()))
      let kept = try StoreLock(storePath: location.path).holding {
        // Asked again: nobody can open the store while this process holds the lock.
        if !isForced { try refuseIfOpen(location) }
        let now = compact(Instant(milliseconds: system.wall()))
        return try place.put(keepingEarlierAs: location.path + ".replaced-" + now)
      }
      do {
        return try report(content, in: location, from: path, kept: kept, knowing: knowledge, system: system)
      } catch { throw unopened(location, from: path, kept: kept, error) }
    } catch let error as DatabaseError {
      throw StoreError.from(error, path: location.path, while: .writing)
    }
  }

  // MARK: Before

  /// - Throws: `StoreError` if there is no file that can be read: a FIFO would be waited for.
  private static func readable(_ path: String) throws -> FileState {
    var status = stat()
    guard stat(path, &status) == 0, access(path, R_OK) == 0, let file = FileState(path) else {
      throw StoreError("cannot read \(path): \(systemError())")
    }
    guard status.st_mode & S_IFMT == S_IFREG else { throw StoreError("\(path) is not a file, so it is no backup") }
    return file
  }

  /// A store that others write to is no backup: what they save after the copy would be in the other one alone.
  private static func refuseLive(_ path: String) throws {
    if let user = StoreUsers.others(of: StoreLocation(path: path)).first {
      throw StoreError(
        "\(path) is no backup but a store, open in \(user.name); make a backup of it with: "
          + "osce backup FILE --store \(path.shellWord); or use --force")
    }
  }

  private static func verify(_ path: String, isForced: Bool, _ progress: CheckProgress) throws {
    switch try reading(path, { try CopyFault.find(in: path, progress: progress) }) {
    case nil: break
    case .damaged: throw damaged(path)
    case .foreign: throw StoreError("\(path) is not an exam store, so it is no backup; name another file")
    case .newer: throw StoreError("\(path) was written by a newer osce; use that version to restore it")
    case .unsound(let verdict):
      if !isForced {
        throw StoreError("\(path) is \(verdict); take an earlier backup, or use this one with --force")
      }
    }
  }

  /// Reads the backup.
  /// - Throws: `StoreError` in the place of SQLite's words.
  private static func reading<T>(_ path: String, _ body: () throws -> T) throws -> T {
    do { return try body() } catch let error as DatabaseError {
      throw error.isOfDamage ? damaged(path) : StoreError.from(error, path: path, while: .reading)
    }
  }

  private static func damaged(_ path: String) -> StoreError {
    StoreError("\(path) is damaged; take an earlier backup", isDiskError: true)
  }

  private static func refuseIfInUse(
    _ location: StoreLocation, knowing knowledge: ExamKnowledge, now: Instant
  ) throws {
    try refuseIfOpen(location)
    // A store that cannot be read is what a restore is for.
    let open = try StoreError.ifReadable(location.path) { () throws -> [String] in
      try StoreLock(storePath: location.path).holding {
        let store = try DatabaseQueue(path: location.path, configuration: Connection.configuration(readOnly: true))
        defer { try? store.close() }
        return try store.read { db in try knowledge.openSessions(db, now) }
      }
    }
    if let session = open?.first {
      throw StoreError("the run of session \(session) is open in \(location.path); stop it, or use --force")
    }
  }

  private static func refuseIfOpen(_ location: StoreLocation) throws {
    let users = StoreUsers.others(of: location)
    if let user = users.first {
      let more = users.count > 1 ? " and \(users.count - 1) more" : ""
      throw StoreError(
        "\(location.path) is open in \(user.name)\(more); end them, or use --force")
    }
  }

  private static func isSame(_ left: String, _ right: String) -> Bool {
    var first = stat()
    var second = stat()
    return stat(left, &first) == 0 && stat(right, &second) == 0 && first.st_ino == second.st_ino
      && first.st_dev == second.st_dev
  }

  // MARK: The exchange

  /// What is in a backup.
  private struct Content {
    let operations: Int
    let lastChange: Instant?
  }

  private static func copy(
    _ path: String, _ file: FileState, to place: BackupPlace, knowing knowledge: ExamKnowledge, now: Instant
  ) throws -> Content {
    // What is copied has been looked through just now.
    let part = try place.makePart()
    let what = "the store \(place.path)"
    let content = try reading(path) {
      let backup = try StoreLocation.openAlone(path)
      defer { try? backup.close() }
      try backup.inDatabase { db in try BackupCopy.write(db, to: part, as: what) }
      return try BackupCopy.writing(what) {
        // Before it takes the store's place: in the middle of a run no opening would bring it up to date.
        let restored = try DatabaseQueue(path: part, configuration: Connection.configuration(readOnly: false))
        defer { try? restored.close() }
        try Migrations.run(
          restored, location: StoreLocation(path: path), isCopy: true, knowing: knowledge, now: now)
        return try restored.inDatabase { db in
          Content(
            operations: try Int.fetchOne(db, sql: "SELECT count(*) FROM operation") ?? 0,
            lastChange: try ClockDiscrepancy.lastRecord(db))
        }
      }
    }
    guard FileState(path) == file else {
      throw StoreError("\(path) was replaced while it was read; nothing was changed; try again")
    }
    return content
  }

  /// `20261207T091500Z`.
  private static func compact(_ instant: Instant) -> String {
    String(Timestamp.text(instant).prefix(19).filter { $0 != "-" && $0 != ":" }) + "Z"
  }

  // MARK: After

  /// The exchange is done, whatever keeps the store from being opened.
  private static func unopened(
    _ location: StoreLocation, from path: String, kept: String?, _ error: any Error
  ) -> StoreError {
    let cause = (error as? DatabaseError).map { StoreError.from($0, path: location.path, while: .reading).description }
    return StoreError(
      "\(location.path) was restored from \(path)" + (kept.map { ", previous store kept as \($0)" } ?? "")
        + "; it cannot be opened yet: \(cause ?? "\(error)")", isDiskError: true)
  }

  private static func report(
    _ content: Content, in location: StoreLocation, from path: String, kept: String?, knowing knowledge: ExamKnowledge,
    system: SystemClock
  ) throws -> Restore {
    let store = try ExamStore(location, .existing, knowing: knowledge, system: system)
    defer { store.close() }
    return try store.read { db in
      Restore(
        kept: kept, operations: content.operations, lastChange: content.lastChange,
        caution: StoreLocation(path: path).wasOpened
          ? "\(path) is a live store, not a backup: its later changes will be missing here" : nil,
        openSessions: try knowledge.openSessions(db, store.clock.now).sorted())
    }
  }
}
