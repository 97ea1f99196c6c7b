import ExamStore
import Foundation
import Journal
import SeededNumbers
import Sync
import Synchronization
import SystemTesting
import Testing

@testable import CircuitModel
@testable import Hub
@testable import HubPostgres

/// A hub on a real database, with a clock of its own, and one exam.
final class TestHub: Sendable {
  static let start: Int64 = 1_795_222_800_000
  let folder: String
  let hub: Hub
  let exam = UUIDBytes(high: 0x0192_F0C0_0000_7000, low: 0x8000_0000_0000_E0A1)
  let hubDevice = UUIDBytes(high: 0x0192_F0C0_0000_7000, low: 0x8000_0000_0000_0001)
  let database: any HubDatabase
  /// Where another process finds the database.
  let address: String

  init(on storage: Storage, isFilling: Bool = false) async throws {
    folder = try ScratchFolder.make()
    (database, address) = try await storage.make(in: folder)
    box = TimeBox(start: Self.start)
    hub = Self.hub(database, box)
    try await hub.makeExam(exam, named: "Year 3", device: hubDevice, isFilling: isFilling)
  }

  /// Another process that serves the same database.
  init(beside other: TestHub) async throws {
    folder = try ScratchFolder.make()
    address = other.address
    database =
      address.hasPrefix("/") ? try SQLiteDatabase(path: address) : try await PostgresDatabase(address: address)
    box = other.box
    hub = Self.hub(database, box)
  }

  /// The same hub, whose database is reached by another way.
  init(over database: any HubDatabase, of other: TestHub) {
    folder = other.folder + "/other"
    (self.database, address, box) = (database, other.address, other.box)
    hub = Self.hub(database, box)
  }

  /// A hub that was moved, or restored from a copy, as `osce-hub export --file` and `restore` do it.
  init(on storage: Storage, from other: TestHub, isMoved: Bool) async throws {
    folder = try ScratchFolder.make()
    (database, address) = try await storage.make(in: folder)
    box = other.box
    hub = Self.hub(database, box)
    let file = try SQLiteDatabase(path: folder + "/copy.sqlite")
    try await other.database.save(to: file)
    if !isMoved { try await Self.hub(file, box).beginAnew(exam) }
    try await database.load(from: file)
    try file.close()
  }

  private static func hub(_ database: any HubDatabase, _ time: TimeBox) -> Hub {
    Hub(database, version: "test", clock: HubTimeSource(now: { time.value }, steady: { time.value }))
  }

  private let box: TimeBox

  /// The hub's clock.
  final class TimeBox: Sendable {
    private let time: Mutex<Int64>
    init(start: Int64) { time = Mutex(start) }
    var value: Int64 { time.withLock { $0 } }
    func advance(_ milliseconds: Int64) { time.withLock { $0 += milliseconds } }
  }

  func advance(_ milliseconds: Int64) { box.advance(milliseconds) }

  /// Waits until somebody waits for news.
  func untilSomebodyWaits(at place: SourceLocation = #_sourceLocation) async {
    await eventually(at: place) { hub.bell.count > 0 }
  }

