import ExamStore
import Foundation
import GRDB
import Journal
import SeededNumbers
import Sync
import Synchronization
import Testing
import Timer

@testable import CircuitModel
@testable import Hub
@testable import Reports
@testable import StoreSync

@Suite("What a store and its hub keep of their contacts") struct ContactTests {
  /// A store's clock that a test moves on.
  private final class Wall: Sendable {
    private let lead = Mutex<Int64>(0)

    func advance(minutes: Int64) { lead.withLock { $0 += minutes * 60_000 } }

    func clock(from start: Int64) -> SystemClock {
      SystemClock(
        wall: { start + self.lead.withLock { $0 } }, boot: { 1_000_000 + self.lead.withLock { $0 } },
        bootID: { "contact" })
    }
  }

  /// A way to a hub that counts what goes over it.
  private final class Scale: Transport {
    private let road: Road
    private let counted = Mutex((requests: 0, sent: 0, received: 0))

    init(_ road: Road) { self.road = road }
    var count: (requests: Int, sent: Int, received: Int) { counted.withLock { $0 } }

    func send(_ request: WireRequest, wait: Int64) async throws(TransportFailure) -> WireResponse {
      let response = try await road.send(request, wait: wait)
      counted.withLock {
        $0 = ($0.requests + 1, $0.sent + request.body.count, $0.received + response.body.count)
      }
      return response
    }
  }

  private static let day: Int64 = 24 * 3_600_000

  private func hall() async throws -> Hall {
    let hall = try await Hall()
    try await hall.importExam()
    return hall
  }

  /// A terminal whose clock is a day behind and moves when it is told to: what it writes is never ahead of the hub.
  private func terminal(
    _ name: String, as role: DeviceRole = .station, in hall: Hall, by wall: Wall
  ) async throws -> Terminal {
    let store = try ExamStore(
      StoreLocation(path: "\(hall.folder)/\(name).sqlite"), .createIfMissing,
      system: wall.clock(from: HubTimeSource.machine.now() - Self.day))
    let terminal = Terminal(store: store, hall: hall)
    try await terminal.enrol(role)
    return terminal
  }

  private func operations(_ terminal: Terminal) throws -> [Journal.Operation] {
    try terminal.store.ownChain().filter { $0.row.entity == "SyncInformation" }
  }

  private func head(of hall: Hall, as terminal: Terminal) async throws -> Int64 {
    let standing = try #require(try EnrolledStore(terminal.store).standing())
    let response = await hall.hub.answer(WireRequest(.get, "/v1/hello", token: standing.token))
    return try #require(try HelloAnswer.decode(response.body).exam?.head).seq
  }

  // MARK: LastUpdate

  @Test("when each entity last came from the hub: by the hub's clock, in no operation, and counted nowhere")
  func updates() async throws {
    let hall = try await hall()
    let (a, b) = (try await hall.terminal("a"), try await hall.terminal("b"))
    let began = HubTimeSource.machine.now() / 1000 * 1000
    #expect(await a.sync())
    #expect(await b.sync())
    let first = try b.store.read { try LastUpdates.read($0) }.times
    for entity in ["ClinicGroup", "ActivityType", "Student", "Staff"] {
      let time = try #require(first[entity], "\(entity)")
      #expect(began...HubTimeSource.machine.now() ~= time.milliseconds, "\(entity)")
    }
    #expect(first["CommentMetaStation"] == nil)
    let text = try b.store.read { try String.fetchOne($0, sql: "SELECT last_update FROM lastUpdate") }
    #expect(try #require(text).wholeMatch(of: /\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/) != nil)
    // Of what a page does not bring, the time stays.
    try b.store.write(.program) {
      try $0.db.execute(sql: "UPDATE lastUpdate SET last_update = '2001-02-03 04:05:06'")
    }
    let length = try b.store.ownChain().count
    try a.comment("c1", "one")
    #expect(await a.sync())
    #expect(await b.sync())
    let second = try b.store.read { try LastUpdates.read($0) }.times
    #expect(second["Student"] == Timestamp.parse("2001-02-03T04:05:06Z"))
    #expect(try #require(second["CommentMetaStation"]).milliseconds >= began)
    #expect(try b.store.ownChain().count == length)
    #expect(try b.waiting() == 0)
    let report = try b.store.read { try HubReport.read($0, by: b.store.clock) }
    #expect(report.lines(at: b.store.clock.now).contains { $0.contains("plan ") && $0.contains("comments ") })
    #expect(report.json.text.contains(#"{"entity":"Student","at":"2001-02-03T04:05:06.000Z"}"#))
    let failures = try Doctor(b.store.location, program: "test").examine().checks.filter { $0.result == .failed }
    #expect(failures.map(\.name) == [])
  }

