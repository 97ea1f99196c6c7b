import Foundation
import Glibc
import HubPostgres
import SystemTesting

/// A PostgreSQL server of the tests' own, in a temporary folder: started once, and gone when the tests' process is. Its
/// disk is not waited for; nothing else differs from a real one.
public struct PostgresServer: Sendable {
  private let folder: String
  private let binaries: String

  /// Where the server's programs lie; nil: none is installed.
  private static let installed: String? = {
    let roots = (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql")) ?? []
    let versions = roots.compactMap { Int($0) }.sorted(by: >).map { "/usr/lib/postgresql/\($0)/bin" }
    let path = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init)
    return (versions + path).first { FileManager.default.isExecutableFile(atPath: $0 + "/initdb") }
  }()

  /// Whether one can be started here.
  public static var isInstalled: Bool { installed != nil }

  private static let shared = Result { try PostgresServer() }

  /// The address of a new database with a hub's tables.
  public static func database() async throws -> String {
    // Only the start: many databases made at once would keep connections waiting for too long.
    let server = try await offPool { try shared.get() }
    try await Template.shared.make(on: server)
    let name = "hub_" + UUID().uuidString.lowercased().replacing("-", with: "")
    try server.run("createdb", ["-T", "template_hub", name])
    return server.address(of: name)
  }

  /// The address of a new database with nothing in it.
  public static func emptyDatabase() throws -> String {
    let name = "empty_" + UUID().uuidString.lowercased().replacing("-", with: "")
    try shared.get().run("createdb", ["-T", "template0", name])
    return try shared.get().address(of: name)
  }

  /// Runs a statement over a connection of its own.
  public static func run(_ sql: String, at address: String) throws {
    try shared.get().run("psql", ["-q", "-v", "ON_ERROR_STOP=1", "-d", address, "-c", sql])
  }

  /// The database that others are copies of.
  private actor Template {
    static let shared = Template()
    private var making: Task<Void, any Error>?

    func make(on server: PostgresServer) async throws {
      let task =
        making
        ?? Task {
          try server.run("createdb", ["-T", "template0", "template_hub"])
          try await PostgresDatabase(address: server.address(of: "template_hub")).close()
        }
      making = task
      try await task.value
    }
  }

  // MARK: The server

  private init() throws {
    guard let binaries = Self.installed else { throw Failure(text: "no PostgreSQL server is installed") }
    self.binaries = binaries
    folder = ScratchFolder.disk + "/osce-pg-" + UUID().uuidString.lowercased().prefix(8)
    try Self.start(["install", "-d", "-m", "700"] + (Self.user.map { ["-o", $0] } ?? []) + [folder])
    let data = folder + "/data"
    try server("initdb", ["-D", data, "-U", "osce", "-A", "trust", "-E", "UTF8", "--no-locale", "-N"])
    try server(
      "pg_ctl",
      [
        "-D", data, "-w", "-s", "-l", folder + "/log", "-o",
        "-c listen_addresses='' -c unix_socket_directories=\(folder) -c fsync=off -c max_connections=500", "start",
      ])
    // Whatever ends the tests, the server ends too.
    let stop = (Self.asUser + [binaries + "/pg_ctl", "-D", data, "-m", "immediate", "stop"]).joined(separator: " ")
    let watch = "while kill -0 \(getpid()); do sleep 0.5; done; \(stop); rm -rf \(folder)"
    _ = try Self.spawn(["/bin/sh", "-c", watch])
  }

  private func address(of name: String) -> String { "postgresql://osce@/\(name)?host=\(folder)" }

  /// The server refuses to run as root.
  private static let user: String? =
    getuid() != 0 ? nil : getpwnam("postgres") != nil ? "postgres" : "nobody"
  private static let asUser = user.map { ["runuser", "-u", $0, "--"] } ?? []

  private func server(_ program: String, _ arguments: [String]) throws {
    let words = Self.asUser + [binaries + "/" + program] + arguments
    try Self.start(words)
  }

  private func run(_ program: String, _ arguments: [String]) throws {
    let place = arguments.contains("-d") ? [] : ["-h", folder, "-U", "osce"]
    try Self.start([binaries + "/" + program] + place + arguments)
  }

  /// Runs a program to its end.
  private static func start(_ words: [String]) throws {
    var status: Int32 = 0
    let process = try spawn(words)
    while waitpid(process, &status, 0) < 0 && errno == EINTR {}
    guard status == 0 else { throw Failure(text: "\(words.joined(separator: " ")) failed") }
  }

  // Foundation's processes would wait for all that a program leaves running: the server itself.
  private static func spawn(_ words: [String]) throws -> pid_t {
    var files = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&files)
    defer { posix_spawn_file_actions_destroy(&files) }
    for descriptor in 0...2 as ClosedRange<Int32> {
      posix_spawn_file_actions_addopen(&files, descriptor, "/dev/null", O_RDWR, 0)
    }
    let copies = words.map { strdup($0) }
    defer { copies.forEach { free($0) } }
    var process: pid_t = 0
    let code = posix_spawnp(&process, words[0], &files, nil, copies + [nil], environ)
    guard code == 0 else { throw Failure(text: "\(words[0]): \(String(cString: strerror(code)))") }
    return process
  }

  private struct Failure: Error, CustomStringConvertible {
    let text: String
    var description: String { text }
  }
}
