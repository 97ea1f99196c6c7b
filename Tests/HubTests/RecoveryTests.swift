import ExamStore
import Foundation
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
    "a hub that was put back without a word finds it out by a place that only it can have given, and takes back its own",
    arguments: Storage.installed) func restoredUnawares(on storage: Storage) async throws
  {
    let hub = try await TestHub(on: storage)
    let (a, b) = (try await hub.enrol(seed: 1), try await hub.enrol(seed: 2))
    let own = TestDevice(as: hub.hubDevice, hub: hub)
    func circuit(_ number: Int) -> Journal.Operation {
      own.make(RowKey(entity: "ClinicGroup", id: "\(number)"), ["name": .text("Circuit")], kind: .create)
    }
    try await hub.hub.adopt([circuit(1)], from: own.id, in: hub.exam)
    _ = try await b.pullAll()
    let restored = try await TestHub(on: storage, from: hub, isMoved: true)
    let lost = circuit(2)
    try await hub.hub.adopt([lost], from: own.id, in: hub.exam)
    _ = try await a.pullAll()
    // What another hub's log, or nobody's, would say proves nothing.
    b.hub = restored
    var claimed = b.request()
    for seq in [1, 2, 9] {
      claimed.cursor = LogCursor(epoch: b.epoch, seq: Int64(seq))
      claimed.hash = [UInt8](repeating: 7, count: 32)
      #expect(await b.refusal(claimed) != nil)
    }
    let given = a.request()
    (claimed.cursor, claimed.hash) = (given.cursor, [UInt8](repeating: 7, count: 32))
    #expect(await b.refusal(claimed) != nil)
    #expect(try await restored.epoch() == hub.epoch())
    try await b.sync()
    let before = a.mark
    try await a.goOn(at: restored)
    #expect(try await restored.epoch() != hub.epoch() && a.mark.seq < before.seq)
    #expect(try await a.sync([lost], relay: true).said == ["applied"])
    let noted = try await restored.rows(
      "SELECT actor FROM audit WHERE exam = ? AND action = 'restore' ORDER BY n")
    #expect(try noted.map { try $0.text(0) } == ["\(a.id)"])
    // Of the run that it has left it hears nothing new.
    let epoch = try await restored.epoch()
    try await b.goOn(at: restored)
    #expect(try await restored.epoch() == epoch)
    #expect(try await restored.hub.examine(restored.exam) == [])
  }

  @Test(
    "a restored hub begins one run, later than those that devices have seen, also where its clock was ahead before",
    .timeLimit(.minutes(15)), arguments: Storage.installed) func clockPutBack(on storage: Storage) async throws
  {
    let hub = try await TestHub(on: storage)
    let a = try await hub.enrol(seed: 1)
    let restored = try await TestHub(on: storage, from: hub, isMoved: true)
    try await a.sync([a.make(Rows.item(1), ["rating": .integer(1)])])
    let former = try await hub.epoch()
    hub.advance(-86_400_000)
    try await a.goOn(at: restored)
    #expect(try await restored.epoch() == a.epoch && former < a.epoch)
    try await restored.hub.beginAnew(restored.exam)
    #expect(try await a.epoch < restored.epoch())
    let noted = try await restored.rows("SELECT actor FROM audit WHERE exam = ? AND action = 'restore'")
    #expect(noted.count == 2)
  }

  @Test("what was acknowledged is in a copy of the file alone, once the hub has ended") func closed() async throws {
    let hub = try await TestHub(on: .sqlite)
    let a = try await hub.enrol(seed: 1)
    try await a.sync([a.make(Rows.item(1), ["rating": .integer(1)])])
    try hub.database.close()
    let copy = hub.folder + "/copied.sqlite"
    try FileManager.default.copyItem(atPath: hub.address, toPath: copy)
    let database = try SQLiteDatabase(path: copy)
    #expect(try await database.read { try $0.row("SELECT head FROM exam")?.integer(0) } == a.mark.seq)
    try database.close()
  }

  @Test("of a full disk a hub says where and what to do, and has terminals try again") func fullDisk() async throws {
    let hub = try await TestHub(on: .sqlite)
    try await hub.database.write(weight: 1) { _ = try $0.rows("PRAGMA max_page_count = 1") }
    do {
      try await hub.database.write(weight: 1) { _ = try $0.run("UPDATE exam SET headHash = zeroblob(1000000)", []) }
      Issue.record("the disk took the change")
    } catch {
      #expect("\(error)" == "the disk of \(hub.address) is full: the change was NOT saved; free some space")
      #expect((error as? any StorageFailure)?.answer == .readOnly(after: 5))
    }
  }

  @Test("what an import left that did not get to the end goes when it begins again", arguments: Storage.installed)
  func interruptedImport(on storage: Storage) async throws {
    let test = try await TestHub(on: storage)
    let hub = test.hub
    await #expect(throws: HubRefusal.self) {
      try await hub.beginImport(test.exam, named: "Year 3", device: test.hubDevice)
    }
    let exam = UUIDBytes.random()
    var numbers: [Int64] = []
    for _ in 0..<2 {
      numbers.append(try await hub.beginImport(exam, named: "Year 4", device: .random()))
      try await hub.keep(code: "F6HJ8E2JXTJD", for: .office, in: exam)
    }
    #expect(try await hub.exams().filter(\.isImporting).map(\.id) == [exam])
    #expect(try await hub.devices(of: exam).devices.count == 1)
    let (first, second) = (numbers[0], numbers[1])
    // The first still ran: it ends nothing of the second, and can say when that began.
    await #expect(throws: HubRefusal.self) { try await hub.endImport(exam, number: first) }
    #expect(try await hub.exams().contains(where: \.isImporting))
    #expect(try await hub.laterImport(of: exam, than: first) != nil)
    #expect(try await hub.laterImport(of: exam, than: second) == nil)
    try await hub.endImport(exam, number: second)
    #expect(try await hub.exams().allSatisfy { !$0.isImporting })
    await #expect(throws: HubRefusal.self) {
      try await hub.beginImport(exam, named: "Year 4", device: .random())
    }
  }

  @Test("of imports that begin at once one makes the exam", arguments: Storage.installed)
  func importsAtOnce(on storage: Storage) async throws {
    let hub = try await TestHub(on: storage)
    let beside = try await TestHub(beside: hub)
    let made = await withTaskGroup(of: Bool.self) { group in
      for hub in [hub, beside, hub, beside] {
        group.addTask {
          let number = try? await hub.hub.beginImport(.random(), named: "Year 4", device: .random())
          return number != nil
        }
      }
      return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(made == 1)
    #expect(try await hub.hub.exams().map(\.name).sorted() == ["Year 3", "Year 4"])
  }

  @Test("a database of an earlier version gives places that are known again, too", arguments: Storage.installed)
  func earlierVersion(on storage: Storage) async throws {
    let hub = try await TestHub(on: storage)
    try await hub.database.write(weight: 1) { connection in
      try connection.run("ALTER TABLE exam DROP COLUMN cursorKey", [])
      try connection.run("ALTER TABLE exam DROP COLUMN importing", [])
      try connection.run("UPDATE hub SET version = 2 WHERE one = 1", [])
    }
    try hub.database.close()
    let next = try await TestHub(beside: hub)
    let a = try await next.enrol(seed: 1)
    let restored = try await TestHub(on: storage, from: next, isMoved: true)
    try await a.sync([a.make(Rows.item(1), ["rating": .integer(1)])])
    let epoch = try await next.epoch()
    try await a.goOn(at: restored)
    #expect(a.epoch != epoch)
    #expect(try await restored.epoch() == a.epoch)
  }

  @Test(
    "a hub that lacks where its log ended when it answered is found by that, also where it has the device's place",
    arguments: Storage.installed) func restoredBeyondCursor(on storage: Storage) async throws
  {
    let hub = try await TestHub(on: storage)
    let (a, b) = (try await hub.enrol(seed: 1), try await hub.enrol(seed: 2))
    try await b.sync([b.make(Rows.item(0), ["rating": .integer(1)])])
    let restored = try await TestHub(on: storage, from: hub, isMoved: true)
    // Nothing is pulled with it: the device's place stays before what it is answered for.
    let answer = try await a.sync([a.make(Rows.item(1), ["rating": .integer(1)])], limit: 0)
    let end = try #require(answer.head)
    #expect(answer.results.first?.hubSeq == end.seq && a.mark.seq == 0)
    var request = a.request()
    request.marks = [end, a.mark]
    _ = try await a.send(request)
    (a.hub, b.hub) = (restored, restored)
    for _ in 0..<2 {
      // Also after another change has been given the number.
      guard case .cursor(_, let common, let last, _)? = await a.refusal(request) else {
        Issue.record("the device did not hear of it")
        return
      }
      #expect(common.seq == 0 && last == 0)
      try await b.sync([b.make(Rows.item(2), ["rating": .integer(1)])])
    }
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
      #expect(try await hub.results() == ["applied", "applied", "withheld", "applied"])
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
    #expect(try await hub.results() == ["applied", "applied", "applied"])
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

  @Test(
    "a hub that is being filled goes on refusing what the lost one did by what stood there, until a person admits it",
    arguments: Storage.installed) func fillingWithRefusals(on storage: Storage) async throws
  {
    let hub = try await TestHub(on: storage, isFilling: true)
    let (a, lead) = (try await hub.enrol(seed: 1), try await hub.enrol(.lead, seed: 2))
    let gone = TestDevice(seed: 9, hub: hub)
    let own = (0..<3).map { a.make(Rows.item($0), ["rating": .integer(1)]) }
    let others = (3..<5).map { gone.make(Rows.item($0), ["rating": .integer(1)]) }
    let answers = try await a.bring([(own[0], nil), (own[1], .rejected(.role)), (own[2], .rejected(.notAfter))])
    #expect(answers == ["applied", "rejected:role", "applied"])
    // What is kept aside until what comes before it is here keeps what was said of it.
    #expect(try await lead.bring([(others[1], .quarantined(.locked))], relay: true) == ["hole"])
    #expect(try await lead.bring([(others[0], nil)], relay: true) == ["applied"])
    try await hub.hub.endFilling(hub.exam)
    let results = try await hub.results()
    #expect(results == ["applied", "rejected:role", "applied", "applied", "quarantined:locked"])
    #expect(try await hub.hub.rule(.applied, on: others[1].id, in: hub.exam, reason: "seen") == "applied")
    // A hub that has its log judges by itself.
    a.epoch = try await hub.epoch()
    let next = a.make(Rows.item(5), ["rating": .integer(1)])
    #expect(try await a.bring([(next, .rejected(.role))]) == ["applied"])
    #expect(try await hub.hub.examine(hub.exam) == [])
  }

  @Test(
    "a hub that is being filled goes by a refusal that it was told once, also where the operation comes again without it",
    arguments: Storage.installed) func fillingWithRefusalsToldBefore(on storage: Storage) async throws
  {
    let hub = try await TestHub(on: storage, isFilling: true)
    let lead = try await hub.enrol(.lead, seed: 2)
    let gone = TestDevice(seed: 9, hub: hub)
    let marks = (0..<3).map { gone.make(Rows.item($0), ["rating": .integer(1)]) }
    let told: [HubResult?] = [.quarantined(.locked), .rejected(.role)]
    #expect(try await lead.bring(Array(zip(marks.dropFirst(), told)), relay: true) == ["hole", "hole"])
    #expect(try await lead.bring([(marks[1], nil)], relay: true) == ["hole"])
    let answers = try await lead.bring([(marks[0], nil), (marks[1], nil)], relay: true)
    #expect(answers == ["applied", "quarantined:locked"])
    let results = try await hub.results()
    #expect(results == ["applied", "quarantined:locked", "rejected:role"])
    #expect(try await hub.hub.examine(hub.exam) == [])
  }

  @Test(
    "a hub that is being filled believes a station's terminal what was refused of its own alone",
    arguments: Storage.installed) func fillingWithForgedRefusals(on storage: Storage) async throws
  {
    let hub = try await TestHub(on: storage, isFilling: true)
    let station = try await hub.enrol(seed: 1)
    let other = TestDevice(seed: 9, hub: hub).make(Rows.item(0), ["rating": .integer(1)])
    let own = station.make(Rows.item(1), ["rating": .integer(1)])
    #expect(try await station.bring([(other, .rejected(.role))], relay: true) == ["applied"])
    #expect(try await station.bring([(own, .rejected(.role))]) == ["rejected:role"])
  }

  @Test(
    "a hub that is being filled is done with a refused transaction, also where others bring it in parts",
    arguments: Storage.installed) func fillingWithRefusedParts(on storage: Storage) async throws
  {
    let hub = try await TestHub(on: storage, isFilling: true)
    let lead = try await hub.enrol(.lead, seed: 2)
    let gone = TestDevice(seed: 9, hub: hub)
    let tx = UUIDBytes(high: 7, low: 7)
    let marks = (0..<2).map { gone.make(Rows.item($0), ["rating": .integer(1)], tx: tx, place: ($0, 2)) }
    let next = gone.make(Rows.item(0), ["rating": .integer(2)], replacing: ["rating": [marks[0].id]])
    #expect(try await lead.bring([(marks[0], nil)], relay: true) == ["deferred:tx_incomplete"])
    #expect(try await lead.bring([(marks[1], .rejected(.role))], relay: true) == ["rejected:role"])
    let answer = try await lead.bring([(next, nil)], relay: true)
    #expect(answer != ["deferred:cause_missing"], "\(answer)")
    let results = try await hub.results()
    #expect(results.prefix(2) == ["rejected:with_transaction", "rejected:role"])
    #expect(try await hub.hub.examine(hub.exam) == [])
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

  @Test(
    "a snapshot of what stands names, without content, what of a transaction stands no more: it can be applied",
    arguments: Storage.installed) func halfReplaced(on storage: Storage) async throws
  {
    let hub = try await TestHub(on: storage)
    let (a, b) = (try await hub.enrol(seed: 1), try await hub.enrol(seed: 2))
    let tx = UUIDBytes.random(using: &a.generator)
    let mark = a.make(Rows.item(1), ["rating": .integer(1)], tx: tx, place: (0, 2))
    let other = a.make(Rows.item(2), ["rating": .integer(1)], tx: tx, place: (1, 2))
    let next = a.make(Rows.item(1), ["rating": .integer(0)], replacing: ["rating": [mark.id]])
    try await a.sync([mark, other, next])
    hub.advance(1000)
    let page = try SnapshotPage.decode(
      await hub.hub.answer(WireRequest(.get, "/v1/snapshot", token: b.token)).body)
    let given = page.entries.map { entry -> String in
      guard case .operation(let wire, _, let part) = entry.content else { return entry.short }
      let content = wire.operation.sealedBody == nil ? "without content" : "whole"
      return "\(wire.operation.row) \(part.index) of \(part.count) \(content)"
    }
    #expect(
      given == [
        "\(Rows.item(1)) 0 of 2 without content", "\(Rows.item(2)) 1 of 2 whole", "\(Rows.item(1)) 0 of 1 whole",
      ])
  }

  @Test("a page of a snapshot goes on only in the run of the log in which it began", arguments: Storage.installed)
  func otherRun(on storage: Storage) async throws {
    let hub = try await TestHub(on: storage)
    let (a, b) = (try await hub.enrol(seed: 1), try await hub.enrol(seed: 2))
    for start in [0, 400, 800] {
      try await a.sync((start..<start + 400).map { a.make(Rows.item($0), ["rating": .integer(1)]) })
    }
    hub.advance(1000)
    let one = try SnapshotPage.decode(
      await hub.hub.answer(WireRequest(.get, "/v1/snapshot", query: ["history": "1"], token: b.token)).body)
    let request = WireRequest(
      .get, "/v1/snapshot", query: ["history": "1", "page": try #require(one.next)], token: b.token)
    let restored = try await TestHub(on: storage, from: hub, isMoved: false)
    let refusal = HubError(await restored.hub.answer(request))
    let start = LogHash.start(of: hub.exam)
    guard case .cursor(let epoch, let common, _, _) = refusal else { return #expect(Bool(false), "\(refusal)") }
    #expect(try await epoch == restored.epoch() && common == LogMark(seq: 0, hash: start.hash))
  }
}

extension TestDevice {
  /// Brings operations to a hub that is being filled, with what each is said to have been answered before.
  fileprivate func bring(
    _ operations: [(Journal.Operation, HubResult?)], relay: Bool = false
  ) async throws -> [String] {
    var request = request(limit: 0, relay: relay)
    request.operations = operations.map { operation, said in
      var wire = WireOperation(operation)
      wire.said = said
      return wire
    }
    return try await send(request).said
  }
}
