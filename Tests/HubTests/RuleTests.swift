import ExamStore
import Journal
import Sync
import Testing

@testable import CircuitModel
@testable import Hub

@Suite("Who may do what at a hub") struct RuleTests {
  private func mark(_ device: TestDevice, _ item: Int, at station: Int, by staff: Int64?, reason: String? = nil)
    -> [Journal.Operation]
  {
    let tx = UUIDBytes.random(using: &device.generator)
    let rows: [(RowKey, [String: Value])] = [
      (RowKey(entity: "DataForm", id: "form-\(item)"), ["attendanceLog": .text("entry-\(station)")]),
      (RowKey(entity: "DataSection", id: "section-\(item)"), ["dataForm": .text("form-\(item)"), "name": .text("A")]),
      (
        RowKey(entity: "RatingQuestion", id: "item-\(item)"),
        ["dataSection": .text("section-\(item)"), "rating": .integer(1)]
      ),
    ]
    return rows.enumerated().map { index, row in
      device.make(row.0, row.1, reason: reason, staff: staff, tx: tx, place: (index, rows.count))
    }
  }

  private func said(_ device: TestDevice, _ operations: [Journal.Operation]) async throws -> Set<String> {
    Set(try await device.sync(operations).said)
  }

  @Test("it is asked once of a push whose a row is, and again once another device has written it")
  func owners() async throws {
    let hub = try await TestHub(on: .sqlite)
    let (a, b) = (TestDevice(seed: 8, hub: hub), TestDevice(seed: 9, hub: hub))
    let row = RowKey(entity: "Sitting", id: "s1")
    let memory = PushMemory()
    var asked = 0
    func isOwn(of device: TestDevice) -> Bool {
      memory.isOwn(row, of: device.id) {
        asked += 1
        return true
      }
    }
    for _ in 0..<500 {
      #expect(isOwn(of: a))
      memory.note([OpenedOperation(a.make(row, ["openSheet": .text("x")]))])
    }
    #expect(asked == 1)
    memory.note([OpenedOperation(b.make(row, ["openSheet": .text("y")]))])
    #expect(isOwn(of: a) && asked == 2)
    #expect(isOwn(of: b) && asked == 3)
  }

  @Test("a terminal refuses clocks of exactly those of whom the hub takes none")
  func clocks() {
    for role in ExamRole.allCases + [.unknown("Lead")] {
      let isTaken = Rules.reach(of: PersonRole(role), .hall) == .all
      #expect(ExamRole.ofTheHallAtHub.contains(role) == isTaken, "\(role)")
    }
  }

