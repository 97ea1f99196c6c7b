import ExamStore
import Journal
import Sync
import Testing

@testable import Hub

@Suite("The exchange with a hub") struct ExchangeTests {
  @Test(
    "what one device brings reaches another, byte for byte, and the log's hash can be recomputed",
    arguments: Storage.installed)
  func travels(on storage: Storage) async throws {
    let hub = try await TestHub(on: storage)
    let (a, b) = (try await hub.enrol(seed: 1), try await hub.enrol(seed: 2))
    let operations = (0..<5).map { a.make(Rows.item($0), ["rating": .integer(Int64($0))]) }
    #expect(try await a.sync(operations).said == Array(repeating: "applied", count: 5))
    let entries = try await b.pullAll(limit: 2)
    #expect(entries.map(\.short) == Array(repeating: "op applied", count: 5))
    var mark = LogHash.start(of: hub.exam)
    for (entry, operation) in zip(entries, operations) {
      guard case .operation(let wire, let result, let part) = entry.content else { continue }
      #expect(wire.operation.sealedBody == operation.sealedBody && wire.operation.hash == operation.hash)
      #expect(part == .init(index: 0, count: 1))
      mark = LogHash.next(
        after: mark, type: "op", subject: Hexadecimal.text(operation.hash), result: result.description)
    }
    #expect(b.mark == mark)
    #expect(try await a.pullAll().isEmpty, "its own operations do not come back")
  }

  @Test("a request whose answer was lost is answered the same, and does nothing twice", arguments: Storage.installed)
  func again(on storage: Storage) async throws {
    let hub = try await TestHub(on: storage)
    let a = try await hub.enrol(seed: 1)
    let request = a.request([a.make(Rows.item(1), ["rating": .integer(1)])])
    let first = try await a.send(request)
    let second = try await a.send(request)
    #expect(first.said == ["applied"] && second.said == ["duplicate of applied"])
    #expect(first.results[0].hubSeq == second.results[0].hubSeq)
    #expect(try await hub.rows("SELECT seq FROM log WHERE exam = ?").count == 1)
  }

