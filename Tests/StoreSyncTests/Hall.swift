import Foundation
import GRDB
import Journal
import SeededNumbers
import Sync
import Synchronization
import SystemTesting
import Testing

@testable import CircuitModel
@testable import ExamStore
@testable import Hub
@testable import StoreSync

/// A hub and stores on real files, joined by a way that can fail.
final class Hall: Sendable {
  let folder: String
  let exam = UUIDBytes(high: 0x0192_F0C0_0000_7000, low: 0x8000_0000_0000_E0A1)
  let road: Road
  private let state: Mutex<(hub: Hub, database: SQLiteDatabase)>

  var hub: Hub { state.withLock { $0.hub } }

  init(seed: UInt64 = 1) async throws {
    folder = try ScratchFolder.make()
    let database = try SQLiteDatabase(path: folder + "/hub.sqlite")
    let hub = Hall.hub(database)
    state = Mutex((hub, database))
    road = Road(seed: seed)
    road.lead(to: hub)
  }

  private static func hub(_ database: SQLiteDatabase) -> Hub {
    // Rates are counted by a clock that runs fast, so that no test waits for them.
    let ticks = Mutex<Int64>(0)
    let clock = HubTimeSource(now: HubTimeSource.machine.now) {
      ticks.withLock {
        $0 += 60_000
        return $0
      }
    }
    return Hub(database, version: "test", clock: clock)
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  /// The small exam, as the hub's own device imported it.
  /// - Parameter more: what is in it besides.
  func importExam(_ more: (JournalTransaction) throws -> Void = { _ in }) async throws {
    let desk = try makeStore("import")
    try load(desk)
    try desk.write(.program) { try more($0) }
    let chain = try chain(of: desk)
    try await hub.makeExam(exam, named: "Year 3", device: desk.device)
    try await hub.adopt(chain, from: desk.device, in: exam)
  }

  func load(_ store: ExamStore) throws {
    try store.write(.program) { transaction in
      try transaction.create("ClinicGroup", "1", ["name": .text("Circuit A")])
      try transaction.create("Staff", "1", ["surname": .text("Adeyemi"), "username": .text("adeyemi")])
      for number in 1...3 {
        try transaction.create(
          "ActivityType", "\(number)", ["name": .text("Station \(number)"), "clinicGroup": .integer(1)])
        try transaction.create(
          "Student", "\(10 + number)", ["surname": .text("Okoro"), "studentNumber": .text("100\(number)")])
      }
    }
  }

  func chain(of store: ExamStore) throws -> [Journal.Operation] {
    try store.ownChain()
  }

  func makeStore(_ name: String) throws -> ExamStore {
    try ExamStore(StoreLocation(path: "\(folder)/\(name).sqlite"), .createIfMissing)
  }

  /// A terminal's store with a place at the hub.
  func terminal(
    _ name: String, as role: DeviceRole = .station, scope: CodeScope = .whole
  ) async throws -> Terminal {
    let terminal = Terminal(store: try makeStore(name), hall: self)
    try await terminal.enrol(role, scope: scope)
    return terminal
  }

  /// A copy of a terminal with its store's identity and token, as of a whole machine.
  func copy(of terminal: Terminal, named name: String) throws -> Terminal {
    let store = try copyStore(of: terminal, named: name)
    try store.write(.program) { try $0.db.execute(sql: "SELECT 1") }
    let copy = try ExamStore.bound(store, to: terminal.store.device, reopening: store.location.path)
    return Terminal(store: copy, hall: self)
  }

  /// A copy of a terminal's store under another name, with those of the files beside it that end so.
  func copyStore(of terminal: Terminal, named name: String, with ends: [String] = [".hub"]) throws -> ExamStore {
    let (old, path) = (terminal.store.location.path, "\(folder)/\(name).sqlite")
    let source = try DatabaseQueue(path: old)
    try source.vacuum(into: path)
    try source.close()
    chmod(path, 0o600)
    for end in ends { try FileManager.default.copyItem(atPath: old + end, toPath: path + end) }
    return try ExamStore(StoreLocation(path: path), .existing)
  }

  /// Puts a copy of the hub's database in its place, as a restore does: with a new epoch.
  func restoreHub(from copy: String) async throws {
    try state.withLock { try $0.database.close() }
    for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: folder + "/hub.sqlite" + end) }
    try FileManager.default.copyItem(atPath: copy, toPath: folder + "/hub.sqlite")
    let database = try SQLiteDatabase(path: folder + "/hub.sqlite")
    let hub = Hall.hub(database)
    state.withLock { $0 = (hub, database) }
    road.lead(to: hub)
    try await hub.beginAnew(exam)
  }

  /// A copy of the hub's database as it is now.
  func copyHub() throws -> String {
    let path = "\(folder)/copy-\(UUID().uuidString).sqlite"
    let source = try DatabaseQueue(path: folder + "/hub.sqlite")
    try source.vacuum(into: path)
    try source.close()
    return path
  }
}

