import ExamStore
import Journal
import Sync
import Testing

@testable import Hub

@Suite("What devices pass on of others") struct RelayTests {
  private func circuit(
    _ number: Int, by device: TestDevice, tx: UUIDBytes? = nil, place: (Int, Int) = (0, 1)
  ) -> Journal.Operation {
    device.make(
      RowKey(entity: "ClinicGroup", id: "\(number)"), ["name": .text("Circuit \(number)")], kind: .create, tx: tx,
      place: place)
  }

  private func start(_ device: TestDevice, continuing former: UUIDBytes? = nil) -> Journal.Operation {
    device.make(
      RowKey(entity: "Device", id: device.id.description),
      ["name": .text("host-b")].merging(former.map { ["continues": .text($0.description)] } ?? [:]) { $1 },
      kind: .create)
  }

  private func stub(_ operation: Journal.Operation, _ absent: AbsentContent = .scope) -> Journal.Operation {
    operation.withoutBody(because: absent)
  }

  /// Has a hub that is filled take what one device passes on, and nobody else has yet.
  private func fill(_ hub: TestHub, _ operations: [Journal.Operation], by relayer: TestDevice, _ devices: [TestDevice])
    async throws
  {
    let request = relayer.request(operations, limit: 0, relay: true)
    #expect(try await relayer.send(request).said == operations.map { _ in "hole" })
    try await hub.hub.endFilling(hub.exam)
    let epoch = try await hub.epoch()
    for device in devices + [relayer] { device.epoch = epoch }
  }

  private func heads(_ hub: TestHub, on entity: String) async throws -> Int {
    try await hub.rows("SELECT id FROM head WHERE exam = ? AND entity = '\(entity)'").count
  }

  // MARK: Who may do what