  @Test(
    "what does not follow the device's chain is refused with what would, and nothing of it is kept",
    arguments: Storage.installed)
  func chains(on storage: Storage) async throws {
    let hub = try await TestHub(on: storage)
    let a = try await hub.enrol(seed: 1)
    let operations = (0..<3).map { a.make(Rows.item($0), ["rating": .integer(1)]) }
    let genesis = Journal.Operation.genesisHash
    #expect(await a.refusal(a.request([operations[0], operations[2]])) == .gap(expected: 1, hash: genesis))
    #expect(await a.refusal(a.request([operations[1]])) == .gap(expected: 1, hash: Journal.Operation.genesisHash))
    try await a.sync([operations[0]])
    #expect(await a.refusal(a.request([operations[2]])) == .gap(expected: 2, hash: operations[0].hash))
    #expect(await a.refusal(a.request([operations[0], operations[2]])) == .gap(expected: 2, hash: operations[0].hash))
    try await a.sync(Array(operations[1...]))
    // A copy of the store that went on by itself.
    a.chain = [operations[0]]
    #expect(
      await a.refusal(a.request()) == .fork(deviceSeq: 1, hash: operations[0].hash, last: 3), "it is behind itself")
    let other = a.make(Rows.item(9), ["rating": .integer(2)])
    a.make(Rows.item(9), ["rating": .integer(2)])
    a.make(Rows.item(9), ["rating": .integer(2)])
    #expect(
      await a.refusal(a.request([other])) == .fork(deviceSeq: 2, hash: operations[1].hash, last: 3), "another number 2")
    #expect(try await hub.rows("SELECT seq FROM log WHERE exam = ?").count == 3)
    let noted = try await hub.rows("SELECT actor, detail FROM audit WHERE exam = ? AND action = 'fork' ORDER BY n")
    #expect(try noted.map { try $0.text(0) + " " + $0.text(1) } == ["\(a.id) number 1 of 3", "\(a.id) number 2 of 3"])
  }

  @Test("edits that did not know of each other are a conflict; both reach everybody", arguments: Storage.installed)
  func conflict(on storage: Storage) async throws {
    let hub = try await TestHub(on: storage)
    let (a, b) = (try await hub.enrol(seed: 1), try await hub.enrol(seed: 2))
    #expect(try await a.sync([a.make(Rows.item(1), ["rating": .integer(1)])]).said == ["applied"])
    #expect(try await b.sync([b.make(Rows.item(1), ["rating": .integer(2)])]).said == ["conflict"])
    #expect(try await b.sync([b.make(Rows.item(2), ["rating": .integer(2)])]).said == ["applied"])
    #expect(try await a.sync([a.make(Rows.item(2), ["rating": .integer(2)])]).said == ["applied"], "the same value")
  }

  @Test("an operation waits for what it names, and a verdict says when it counts", arguments: Storage.installed)
  func deferred(on storage: Storage) async throws {
    let hub = try await TestHub(on: storage)
    let (a, b) = (try await hub.enrol(seed: 1), try await hub.enrol(seed: 2))
    let c = try await hub.enrol(seed: 3)
    let first = a.make(Rows.item(1), ["rating": .integer(1)])
    b.time = a.time
    let second = b.make(Rows.item(1), ["rating": .integer(2)], replacing: ["rating": [first.id]])
    #expect(try await b.sync([second]).said == ["deferred:cause_missing"])
    #expect(try await c.pullAll().map(\.short) == ["op deferred:cause_missing"])
    #expect(try await a.sync([first]).said == ["applied"])
    #expect(try await c.pullAll().map(\.short) == ["op applied", "verdict applied"])
    #expect(try await b.pullAll().map(\.short) == ["op applied", "verdict applied"])
    #expect(try await b.send(b.request([second])).said == ["duplicate of applied"])
  }

  @Test("a transaction counts whole, however it is split over requests", arguments: Storage.installed)
  func transactions(on storage: Storage) async throws {
    let hub = try await TestHub(on: storage)
    let a = try await hub.enrol(seed: 1)
    let tx = UUIDBytes.random()
    let operations = (0..<3).map { a.make(Rows.item($0), ["rating": .integer(1)], tx: tx, place: ($0, 3)) }
    #expect(
      try await a.sync(Array(operations[..<2])).said == ["deferred:tx_incomplete", "deferred:tx_incomplete"])
    #expect(try await hub.rows("SELECT id FROM head WHERE exam = ?").isEmpty)
    let answer = try await a.sync([operations[2]])
    #expect(answer.said == ["applied"])
    #expect(answer.entries.map(\.short) == ["verdict applied", "verdict applied"])
    #expect(try await hub.rows("SELECT id FROM head WHERE exam = ?").count == 3)
  }

  @Test(
    "a transaction whose operations are not beside each other, or not in its order, counts for nothing",
    arguments: Storage.installed)
  func neighbours(on storage: Storage) async throws {
    let hub = try await TestHub(on: storage)
    let a = try await hub.enrol(seed: 1)
    func make(_ number: Int, _ tx: UInt64, _ place: Int) -> Journal.Operation {
      a.make(Rows.item(number), ["rating": .integer(1)], tx: UUIDBytes(high: 7, low: tx), place: (place, 2))
    }
    let form = "rejected:transaction_form"
    #expect(try await a.sync([make(1, 1, 1), make(2, 1, 0)]).said == [form, form])
    let apart = [make(3, 2, 0), a.make(Rows.item(4), ["rating": .integer(1)]), make(5, 2, 1)]
    #expect(try await a.sync(apart).said == ["deferred:tx_incomplete", "applied", form])
    let standing = try await hub.rows("SELECT entityID FROM head WHERE exam = ?")
    #expect(try standing.map { try $0.text(0) } == ["item-4"])
    #expect(try await a.sync([make(6, 3, 0), make(7, 3, 1)]).said == ["applied", "applied"])
  }

  @Test("a transaction that can never be whole is refused, and a verdict says so", arguments: Storage.installed)
  func neverWhole(on storage: Storage) async throws {
    let hub = try await TestHub(on: storage)
    let (a, b) = (try await hub.enrol(seed: 1), try await hub.enrol(seed: 2))
    // A place that its transaction does not have is none: nothing is numbered that no terminal can take.
    let beyond = a.make(Rows.item(1), ["rating": .integer(1)], place: (3, 2))
    #expect(await a.refusal(a.request([beyond])) == .damaged(beyond.id, why: .form))
    a.chain.removeLast()
    let begun = a.make(Rows.item(2), ["rating": .integer(1)], place: (0, 2))
    b.time = a.time
    let waits = b.make(Rows.item(2), ["rating": .integer(2)], replacing: ["rating": [begun.id]])
    #expect(try await a.sync([begun]).said == ["deferred:tx_incomplete"])
    #expect(try await b.sync([waits]).said == ["deferred:cause_missing"])
    let answer = try await a.sync([a.make(Rows.item(3), ["rating": .integer(1)])])
    #expect(answer.said == ["applied"])
    #expect(answer.entries.map(\.short).contains("verdict rejected:transaction_form"))
    #expect(try await a.send(a.request([begun])).said == ["duplicate of rejected:transaction_form"])
    #expect(try await b.send(b.request([waits])).said == ["duplicate of applied"], "it waits no more")
    // In one request, too.
    let both = [
      a.make(Rows.item(4), ["rating": .integer(1)], place: (0, 2)), a.make(Rows.item(5), ["rating": .integer(1)]),
    ]
    #expect(try await a.sync(both).said == ["deferred:tx_incomplete", "applied"])
    #expect(
      try await a.send(a.request(both)).said == ["duplicate of rejected:transaction_form", "duplicate of applied"])
    #expect(try await hub.hub.examine(hub.exam) == [])
  }

  @Test("a transaction of which no number can be counted is no operation", arguments: Storage.installed)
  func greatNumbers(on storage: Storage) async throws {
    let hub = try await TestHub(on: storage)
    for (index, place) in [(0, 1 << 54), (1 << 31, 1), (0, Int.max), (-1, 1)].enumerated() {
      let a = try await hub.enrol(seed: UInt64(index + 1))
      let operation = a.make(Rows.item(1), ["rating": .integer(1)], place: place)
      #expect(await a.refusal(a.request([operation])) == .damaged(operation.id, why: .form), "\(place)")
    }
    #expect(try await hub.rows("SELECT seq FROM log WHERE exam = ?").isEmpty)
  }

  @Test("what counts for nothing is kept, and stops nothing else", arguments: Storage.installed) func refused(
    on storage: Storage
  ) async throws {
    let hub = try await TestHub(on: storage)
    let (a, lead) = (try await hub.enrol(seed: 1), try await hub.enrol(.lead, seed: 2))
    let other = try await hub.enrol(seed: 3)
    let first = a.make(Rows.item(1), ["rating": .integer(1)])
    let operations = [
      first, a.make(Rows.item(1), ["rating": .integer(2)], replacing: ["rating": [first.id]], hlc: 1),
      a.make(RowKey(entity: "Nonsense", id: "1"), ["rating": .integer(1)]),
      a.make(Rows.item(2), ["rating": .text("x")]),
      a.make(Rows.item(3), ["rating": .integer(1)], hlc: TestHub.start + 26 * 3_600_000),
      a.make(RowKey(entity: "ClinicGroup", id: "1"), ["name": .text("x")]),
      a.make(RowKey(entity: "CommentMetaStation", id: "c1"), ["text": .text("\u{1}k1:sealed by nobody")]),
      a.make(Rows.item(4), ["rating": .integer(3)]),
    ]
    let said = [
      "applied", "rejected:not_after", "quarantined:unknown", "rejected:value_type", "quarantined:clock_ahead",
      "rejected:direction", "rejected:value_type", "applied",
    ]
    #expect(try await a.sync(operations).said == said)
    #expect(try await lead.pullAll().map(\.short) == said.map { "op " + $0 })
    #expect(
      try await other.pullAll().map(\.short) == said.map { $0 == "applied" ? "op applied" : "receipt " + $0 },
      "refused ones are not for a station, which hears that there is one")
  }

  @Test("what stays where it was made travels without its content and does nothing", arguments: Storage.installed)
  func stubs(on storage: Storage) async throws {
    let hub = try await TestHub(on: storage)
    let a = try await hub.enrol(seed: 1)
    let operation = a.make(RowKey(entity: "ClinicGroup", id: "1"), ["name": .text("x")])
    var request = a.request()
    request.operations = [WireOperation(operation, withholding: .withheld)]
    #expect(try await a.send(request).said == ["withheld"])
    #expect(try await hub.rows("SELECT id FROM head WHERE exam = ?").isEmpty)
  }

  @Test("one damaged operation fails its request, is named, and nothing is kept", arguments: Storage.installed)
  func damaged(on storage: Storage) async throws {
    let hub = try await TestHub(on: storage)
    let a = try await hub.enrol(seed: 1)
    let operations = (0..<2).map { a.make(Rows.item($0), ["feedback": .text("ß\($0)")]) }
    let body = String(decoding: a.request(operations).encoded, as: UTF8.self).replacing("ß1", with: "ß2")
    let response = await hub.hub.answer(WireRequest(.post, "/v1/sync", token: a.token, body: Array(body.utf8)))
    #expect(HubError(response) == .damaged(operations[1].id, why: .bodyHash))
    #expect(try await hub.rows("SELECT seq FROM log WHERE exam = ?").isEmpty)
  }

  @Test("a change of what stands costs the same however long the log is") func lengthOfLog() async throws {
    let hub = try await TestHub(on: .sqlite)
    let a = try await hub.enrol(seed: 1)
    /// The shortest of three pushes, each of a hundred marks in the place of others.
    func cost() async throws -> Duration {
      var shortest = Duration.seconds(60)
      for _ in 0..<3 {
        let first = (0..<100).map { a.make(Rows.item($0), ["rating": .integer(1)]) }
        try await a.sync(first, limit: 0)
        let second = first.map { a.make($0.row, ["rating": .integer(2)], replacing: ["rating": [$0.id]]) }
        let start = ContinuousClock.now
        try await a.sync(second, limit: 0)
        shortest = min(shortest, ContinuousClock.now - start)
      }
      return shortest
    }
    let before = try await cost()
    for start in stride(from: 0, to: 12_000, by: 500) {
      try await a.sync((start..<start + 500).map { a.make(Rows.item(1000 + $0), ["rating": .integer(1)]) }, limit: 0)
    }
    #expect(try await cost() < before * 6)
  }

  @Test(
    "what came of a transaction before shares the fate of what is refused at the door", arguments: Storage.installed)
  func sharedFate(on storage: Storage) async throws {
    let hub = try await TestHub(on: storage)
    let (a, lead) = (try await hub.enrol(seed: 1), try await hub.enrol(.lead, seed: 2))
    let tx = UUIDBytes.random(using: &a.generator)
    let first = a.make(Rows.item(1), ["rating": .integer(1)], tx: tx, place: (0, 2))
    let ahead = TestHub.start + 26 * 3_600_000
    let second = a.make(Rows.item(2), ["rating": .integer(1)], hlc: ahead, tx: tx, place: (1, 2))
    #expect(try await a.sync([first]).said == ["deferred:tx_incomplete"])
    #expect(try await a.sync([second]).said == ["quarantined:clock_ahead"])
    #expect(try await lead.pullAll().map(\.short).contains("verdict quarantined:clock_ahead"))
    #expect(try await a.sync([first]).said == ["duplicate of quarantined:clock_ahead"])
  }

  @Test("an operation that is wrong in two fields is refused for one reason, whatever order they have in memory")
  func oneReason() async throws {
    let hub = try await TestHub(on: .sqlite)
    let a = try await hub.enrol(seed: 1)
    let wrong = (0..<12).map { number in
      a.make(
        RowKey(entity: "Jot", id: "\(UUIDBytes.random(using: &a.generator))"),
        ["text": .integer(5), "unheardOf\(number)": .text("v")], kind: .create)
    }
    #expect(try await Set(a.sync(wrong).said) == ["quarantined:unknown"])
  }

  @Test("a page ends before the entry with which it would be too long", arguments: Storage.installed)
  func longPage(on storage: Storage) async throws {
    let hub = try await TestHub(on: storage)
    let (a, b) = (try await hub.enrol(seed: 1), try await hub.enrol(seed: 2))
    for _ in 0..<5 {
      let texts = (0..<10).map { _ in String(repeating: "ab", count: 30_000) }
      try await a.sync(
        texts.map {
          a.make(
            RowKey(entity: "DataQuestion", id: "\(UUIDBytes.random(using: &a.generator))"),
            ["caption": .text($0), "feedback": .text($0)], kind: .create)
        })
    }
    var entries = 0
    repeat {
      hub.advance(1000)
      let request = WireRequest(.post, "/v1/sync", token: b.token, note: "0", body: b.request().encoded)
      let body = await hub.hub.answer(request).body
      #expect(body.count <= SyncLimits.pageBytes + 2048)
      let answer = try SyncAnswer.decode(body)
      entries += answer.entries.count
      b.mark = LogMark(seq: answer.cursor.seq ?? 0, hash: answer.hash)
      b.place = answer.cursor
      if !answer.more { break }
    } while true
    #expect(entries == 50)
    hub.advance(1000)
    let page = await hub.hub.answer(WireRequest(.get, "/v1/snapshot", query: ["history": "1"], token: b.token)).body
    #expect(page.count <= SyncLimits.pageBytes + 2048 && page.count > SyncLimits.pageBytes / 2)
  }
}