  deinit {
    try? database.close()
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// A device with a place at the exam.
  func enrol(_ role: DeviceRole = .station, seed: UInt64, scope: CodeScope = .whole) async throws -> TestDevice {
    // With a letter that no code has: it is compared as it stands.
    let code = "UNIT\(seed)"
    try await hub.keep(code: code, for: role, in: exam, scope: scope)
    let device = TestDevice(seed: seed, hub: self)
    try await device.enrol(code)
    return device
  }

  /// The whole log, as whoever runs the hub gets it.
  func exported() async throws -> [UInt8] {
    let lines = Mutex<[UInt8]>([])
    try await hub.export(exam) { line in lines.withLock { $0 += line } }
    return lines.withLock { $0 }
  }

  /// The run of the log, as the database has it now.
  func epoch() async throws -> UUIDBytes {
    try #require(UUIDBytes(try await rows("SELECT epoch FROM exam WHERE exam = ?")[0].text(0)))
  }

  func rows(_ sql: String) async throws -> [HubRow] {
    let (exam, sql) = (exam, sql)
    return try await database.read { try $0.rows(sql, [HubValue(exam)]) }
  }

  /// What was said of each operation, in the log's order.
  func results() async throws -> [String] {
    try await rows("SELECT result FROM op WHERE exam = ? ORDER BY seq").map { try $0.text(0) }
  }
}

extension TestHub {
  /// The small exam that rules are tried on: two stations of a circuit, and one person of each kind.
  @discardableResult func plan() async throws -> TestDevice {
    let office = try await enrol(.office, seed: 1000)
    let kept = Value.text(try Passcode.hash("right", rounds: 2))
    let people: [(Int, String, String?, [String: Value])] = [
      (1, "adeyemi", "assessor", ["passcodeHash": kept]), (2, "lindqvist", "invigilator", ["passcodeHash": kept]),
      (3, "okafor", "lead", ["passcodeHash": kept]), (4, "office", "office", ["passcodeHash": kept]),
      (5, "auditor", "auditor", ["passcodeHash": kept]), (6, "cover", "assessor", ["passcodeHash": kept]),
      (7, "scheduled", "assessor", ["passcodeHash": kept]), (8, "besides", "assessor", ["passcodeHash": kept]),
      (9, "open", nil, [:]), (10, "gone", nil, ["passcodeHash": kept, "active": .bool(false)]),
      (11, "removed", nil, ["passcodeHash": kept, "dsDeleted": .bool(true)]),
      (12, "display", "display", ["passcodeHash": kept]),
    ]
    let roles = people.compactMap { person in person.2.map { "\"\(person.1)\":\"\($0)\"" } }.joined(separator: ",")
    var operations = [
      office.make(RowKey(entity: "Config", id: "1"), ["settings": .text("{\"roles\":{\(roles)}}")]),
      office.make(RowKey(entity: "ClinicGroup", id: "1"), ["name": .text("Circuit A")]),
    ]
    for (key, name, _, fields) in people {
      operations.append(
        office.make(
          RowKey(entity: "Staff", id: "\(key)"), fields.merging(["username": .text(name)]) { first, _ in first }))
    }
    for station in [12, 13] {
      operations += [
        office.make(
          RowKey(entity: "ActivityType", id: "\(station)"), ["name": .text("S\(station)"), "clinicGroup": .integer(1)]),
        office.make(
          RowKey(entity: "Timetable", id: "\(station)"),
          [
            "activityType": .integer(Int64(station)), "date": .text("2026-11-24"), "startTime": .text("08:30"),
            "staff": .integer(station == 12 ? 1 : 6),
          ]),
        office.make(
          RowKey(entity: "TimetableAttendanceLog", id: "entry-\(station)"), ["timetable": .integer(Int64(station))]),
      ]
    }
    operations += [
      office.make(
        RowKey(entity: "Timetable", id: "12"), ["coverStaff": .integer(6), "scheduledCoverStaff": .integer(7)]),
      office.make(
        RowKey(entity: "AdditionalStaff", id: "besides"), ["timetable": .integer(12), "staff": .integer(8)]),
    ]
    #expect(try await office.sync(operations).said == Array(repeating: "applied", count: operations.count))
    return office
  }
}

/// A device that speaks the protocol: a chain, a token, and how far it has the log.
final class TestDevice {
  let id: UUIDBytes
  var generator: Seeded
  /// The hub that it talks to.
  var hub: TestHub
  var token: String?
  var chain: [Journal.Operation] = []
  var epoch = UUIDBytes(high: 0, low: 0)
  var mark: LogMark { didSet { place = nil } }
  /// The hub's words for where it is, while it goes on from there.
  var place: LogCursor?
  var time: Int64 = TestHub.start

  init(seed: UInt64, hub: TestHub) {
    generator = Seeded(seed: seed)
    id = .random(using: &generator)
    self.hub = hub
    mark = LogHash.start(of: hub.exam)
  }

  /// A device that claims to be another.
  init(as id: UUIDBytes, hub: TestHub) {
    generator = Seeded(seed: 4711)
    self.id = id
    self.hub = hub
    mark = LogHash.start(of: hub.exam)
  }

  var tip: ChainTip {
    chain.last?.tip ?? ChainTip(device: id, deviceSeq: 0, hash: Journal.Operation.genesisHash)
  }

  func enrol(_ code: String) async throws {
    let request = EnrolRequest(code: code, device: id, name: "host-a", tip: tip, schema: 2)
    let response = await hub.hub.answer(WireRequest(.post, "/v1/enrol", body: request.encoded))
    guard response.status == 201 else { throw HubError(response) }
    let answer = try EnrolAnswer.decode(response.body)
    (token, epoch) = (answer.token, answer.exam.epoch)
  }

  /// Gives its place to another device.
  @discardableResult func giveWay(to next: TestDevice) async throws -> EnrolAnswer {
    let asked = NewDeviceRequest(former: id, device: next.id, name: "host-a")
    let response = await hub.hub.answer(WireRequest(.post, "/v1/device", token: token, body: asked.encoded))
    guard response.status == 201 else { throw HubError(response) }
    let answer = try EnrolAnswer.decode(response.body)
    (next.token, next.epoch) = (answer.token, answer.exam.epoch)
    return answer
  }