/// A way to the hub that loses, doubles and spoils what goes over it.
final class Road: Transport {
  struct Weather: Sendable {
    /// Of a hundred requests, how many never arrive, are answered in vain, arrive twice, or come back spoilt.
    var (lost, unanswered, twice, spoilt) = (0, 0, 0, 0)
    var isCut = false
  }

  private let state: Mutex<(hub: (any Answering)?, weather: Weather, random: Seeded, count: Int)>

  init(seed: UInt64) { state = Mutex((nil, Weather(), Seeded(seed: seed), 0)) }

  func lead(to hub: any Answering) { state.withLock { $0.hub = hub } }
  func set(_ weather: Weather) { state.withLock { $0.weather = weather } }
  var count: Int { state.withLock { $0.count } }

  private enum Fate { case lost, unanswered, twice, spoilt, arrives }

  func send(_ request: WireRequest, wait: Int64) async throws(TransportFailure) -> WireResponse {
    let (hub, fate) = state.withLock { state -> ((any Answering)?, Fate) in
      state.count += 1
      if state.weather.isCut { return (nil, .lost) }
      let dice = Int.random(in: 0..<100, using: &state.random)
      let weather = state.weather
      var limit = weather.lost
      if dice < limit { return (state.hub, .lost) }
      limit += weather.unanswered
      if dice < limit { return (state.hub, .unanswered) }
      limit += weather.twice
      if dice < limit { return (state.hub, .twice) }
      limit += weather.spoilt
      return (state.hub, dice < limit ? .spoilt : .arrives)
    }
    guard let hub, fate != .lost else { throw .unreachable("the road is cut") }
    var response = await hub.answer(request)
    switch fate {
    case .lost, .arrives: break
    case .unanswered: throw .timeout
    case .twice: response = await hub.answer(request)
    case .spoilt: response = WireResponse(status: 502, content: nil, body: Array("<html>bad gateway".utf8))
    }
    return response
  }
}

/// A clock whose pauses are over at once.
final class QuickClock: SteadyClock {
  private let time = Mutex<Int64>(0)
  func now() -> Int64 { time.withLock { $0 } }
  func sleep(milliseconds: Int64) async {
    time.withLock { $0 += milliseconds }
    await Task.yield()
  }
}

/// A terminal: a store with a place at the hub, and its uploader.
final class Terminal: Sendable {
  let store: ExamStore
  let hall: Hall

  init(store: ExamStore, hall: Hall) {
    self.store = store
    self.hall = hall
  }

  func enrol(_ role: DeviceRole, scope: CodeScope = .whole, isSameExam: Bool = false) async throws {
    let code = "CODE\(Int.random(in: 0..<1_000_000_000))"
    try await hall.hub.keep(code: code, for: role, in: hall.exam, scope: scope)
    _ = try await StoreLink.enrol(
      store, at: "http://127.0.0.1:1", code: code, pin: nil, isSameExam: isSameExam, over: hall.road)
  }

  /// Exchanges until nothing is left; tries again where something failed.
  /// - Returns: whether everything was exchanged.
  @discardableResult func sync(tries: Int = 1) async -> Bool {
    let client = SyncClient(
      store: EnrolledStore(store), transport: hall.road, clock: QuickClock(), random: Seeded(seed: 1))
    for _ in 0..<tries {
      if await client.runOnce() { return true }
      await client.retry()
    }
    return false
  }

  /// Writes a comment: it is made here, and sent.
  func comment(_ key: String, _ text: String) throws {
    try store.write(Author(staff: 1)) { try $0.create("CommentMetaStation", key, ["text": .text(text)]) }
  }

  /// Writes over a comment.
  func change(_ key: String, to text: String) throws {
    try store.write(Author(staff: 1)) { try $0.set("CommentMetaStation", key, ["text": .text(text)]) }
  }

  /// The rows that travel, as they stand.
  func content() throws -> [String] {
    try store.read { db in
      var lines: [String] = []
      for (table, column) in [("commentMetaStation", "text"), ("activityType", "name"), ("clinicGroup", "name")] {
        for row in try Row.fetchAll(db, sql: "SELECT * FROM \(table) ORDER BY 1") {
          lines.append("\(table) \(row[0] as DatabaseValue) \(row[column] as DatabaseValue)")
        }
      }
      return lines
    }
  }

  func waiting() throws -> Int { try store.read { try Outbox.waiting($0) } }
}

extension ExamStore {
  /// The same store as one that believes itself where it always was.
  static func bound(_ store: ExamStore, to device: UUIDBytes, reopening path: String) throws -> ExamStore {
    try store.merge { merge in
      let own = try DeviceBinding.known(merge.db)
      try merge.db.execute(sql: "DELETE FROM operation WHERE device = ?", arguments: [own?.description])
      try merge.db.execute(sql: "DELETE FROM chain WHERE device = ?", arguments: [own?.description])
      try merge.db.execute(sql: "DELETE FROM device WHERE uuid = ?", arguments: [own?.description])
      try DeviceBinding.rebind(merge.db, to: device)
    }
    store.close()
    return try ExamStore(StoreLocation(path: path), .existing)
  }
}
