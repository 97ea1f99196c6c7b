import ArgumentParser
import Console
import ExamStore
import Foundation
import Hub
import HubPostgres

/// `--data` and `--postgres`.
struct HubOptions: ParsableArguments {
  @Option(name: .long, help: "The hub's folder (default: OSCE_HUB, else $XDG_DATA_HOME/osce-hub).")
  var data: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "A PostgreSQL database instead of the folder's file (default: OSCE_HUB_POSTGRES).",
      discussion: "Several servers as postgresql://a,b/osce: the one that takes changes is used.",
      valueName: "url"))
  var postgres: String?

  @Option(name: .long, help: Self.waitHelp)
  var wait: Int?

  private static let waitHelp = {
    var help = StoreWait.help
    help.valueName = "seconds"
    return help
  }()

  func validate() throws {
    if data?.isEmpty == true { throw ValidationError("--data takes the path of a folder; got nothing") }
    if postgres?.isEmpty == true { throw ValidationError("--postgres takes the URL of a database; got nothing") }
    try StoreWait.check(wait)
  }

  /// The folder: only its owner sees into it.
  /// - Parameter makes: whether it is made if it is not there.
  func folder(makes: Bool = false) throws -> String {
    let environment = ProcessInfo.processInfo.environment
    let home = environment["XDG_DATA_HOME"] ?? (environment["HOME"] ?? ".") + "/.local/share"
    let path = data ?? environment["OSCE_HUB"] ?? home + "/osce-hub"
    var isFolder: ObjCBool = false
    if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) {
      if !isFolder.boolValue { throw CommandFailure("\(path) is not a folder") }
    } else if makes {
      do {
        try FileManager.default.createDirectory(
          atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      } catch { throw CommandFailure("the folder \(path) cannot be made; name another with --data") }
    } else {
      throw Self.missing(path)
    }
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int ?? 0
    guard mode & 0o077 == 0 else {
      throw CommandFailure("\(path) can be read by others; put it right with: chmod 700 \(path.shellWord)")
    }
    let owner = (try FileManager.default.attributesOfItem(atPath: path)[.ownerAccountID] as? NSNumber)?.uint32Value
    if geteuid() == 0, let owner, owner != 0 {
      // What root makes there the hub, which runs as another, could not open.
      let name = getpwuid(owner).map { String(cString: $0.pointee.pw_name).shellWord } ?? "'#\(owner)'"
      throw CommandFailure(
        "\(path) is not root's: run this as its owner: sudo -u \(name) OSCE_HUB=\(path.shellWord) osce-hub")
    }
    return path
  }

  /// The address of the database; nil: it is a file of the folder.
  var address: String? {
    let address = postgres ?? ProcessInfo.processInfo.environment["OSCE_HUB_POSTGRES"]
    return address?.isEmpty == false ? address : nil
  }

  /// Carries out a command where the hub keeps everything, and closes that. Where the command fails, or another program
  /// holds the database at the end, the end of the process does: what the command kept is durable by then.
  /// - Parameter makes: whether it is made if it is not there.
  func withDatabase(makes: Bool = false, _ body: (any HubDatabase) async throws -> Void) async throws {
    let database = try await database(makes: makes)
    try await body(database)
    try? database.close()
  }

  /// Carries out a command at a hub of this process.
  /// - Parameter makes: whether what it keeps everything in is made if it is not there.
  func withHub(makes: Bool = false, _ body: (Hub) async throws -> Void) async throws {
    try await withDatabase(makes: makes) { try await body(Hub(forCommandOn: $0)) }
  }

  private func database(makes: Bool) async throws -> any HubDatabase {
    if let address { return try await PostgresDatabase(address: address) }
    let folder = try folder(makes: makes)
    let path = folder + "/hub.sqlite"
    try Self.check(path, in: folder, makes: makes)
    StoreWait.limit(to: wait)
    try DatabaseUse.take(path)
    return try SQLiteDatabase(path: path)
  }

  private static func missing(_ folder: String) -> CommandFailure {
    CommandFailure("no hub at \(folder): --data names its folder; osce-hub import, or serve, makes one")
  }

  /// - Throws: `CommandFailure` where there is nothing, and none is to be made, or what is there can be no hub's database.
  private static func check(_ path: String, in folder: String, makes: Bool) throws {
    var status = stat()
    guard stat(path, &status) == 0 else {
      if makes || errno != ENOENT { return }
      throw missing(folder)
    }
    guard status.st_mode & S_IFMT == S_IFREG else { throw CommandFailure("\(path) is not a file; nothing was changed") }
    // One that was ended while it made its database leaves an empty file.
    if !makes, status.st_size == 0 {
      throw CommandFailure("\(path) is empty: nothing is left of a hub; put a backup back: osce-hub restore FILE")
    }
  }
}

extension Hub {
  /// A hub for a command of this process.
  convenience init(forCommandOn database: any HubDatabase) {
    self.init(database, version: OsceHub.configuration.version, limitsRates: false)
  }
}
