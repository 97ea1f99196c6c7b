import GRDB
import Glibc

/// Where a store lies, and whether that place is fit for it.
public struct StoreLocation: Equatable, Sendable {
  /// The path of the SQLite file.
  public let path: String

  /// A store at this path.
  public init(path: String) { self.path = path }

  /// The store meant by the command line and the environment: `--store`, else `OSCE_STORE`, else
  /// `$XDG_DATA_HOME/osce/exam.sqlite` (by default `~/.local/share/osce/exam.sqlite`).
  /// - Throws: `StoreError` if no home folder is known, or the variable that says where is no text.
  public static func chosen(option: String?, environment: [String: String]) throws -> StoreLocation {
    func noPlace(_ variable: String, _ fault: String) -> StoreError {
      StoreError("no place for the store: \(variable) is \(fault); say where with --store PATH or OSCE_STORE")
    }
    func value(_ variable: String) throws -> String? {
      guard let value = environment[variable] else { return nil }
      // What is no UTF-8 was read as the name of another file.
      if value.unicodeScalars.contains("\u{FFFD}") { throw noPlace(variable, "not text in UTF-8") }
      return value
    }
    if let option { return StoreLocation(path: option) }
    if let path = try value("OSCE_STORE"), !path.isEmpty { return StoreLocation(path: path) }
    if let data = try value("XDG_DATA_HOME"), data.hasPrefix("/") {
      return StoreLocation(path: data + "/osce/exam.sqlite")
    }
    guard let home = try value("HOME") else { throw noPlace("HOME", "not set") }
    guard home.hasPrefix("/") else { throw noPlace("HOME", home.isEmpty ? "empty" : "no path from the root") }
    return StoreLocation(path: home + "/.local/share/osce/exam.sqlite")
  }

  /// The folder that holds the store.
  public var folder: String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// What SQLite and this program keep beside a database, by the end of its name.
  enum Companion: String, CaseIterable {
    case log = "-wal"
    case logIndex = "-shm"
    case rollback = "-journal"
    case lock = ".lock"
    case backupLock = ".backup-lock"
    case announcer = ".announcer"
    case hubCredential = ".hub"
    case uploaderTurn = ".sync"
    case uploaderPipe = ".people"
    case use = ".use"

    /// What lies beside a database that is, or was, open where it lies.
    static let ofOpen: [Companion] = [.log, .logIndex, .rollback, .lock]
  }

  /// Where something lies beside the store, whether or not it is there.
  func path(of companion: Companion) -> String { path + companion.rawValue }

  /// What opens the store's hub to it; not there without a place at a hub.
  package var hubCredentialPath: String { path(of: .hubCredential) }

  /// Locked by the process that exchanges the store.
  var uploaderTurnPath: String { path(of: .uploaderTurn) }

  /// The pipe to that process.
  var uploaderPipePath: String { path(of: .uploaderPipe) }

  /// The file to which one belongs by its name; nil where there is none.
  package static func owner(of path: String) -> String? {
    Companion.allCases.lazy.map(\.rawValue).filter { path.hasSuffix($0) }
      .map { String(path.dropLast($0.count)) }.first { FileState($0) != nil }
  }

  /// The files that a process opens to read or write the store, whether or not they are there.
  public var files: [String] {
    [path] + (Companion.ofOpen + [.backupLock, .announcer]).map(path(of:))
  }

  /// Whether there is a file at the path.
  public var exists: Bool { access(path, F_OK) == 0 }

  /// Which file lies at the path now; nil if there is none.
  var file: FileIdentity? { FileIdentity(path) }

  /// Less free space than this does not take what SQLite keeps beside a store that is open, in bytes.
  private static let leastFree: Int64 = 65_536

  /// Why nothing can be written here, in the system's words; nil if it can.
  public var obstacle: String? {
    let own = [path] + [Companion.log, .logIndex, .lock].map(path(of:))
    for (place, mode) in [(folder, W_OK | X_OK)] + own.map({ ($0, W_OK) })
    where access(place, mode) != 0 && [EROFS, EACCES, EPERM].contains(errno) {
      return "\(place): \(systemError())"
    }
    guard let free = FileFacts.freeBytes(folder: folder), free < StoreLocation.leastFree else { return nil }
    return "\(folder): \(systemError(ENOSPC))"
  }

