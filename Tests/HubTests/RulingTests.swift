import ExamStore
import Journal
import Sync
import Testing

@testable import Hub

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
    #expect(try await b.pullAll().map(\.short) == ["receipt quarantined:clock_ahead"], "it may hold it out of a file")
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
    #expect(try await b.pullAll().map(\.short) == ["receipt quarantined:clock_ahead", "verdict applied"])
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
    let late = try await a.sync([ruling(a, "withdraw", "withdrawn", on: counted)])
    #expect(late.said == ["rejected:deny_rule"] && late.entries.isEmpty)
    #expect(try await a.send(a.request([counted])).said == ["duplicate of applied"])
  }

  @Test(
    "what replaces a value that was let in from a clock far ahead counts, and so does what its author makes next",
    arguments: Storage.installed)
  func afterAhead(on storage: Storage) async throws {
    let hub = try await TestHub(on: storage)
    let (a, b) = (try await hub.enrol(seed: 1), try await hub.enrol(seed: 2))
    let (c, lead) = (try await hub.enrol(seed: 3), try await hub.enrol(.lead, seed: 4))
    let ahead = TestHub.start + 48 * 3_600_000
    let early = a.make(Rows.item(1), ["rating": .integer(1)], hlc: ahead)
    #expect(try await a.sync([early]).said == ["quarantined:clock_ahead"])
    let tooSoon = b.make(
      Rows.item(1), ["rating": .integer(2)], replacing: ["rating": [early.id]], hlc: ahead + 1)
    #expect(try await b.sync([tooSoon]).said == ["quarantined:clock_ahead"], "what it names does not count")
    try await lead.sync([ruling(lead, "admit", "applied", on: early)])
    let corrects = [
      b.make(Rows.item(1), ["rating": .integer(3)], replacing: ["rating": [early.id]], hlc: ahead + 1),
      b.make(Rows.item(2), ["rating": .integer(3)], hlc: ahead + 1),
    ]
    #expect(try await b.sync(corrects).said == ["applied", "applied"])
    #expect(try await b.sync([b.make(Rows.item(3), ["rating": .integer(3)], hlc: ahead + 2)]).said == ["applied"])
    #expect(
      try await b.sync([b.make(Rows.item(4), ["rating": .integer(3)], hlc: ahead + 60_000)]).said
        == ["quarantined:clock_ahead"], "its own clock is no further ahead than others'")
    #expect(
      try await c.sync([c.make(Rows.item(5), ["rating": .integer(3)], hlc: ahead + 1)]).said
        == ["quarantined:clock_ahead"])
    #expect(try await hub.hub.examine(hub.exam) == [])
  }

  @Test("what has the last time that there is is let in by nobody", arguments: Storage.installed)
  func lastTime(on storage: Storage) async throws {
    let hub = try await TestHub(on: storage)
    let (a, lead) = (try await hub.enrol(seed: 1), try await hub.enrol(.lead, seed: 2))
    let last = a.make(Rows.item(1), ["rating": .integer(1)], hlc: HybridTime.max.milliseconds)
    #expect(try await a.sync([last]).said == ["quarantined:clock_ahead"])
    #expect(try await lead.sync([ruling(lead, "admit", "applied", on: last)]).said == ["applied"])
    #expect(try await a.send(a.request([last])).said == ["duplicate of quarantined:clock_ahead"])
    await #expect(throws: HubRefusal.self) {
      try await hub.hub.rule(.applied, on: last.id, in: hub.exam, reason: "seen")
    }
    #expect(try await hub.rows("SELECT id FROM head WHERE exam = ? AND field = 'rating'").isEmpty)
  }

  @Test("a ruling of no valid form is refused as such, and rules on nothing", arguments: Storage.installed)
  func form(on storage: Storage) async throws {
    let hub = try await TestHub(on: storage)
    let (a, lead) = (try await hub.enrol(seed: 1), try await hub.enrol(.lead, seed: 2))
    let early = a.make(Rows.item(1), ["rating": .integer(1)], hlc: TestHub.start + 26 * 3_600_000)
    #expect(try await a.sync([early]).said == ["quarantined:clock_ahead"])
    let row = Ruling.row(of: early.id)
    let rulings = [
      lead.make(row, ["verdict": .text("applied")], kind: .admit), ruling(lead, "admit", "zork", on: early),
      ruling(lead, "set", "applied", on: early), ruling(lead, "admit", "withdrawn", on: early),
    ]
    #expect(try await lead.sync(rulings).said == Array(repeating: "rejected:unreadable_body", count: 4))
    #expect(try await a.send(a.request([early])).said == ["duplicate of quarantined:clock_ahead"])
  }
}