  @Test(
    "count for no more than what the device may do that passes them on, whatever their chain says of itself",
    arguments: Storage.installed) func roles(on storage: Storage) async throws
  {
    let hub = try await TestHub(on: storage)
    let (display, station) = (try await hub.enrol(.display, seed: 1), try await hub.enrol(.station, seed: 2))
    let office = try await hub.enrol(.office, seed: 3)
    for (seed, former) in [(11, hub.hubDevice), (12, office.id)] as [(UInt64, UUIDBytes)] {
      let stranger = TestDevice(seed: seed, hub: hub)
      let forged = [start(stranger, continuing: former), circuit(Int(seed), by: stranger)]
      #expect(try await display.sync(forged, relay: true).said == ["applied", "quarantined:session"])
      let standing = try await hub.rows(
        "SELECT role, continues FROM device WHERE exam = ? AND device = '\(stranger.id)'")[0]
      #expect(try standing.text(0) == "display" && standing.text(ifAny: 1) == nil)
    }
    // Neither in the hub's own chain nor in that of a device that is here.
    let own = TestDevice(as: hub.hubDevice, hub: hub)
    #expect(try await station.sync([circuit(20, by: own)], relay: true).said == ["quarantined:session"])
    let mark = office.make(Rows.item(1), ["rating": .integer(1)], reason: "seen")
    #expect(
      try await station.sync([mark, circuit(21, by: office)], relay: true).said == ["applied", "quarantined:session"])
    #expect(try await heads(hub, on: "ClinicGroup") == 0)
    #expect(try await hub.hub.examine(hub.exam) == [])
  }

  @Test("count once the device brings them itself that made them", arguments: Storage.installed)
  func authorComes(on storage: Storage) async throws {
    let hub = try await TestHub(on: storage)
    let (station, other) = (try await hub.enrol(.station, seed: 1), try await hub.enrol(.station, seed: 2))
    let office = try await hub.enrol(.office, seed: 3)
    let tx = UUIDBytes(high: 7, low: 7)
    let plan = (1...2).map { circuit($0, by: office, tx: tx, place: ($0 - 1, 2)) }
    let kept = Array(repeating: "quarantined:session", count: 2)
    #expect(try await station.sync(plan, relay: true).said == kept)
    #expect(try await other.pullAll().map(\.short) == kept.map { "receipt " + $0 }, "it may hold them out of a file")
    #expect(try await station.sync(plan, relay: true).said == kept.map { "duplicate of " + $0 })
    #expect(try await office.sync(plan).said == ["duplicate of applied", "duplicate of applied"])
    #expect(try await other.pullAll().map(\.short) == ["verdict applied with op", "verdict applied with op"])
    #expect(try await heads(hub, on: "ClinicGroup") == 2)
    #expect(try await hub.hub.examine(hub.exam) == [])
  }

  @Test("count as they did where the hub may have had them before it was restored", arguments: Storage.installed)
  func lostBefore(on storage: Storage) async throws {
    let hub = try await TestHub(on: storage)
    let (station, office) = (try await hub.enrol(.station, seed: 1), try await hub.enrol(.office, seed: 2))
    let backup = try await TestHub(on: .sqlite, from: hub, isMoved: true)
    let plan = circuit(1, by: office)
    try await office.sync([plan])
    let restored = try await TestHub(on: storage, from: backup, isMoved: false)
    try await station.goOn(at: restored)
    #expect(try await station.sync([plan], relay: true).said == ["applied"])
    hub.advance(10_000)
    office.time += 3_600_000
    #expect(try await station.sync([circuit(2, by: office)], relay: true).said == ["quarantined:session"])
  }

  @Test("do not keep their device from taking its place", arguments: Storage.installed)
  func placeAfterRelay(on storage: Storage) async throws {
    let hub = try await TestHub(on: storage)
    let (a, b) = (try await hub.enrol(.desk, seed: 1), try await hub.enrol(.desk, seed: 2))
    let moved = TestDevice(seed: 9, hub: hub)
    let first = start(moved)
    #expect(try await b.sync([first], relay: true).said == ["applied"])
    #expect(try await a.giveWay(to: moved).device.last == first.tip)
    #expect(try await moved.sync([first]).said == ["duplicate of applied"])
    await #expect(throws: HubError.role) { try await b.giveWay(to: moved) }
  }

  // MARK: Content that comes later

  @Test(
    "stand in for content that only was not sent, until somebody brings it", arguments: Storage.installed,
    [true, false]) func content(on storage: Storage, isOwn: Bool) async throws
  {
    let hub = try await TestHub(on: storage, isFilling: true)
    let (a, b) = (try await hub.enrol(seed: 1), try await hub.enrol(seed: 2))
    let (c, lead) = (try await hub.enrol(seed: 3), try await hub.enrol(.lead, seed: 4))
    let marks = (0..<2).map { a.make(Rows.item($0), ["rating": .integer(1)]) }
    try await fill(hub, marks.map { stub($0) }, by: b, [a, c, lead])
    #expect(try await c.pullAll().map(\.short) == ["op withheld", "op withheld"])
    let said = Array(repeating: "duplicate of applied", count: 2)
    #expect(try await (isOwn ? a : b).sync(marks, relay: !isOwn).said == said)
    #expect(try await heads(hub, on: "RatingQuestion") == 2)
    let verdicts = Array(repeating: "verdict applied with op", count: 2)
    #expect(try await c.pullAll().map(\.short) == verdicts)
    #expect(try await lead.pullAll().map(\.short) == ["op withheld", "op withheld"] + verdicts)
    #expect(try await hub.hub.examine(hub.exam) == [])
  }

  @Test("are judged by their content once that comes", arguments: Storage.installed) func judgedLater(
    on storage: Storage
  ) async throws {
    let hub = try await TestHub(on: storage, isFilling: true)
    let (a, b) = (try await hub.enrol(seed: 1), try await hub.enrol(seed: 2))
    let tx = UUIDBytes(high: 7, low: 7)
    let marks = (0..<2).map {
      a.make(Rows.item($0), ["rating": $0 == 0 ? .text("three") : .integer(1)], tx: tx, place: ($0, 2))
    }
    try await fill(hub, [stub(marks[0]), marks[1]], by: b, [a])
    #expect(
      try await a.sync(marks).said == ["duplicate of rejected:value_type", "duplicate of rejected:with_transaction"])
    #expect(try await heads(hub, on: "RatingQuestion") == 0)
  }

  @Test("are not filled in by a device that may not do what they do", arguments: Storage.installed)
  func contentByDisplay(on storage: Storage) async throws {
    let hub = try await TestHub(on: storage, isFilling: true)
    let (a, b) = (try await hub.enrol(seed: 1), try await hub.enrol(seed: 2))
    let display = try await hub.enrol(.display, seed: 3)
    let tx = UUIDBytes(high: 7, low: 7)
    let marks = (0..<2).map { a.make(Rows.item($0), ["rating": .integer(1)], tx: tx, place: ($0, 2)) }
    try await fill(hub, [stub(marks[0]), marks[1]], by: b, [a, display])
    let said = ["duplicate of withheld", "duplicate of applied"]
    #expect(try await display.sync(marks, relay: true).said == said)
    #expect(try await b.sync(marks, relay: true).said == ["duplicate of applied", "duplicate of applied"])
    #expect(try await heads(hub, on: "RatingQuestion") == 2)
  }

  @Test("say nothing against what the device itself brings that made them", arguments: Storage.installed)
  func authorKnows(on storage: Storage) async throws {
    let hub = try await TestHub(on: storage)
    let (a, b) = (try await hub.enrol(seed: 1), try await hub.enrol(seed: 2))
    for absent in AbsentContent.allCases {
      let mark = a.make(Rows.item(a.chain.count), ["rating": .integer(1)])
      try await b.sync([stub(mark, absent)], relay: true)
      // What only was not sent was not taken, and that a hub destroyed it is not a device's to say.
      let isNew = absent == .scope || absent == .erased
      #expect(try await a.sync([mark]).said == [(isNew ? "" : "duplicate of ") + "applied"], "\(absent)")
    }
  }

  @Test(
    "were erased where the hub may have lost that it did so; elsewhere it waits for who has the content",
    arguments: Storage.installed) func saidToBeErased(on storage: Storage) async throws
  {
    let hub = try await TestHub(on: storage)
    let (a, b) = (try await hub.enrol(seed: 1), try await hub.enrol(seed: 2))
    let mark = a.make(Rows.item(0), ["rating": .integer(1)])
    #expect(try await b.sync([stub(mark, .erased)], relay: true).said == ["hole"])
    // Who runs the hub answers for a file.
    let gone = TestDevice(seed: 9, hub: hub).make(Rows.item(1), ["rating": .integer(1)])
    #expect(try await hub.hub.passOn([WireOperation(stub(gone, .erased))], in: hub.exam) == Hub.PassedOn(others: 1))
    let restored = try await TestHub(on: storage, from: hub, isMoved: false)
    try await a.goOn(at: restored)
    try await b.goOn(at: restored)
    #expect(try await b.sync([stub(mark, .erased)], relay: true).said == ["withheld"])
    // What was destroyed on purpose stays so, whoever has it still.
    #expect(try await a.sync([mark]).said == ["duplicate of withheld"])
    #expect(try await heads(restored, on: "RatingQuestion") == 0)
  }

  @Test(
    "wait with what follows, while a hub is filled, for whoever has their content; at the end they are holes",
    arguments: Storage.installed) func filling(on storage: Storage) async throws
  {
    let hub = try await TestHub(on: storage, isFilling: true)
    let (station, lead) = (try await hub.enrol(seed: 1), try await hub.enrol(.lead, seed: 2))
    let (gone, lost) = (TestDevice(seed: 8, hub: hub), TestDevice(seed: 9, hub: hub))
    let known = (0..<3).map { gone.make(Rows.item($0), ["rating": .integer(1)]) }
    let unknown = (3..<5).map { lost.make(Rows.item($0), ["rating": .integer(1)]) }
    func relay(_ operations: [Journal.Operation], by device: TestDevice) async throws -> [String] {
      hub.advance(1000)
      return try await device.send(device.request(operations, limit: 0, relay: true)).said
    }
    #expect(try await relay([known[0], stub(known[1]), known[2]], by: station) == ["applied", "hole", "hole"])
    #expect(try await relay([stub(unknown[0]), unknown[1]], by: station) == ["hole", "hole"])
    #expect(try await relay(known, by: lead) == ["duplicate of applied", "applied", "applied"])
    let holes = try await hub.hub.endFilling(hub.exam).holes
    #expect(holes.map(\.device) == [lost.id] && holes.map(\.missing) == [1])
    #expect(try await hub.rows("SELECT hash FROM loose WHERE exam = ?").isEmpty)
    #expect(try await heads(hub, on: "RatingQuestion") == 4)
    lead.epoch = try await hub.epoch()
    #expect(try await lead.sync(unknown, relay: true).said == ["duplicate of applied", "duplicate of applied"])
    #expect(try await heads(hub, on: "RatingQuestion") == 5)
    #expect(try await hub.hub.examine(hub.exam) == [])
  }

  @Test(
    "that came without content are counted by row at the end, but for what was erased and what each device keeps",
    arguments: Storage.installed) func emptyRows(on storage: Storage) async throws
  {
    let hub = try await TestHub(on: storage, isFilling: true)
    let station = try await hub.enrol(seed: 1)
    let desk = TestDevice(seed: 9, hub: hub)
    let renamed = desk.make(RowKey(entity: "ClinicGroup", id: "1"), ["name": .text("Circuit A")], kind: .create)
    let chain = [
      renamed, stub(desk.make(renamed.row, ["name": .text("Circuit B")]), .withheld),
      stub(circuit(2, by: desk), .withheld), stub(circuit(3, by: desk), .damaged),
      stub(circuit(4, by: desk), .withheld),
      stub(desk.make(RowKey(entity: "LastUpdate", id: "form"), ["lastUpdate": .text("x")]), .withheld),
      stub(circuit(5, by: desk), .erased),
    ]
    let again = desk.make(RowKey(entity: "ClinicGroup", id: "2"), ["description": .text("x")])
    hub.advance(1000)
    _ = try await station.send(station.request(chain + [stub(again, .withheld)], limit: 0, relay: true))
    #expect(try await hub.hub.endFilling(hub.exam).emptyRows == 3)
  }

  // MARK: Files

  @Test("are taken out of a file as from a device, but for what the hub itself is said to have written")
  func file() async throws {
    let hub = try await TestHub(on: .sqlite)
    let office = TestDevice(seed: 9, hub: hub)
    let plan = (1...3).map { circuit($0, by: office) }
    let forged = circuit(4, by: TestDevice(as: hub.hubDevice, hub: hub))
    let sum = try await hub.hub.passOn([plan[0], plan[2], forged].map { WireOperation($0) }, in: hub.exam)
    #expect(sum == Hub.PassedOn(applied: 1, known: 0, others: 1, waiting: 1))
    let again = try await hub.hub.passOn(plan.map { WireOperation($0) }, in: hub.exam)
    #expect(again == Hub.PassedOn(applied: 2, known: 1, others: 0, waiting: 0))
  }

  @Test("are taken out of a file by a hub that is filled with what the lost one had refused of them")
  func fileOfRefused() async throws {
    let hub = try await TestHub(on: .sqlite, isFilling: true)
    let gone = TestDevice(seed: 9, hub: hub)
    var marks = (0..<2).map { WireOperation(gone.make(Rows.item($0), ["rating": .integer(1)])) }
    marks[1].said = .rejected(.role)
    #expect(try await hub.hub.passOn(marks, in: hub.exam) == Hub.PassedOn(applied: 1, others: 1))
    #expect(try await heads(hub, on: "RatingQuestion") == 1)
  }
}