  /// Refuses a place that has no store, or has lost the one that was there.
  /// - Parameter opening: where a store may be made, only what is left of a lost one is refused.
  /// - Throws: `StoreError` that says how to get a store, if there is no file at the path.
  package func refuseMissing(_ opening: ExamStore.Opening = .existing) throws {
    if access(path, F_OK) == 0 { return }
    let number = errno
    // Before it makes a store SQLite removes a log that lies there, and with it the last marks.
    if holdsLog {
      throw StoreError("the store that was at \(path) is gone; put a backup back with: osce restore FILE")
    }
    if opening == .createIfMissing { return }
    if number != ENOENT, number != ENOTDIR { throw StoreError("\(path) cannot be reached: \(systemError(number))") }
    if wasOpened {
      throw StoreError(
        "the store that was at \(path) is gone; put a backup back with: osce restore FILE, or load an exam with: "
          + "osce import DIR")
    }
    throw StoreError("there is no exam at \(path); load one with: osce import DIR, or try: osce demo")
  }

  /// Whether a log lies here that is not empty.
  private var holdsLog: Bool { FileFacts.status(path(of: .log))?.size ?? 0 > 0 }

  /// Makes the folder (0700) if it is missing.
  func makeFolder() throws {
    var made = ""
    for part in folder.split(separator: "/", omittingEmptySubsequences: true) {
      made += (made.isEmpty && !folder.hasPrefix("/") ? "" : "/") + part
      if mkdir(made, 0o700) != 0 && errno != EEXIST {
        throw StoreError("cannot make the folder \(made): \(systemError())")
      }
    }
  }

  /// What a store is wanted for.
  package enum Use {
    /// To be read, and left as it is.
    case reading
    /// To be changed.
    case writing
  }

  /// Refuses what is no file, so that nothing waits for the other end of a FIFO.
  /// - Throws: `StoreError` for a symbolic link or a file of another kind.
  package func refuseIrregular() throws {
    for file in files {
      guard let state = FileState(file) else { continue }
      if state.isLink { throw StoreError("\(file) is a symbolic link; name the file itself with --store") }
      if !state.isRegular { throw StoreError("\(file) is not a regular file") }
    }
  }

  /// Refuses a place where a store could be read or changed by others, or where locks cannot be relied on.
  /// - Throws: `StoreError` for a symbolic link, a file with a second name, a file or folder that group or others may
  ///   write, one that belongs to somebody else and is to be written, a file of another kind, or a network file system.
  package func check(for use: Use) throws {
    try refuseIrregular()
    for file in files {
      guard let state = FileState(file) else { continue }
      // Under each of its names a database has a log of its own: changes under one are lost under the other.
      if state.names > 1 {
        throw StoreError(
          "\(file) has \(state.names) names (hard links): each would have its own log; remove the others "
            + "(find / -xdev -inum \(state.identity.inode)), or use a copy")
      }
      if state.mode & 0o022 != 0 {
        throw StoreError("\(file) can be written by group or others; put it right with: chmod 600 \(file.shellWord)")
      }
      if use == .writing, state.owner != geteuid() { throw StoreLocation.foreign(file, owner: state.owner) }
    }
    try checkFolder(for: use)
  }

  private func checkFolder(for use: Use) throws {
    var status = stat()
    if stat(folder, &status) == 0 {
      // Where others may write, the sticky bit keeps them from taking a file away, not from putting a log beside it.
      if status.st_mode & 0o022 != 0 {
        let remedy =
          status.st_mode & S_ISVTX == 0
          ? "put it right with: chmod 700 \(folder.shellWord)"
          : "make one of your own in it: mkdir -m 700 " + "\(folder)/exam".shellWord
        throw StoreError("the folder \(folder) can be written by group or others; \(remedy)")
      }
      if use == .writing, status.st_uid != geteuid(), status.st_uid != 0 {
        throw StoreLocation.foreign("the folder \(folder)", owner: status.st_uid)
      }
    }
    if let system = fileSystem(), ["nfs", "nfs4", "cifs", "smb3", "9p", "fuse.sshfs"].contains(system) {
      throw StoreError(
        "\(folder) is on a network file system (\(system)), where locks cannot be relied on; use a local disk")
    }
  }

