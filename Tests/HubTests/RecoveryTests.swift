import ExamStore
import Journal
import Sync
import Testing

@testable import Hub

@Suite("Recovery at a hub") struct RecoveryTests {
  @Test(
    "a log that was restored and has given the same numbers again is found by its hash", arguments: Storage.installed)
  func otherLog(on storage: Storage)
    async throws
  {
    let (lost, restored) = (try await TestHub(on: storage), try await TestHub(on: storage))
    let (a, b) = (try await lost.enrol(seed: 1), try await lost.enrol(seed: 2))
    let both = a.make(Rows.item(0), ["rating": .integer(1)])
    try await a.sync([both])
    let agreed = a.mark
    try await a.sync([a.make(Rows.item(1), ["rating": .integer(1)])])
    let last = a.mark
    // The hub of yesterday has the first entry, and has given the second number to another.
    let (again, other) = (TestDevice(seed: 1, hub: restored), try await restored.enrol(seed: 3))
    try await restored.hub.keep(code: "AGAIN", for: .station, in: restored.exam)
    try await again.enrol("AGAIN")
    try await again.sync([both])
    try await other.sync([other.make(Rows.item(7), ["rating": .integer(9)])])
    (again.chain, again.mark) = (a.chain, last)
    var request = again.request()
    request.marks = [last, agreed, LogHash.start(of: restored.exam)]
    #expect(
      await again.refusal(request)
        == .cursor(epoch: again.epoch, common: agreed, last: 1, lastHash: both.hash))
    let noted = try await restored.rows(
      "SELECT actor, detail FROM audit WHERE exam = ? AND action IN ('fork', 'rewind') ORDER BY n")
    #expect(try noted.map { try $0.text(0) + " " + $0.text(1) } == ["\(again.id) to 1"])
    _ = b
  }

  @Test(
    "what a device passes on of others counts like theirs; what lacks a predecessor waits for it",
    arguments: Storage.installed) func relay(on storage: Storage)
    async throws
  {
    let hub = try await TestHub(on: storage)
    let a = try await hub.enrol(seed: 1)
    let gone = TestDevice(seed: 9, hub: hub)
    let operations = (0..<4).map { gone.make(Rows.item($0), ["rating": .integer(1)]) }
    #expect(try await a.sync([operations[0], operations[3]], relay: true).said == ["applied", "hole"])
    #expect(try await a.sync([operations[2]], relay: true).said == ["hole"])
    #expect(try await a.sync([operations[1]], relay: true).said == ["applied"])
    #expect(try await a.sync(operations, relay: true).said == Array(repeating: "duplicate of applied", count: 4))
    #expect(try await hub.rows("SELECT hash FROM loose WHERE exam = ?").isEmpty)
    // Nobody signs a chain: who passed it on is what can be known.
    let noted = try await hub.rows("SELECT actor, detail FROM audit WHERE exam = ? AND action = 'relay' ORDER BY n")
    #expect(
      try noted.map { try $0.text(0) + " " + $0.text(1) }
        == ["\(a.id) \(gone.id) 1 to 1", "\(a.id) \(gone.id) 2 to 4"])
  }

  @Test(
    "what is passed on by who is not given its content waits for who has that; a hub that is filled takes it in the end",
    arguments: Storage.installed) func relayedStub(on storage: Storage) async throws
  {
    for isFilling in [false, true] {
      let hub = try await TestHub(on: storage, isFilling: isFilling)
      let (a, b) = (try await hub.enrol(seed: 1), try await hub.enrol(seed: 2))
      let marks = (0..<2).map { a.make(Rows.item($0), ["rating": .integer(1)]) }
      let passed = [marks[0].withoutBody(because: .scope), marks[1]]
      let limit: Int64 = isFilling ? 0 : 1000
      #expect(try await b.sync(passed, limit: limit, relay: true).said == ["hole", "hole"])
      #expect(try await a.sync(marks, limit: limit).said == ["applied", "applied"])
      #expect(try await hub.rows("SELECT hash FROM loose WHERE exam = ?").isEmpty)
      guard isFilling else { continue }
      let gone = TestDevice(seed: 9, hub: hub)
      let lost = gone.make(Rows.item(7), ["rating": .integer(1)]).withoutBody(because: .scope)
      let last = gone.make(Rows.item(8), ["rating": .integer(1)])
      #expect(try await b.sync([lost, last], limit: 0, relay: true).said == ["hole", "hole"])
      try await hub.hub.endFilling(hub.exam)
      let kept = try await hub.rows("SELECT result FROM op WHERE exam = ? ORDER BY seq")
      #expect(try kept.map { try $0.text(0) } == ["applied", "applied", "withheld", "applied"])
    }
  }

  @Test("a device that lost what was said of its operations is told again", arguments: Storage.installed) func receipts(
    on storage: Storage
  ) async throws {
    let hub = try await TestHub(on: storage)
    let a = try await hub.enrol(seed: 1)
    try await a.sync([a.make(Rows.item(0), ["rating": .integer(1)]), a.make(Rows.item(1), ["rating": .text("x")])])
    a.mark = LogHash.start(of: hub.exam)
    #expect(
      try await a.sync(receipts: true).entries.map(\.short) == ["receipt applied", "receipt rejected:value_type"])
  }

  @Test(
    "a store that goes on under a new device brings what the hub has and what it has not, each once",
    arguments: Storage.installed)
  func continues(on storage: Storage) async throws {
    let hub = try await TestHub(on: storage)
    let a = try await hub.enrol(seed: 1)
    let operations = (0..<3).map { a.make(Rows.item($0), ["rating": .integer(1)]) }
    try await a.sync(Array(operations[..<2]))
    let next = try await a.continued(seed: 5)
    // The same changes in another chain; one of them with another salt.
    for operation in operations {
      next.make(
        operation.row, ["rating": .integer(1)], id: operation.id, hlc: operation.hlc.milliseconds, tx: operation.tx)
    }
    #expect(
      try await next.sync(next.chain).said == ["duplicate of applied", "duplicate of applied", "applied"])
    #expect(try await hub.rows("SELECT id FROM head WHERE exam = ?").count == 3)
    let stranger = try await hub.enrol(seed: 6)
    stranger.make(Rows.item(0), ["rating": .integer(5)], id: operations[0].id)
    #expect(try await stranger.sync(stranger.chain).said == ["rejected:two_versions"])
    // Ruled on once, it counts in no chain.
    let lead = try await hub.enrol(.lead, seed: 7)
    let ruling = lead.make(
      RowKey(entity: "Operation", id: operations[0].id.description), ["verdict": .text("rejected")],
      kind: OperationKind(rawValue: "admit"), reason: "seen by the lead")
    #expect(try await lead.sync([ruling]).said == ["applied"])
    let standing = try await hub.rows("SELECT entityID FROM head WHERE exam = ? AND entity <> 'Operation' ORDER BY 1")
    #expect(try standing.map { try $0.text(0) } == ["item-1", "item-2"])
    #expect(
      try await next.sync(next.chain).said == [
        "duplicate of rejected", "duplicate of applied", "duplicate of applied",
      ])
  }

  @Test(
    "a change that waits, and waits in a chain that continues the first too, is decided in both",
    arguments: Storage.installed)
  func continuedWaiting(on storage: Storage) async throws {
    let hub = try await TestHub(on: storage)
    let (a, b) = (try await hub.enrol(seed: 1), try await hub.enrol(seed: 2))
    let cause = b.make(Rows.item(0), ["rating": .integer(1)])
    let waiting = a.make(
      Rows.item(0), ["rating": .integer(2)], replacing: ["rating": [cause.id]], hlc: TestHub.start + 5000)
    #expect(try await a.sync([waiting]).said == ["deferred:cause_missing"])
    let next = try await a.continued(seed: 5)
    next.make(
      waiting.row, ["rating": .integer(2)], replacing: ["rating": [cause.id]], id: waiting.id,
      hlc: waiting.hlc.milliseconds, tx: waiting.tx)
    #expect(try await next.sync(next.chain).said == ["duplicate of deferred:cause_missing"])
    try await b.sync([cause])
    let results = try await hub.rows("SELECT result FROM op WHERE exam = ? ORDER BY seq")
    #expect(try results.map { try $0.text(0) } == ["applied", "applied", "applied"])
    #expect(try await hub.rows("SELECT id FROM head WHERE exam = ?").map { try $0.text(0) } == [waiting.id.description])
  }

  @Test("a hub that is being filled takes and gives nothing", arguments: Storage.installed) func filling(
    on storage: Storage
  ) async throws {
    let hub = try await TestHub(on: storage, isFilling: true)
    let a = try await hub.enrol(seed: 1)
    let operation = a.make(Rows.item(0), ["rating": .integer(1)])
    #expect(await a.refusal(a.request([operation])) == .filling)
    #expect(try await a.send(a.request([operation], limit: 0)).said == ["applied"])
  }

  @Test(
    "a hub that is being filled takes a plan from whoever has it, though its device is not known and a station's sends none",
    arguments: Storage.installed) func fillingByStations(on storage: Storage) async throws
  {
    let hub = try await TestHub(on: storage, isFilling: true)
    let a = try await hub.enrol(seed: 1)
    let desk = TestDevice(seed: 9, hub: hub)
    let plan = desk.make(
      RowKey(entity: "ClinicGroup", id: "1"), ["name": .text("Circuit A")], kind: .create)
    #expect(try await a.send(a.request([plan], limit: 0, relay: true)).said == ["applied"])
    // It is not the way for a device to send one itself, once the hub gives.
    try await hub.hub.endFilling(hub.exam)
    a.epoch = try await hub.epoch()
    let own = a.make(RowKey(entity: "ClinicGroup", id: "2"), ["name": .text("Circuit B")], kind: .create)
    #expect(try await a.sync([own]).said == ["rejected:direction"])
  }

  @Test("a snapshot is what stands at one number, whatever comes between its pages", arguments: Storage.installed)
  func snapshot(on storage: Storage) async throws {
    let hub = try await TestHub(on: storage)
    let (a, b) = (try await hub.enrol(seed: 1), try await hub.enrol(seed: 2))
    let first = a.make(Rows.item(0), ["rating": .integer(1)])
    let second = a.make(Rows.item(0), ["rating": .integer(2)], replacing: ["rating": [first.id]])
    try await a.sync([first, second] + (1..<1100).map { a.make(Rows.item($0), ["rating": .integer(1)]) }.prefix(400))
    try await a.sync(Array(a.chain[402..<802]))
    try await a.sync(Array(a.chain[802...]))
    func page(_ query: [String: String]) async throws -> SnapshotPage {
      hub.advance(1000)
      return try SnapshotPage.decode(
        await hub.hub.answer(WireRequest(.get, "/v1/snapshot", query: query, token: b.token)).body)
    }
    let one = try await page(["history": "0"])
    #expect(one.entries.count == 1000 && one.entries.first?.seq == 2, "the first is replaced")
    try await a.sync([a.make(Rows.item(0), ["rating": .integer(3)], replacing: ["rating": [second.id]])])
    let two = try await page(["history": "0", "page": try #require(one.next)])
    #expect(two.entries.count == 100 && two.next == nil)
    #expect(two.cursor == one.cursor && two.cursor.seq == 1101)
    b.mark = LogMark(seq: 1101, hash: two.hash)
    #expect(try await b.pullAll().map(\.short) == ["op applied"], "the exchange goes on where the snapshot ends")
  }
}

@Suite("Rulings at a hub") struct RulingTests {
  private func ruling(
    _ device: TestDevice, _ kind: String, _ verdict: String, on operation: Journal.Operation
  ) -> Journal.Operation {
    device.make(
      RowKey(entity: "Operation", id: operation.id.description), ["verdict": .text(verdict)],
      kind: OperationKind(rawValue: kind), reason: "seen by the lead")
  }

  @Test("what was kept for a person counts once it is admitted, and everybody is told", arguments: Storage.installed)
  func admit(on storage: Storage) async throws {
    let hub = try await TestHub(on: storage)
    let (a, b) = (try await hub.enrol(seed: 1), try await hub.enrol(seed: 2))
    let lead = try await hub.enrol(.lead, seed: 3)
    let early = a.make(Rows.item(1), ["rating": .integer(1)], hlc: TestHub.start + 26 * 3_600_000)
    #expect(try await a.sync([early]).said == ["quarantined:clock_ahead"])
    #expect(try await b.pullAll().map(\.short) == [])
    #expect(try await lead.sync([ruling(lead, "admit", "applied", on: early)]).said == ["applied"])
    #expect(try await b.pullAll().map(\.short) == ["op applied", "verdict applied with op"])
    #expect(try await a.pullAll().map(\.short) == ["op applied", "verdict applied"])
    #expect(try await lead.sync([ruling(lead, "admit", "rejected", on: early)]).said == ["conflict"])
    #expect(try await b.pullAll().map(\.short) == ["op conflict", "verdict rejected"], "who was given it hears of it")
    // What no terminal could read counts for nothing, whoever lets it in.
    let unreadable = a.make(Rows.item(2), ["rating": .text("three")])
    #expect(try await a.sync([unreadable]).said == ["rejected:value_type"])
    try await lead.sync([ruling(lead, "admit", "applied", on: unreadable)])
    #expect(try await hub.rows("SELECT id FROM head WHERE exam = ? AND entityID = 'item-2'").isEmpty)
  }

  @Test(
    "what counted, was rejected and is admitted again comes also to who has come meanwhile",
    arguments: Storage.installed)
  func admitAgain(on storage: Storage) async throws {
    let hub = try await TestHub(on: storage)
    let (a, b) = (try await hub.enrol(seed: 1), try await hub.enrol(seed: 2))
    let lead = try await hub.enrol(.lead, seed: 3)
    let mark = a.make(Rows.item(1), ["rating": .integer(1)])
    #expect(try await a.sync([mark]).said == ["applied"])
    try await lead.sync([ruling(lead, "admit", "rejected", on: mark)])
    hub.advance(1000)
    let snapshot = try SnapshotPage.decode(
      await hub.hub.answer(WireRequest(.get, "/v1/snapshot", query: ["history": "1"], token: b.token)).body)
    #expect(snapshot.entries.map(\.short) == ["op applied"], "the ruling alone")
    b.mark = LogMark(seq: try #require(snapshot.cursor.seq), hash: snapshot.hash)
    try await lead.sync([ruling(lead, "admit", "applied", on: mark)])
    #expect(try await b.pullAll().map(\.short) == ["op conflict", "verdict applied with op"])
  }

  @Test(
    "what the hub itself ruled and lost with a restore comes back, also where it has ruled again before",
    arguments: Storage.installed)
  func restoredRuling(on storage: Storage) async throws {
    let hub = try await TestHub(on: storage)
    let (a, lead) = (try await hub.enrol(seed: 1), try await hub.enrol(.lead, seed: 2))
    let early = (1...2).map {
      a.make(Rows.item($0), ["rating": .integer(1)], hlc: TestHub.start + 26 * 3_600_000)
    }
    try await a.sync(early)
    let backup = try await TestHub(on: .sqlite, from: hub, isMoved: true)
    #expect(try await hub.hub.rule(.applied, on: early[0].id, in: hub.exam, reason: "seen") == "applied")
    let lost = try await lead.pullAll().compactMap { entry -> Journal.Operation? in
      guard case .operation(let wire, _, _) = entry.content, wire.operation.row.entity == Ruling.entity else {
        return nil
      }
      return wire.operation
    }
    #expect(lost.count == 1)
    let restored = try await TestHub(on: storage, from: backup, isMoved: false)
    #expect(try await restored.hub.rule(.applied, on: early[1].id, in: hub.exam, reason: "seen too") == "applied")
    try await lead.goOn(at: restored)
    #expect(try await lead.sync(lost, relay: true).said == ["applied"])
    #expect(
      try await restored.rows(
        "SELECT id FROM op WHERE exam = ? AND result = 'applied' AND entity <> 'Operation' AND entity <> 'Device'"
      ).count == 2)
    #expect(try await restored.hub.examine(hub.exam) == [])
  }

  @Test(
    "what was rejected before the rest of its transaction came keeps its own reason, and the rest names that",
    arguments: Storage.installed)
  func rejectedInPart(on storage: Storage) async throws {
    let hub = try await TestHub(on: storage)
    let (a, lead) = (try await hub.enrol(seed: 1), try await hub.enrol(.lead, seed: 2))
    let tx = UUIDBytes(high: 7, low: 7)
    let parts = (0..<2).map { a.make(Rows.item($0), ["rating": .integer(1)], tx: tx, place: ($0, 2)) }
    #expect(try await a.sync([parts[0]]).said == ["deferred:tx_incomplete"])
    try await lead.sync([ruling(lead, "admit", "rejected", on: parts[0])])
    #expect(try await a.sync([parts[1]]).said == ["rejected:with_transaction"])
    #expect(try await a.sync(parts).said == ["duplicate of rejected", "duplicate of rejected:with_transaction"])
  }

  @Test("what waits for an operation goes on where that is kept back as it comes", arguments: Storage.installed)
  func keptCause(on storage: Storage) async throws {
    let hub = try await TestHub(on: storage)
    let (a, b) = (try await hub.enrol(seed: 1), try await hub.enrol(seed: 2))
    let early = a.make(Rows.item(1), ["rating": .integer(1)], hlc: TestHub.start + 26 * 3_600_000)
    let mark = b.make(Rows.item(1), ["rating": .integer(2)], replacing: ["rating": [early.id]])
    #expect(try await b.sync([mark]).said == ["deferred:cause_missing"])
    #expect(try await a.sync([early]).said == ["quarantined:clock_ahead"])
    #expect(try await b.pullAll().map(\.short) == ["verdict applied"])
  }

  @Test("what its author takes back before it counts is withdrawn; what counts is not", arguments: Storage.installed)
  func withdraw(on storage: Storage) async throws {
    let hub = try await TestHub(on: storage)
    let (a, b) = (try await hub.enrol(seed: 1), try await hub.enrol(seed: 2))
    let waiting = a.make(
      Rows.item(1), ["rating": .integer(1)], replacing: ["rating": [UUIDBytes(high: 1, low: 1)]])
    #expect(try await a.sync([waiting]).said == ["deferred:cause_missing"])
    let answer = try await a.sync([ruling(a, "withdraw", "withdrawn", on: waiting)])
    #expect(answer.said == ["applied"] && answer.entries.map(\.short) == ["verdict withdrawn"])
    #expect(try await b.pullAll().map(\.short) == ["op deferred:cause_missing", "op applied", "verdict withdrawn"])
    let counted = a.make(Rows.item(2), ["rating": .integer(1)])
    try await a.sync([counted])
    #expect(try await a.sync([ruling(a, "withdraw", "withdrawn", on: counted)]).entries.isEmpty)
  }
}

@Suite("Places at a hub") struct PlaceTests {
  @Test(
    "a code gives one device a place, once; the same device may ask again, and its first token ends",
    arguments: Storage.installed) func code(on storage: Storage)
    async throws
  {
    let hub = try await TestHub(on: storage)
    try await hub.hub.keep(code: "ONCE", for: .desk, in: hub.exam)
    let (a, b) = (TestDevice(seed: 1, hub: hub), TestDevice(seed: 2, hub: hub))
    try await a.enrol("ONCE")
    let first = a.token
    hub.advance(60_000)
    await #expect(throws: HubError.code) { try await b.enrol("ONCE") }
    await #expect(throws: HubError.code) { try await b.enrol("WRONG") }
    try await a.enrol("ONCE")
    #expect(a.token != first)
    let second = a.token
    a.token = first
    #expect(await a.refusal(a.request()) == .token)
    a.token = second
    #expect(try await a.sync().results.isEmpty)
    hub.advance(CodeTable.life)
    await #expect(throws: HubError.code) { try await a.enrol("ONCE") }
  }

  @Test("a revoked device is refused, and what is passed on of it waits for a person", arguments: Storage.installed)
  func revoked(on storage: Storage) async throws {
    let hub = try await TestHub(on: storage)
    let (a, b) = (try await hub.enrol(seed: 1), try await hub.enrol(seed: 2))
    try await hub.hub.revoke(a.id, in: hub.exam)
    let operation = a.make(Rows.item(1), ["rating": .integer(1)])
    #expect(await a.refusal(a.request([operation])) == .revoked)
    #expect(try await b.sync([operation], relay: true).said == ["quarantined:revoked"])
  }

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
    while hub.hub.bell.count < 1 { await Task.yield() }
    async let two = hub.hub.answer(second)
    #expect(await one.status == 204)
    while hub.hub.bell.count < 1 { await Task.yield() }
    try await a.sync([a.make(Rows.item(1), ["rating": .integer(1)])])
    #expect(try await WaitAnswer.decode(two.body).head == 1)
    async let three = hub.hub.answer(
      WireRequest(.get, "/v1/wait", query: ["cursor": "\(b.epoch):1", "t": "50"], token: b.token))
    while hub.hub.bell.count < 1 { await Task.yield() }
    hub.hub.stop()
    #expect(await three.status == 204)
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
    #expect(await status(watched, nil, "127.0.0.1") == 200)
    #expect(await status(watched, "seen", "10.0.0.1") == 200)
    for token in ["unseen", nil] { #expect(await status(watched, token, "10.0.0.1") == 404) }
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
    #expect(try WaitAnswer.decode(response.body).head == 1)
  }
}
