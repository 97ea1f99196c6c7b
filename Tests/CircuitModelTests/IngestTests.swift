import GRDB
import Journal
import Testing
import Timer

@testable import CircuitModel
@testable import ExamStore
@testable import Reports

extension TwoStores {
  @discardableResult fileprivate func take(_ entries: ExchangeEntry...) throws -> IngestReport { try take(entries) }

  @discardableResult fileprivate func take(_ entries: [ExchangeEntry], upTo cursor: ExchangeCursor? = nil) throws
    -> IngestReport
  {
    try there.store.ingest(upTo: cursor) { ingest in
      for entry in entries { try ingest.take(entry, bytes: Array("\(entry)".utf8)) }
    }
  }
}

@Suite("A page from elsewhere") struct IngestTests {
  private struct Interruption: Error {}

  @Test("is counted by device, and coming again changes nothing") func counted() throws {
    let pair = try TwoStores()
    let device = pair.here.store.device
    let (first, second) = (try pair.here.setSurname("Evans"), try pair.here.setSurname("Fox"))
    #expect(try pair.take(.operation(second)).devices[device] == IngestReport.Counts(waiting: 1))
    let report = try pair.take(.operation(first), .operation(second))
    #expect(report.devices[device] == IngestReport.Counts(applied: 1, known: 1))
    #expect(report.released == 1)
    let sequence = try pair.there.store.lastSequence()
    #expect(try pair.take(.operation(second), .operation(first)).total == IngestReport.Counts(known: 2))
    #expect(try pair.there.store.lastSequence() == sequence)
    #expect(try pair.there.surname() == .text("Fox"))
  }

