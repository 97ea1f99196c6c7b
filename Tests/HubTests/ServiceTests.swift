import ExamStore
import Journal
import Sync
import Synchronization
import Testing

@testable import Hub

@Suite("The service of a hub") struct ServiceTests {
  @Test(
    "without a token, with a spoilt one, in another version, by another path or method: an error in one form",
    arguments: Storage.installed)
  func refusals(on storage: Storage) async throws {
    let hub = try await TestHub(on: storage)
    let a = try await hub.enrol(seed: 1)
    let spoilt = a.token.map { String($0.dropLast(2)) + "AA" }
    let body = a.request().encoded
    let cases: [(WireRequest, HubError)] = [
      (WireRequest(.post, "/v1/sync", body: body), .token),
      (WireRequest(.post, "/v1/sync", token: spoilt, body: body), .token),
      (WireRequest(.post, "/v1/sync", token: a.token, version: 9, body: body), .version(1...1)),
      (WireRequest(.post, "/v1/sync", token: a.token, body: Array("{".utf8)), .malformed(pointer: "")),
      (WireRequest(.get, "/v1/sync", token: a.token), .method), (WireRequest(.get, "/v1/nothing"), .notFound),
      (WireRequest(.get, "/v1/devices", token: a.token), .role),
      (
        WireRequest(
          .post, "/v1/session", token: a.token, body: Array(#"{"username":"adeyemi","passcode":"right"}"#.utf8)),
        .malformed(pointer: "/timetable")
      ),
      (WireRequest(.get, "/v1/snapshot", query: ["history": "2"], token: a.token), .malformed(pointer: "/history")),
    ]
    for (request, error) in cases {
      let response = await hub.hub.answer(request)
      #expect(HubError(response) == error && response.status == error.status, "\(request.path)")
    }
  }

  @Test(
    "whoever waits is told when the log grows, and a second wait of a device ends the first",
    arguments: Storage.installed) func waiting(on storage: Storage)
    async throws
  {
    let hub = try await TestHub(on: storage)
    let (a, b) = (try await hub.enrol(seed: 1), try await hub.enrol(seed: 2))
    func wait(_ seconds: Int) -> WireRequest {
      WireRequest(.get, "/v1/wait", query: ["cursor": "\(b.epoch):0", "t": "\(seconds)"], token: b.token)
    }
    #expect(await hub.hub.answer(wait(0)).status == 204)
    let (first, second) = (wait(50), wait(50))
    async let one = hub.hub.answer(first)
    await hub.untilSomebodyWaits()
    async let two = hub.hub.answer(second)
    #expect(await one.status == 204)
    await hub.untilSomebodyWaits()
    try await a.sync([a.make(Rows.item(1), ["rating": .integer(1)])])
    #expect(await two.body == WaitAnswer(head: 1).encoded)
    async let three = hub.hub.answer(
      WireRequest(.get, "/v1/wait", query: ["cursor": "\(b.epoch):1", "t": "50"], token: b.token))
    await hub.untilSomebodyWaits()
    hub.hub.stop()
    #expect(await three.status == 204)
  }

  @Test(
    "a time to wait that is none is refused, for who is answered at once asks again at once",
    arguments: [
      "x", "1.5", "-1", "99999999999999999999", "",
    ]) func waitingTime(_ time: String) async throws
  {
    let hub = try await TestHub(on: .sqlite)
    let a = try await hub.enrol(seed: 1)
    let request = WireRequest(.get, "/v1/wait", query: ["cursor": "\(a.epoch):0", "t": time], token: a.token)
    #expect(HubError(await hub.hub.answer(request)) == .malformed(pointer: "/t"))
  }

  @Test("who asks too often is told when to come again", arguments: Storage.installed) func rates(on storage: Storage)
    async throws
  {
    let hub = try await TestHub(on: storage)
    let a = try await hub.enrol(seed: 1)
    let request = WireRequest(.get, "/v1/hello", token: a.token)
    var statuses: [Int] = []
    for _ in 0..<62 { statuses.append(await hub.hub.answer(request).status) }
    #expect(statuses.prefix(60).allSatisfy { $0 == 200 } && statuses.last == 429)
    hub.advance(1000)
    #expect(await hub.hub.answer(request).status == 200)
  }

  @Test("why requests fail is said once, and once that they are answered again", arguments: Storage.installed)
  func failing(on storage: Storage) async throws {
    let hub = try await TestHub(on: storage)
    let a = try await hub.enrol(seed: 1)
    let told = Mutex<[String?]>([])
    let service = Hub(hub.database, version: "test") { why in told.withLock { $0.append(why) } }
    func ask() async -> Int { await service.answer(WireRequest(.get, "/v1/hello", token: a.token)).status }
    func rename(_ table: String, to other: String) async throws {
      _ = try await hub.database.write(weight: 1) { try $0.run("ALTER TABLE \(table) RENAME TO \(other)", []) }
    }
    #expect(await ask() == 200)
    try await rename("device", to: "gone")
    for _ in 0..<2 { #expect(await ask() == 500) }
    try await rename("gone", to: "device")
    for _ in 0..<2 { #expect(await ask() == 200) }
    let said = told.withLock { $0 }
    #expect(said.count == 2 && said.first??.contains("device") == true && said.last == .some(nil), "\(said)")
  }

  @Test("what was done to an exam is listed, and a changed or missing line found", arguments: Storage.installed)
  func audit(on storage: Storage) async throws {
    let hub = try await TestHub(on: storage)
    _ = try await hub.enrol(seed: 1)
    try await hub.hub.noteExport(of: [hub.exam], "log")
    let audit = try await hub.hub.audit(of: hub.exam)
    #expect(audit.map(\.n) == Array(1...Int64(audit.count)))
    #expect(audit.first?.action == "make" && audit.last?.action == "export" && audit.last?.actor == "operator")
    #expect(try await hub.hub.examine(hub.exam) == [])
    for change in ["UPDATE audit SET detail = 'x' WHERE n = 2", "DELETE FROM audit WHERE n = 2"] {
      _ = try await hub.database.write(weight: 1) { try $0.run(change, []) }
      #expect(try await hub.hub.examine(hub.exam).first?.contains("of the audit was changed") == true, "\(change)")
    }
  }

  @Test("a value that stands though no change says so is found", arguments: Storage.installed)
  func standing(on storage: Storage) async throws {
    let hub = try await TestHub(on: storage)
    let a = try await hub.enrol(seed: 1)
    let first = a.make(Rows.item(1), ["rating": .integer(1)])
    let second = a.make(Rows.item(1), ["rating": .integer(2)], replacing: ["rating": [first.id]])
    let other = a.make(Rows.item(2), ["rating": .integer(1)])
    #expect(try await a.sync([first, second, other]).said == ["applied", "applied", "applied"])
    #expect(try await hub.hub.examine(hub.exam) == [])
    func fault(_ number: Int) -> String { "row \(Rows.item(number)): other values stand than its changes give" }
    for (change, faults) in [
      ("UPDATE head SET id = '\(first.id)' WHERE entityID = 'item-1'", [fault(1)]),
      ("DELETE FROM head WHERE entityID = 'item-2'", [fault(1), fault(2)]),
      ("UPDATE head SET entityID = 'item-3' WHERE entityID = 'item-1'", [fault(1), fault(2), fault(3)]),
    ] {
      _ = try await hub.database.write(weight: 1) { try $0.run(change, []) }
      #expect(try await hub.hub.examine(hub.exam) == faults)
    }
  }

  @Test("who only knows a device's name does not use up its rate", arguments: Storage.installed)
  func othersRates(on storage: Storage) async throws {
    let hub = try await TestHub(on: storage)
    let a = try await hub.enrol(seed: 1)
    let right = WireRequest(.get, "/v1/hello", token: a.token, address: "10.0.0.1")
    #expect(await hub.hub.answer(right).status == 200)
    let wrong = a.token.map { String($0.dropLast(43)) + String(repeating: "A", count: 43) }
    var statuses: Set<Int> = []
    for _ in 0..<700 {
      let request = WireRequest(.get, "/v1/hello", token: wrong, address: "10.0.0.1")
      statuses.insert(await hub.hub.answer(request).status)
    }
    #expect(statuses == [401, 429], "wrong secrets are counted by where they come from")
    #expect(await hub.hub.answer(right).status == 200)
  }

  @Test("what a stranger sends is not read before it is known that they are none", arguments: Storage.installed)
  func strangers(on storage: Storage) async throws {
    let hub = try await TestHub(on: storage)
    let a = try await hub.enrol(seed: 1)
    let wrong = a.token.map { String($0.dropLast(43)) + String(repeating: "A", count: 43) }
    for path in ["/v1/sync", "/v1/device"] {
      let nonsense = Array("[".utf8)
      #expect(await hub.hub.answer(WireRequest(.post, path, token: wrong, body: nonsense)).status == 401)
      #expect(await hub.hub.answer(WireRequest(.post, path, token: a.token, body: nonsense)).status == 400)
    }
  }

  @Test("four requests of a device are answered at once; a fifth is put off", arguments: Storage.installed)
  func atOnce(on storage: Storage) async throws {
    let hub = try await TestHub(on: storage)
    let a = try await hub.enrol(seed: 1)
    let rates = Rates()
    #expect((0..<5).map { _ in rates.begin("a") } == [true, true, true, true, false])
    #expect(rates.begin("b"))
    rates.end("a")
    #expect(rates.begin("a") && !rates.begin("a"))
    for _ in 0..<10 { #expect(await hub.hub.answer(WireRequest(.get, "/v1/hello", token: a.token)).status == 200) }
  }

  @Test("an address that is asked in another way names those that it knows", arguments: Storage.installed)
  func methods(on storage: Storage) async throws {
    let hub = try await TestHub(on: storage)
    for (path, method, allow) in [
      ("/v1/sync", .get, "POST"), ("/v1/session", .other, "POST, DELETE"), ("/v1/healthz", .post, "GET, HEAD"),
    ] as [(String, WireRequest.Method, String)] {
      let response = await hub.hub.answer(WireRequest(method, path))
      #expect(response.status == 405 && response.allow == allow, "\(path)")
    }
    #expect(await hub.hub.answer(WireRequest(.head, "/v1/healthz")).status == 200)
  }

  @Test("figures are for this machine, and for who shows the token for them") func metrics() async throws {
    let hub = try await TestHub(on: .sqlite)
    let watched = Hub(hub.database, version: "test", metricsToken: "seen")
    func status(_ hub: Hub, _ token: String?, _ address: String) async -> Int {
      await hub.answer(WireRequest(.get, "/v1/metrics", token: token, address: address)).status
    }
    for here in ["127.0.0.1", "127.0.1.1", "::1", "::ffff:127.0.1.1"] {
      #expect(await status(watched, nil, here) == 200, "\(here)")
    }
    #expect(await status(watched, "seen", "10.0.0.1") == 200)
    for token in ["unseen", nil] { #expect(await status(watched, token, "10.0.0.1") == 404) }
    #expect(await status(watched, nil, "::ffff:10.0.0.1") == 404)
    #expect(await status(hub.hub, "", "10.0.0.1") == 404)
    _ = watched.refuse("/v1/sync", .tooLarge(limit: 1))
    let figures = await watched.answer(WireRequest(.get, "/v1/metrics", address: "127.0.0.1"))
    #expect(String(decoding: figures.body, as: UTF8.self).contains("path=\"/v1/sync\",status=\"413\"} 1"))
  }

  @Test("of another run of the log a device hears at once, with the number that it has", arguments: Storage.installed)
  func otherRun(on storage: Storage) async throws {
    let hub = try await TestHub(on: storage)
    let a = try await hub.enrol(seed: 1)
    try await a.sync([a.make(Rows.item(1), ["rating": .integer(1)])])
    let response = await hub.hub.answer(
      WireRequest(.get, "/v1/wait", query: ["cursor": "\(UUIDBytes(high: 1, low: 1)):9", "t": "50"], token: a.token))
    #expect(response.status == 200)
    #expect(response.body == WaitAnswer(head: 1).encoded)
  }
}