  /// A new device that goes on in the place of this one.
  func continued(seed: UInt64) async throws -> TestDevice {
    let next = TestDevice(seed: seed, hub: hub)
    try await giveWay(to: next)
    return next
  }

  // MARK: Operations

  /// Seals the next operation of the chain; sends nothing.
  @discardableResult func make(
    _ row: RowKey, _ fields: [String: Value] = [:], kind: OperationKind = .set,
    replacing: [String: [OperationID]] = [:], covers: [RowKey: [String: [OperationID]]] = [:], reason: String? = nil,
    staff: Int64? = nil, id operationID: OperationID? = nil, hlc: Int64? = nil, tx: UUIDBytes? = nil,
    place: (Int, Int) = (0, 1)
  ) -> Journal.Operation {
    time += 1
    let operation = Journal.Operation.seal(
      id: operationID ?? .v7(milliseconds: time, using: &generator), device: id, deviceSeq: tip.deviceSeq + 1,
      tx: tx ?? .random(using: &generator), txIndex: place.0, txSize: place.1, kind: kind, row: row,
      body: OperationBody(fields: fields, replaces: replacing, covers: covers, reason: reason),
      hlc: HybridTime(raw: (hlc ?? time) << 16), wallTime: time, staff: staff, schema: 2, prevHash: tip.hash,
      salt: .drawn(using: &generator))
    chain.append(operation)
    return operation
  }

  // MARK: The exchange

  func request(
    _ operations: [Journal.Operation] = [], limit: Int64 = 1000, relay: Bool = false, receipts: Bool = false
  ) -> SyncRequest {
    SyncRequest(
      device: id, cursor: place ?? LogCursor(epoch: epoch, seq: mark.seq), hash: mark.hash, marks: [mark],
      tip: tip, operations: operations.map { WireOperation($0) }, isRelay: relay, wantsReceipts: receipts,
      limit: limit, held: mark.seq)
  }

  func send(_ request: SyncRequest) async throws -> SyncAnswer {
    let response = await hub.hub.answer(
      WireRequest(.post, "/v1/sync", token: token, note: "0", body: request.encoded))
    guard response.status == 200 else { throw HubError(response) }
    return try SyncAnswer.decode(response.body)
  }

  /// Sends operations and takes the page.
  @discardableResult func sync(
    _ operations: [Journal.Operation] = [], limit: Int64 = 1000, relay: Bool = false, receipts: Bool = false
  ) async throws -> SyncAnswer {
    hub.advance(1000)
    let answer = try await send(request(operations, limit: limit, relay: relay, receipts: receipts))
    mark = LogMark(seq: answer.cursor.seq ?? 0, hash: answer.hash)
    place = answer.cursor.epoch == epoch ? answer.cursor : nil
    return answer
  }

  /// Pulls until there is no more, page by page.
  func pullPages(limit: Int64 = 1000) async throws -> [[LogEntry]] {
    var pages: [[LogEntry]] = []
    while true {
      let answer = try await sync(limit: limit)
      pages.append(answer.entries)
      if !answer.more { return pages }
    }
  }

  /// Pulls until there is no more.
  func pullAll(limit: Int64 = 1000) async throws -> [LogEntry] { try await pullPages(limit: limit).flatMap { $0 } }

  /// Goes over to a hub that was restored from a copy, and back to where both logs agree.
  func goOn(at restored: TestHub) async throws {
    hub = restored
    var heard: (UUIDBytes, LogMark)?
    if case .cursor(let epoch, let common, _, _)? = await refusal(request()) { heard = (epoch, common) }
    (epoch, mark) = try #require(heard, "the device did not hear of the new run")
  }

  /// The error of a request that is refused.
  func refusal(_ request: SyncRequest) async -> HubError? {
    hub.advance(1000)
    do {
      _ = try await send(request)
      return nil
    } catch { return error as? HubError }
  }
}

extension SyncAnswer {
  /// What was said of the operations, as texts.
  var said: [String] {
    results.map { result in
      let text = if case .stored(let hubResult) = result.outcome { hubResult.description } else { "hole" }
      return result.isDuplicate ? "duplicate of " + text : text
    }
  }
}

extension LogEntry {
  /// What an entry is, in short.
  var short: String {
    switch content {
    case .operation(_, let result, _): "op \(result)"
    case .verdict(_, let ruling, _, let operation): "verdict \(ruling.text)\(operation == nil ? "" : " with op")"
    case .erase: "erase"
    case .receipt(_, let result): "receipt \(result)"
    case .unreadable(let why, _, _): "unreadable \(why)"
    }
  }
}

/// Rows of the tests.
enum Rows {
  static func item(_ number: Int) -> RowKey { RowKey(entity: "RatingQuestion", id: "item-\(number)") }
}
