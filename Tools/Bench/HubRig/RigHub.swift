import CircuitModel
import ExamStore
import Glibc
import Hub
import Journal
import Rig
import StoreSync
import Sync

/// A hub on this machine, as a process of its own, with the made-up exam.
public final class RigHub: RigProcess, @unchecked Sendable {
  /// The hub's folder.
  public let folder: String
  /// Where it listens, at 127.0.0.1.
  public let port: UInt16
  /// The exam.
  public let exam: UUIDBytes
  private let database: any HubDatabase
  private let hub: Hub

  /// Makes a hub's folder with an exam in it; the process is not started.
  /// - Parameters:
  ///   - database: where the exams are, with the options that lead a hub there; nil: in a file of the folder.
  ///   - environment: added to that of the process.
  public init(
    _ exam: BenchExam, in folder: String, database: (any HubDatabase, options: [String])? = nil,
    programs: String = ProcessFacts.ownFolder, environment: [String: String] = [:]
  ) throws {
    let port = try freePort()
    (self.folder, self.port) = (folder, port)
    self.exam = .v7(milliseconds: HubTimeSource.machine.now())
    self.database = try database?.0 ?? SQLiteDatabase(path: folder + "/hub.sqlite")
    hub = Hub(self.database, version: "rig", limitsRates: false)
    let options = database?.options ?? []
    super.init {
      try Child(
        onPipe: "/bin/sh",
        [
          "-c", "exec \"$0\" \"$@\" >>\"$OSCE_RIG_LOG\" 2>&1", programs + "/osce-hub", "serve", "--plain", "--listen",
          "127.0.0.1:\(port)", "--data", folder,
        ] + options,
        environment: Child.environment.merging(environment) { $1 }.merging(["OSCE_RIG_LOG": folder + "/hub.log"]) { $1 }
      )
    }
    try fill(exam)
  }

  /// Brings the exam in as an office does.
  private func fill(_ exam: BenchExam) throws {
    let path = folder + "/import.sqlite"
    let store = try ExamStore(StoreLocation(path: path), .createIfMissing)
    defer {
      store.close()
      for end in ["", "-wal", "-shm", ".lock", ".hub"] { unlink(path + end) }
    }
    try runBlocking { [self] in
      try await hub.makeExam(self.exam, named: "Bench", device: .random())
      let road = Road(hub: hub)
      let code = try await code(for: .office)
      _ = try await StoreLink.enrol(
        store, at: "http://localhost", code: code, pin: nil, isSameExam: false, over: road)
      let client = SyncClient(
        store: EnrolledStore(store), transport: road, clock: MachineClock(), random: SystemRandomNumberGenerator())
      guard await client.runOnce() else { throw RigError("the hub takes no exam") }
      _ = try store.write(.program) { try BundleImport.apply(exam.rows, in: $0) }
      await client.noteCommit()
      guard await client.runOnce() else { throw RigError("the hub does not take the exam") }
    }
  }

  private struct Road: Transport {
    let hub: Hub

    func send(_ request: WireRequest, wait: Int64) async throws(TransportFailure) -> WireResponse {
      await hub.answer(request)
    }
  }

  /// Its address.
  public var url: String { "http://127.0.0.1:\(port)" }

  // MARK: What is in it

  /// A code by which terminals get a place.
  public func code(for role: DeviceRole, uses: Int64 = 1) async throws -> String {
    var random = SystemRandomNumberGenerator()
    let code = EnrolmentCode.make(pin: nil, using: &random).code
    try await hub.keep(code: code, for: role, in: exam, uses: uses, seconds: 3600, scope: .whole)
    return code
  }

  /// Does something with the hub's database in this process.
  public func inside<T: Sendable>(_ body: @Sendable (Hub, UUIDBytes) async throws -> T) async throws -> T {
    try await body(hub, exam)
  }

  /// The number of the log's last entry.
  public func head() async throws -> Int64 { try await hub.exams().first { $0.id == exam }?.head ?? 0 }

  /// What is wrong with log and chains; empty: nothing is.
  public func examine() async throws -> [String] { try await hub.examine(exam) }

  /// What was said of each operation, once for each time that it is in the log.
  public func results() async throws -> [String: [String]] {
    let exam = exam
    return try await database.read { connection in
      var results: [String: [String]] = [:]
      let rows = try connection.fetch("SELECT id, result FROM op WHERE exam = ?", [.text(exam.description)])
      for row in rows {
        if case .text(let id) = row.values[0], case .text(let result) = row.values[1] {
          results[id, default: []].append(result)
        }
      }
      return results
    }
  }

  /// Ends all of it.
  public func close() {
    kill()
    try? database.close()
  }
}

/// A port of this machine that nobody listens at.
public func freePort() throws -> UInt16 {
  let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
  defer { close(descriptor) }
  var (place, length) = (sockaddr_in(), socklen_t(MemoryLayout<sockaddr_in>.size))
  place.sin_family = sa_family_t(AF_INET)
  inet_pton(AF_INET, "127.0.0.1", &place.sin_addr)
  let isFound = withUnsafeMutablePointer(to: &place) {
    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
    }
  }
  guard isFound else { throw RigError("no port is free: \(String(cString: strerror(errno)))") }
  return UInt16(bigEndian: place.sin_port)
}