  @Test(
    "an assessor marks where they are planned, cover, or sit down as a cover, and nowhere else",
    arguments: Storage.installed)
  func stations(on storage: Storage) async throws {
    let hub = try await TestHub(on: storage)
    try await hub.plan()
    let a = try await hub.enrol(seed: 1)
    #expect(try await said(a, mark(a, 1, at: 12, by: 1)) == ["applied"])
    #expect(try await said(a, mark(a, 2, at: 12, by: 6)) == ["applied"], "the cover")
    #expect(try await said(a, mark(a, 3, at: 12, by: 8)) == ["applied"], "a second assessor")
    #expect(try await said(a, mark(a, 4, at: 13, by: 1)) == ["rejected:role"])
    let item = a.make(RowKey(entity: "RatingQuestion", id: "item-1"), ["rating": .integer(2)], staff: 7)
    #expect(try await said(a, [item]) == ["conflict"], "found by what the item belongs to")
    #expect(
      try await said(a, [a.make(RowKey(entity: "RatingQuestion", id: "item-1"), ["rating": .integer(3)], staff: 12)])
        == ["rejected:role"])
    let sits = a.make(RowKey(entity: "Timetable", id: "13"), ["coverStaff": .integer(1)], staff: 1)
    #expect(try await said(a, [sits]) == ["applied"])
    #expect(try await said(a, mark(a, 5, at: 13, by: 1)) == ["applied"])
    let other = a.make(RowKey(entity: "Timetable", id: "12"), ["coverStaff": .integer(7)], staff: 6)
    #expect(try await said(a, [other]) == ["conflict"])
    #expect(try await said(a, mark(a, 6, at: 12, by: 6)) == ["applied"], "what was theirs stays theirs")
    let moved = a.make(RowKey(entity: "DataForm", id: "form-2"), ["attendanceLog": .text("entry-13")], staff: 1)
    #expect(try await said(a, [moved]) == ["conflict"], "both stations are theirs")
    let away = a.make(RowKey(entity: "DataForm", id: "form-3"), ["attendanceLog": .text("entry-13")], staff: 12)
    let taken = a.make(RowKey(entity: "DataForm", id: "form-5"), ["attendanceLog": .text("entry-12")], staff: 8)
    #expect(try await said(a, [away, taken]) == ["rejected:role"], "it was not theirs where it was")
    #expect(try await said(a, mark(a, 7, at: 13, by: nil)) == ["applied"], "the program, by the device alone")
    #expect(try await said(a, mark(a, 8, at: 13, by: 999)) == ["applied"], "somebody the hub does not know")
  }

  @Test("leads need a reason at stations that are not theirs; auditors change nothing", arguments: Storage.installed)
  func leads(on storage: Storage) async throws {
    let hub = try await TestHub(on: storage)
    try await hub.plan()
    let lead = try await hub.enrol(.lead, seed: 1)
    #expect(try await said(lead, mark(lead, 1, at: 12, by: 3)) == ["rejected:role"])
    #expect(try await said(lead, mark(lead, 2, at: 12, by: 3, reason: "tape")) == ["applied"])
    #expect(try await said(lead, mark(lead, 3, at: 12, by: 5, reason: "tape")) == ["rejected:role"])
    let auditor = try await hub.enrol(.auditor, seed: 2)
    #expect(try await said(auditor, mark(auditor, 4, at: 12, by: nil)) == ["rejected:role"])
    let own = RowKey(entity: "Device", id: auditor.id.description)
    #expect(try await said(auditor, [auditor.make(own, ["name": .text("wall")])]) == ["applied"])
    #expect(try await said(lead, [lead.make(own, ["name": .text("mine")])]) == ["rejected:role"], "another's row")
  }

  @Test("no device takes the rows of another that has written nothing yet", arguments: Storage.installed)
  func anothersRows(on storage: Storage) async throws {
    let hub = try await TestHub(on: storage)
    let (a, b) = (try await hub.enrol(seed: 1), try await hub.enrol(seed: 2))
    func traces(of other: TestDevice, by device: TestDevice, _ sitting: String) -> [Journal.Operation] {
      let id = other.id.description
      let rows: [(String, String, [String: Value])] = [
        ("Device", id, ["name": .text("host")]), ("SyncInformation", id, ["deviceName": .text("host")]),
        ("Sitting", sitting, ["device": .text(id), "tty": .text("pts/1")]),
        ("PasscodeAttempt", sitting, ["device": .text(id), "tty": .text("pts/1")]),
      ]
      return rows.map { device.make(RowKey(entity: $0.0, id: $0.1), $0.2, kind: .create) }
    }
    let refused = Array(repeating: "rejected:role", count: 4)
    let applied = Array(repeating: "applied", count: 4)
    #expect(try await b.sync(traces(of: a, by: b, "s1")).said == refused)
    #expect(try await a.sync(traces(of: a, by: a, "s2")).said == applied)
    // Who goes on in a device's place goes on with its rows.
    let next = try await a.continued(seed: 3)
    let ends = next.make(RowKey(entity: "Device", id: a.id.description), ["name": .text("host-b")])
    #expect(try await next.sync([ends]).said == ["conflict"])
    let sitting = RowKey(entity: "Sitting", id: "s3")
    let sits = next.make(sitting, ["device": .text(a.id.description)], kind: .create)
    #expect(try await next.sync([sits]).said == ["applied"])
  }

  @Test(
    "a session vouches for its own device's chain alone, whatever is passed on with it", arguments: Storage.installed)
  func sessionsPassedOn(on storage: Storage) async throws {
    let hub = try await TestHub(on: storage)
    try await hub.plan()
    let (a, b) = (try await hub.enrol(seed: 1), try await hub.enrol(seed: 2))
    let desk = try await hub.enrol(.desk, seed: 3)
    _ = try await a.signIn("lindqvist", "right")
    let during = hub.hub.clock.now()
    let messages = [a, b].map { device in
      device.make(
        RowKey(entity: "HallMessage", id: "\(device.id)"), ["text": .text("x")], staff: 2, hlc: during)
    }
    #expect(try await desk.sync(messages, relay: true).said == ["applied", "quarantined:session"])
  }

  @Test(
    "what a device may not do alone waits for a person, unless whoever acted had a session open there at that time",
    arguments: Storage.installed) func sessions(on storage: Storage) async throws
  {
    let hub = try await TestHub(on: storage)
    try await hub.plan()
    let a = try await hub.enrol(seed: 1)
    func message(_ key: String, by staff: Int64?, hlc: Int64? = nil) -> Journal.Operation {
      a.make(RowKey(entity: "HallMessage", id: key), ["text": .text("x")], staff: staff, hlc: hlc)
    }
    let clock = hub.hub.clock.now
    #expect(try await said(a, [message("m1", by: 2, hlc: clock())]) == ["quarantined:session"])
    #expect(try await said(a, [message("m2", by: nil, hlc: clock())]) == ["rejected:role"])
    let before = clock()
    hub.advance(60_000)
    let session = try await a.signIn("lindqvist", "right")
    let during = clock()
    #expect(try await said(a, [message("m3", by: 2, hlc: during)]) == ["applied"])
    #expect(try await said(a, [message("m4", by: 3, hlc: during)]) == ["quarantined:session"], "another's session")
    #expect(try await said(a, [message("m5", by: 2, hlc: before)]) == ["quarantined:session"], "made before it")
    hub.advance(60_000)
    _ = await hub.hub.answer(WireRequest(.delete, "/v1/session", token: a.token, session: session.session))
    hub.advance(60_000)
    #expect(try await said(a, [message("m6", by: 2, hlc: clock())]) == ["quarantined:session"])
    #expect(try await said(a, [message("m7", by: 2, hlc: during + 1000)]) == ["applied"], "made in it, sent late")
    let b = try await hub.enrol(.desk, seed: 2)
    #expect(
      try await said(b, [b.make(RowKey(entity: "HallMessage", id: "m8"), ["text": .text("x")], staff: 2)]) == [
        "applied"
      ])
  }

  @Test(
    "what has the identifier of another's mark takes that along neither when it is withdrawn nor when its neighbour is let in",
    arguments: Storage.installed)
  func borrowedIdentifier(on storage: Storage) async throws {
    let hub = try await TestHub(on: storage)
    let (a, b) = (try await hub.enrol(seed: 1), try await hub.enrol(seed: 2))
    let lead = try await hub.enrol(.lead, seed: 3)
    let mark = a.make(Rows.item(0), ["rating": .integer(1)])
    #expect(try await a.sync([mark]).said == ["applied"])
    let tx = UUIDBytes(high: 7, low: 7)
    let forged = [
      b.make(Rows.item(1), ["rating": .integer(2)], id: mark.id, tx: tx, place: (0, 2)),
      b.make(Rows.item(2), ["rating": .integer(2)], tx: tx, place: (1, 2)),
    ]
    #expect(try await b.sync(forged).said == ["rejected:two_versions", "rejected:with_transaction"])
    let withdrawal = b.make(
      Ruling.row(of: forged[1].id), ["verdict": .text("withdrawn")], kind: .withdraw, reason: "mine")
    #expect(try await b.sync([withdrawal]).said == ["applied"])
    _ = try await hub.hub.rule(.applied, on: forged[1].id, in: hub.exam, reason: "seen")
    let verdicts = try await lead.pullAll().compactMap { entry -> OperationID? in
      if case .verdict(let id, _, _, _) = entry.content { id } else { nil }
    }
    #expect(verdicts.contains(forged[1].id) && !verdicts.contains(mark.id))
    #expect(try await hub.hub.examine(hub.exam) == [])
  }

  @Test("what was ruled on a change before it came is carried out when it comes", arguments: Storage.installed)
  func ruledBefore(on storage: Storage) async throws {
    let hub = try await TestHub(on: storage)
    let (a, lead) = (try await hub.enrol(seed: 1), try await hub.enrol(.lead, seed: 3))
    let mark = a.make(Rows.item(0), ["rating": .integer(1)])
    let ruling = lead.make(
      Ruling.row(of: mark.id), ["verdict": .text("rejected")], kind: Ruling.kind(of: .rejected), reason: "seen")
    #expect(try await lead.sync([ruling]).said == ["applied"])
    #expect(try await a.sync([mark]).said == ["applied"])
    #expect(try await hub.rows("SELECT id FROM head WHERE exam = ? AND field = 'rating'").isEmpty)
    #expect(try await lead.pullAll().contains { $0.short.hasPrefix("verdict") })
    #expect(try await a.send(a.request([mark])).said == ["duplicate of rejected"])
    #expect(try await hub.hub.examine(hub.exam) == [])
  }

  @Test(
    "only leads and the office rule on what others made; an author takes back what is theirs",
    arguments: Storage.installed)
  func rulings(on storage: Storage) async throws {
    let hub = try await TestHub(on: storage)
    try await hub.plan()
    let (a, b) = (try await hub.enrol(seed: 1), try await hub.enrol(seed: 2))
    let lead = try await hub.enrol(.lead, seed: 3)
    let kept = (0..<3).map {
      a.make(RowKey(entity: "HallMessage", id: "m\($0)"), ["text": .text("x")], staff: 2)
    }
    #expect(try await said(a, kept) == ["quarantined:session"])
    func rule(_ device: TestDevice, _ verdict: Verdict, on target: Journal.Operation, by staff: Int64?)
      -> Journal.Operation
    {
      device.make(
        Ruling.row(of: target.id), ["verdict": .text(verdict.rawValue)], kind: Ruling.kind(of: verdict),
        reason: "seen", staff: staff)
    }
    #expect(try await said(b, [rule(b, .applied, on: kept[0], by: 1)]) == ["rejected:role"])
    #expect(try await said(b, [rule(b, .withdrawn, on: kept[0], by: nil)]) == ["rejected:role"])
    #expect(try await said(b, [rule(b, .applied, on: kept[0], by: 3)]) == ["quarantined:session"])
    #expect(try await said(a, [rule(a, .withdrawn, on: kept[0], by: 2)]) == ["applied"])
    #expect(try await said(lead, [rule(lead, .applied, on: kept[1], by: 3)]) == ["applied"])
    #expect(
      try await a.send(a.request(kept)).said
        == ["duplicate of rejected", "duplicate of applied", "duplicate of quarantined:session"])
    #expect(try await hub.hub.keptOperations(of: hub.exam).map(\.id) == [kept[2].id, b.chain[2].id])
    let said = try await hub.hub.rule(.applied, on: kept[2].id, in: hub.exam, reason: "seen by the office")
    #expect(said == "applied")
    #expect(try await lead.pullAll().contains { $0.short == "op applied" })
    await #expect(throws: HubRefusal.self) {
      try await hub.hub.rule(.applied, on: kept[2].id, in: hub.exam, reason: "again")
    }
    await #expect(throws: HubRefusal.self) {
      try await hub.hub.rule(.rejected, on: kept[1].id, in: hub.exam, reason: " ")
    }
    #expect(try await hub.hub.rule(.rejected, on: b.chain[2].id, in: hub.exam, reason: "no") == "rejected")
    #expect(try await hub.hub.keptOperations(of: hub.exam).isEmpty)
    let noted = try await hub.rows("SELECT actor, detail FROM audit WHERE exam = ? AND action IN ('admit', 'withdraw')")
      .map { try $0.text(0) + " " + $0.text(1) }
    #expect(
      noted == [
        "\(a.id) withdrawn \(kept[0].id)", "\(lead.id) applied \(kept[1].id)", "operator applied \(kept[2].id)",
        "operator rejected \(b.chain[2].id)",
      ])
    #expect(try await hub.hub.examine(hub.exam).isEmpty)
  }
}