  /// What root leaves in a store of somebody else locks its owner out.
  private static func foreign(_ what: String, owner: UInt32) -> StoreError {
    let name = getpwuid(owner).map { String(cString: $0.pointee.pw_name) } ?? "\(owner)"
    let remedy =
      geteuid() == 0 ? "run osce as that user: sudo -u \(name) osce …" : "use a store of your own, or ask that user"
    return StoreError("\(what) belongs to another user, \(name); \(remedy)")
  }

  /// Whether a store was opened here before: its lock file stays.
  package var wasOpened: Bool { access(path(of: .lock), F_OK) == 0 }

  /// Whether a SQLite database lies here, of whatever program.
  var isDatabase: Bool {
    guard FileState(path)?.isRegular == true, let head = readSmallFile(path, limit: 16) else { return false }
    return head.hasPrefix("SQLite format 3")
  }

  /// Whether a file lies here that never was a store: a text, a database of another program. One that is damaged may
  /// have been a store, and an empty one holds nothing.
  var isForeign: Bool {
    if wasOpened || FileFacts.status(path)?.size ?? 0 == 0 { return false }
    guard isDatabase else { return true }
    let isStore = try? StoreLocation.openAlone(path).read { db in try db.holdsTable("storeInfo") }
    return isStore == false
  }

  /// Opens a database that nobody changes, such as a copy, to be read; nothing is made beside it.
  static func openAlone(_ path: String) throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.readonly = true
    return try DatabaseQueue(path: path, configuration: configuration)
  }

  /// Refuses a file that is no store, or is none any more, before anything is written to it or beside it.
  /// - Throws: `StoreError` that says what the file is not.
  /// - Parameter original: the file of which this is a copy, for what is said of it.
  func refuseForeign(_ opening: ExamStore.Opening, copyOf original: StoreLocation? = nil) throws {
    guard exists else { return }
    let name = (original ?? self).path
    let wasOpened = wasOpened
    var status = stat()
    if stat(path, &status) == 0 && status.st_size == 0 {
      // A process that makes a store and is ended in the middle of it leaves an empty file.
      if wasOpened && opening == .createIfMissing && !holdsLog { return }
      throw StoreError(
        wasOpened
          ? "\(name) is empty: nothing is left of the store that was there; put a backup back with: osce restore FILE"
          : "\(name) is empty; it is not an exam store")
    }
    guard isDatabase else { throw StoreError("\(name) is not an exam store; nothing was changed") }
    if wasOpened { return }
    do {
      let isStore = try DatabaseQueue(path: path, configuration: Connection.configuration(readOnly: true)).read { db in
        try db.holdsTable("storeInfo")
      }
      if isStore { return }
    } catch let error as DatabaseError {
      throw StoreError.from(error, path: name, while: .reading)
    }
    throw StoreError.foreignDatabase(name)
  }

  /// The kind of file system that holds the folder, from the kernel's list of mounts.
  private func fileSystem() -> String? {
    var status = stat()
    guard stat(folder, &status) == 0, let mounts = readSmallFile("/proc/self/mountinfo", limit: 1 << 20) else {
      return nil
    }
    // The kernel's packing of a device number: the low 8 and the high 12 bits of the minor frame 12 of the major.
    let (number, bits) = (UInt64(status.st_dev), UInt64(0xFFF))
    let device = "\((number >> 8) & bits):\((number & 0xFF) | ((number >> 12) & ~0xFF & 0xFFFF_FFFF))"
    for line in mounts.split(separator: "\n") {
      let fields = line.split(separator: " ")
      guard fields.count > 2, fields[2] == device, let dash = fields.firstIndex(of: "-"), dash + 1 < fields.count else {
        continue
      }
      return String(fields[dash + 1])
    }
    return nil
  }
}
