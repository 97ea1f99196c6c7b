import ExamStore
import Foundation
import HubPostgres
import Journal
import PostgresTesting
import Sync
import Testing

@testable import Hub

@Suite("A log in either storage") struct ConformanceTests {
  /// Everything that a log can say: what counts, forks, waits, is refused, is ruled on, is passed on.
  @discardableResult private func play(at hub: TestHub) async throws -> [TestDevice] {
    let (a, b) = (try await hub.enrol(seed: 1), try await hub.enrol(seed: 2))
    let lead = try await hub.enrol(.lead, seed: 3)
    let first = a.make(Rows.item(1), ["rating": .integer(1)])
    b.time = a.time
    try await b.sync([b.make(Rows.item(1), ["rating": .integer(2)], replacing: ["rating": [first.id]])])
    try await a.sync([first])
    let tx = UUIDBytes(high: 7, low: 7)
    let whole = (2..<5).map { a.make(Rows.item($0), ["rating": .integer(1)], tx: tx, place: ($0 - 2, 3)) }
    try await a.sync(Array(whole[..<2]))
    try await a.sync([whole[2]])
    try await b.sync([b.make(Rows.item(2), ["rating": .integer(3)])])
    // As many as are written while more is decided, each replaced by the next on its item.
    var last: [Int: OperationID] = [:]
    try await a.sync(
      (0..<350).map { number in
        let item = 100 + number % 40
        let mark = a.make(
          Rows.item(item), ["rating": .integer(Int64(number % 4))],
          replacing: last[item].map { ["rating": [$0]] } ?? [:])
        last[item] = mark.id
        return mark
      })
    let odd = [
      a.make(RowKey(entity: "Nonsense", id: "1"), ["rating": .integer(1)]),
      a.make(Rows.item(6), ["rating": .text("x")]),
      a.make(Rows.item(7), ["rating": .integer(1)], hlc: TestHub.start + 26 * 3_600_000),
      a.make(Rows.item(8), ["feedback": .text("ß \u{1F600} \u{1} \u{7F}")]),
    ]
    try await a.sync(odd)
    let ruling = lead.make(
      RowKey(entity: "Operation", id: odd[2].id.description), ["verdict": .text("applied")],
      kind: OperationKind(rawValue: "admit"), reason: "seen")
    try await lead.sync([ruling])
    let gone = TestDevice(seed: 9, hub: hub)
    let others = (10..<13).map { gone.make(Rows.item($0), ["rating": .integer(1)]) }
    try await b.sync([others[0], others[2]], relay: true)
    try await b.sync([others[1]], relay: true)
    try await hub.hub.revoke(b.id, in: hub.exam)
    return [a, b, lead]
  }

  @Test("is the same, byte for byte, when the same was brought", .enabled(if: PostgresServer.isInstalled))
  func equal() async throws {
    let (file, server) = (try await TestHub(on: .sqlite), try await TestHub(on: .postgres))
    try await play(at: file)
    try await play(at: server)
    let exported = try await file.exported()
    #expect(exported.count > 5000)
    #expect(try await server.exported() == exported)
    #expect(try await server.hub.examine(server.exam).isEmpty)
  }

  @Test(
    "that is moved to the other storage is not noticed by anybody: same run, same tokens, same pages",
    .enabled(if: PostgresServer.isInstalled), arguments: [(Storage.sqlite, Storage.postgres), (.postgres, .sqlite)])
  func moved(_ from: Storage, _ to: Storage) async throws {
    let old = try await TestHub(on: from)
    let devices = try await play(at: old)
    let new = try await TestHub(on: to, from: old, isMoved: true)
    #expect(try await new.exported() == (try await old.exported()))
    #expect(try await new.hub.examine(new.exam).isEmpty)
    for table in HubSchema.tables {
      let columns = table.columns.map(\.name).joined(separator: ", ")
      let sql = "SELECT \(columns) FROM \(table.name) WHERE exam = ? ORDER BY \(table.key)"
      #expect(try await new.rows(sql).map(\.values) == (try await old.rows(sql).map(\.values)), "\(table.name)")
    }
    for device in devices { device.hub = new }
    #expect(await devices[1].refusal(devices[1].request()) == .revoked)
    let next = devices[0].make(Rows.item(20), ["rating": .integer(1)])
    #expect(try await devices[0].sync([next]).said == ["applied"])
    #expect(try await devices[2].pullAll().last?.short == "op applied")
  }

  @Test(
    "that is restored into the other storage begins a new run: devices go back to where both agree, and bring the rest",
    .enabled(if: PostgresServer.isInstalled), arguments: [(Storage.sqlite, Storage.postgres), (.postgres, .sqlite)])
  func restored(_ from: Storage, _ to: Storage) async throws {
    let old = try await TestHub(on: from)
    let a = try await old.enrol(seed: 1)
    let kept = a.make(Rows.item(1), ["rating": .integer(1)])
    try await a.sync([kept])
    let agreed = a.mark
    let new = try await TestHub(on: to, from: old, isMoved: false)
    let late = a.make(Rows.item(2), ["rating": .integer(1)])
    try await a.sync([late])
    a.hub = new
    var request = a.request()
    request.marks = [a.mark, agreed]
    guard case .cursor(let epoch, let common, 1, kept.hash)? = await a.refusal(request) else {
      Issue.record("the device did not hear of the new run")
      return
    }
    #expect(common == agreed && epoch != a.epoch)
    (a.epoch, a.mark) = (epoch, common)
    #expect(try await a.sync([late], receipts: true).said == ["applied"])
    await #expect(throws: HubRefusal.self) {
      let file = try SQLiteDatabase(path: new.folder + "/again.sqlite")
      try await old.database.save(to: file)
      try await new.database.load(from: file)
    }
  }

  @Test("takes rows and fields with any name, also ones that no key of a database holds", arguments: Storage.installed)
  func names(on storage: Storage) async throws {
    let hub = try await TestHub(on: storage)
    let (a, lead) = (try await hub.enrol(seed: 1), try await hub.enrol(.lead, seed: 2))
    let names = [
      ("a\u{1}b", "a\u{0}b"), ("\u{FFFD}'", "?"),
      (String(repeating: "x", count: 20_000), String(repeating: "y\u{0}", count: 9000)),
    ]
    let operations = names.map { row, field in
      a.make(RowKey(entity: "RatingQuestion", id: row), [field: .integer(1)])
    }
    let said = Array(repeating: "quarantined:unknown", count: names.count)
    #expect(try await a.sync(operations).said == said)
    #expect(try await a.send(a.request(operations)).said == said.map { "duplicate of " + $0 })
    for operation in operations {
      let ruling = lead.make(
        RowKey(entity: "Operation", id: operation.id.description), ["verdict": .text("applied")],
        kind: OperationKind(rawValue: "admit"), reason: "seen")
      #expect(try await lead.sync([ruling]).said == ["applied"])
    }
    #expect(try await hub.hub.examine(hub.exam).isEmpty)
  }
}