  @Test("the hub is told at the end what is held and waits; a terminal's own row is what it knows of itself")
  func told() async throws {
    let hall = try await hall()
    let a = try await terminal("a", in: hall, by: Wall())
    try a.comment("c1", "one")
    #expect(await a.sync())
    let list = try await hall.hub.devices(of: hall.exam)
    let row = try #require(list.devices.first { $0.id == a.store.device })
    let head = try await hall.hub.exams()[0].head
    #expect(row.waiting == 0 && row.held == head)
    try a.comment("c2", "two")
    try a.store.note(devices: String(decoding: list.encoded, as: UTF8.self))
    let lines = try a.store.read { try HubReport.read($0, by: a.store.clock).lines(at: a.store.clock.now) }
    #expect(lines.contains { $0.contains("(this terminal)") && $0.contains(" wait") && !$0.contains("nothing waits") })
  }

  // MARK: SyncInformation

  @Test("when a device met the hub: at the first contact, and again after a quarter of an hour") func due() async throws
  {
    let hall = try await hall()
    let wall = Wall()
    let a = try await terminal("a", in: hall, by: wall)
    #expect(try operations(a).isEmpty)
    #expect(await a.sync())
    #expect(try a.waiting() == 0, "the record goes in the same breath")
    #expect(try operations(a).map(\.kind) == [.create])
    wall.advance(minutes: 14)
    #expect(await a.sync())
    #expect(try operations(a).count == 1)
    wall.advance(minutes: 1)
    var weather = Road.Weather()
    weather.isCut = true
    hall.road.set(weather)
    #expect(await !a.sync())
    #expect(try operations(a).count == 1, "a contact that failed is none")
    hall.road.set(.init())
    #expect(await a.sync())
    let body = try #require(try operations(a).last?.body())
    #expect(try operations(a).count == 2 && body.fields.keys.sorted() == ["lastSync"])
    // A clock that was set back.
    wall.advance(minutes: -60)
    #expect(await a.sync())
    #expect(try operations(a).count == 3)
    let row = try a.store.read {
      try Row.fetchAll(
        $0, sql: "SELECT uuid, deviceUUID, deviceName, appUUID, appVersion, iOSVersion, staffID FROM syncInformation")
    }
    let device = a.store.device.description
    #expect(
      row == [
        [
          "uuid": device, "deviceUUID": device, "deviceName": DeviceBinding.hostName, "appUUID": device,
          "appVersion": ProgramVersion.text, "iOSVersion": ContactRecord.operatingSystem, "staffID": nil,
        ]
      ])
  }

  @Test("and no more often where it counts for nothing, as of a terminal whose clock is a day ahead")
  func ahead() async throws {
    let hall = try await hall()
    let wall = Wall()
    let ahead = Terminal(
      store: try ExamStore(
        StoreLocation(path: "\(hall.folder)/ahead.sqlite"), .createIfMissing,
        system: wall.clock(from: HubTimeSource.machine.now() + Self.day)), hall: hall)
    try await ahead.enrol(.station)
    for _ in 0..<5 { #expect(await ahead.sync()) }
    #expect(try operations(ahead).count <= 2)
    wall.advance(minutes: 15)
    #expect(await ahead.sync())
    #expect(try operations(ahead).count <= 3)
  }

  @Test("who signed in last there, as long as that terminal lives") func person() async throws {
    let hall = try await hall()
    let wall = Wall()
    let a = try await terminal("a", in: hall, by: wall)
    #expect(await a.sync())
    let staff = try a.store.read { try StaffMember.find(username: "adeyemi", in: $0) }
    func person() throws -> Int? {
      try a.store.read {
        try Int.fetchOne(
          $0, sql: "SELECT staffID FROM syncInformation WHERE uuid = ?", arguments: [a.store.device.description])
      }
    }
    #expect(try person() == nil)
    let sitting = try a.store.write(.program) {
      try SignIn.begin(staff, timetable: nil, device: a.store.device, in: $0)
    }
    wall.advance(minutes: 15)
    #expect(await a.sync())
    #expect(try person() == 1)
    try a.store.write(.program) { try sitting.end(in: $0) }
    // One whose process is gone is nobody's any more.
    try a.store.write(.program) {
      _ = try SignIn.begin(
        staff, timetable: nil, device: a.store.device, from: TerminalInfo(process: 1, processStart: "never"), in: $0)
    }
    wall.advance(minutes: 15)
    #expect(await a.sync())
    #expect(try person() == nil)
  }

  @Test("and the hub takes it of every role's device, locked or not") func roles() async throws {
    let hall = try await hall()
    let office = try await hall.terminal("office", as: .office)
    #expect(await office.sync())
    try office.store.write(Author(staff: 1)) {
      try $0.create("ExamLock", "lock", ["lockedAt": .integer(1), "amendment": .integer(0), "content": .text("{}")])
    }
    #expect(await office.sync())
    for role in DeviceRole.allCases {
      let terminal = try await hall.terminal("a-\(role)", as: role)
      #expect(await terminal.sync(), "\(role)")
      #expect(try terminal.waiting() == 0, "\(role)")
      #expect(await office.sync())
      let records = try office.store.read { try ContactRecord.all(in: $0) }
      #expect(records[terminal.store.device.description]?.system == ContactRecord.operatingSystem, "\(role)")
      #expect(try terminal.store.read { try Outbox.attention($0, at: terminal.store.clock.now).count } == 0, "\(role)")
    }
  }

  @Test("and it wakes nobody, who waits or asks again, and what comes with it does") func rings() async throws {
    let hall = try await hall()
    let wall = Wall()
    let (a, b) = (try await terminal("a", in: hall, by: wall), try await hall.terminal("b"))
    #expect(await a.sync())
    #expect(await b.sync())
    let place = try await head(of: hall, as: a)
    let database = hall.hub.database
    func note() async throws -> Int64? {
      try await database.read { try ExamLog.lastOfNote(after: place, in: hall.exam, $0) }
    }
    let rings = hall.hub.bell.rings(of: hall.exam)
    wall.advance(minutes: 15)
    #expect(await a.sync())
    #expect(try await head(of: hall, as: a) == place + 1)
    #expect(hall.hub.bell.rings(of: hall.exam) == rings)
    #expect(try await note() == nil)
    try a.comment("c1", "what others wait for")
    #expect(await a.sync())
    #expect(hall.hub.bell.rings(of: hall.exam) == rings + 1)
    #expect(try await note() == place + 2)
  }

  @Test("and two copies of a store that both said it ask nobody which of them is right") func copies() async throws {
    let hall = try await hall()
    let wall = Wall()
    let a = try await terminal("a", in: hall, by: wall)
    #expect(await a.sync())
    let copy = try hall.copy(of: a, named: "twin")
    let staff = try a.store.read { try StaffMember.find(username: "adeyemi", in: $0) }
    try a.store.write(.program) { _ = try SignIn.begin(staff, timetable: nil, device: a.store.device, in: $0) }
    wall.advance(minutes: 15)
    #expect(await a.sync(tries: 2))
    #expect(await copy.sync(tries: 4))
    #expect(await a.sync(tries: 2))
    #expect(a.store.device != copy.store.device)
    for terminal in [a, copy] {
      let records = try terminal.store.read { try ContactRecord.all(in: $0) }
      #expect(records.count == 2, "a device that is new has a row of its own")
      #expect(try terminal.store.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM fork") } == 0)
      #expect(try terminal.store.read { try Outbox.attention($0, at: terminal.store.clock.now).count } == 0)
    }
  }

  @Test("and a terminal's idle day of it stays small") func idleDay() async throws {
    let hall = try await hall()
    let wall = Wall()
    let a = try await terminal("a", in: hall, by: wall)
    #expect(await a.sync())
    let scale = Scale(hall.road)
    let client = SyncClient(
      store: EnrolledStore(a.store), transport: scale, clock: QuickClock(), random: Seeded(seed: 1))
    _ = await client.runOnce()
    let before = scale.count
    let records = try operations(a).count
    for _ in 0..<95 {
      wall.advance(minutes: 15)
      await client.retry()
      #expect(await client.runOnce())
    }
    let after = scale.count
    #expect(try operations(a).count - records == 95)
    let (requests, bytes) = (
      after.requests - before.requests, after.sent + after.received - before.sent - before.received
    )
    // One exchange would have been anyway; of the record come its operation, and two more: the last tells the hub so.
    #expect(requests <= 3 * 95, "\(requests) requests")
    #expect(bytes <= 600_000, "\(bytes) bytes, not compressed")
  }
}