  @Test("and its cursor are one: neither is there without the other") func cursor() throws {
    let pair = try TwoStores()
    let change = try pair.here.setSurname("Evans")
    let cursor = ExchangeCursor(epoch: UUIDBytes(high: 1, low: 2), place: "7", hash: [UInt8](repeating: 7, count: 32))
    #expect(throws: StoreError.self) { try pair.take([.operation(change)], upTo: cursor) }
    #expect(try pair.there.surname() == .text("Okoro"))
    try pair.there.store.enrol()
    #expect(throws: Interruption.self) {
      try pair.there.store.ingest(upTo: cursor) { ingest in
        try ingest.take(.operation(change, result: .applied, hubSeq: 7), bytes: [])
        throw Interruption()
      }
    }
    #expect(try pair.there.surname() == .text("Okoro"))
    #expect(try pair.there.store.read { try Enrolment.read($0) }?.cursor != cursor.text)
    try pair.take([.operation(change, result: .applied, hubSeq: 7)], upTo: cursor)
    #expect(try pair.there.surname() == .text("Evans"))
    #expect(try pair.there.store.read { try Enrolment.read($0) }?.cursor == cursor.text)
    #expect(try pair.there.store.read { try OperationTable.find(change.id, in: $0) }?.hubSeq == 7)
  }

  @Test("says when each entity of which it brings content that counts came, with the page or not at all")
  func updates() throws {
    let pair = try TwoStores()
    let store = pair.there.store
    try store.enrol()
    let change = try pair.here.setSurname("Evans")
    let message = try #require(
      try pair.here.store.write(.program) { try $0.create("HallMessage", "m1", ["text": .text("no")]) })
    let refused = try #require(try pair.here.store.read { try OperationTable.find(message, in: $0) })
    let cursor = ExchangeCursor(epoch: UUIDBytes(high: 1, low: 2), place: "9", hash: [UInt8](repeating: 7, count: 32))
    func take(_ ends: Bool, at time: Int64) throws {
      try store.ingest(upTo: cursor, at: Instant(milliseconds: time)) { ingest in
        try ingest.take(.operation(change, result: .applied, hubSeq: 7), bytes: [])
        try ingest.take(.operation(refused, result: .rejected(.role), hubSeq: 8), bytes: [])
        if ends { throw Interruption() }
      }
    }
    func times() throws -> [String: Instant] { try store.read { try LastUpdates.read($0) }.times }
    #expect(throws: Interruption.self) { try take(true, at: 1_795_222_800_999) }
    #expect(try times().isEmpty)
    try take(false, at: 1_795_222_800_999)
    #expect(try times() == [change.row.entity: Instant(milliseconds: 1_795_222_800_000)])
    try take(false, at: 1_795_222_860_000)
    #expect(try times() == [change.row.entity: Instant(milliseconds: 1_795_222_860_000)])
    // What no hub gave has no time of a hub's.
    try pair.take(.operation(try pair.here.setSurname("Fox")))
    #expect(try times() == [change.row.entity: Instant(milliseconds: 1_795_222_860_000)])
    #expect(try pair.there.examine().result("rows") == .ok)
  }

  @Test("a stub takes nothing away, and is completed when its content comes") func stubs() throws {
    let pair = try TwoStores()
    let (first, second) = (try pair.here.setSurname("Evans"), try pair.here.setSurname("Fox"))
    try pair.take(.operation(first))
    for reason in AbsentContent.allStubs { try pair.take(.operation(first.withoutBody(because: reason))) }
    #expect(try pair.there.surname() == .text("Evans"))
    let report = try pair.take(.operation(second.withoutBody(because: .scope)))
    #expect(report.total == IngestReport.Counts(stubs: 1))
    #expect(try pair.there.surname() == .text("Evans"))
    #expect(try pair.there.examine().failures == [])
    #expect(try pair.take(.operation(second)).total == IngestReport.Counts(applied: 1))
    #expect(try pair.there.surname() == .text("Fox"))
    #expect(try pair.there.examine().failures == [])
  }

  @Test("what its author keeps or lost, or a person had destroyed, never comes to count") func lost() throws {
    for reason in [AbsentContent.damaged, .erased, .withheld] {
      let pair = try TwoStores()
      let change = try pair.here.setSurname("Evans")
      try pair.take(.operation(change.withoutBody(because: reason)))
      #expect(try pair.take(.operation(change)).total == IngestReport.Counts(known: 1))
      #expect(try pair.there.surname() == .text("Okoro"))
    }
  }

  @Test("a stub of a transaction counts for nothing and leaves the others") func stubInTransaction() throws {
    let pair = try TwoStores()
    let made = try pair.renameTwo()
    try pair.take(.operation(made[0].withoutBody(because: .withheld)), .operation(made[1]))
    #expect(try pair.there.surname() == .text("Okoro"))
    #expect(try pair.there.store.value("surname", "Student", "12") == .text("B"))
  }

  @Test("what cannot be taken is kept as it came, listed, and stops nothing else") func hostile() throws {
    let pair = try TwoStores()
    let genuine = try pair.here.setSurname("Evans")
    func forged(_ device: UUIDBytes, _ number: Int64, _ body: OperationBody) -> Journal.Operation {
      Operation.seal(
        id: .v7(milliseconds: TestClock.start), device: device, deviceSeq: number, tx: .random(), kind: .set,
        row: genuine.row, body: body, hlc: genuine.hlc, wallTime: 0, schema: 2, prevHash: genuine.prevHash)
    }
    let body = OperationBody(fields: ["surname": .text("Forged")])
    let entries: [ExchangeEntry] = [
      .operation(forged(genuine.device, genuine.deviceSeq - 1, body)),
      .operation(forged(pair.there.store.device, 1_000, body)), .operation(forged(.random(), .min, body)),
      .unreadable(.malformed), .unreadable(.bodyHash, genuine.id), .verdict(.random(), .applied),
      .verdict(.random(), .rejected), .erase([genuine.id]), .operation(genuine),
    ]
    let report = try pair.take(entries)
    #expect(report.setAside.map(\.why) == [.fork, .fork, .fork, .malformed, .bodyHash, .noHub])
    #expect(report.total == IngestReport.Counts(applied: 1))
    #expect(try pair.there.surname() == .text("Evans"))
    try pair.take(entries)
    #expect(try pair.there.store.read { try RefusedEntry.count($0) } == 6)
    #expect(try pair.there.examine().failures == [])
  }

  @Test("an operation that the tables themselves refuse changes nothing and stops nothing else") func refusedByTables()
    throws
  {
    let pair = try TwoStores()
    let (first, second) = (try pair.here.setSurname("Evans"), try pair.here.setSurname("Fox"))
    try pair.there.store.writer.inDatabase { db in
      try db.execute(
        sql: """
          CREATE TRIGGER refuse BEFORE UPDATE ON user WHEN NEW.surname = 'Evans'
          BEGIN SELECT raise(ABORT, 'no'); END
          """)
    }
    let report = try pair.take(.operation(first), .operation(second))
    #expect(report.setAside.map(\.why) == [.store])
    #expect(report.total == IngestReport.Counts(waiting: 1))
    #expect(try pair.there.surname() == .text("Okoro"))
  }

  @Test("an operation that was rolled back is counted as nothing but set aside") func rolledBack() throws {
    let pair = try TwoStores()
    try pair.there.store.enrol()
    let change = try pair.here.setSurname("Evans")
    try pair.there.store.writer.inDatabase { db in
      try db.execute(
        sql: """
          CREATE TRIGGER refuse BEFORE UPDATE ON operation WHEN NEW.hubSeq = 7 BEGIN SELECT raise(ABORT, 'no'); END
          """)
    }
    let report = try pair.take(.operation(change, result: .applied, hubSeq: 7))
    #expect(report.setAside.map(\.why) == [.store])
    #expect(report.total == IngestReport.Counts())
    #expect(try pair.there.surname() == .text("Okoro"))
  }

  @Test("what the hub keeps back counts once a person admits it, and what it rejects counts no more") func verdicts()
    throws
  {
    let pair = try TwoStores()
    try pair.there.store.enrol()
    let (first, second) = (try pair.here.setSurname("Evans"), try pair.here.setSurname("Fox"))
    let report = try pair.take(
      .operation(first, result: .quarantined(.locked), hubSeq: 1), .operation(second, result: .applied, hubSeq: 2))
    #expect(report.total == IngestReport.Counts(applied: 1, refused: 1))
    #expect(try pair.there.surname() == .text("Fox"))
    try pair.take(.verdict(second.id, .rejected))
    #expect(try pair.there.surname() == .text("Okoro"))
    let seen = try pair.there.store.lastSequence()
    try pair.take(.verdict(first.id, .applied))
    #expect(try pair.there.surname() == .text("Evans"))
    #expect(try pair.there.store.changes(since: seen).rows == [first.row])
    #expect(try pair.there.store.read { try Outbox.attention($0, at: pair.there.store.clock.now) }.count == 0)
    #expect(try pair.there.examine().failures == [])
  }

  @Test("what a file says that a hub refused does not undo what this store's own hub has taken")
  func refusalOfAnotherHub() throws {
    let pair = try TwoStores()
    try pair.there.store.enrol()
    let change = try pair.here.setSurname("Evans")
    try pair.take(.operation(change, result: .applied, hubSeq: 1))
    try pair.take(.operation(change, result: .rejected(.role)))
    #expect(try pair.there.surname() == .text("Evans"))
    #expect(try pair.there.examine().failures == [])
  }

  @Test("a delete that came before what it names takes the row away once that is here") func deleteFirst() throws {
    let pair = try TwoStores()
    try pair.there.store.enrol()
    let before = try pair.here.store.operations().count
    for step in 0..<3 {
      try pair.here.store.write(Author(staff: 1)) { transaction in
        switch step {
        case 0: try transaction.create("CommentMetaStation", "note", ["text": .text("late")])
        case 1: try transaction.set("CommentMetaStation", "note", ["text": .text("very late")])
        default: _ = try transaction.delete("CommentMetaStation", "note")
        }
      }
    }
    let made = try pair.here.store.operations(after: before)
    let isDeleted = {
      try pair.there.store.read { try Bool.fetchOne($0, sql: "SELECT dsDeleted FROM commentMetaStation") }
    }
    for (index, number) in [(0, 1), (2, 3), (1, 2)] as [(Int, Int64)] {
      try pair.take(.operation(made[index], result: .applied, hubSeq: number))
      if index == 2 { #expect(try isDeleted() == false, "what stands is not what the delete names") }
    }
    #expect(try isDeleted() == true)
    #expect(try pair.there.examine().failures == [])
  }

  @Test("an erasure that a hub sends destroys the content wherever it lies") func erased() throws {
    let pair = try TwoStores()
    try pair.there.store.enrol()
    let change = try pair.here.setSurname("Evans")
    try pair.take(.operation(change, result: .applied, hubSeq: 1), .unreadable(.hash, change.id))
    // A pack, which anybody can make, cannot ask for it.
    let pack = try pair.take(.erase([change.id]))
    #expect(try pack.erased == 0 && pack.setAside == [] && pair.there.surname() == .text("Evans"))
    let cursor = ExchangeCursor(epoch: UUIDBytes(high: 1, low: 2), place: "7", hash: [UInt8](repeating: 7, count: 32))
    #expect(try pair.take([.erase([change.id, .random()])], upTo: cursor).erased == 2)
    #expect(try pair.there.store.read { try RefusedEntry.count($0) } == 0, "what was set aside can hold the text, too")
    #expect(try pair.there.surname() == .text("Okoro"))
    #expect(try pair.there.store.read { try OperationTable.find(change.id, in: $0) }?.absent == .erased)
    #expect(try pair.take(.operation(change)).total == IngestReport.Counts(known: 1))
    #expect(try pair.there.surname() == .text("Okoro"))
    #expect(try pair.there.examine().failures == [])
  }

  @Test("what a hub has had destroyed comes back with no pack, also where it was not here then") func erasedBefore()
    throws
  {
    let pair = try TwoStores()
    try pair.there.store.enrol()
    let change = try pair.here.setSurname("Evans")
    let cursor = ExchangeCursor(epoch: UUIDBytes(high: 1, low: 2), place: "7", hash: [UInt8](repeating: 7, count: 32))
    _ = try pair.take([.erase([change.id])], upTo: cursor)
    _ = try pair.take(.operation(change))
    #expect(try pair.there.surname() == .text("Okoro"))
    #expect(try pair.there.store.read { try OperationTable.find(change.id, in: $0) }?.sealedBody == nil)
    #expect(try pair.there.examine().failures == [])
  }

  @Test("content that somebody took away by hand is named, although it is called erased in a store of a hub")
  func erasedByHand() throws {
    let pair = try TwoStores()
    try pair.there.store.enrol()
    let change = try pair.there.setSurname("Evans")
    try pair.there.store.writer.inDatabase { db in
      try db.execute(sql: "UPDATE operation SET body = NULL, absent = 'erased' WHERE id = '\(change.id)'")
    }
    #expect(try pair.there.examine().failures.contains { $0.hasPrefix("erasures:") && $0.contains("\(change.id)") })
  }
}

extension AbsentContent {
  fileprivate static let allStubs: [AbsentContent] = [.withheld, .erased, .scope, .damaged]
}
