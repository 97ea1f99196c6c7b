import GRDB
import Journal
import Testing

@testable import CircuitModel
@testable import ExamStore
@testable import Reports

@Suite("Operations of other devices") struct ArrivalTests {
  @Test("a whole exam arrives, is what it was, and arrives once however often it comes") func whole() throws {
    let two = try TwoStores()
    let before = try two.there.store.lastSequence()
    let all = try two.here.store.operations()
    #expect(try two.there.store.apply(all.reversed()).allSatisfy { $0 == .applied })
    #expect(try two.there.store.lastSequence() == before)
    #expect(try two.there.surname() == .text("Okoro"))
    #expect(try two.there.examine().failures == [])
  }

  @Test("one that names another waits for it, is listed, and then counts") func parked() throws {
    let two = try TwoStores()
    let (first, second) = (try two.here.setSurname("Evans"), try two.here.setSurname("Fox"))
    #expect(try two.there.store.apply([second]) == [.parked(why: "cause_missing")])
    #expect(try two.there.surname() == .text("Okoro"))
    #expect(try two.there.store.read { try PendingOperation.all(in: $0) }.map(\.operation.id) == [second.id])
    #expect(try StatusReport.read(two.there.store).refused == 1)
    #expect(try two.there.examine().failures == [])
    #expect(try two.there.examine().result("parked") == .warning)
    let seen = try two.there.store.lastSequence()
    #expect(try two.there.store.apply([first]) == [.applied])
    #expect(try two.there.surname() == .text("Fox"))
    #expect(try two.there.store.changes(since: seen).rows == [RowKey(entity: "Student", id: "11")])
    #expect(try two.there.store.read { try PendingOperation.all(in: $0) }.isEmpty)
    #expect(try two.there.examine().verdict == "sound")
  }

  @Test("the operations of a transaction are applied together or not at all") func transaction() throws {
    let two = try TwoStores()
    let made = try two.renameTwo()
    #expect(try two.there.store.apply([made[1]]) == [.parked(why: "tx_incomplete")])
    #expect(try two.there.store.value("surname", "Student", "12") == .text("O'Brien"))
    try two.there.store.apply([made[0]])
    #expect(try two.there.store.value("surname", "Student", "12") == .text("B"))
  }

  @Test("what is refused of a transaction waits for nothing, also where the rest never comes") func refusedPart() throws
  {
    let two = try TwoStores()
    let made = try two.renameTwo()
    #expect(try two.there.store.apply([made[0]], rejected: [made[0].id]) == [.refused(why: "rejected")])
    let diagnosis = try two.there.examine()
    #expect(diagnosis.failures.allSatisfy { $0.hasPrefix("outbox:") } && diagnosis.result("parked") != .warning)
    #expect(try two.there.store.apply([made[1]]) == [.refused(why: "with_transaction")])
    #expect(try two.there.surname() == .text("Okoro"))
    #expect(try two.there.store.value("surname", "Student", "12") == .text("O'Brien"))
  }

  @Test(
    "what a lead says of two values counts at every store, and of what came since the lead looked nothing is settled")
  func settled() throws {
    let two = try TwoStores()
    let (here, there) = (try two.here.setSurname("Evans"), try two.there.setSurname("Fox"))
    two.here.time.pass(10)
    try two.here.store.apply([there])
    try two.there.store.apply([here])
    let lead = try two.here.store.appoint("adavies")
    let found = try #require(try two.here.store.read { try Contradiction.all(in: $0) }.first)
    #expect(Set(found.choices.map(\.id)) == [here.id, there.id] && found.choices.count { $0.isStanding } == 1)
    #expect(try two.there.store.read { try Contradiction.find(here.row, in: $0) }?.choices == found.choices)
    let late = try two.there.setSurname("Gray")
    try two.here.store.apply([late])
    @discardableResult func settle(_ contradiction: Contradiction, for choice: OperationID) throws -> String {
      try two.here.store.write(Author(staff: lead.member.id)) {
        try contradiction.settle(for: choice, reason: "as in the passport", by: lead, $0)
      }
    }
    #expect(throws: RulingRefusal.changedMeanwhile) { try settle(found, for: here.id) }
    let now = try #require(try two.here.store.read { try Contradiction.find(here.row, in: $0) })
    let right = try #require(now.choices.first { $0.id != late.id })
    let before = try two.here.surname()
    let key = try settle(now, for: right.id)
    try two.there.store.apply([try #require(try two.here.store.operations().last)])
    for test in [two.here, two.there] {
      #expect(try test.store.read { try Contradiction.all(in: $0) } == [])
      #expect(try test.surname() == right.fields["surname"])
      #expect(try test.examine().failures == [])
    }
    // Withdrawn, the same values stand again everywhere, by whom and when they were set, and the same one counts.
    func withdraw(_ key: String, _ test: TestStore) throws {
      try test.store.write(Author(staff: lead.member.id)) {
        try Rulings.withdraw(key, reason: "the passport of another", by: lead, $0)
      }
    }
    let count = try two.here.store.operations().count
    try withdraw(key, two.here)
    try two.there.store.apply(try two.here.store.operations(after: count).reversed())
    for test in [two.here, two.there] {
      let again = try #require(try test.store.read { try Contradiction.find(here.row, in: $0) })
      #expect(again.choices.map(\.fields) == now.choices.map(\.fields))
      #expect(again.choices.map(\.staff) == now.choices.map(\.staff))
      #expect(again.choices.map(\.time) == now.choices.map(\.time))
      #expect(try test.surname() == before && test.store.read { try Settlement.all(in: $0) } == [])
      #expect(try test.examine().failures == [])
      #expect(throws: RulingRefusal.unknown(key)) { try withdraw(key, test) }
    }
    // A value that was set again since is not changed by that.
    let third = try #require(try two.here.store.read { try Contradiction.find(here.row, in: $0) })
    let last = try settle(third, for: try #require(third.choices.last).id)
    _ = try two.here.setSurname("Hill")
    #expect(throws: RulingRefusal.setSince) { try withdraw(last, two.here) }
    #expect(try two.here.surname() == .text("Hill"))
  }

  @Test(
    "a damaged store in which settled values lead back to themselves, or to no entity, is read to its end",
    .timeLimit(.minutes(15)))
  func settledInCircle() throws {
    let two = try TwoStores()
    let (here, there) = (try two.here.setSurname("Evans"), try two.there.setSurname("Fox"))
    try two.here.store.apply([there])
    let lead = try two.here.store.appoint("adavies")
    func settle() throws -> String {
      try two.here.store.write(Author(staff: lead.member.id)) {
        let standing = try #require(try Contradiction.find(here.row, in: $0.db))
        return try standing.settle(for: standing.choices[0].id, reason: "seen", by: lead, $0)
      }
    }
    let first = try settle()
    try two.here.store.write(Author(staff: lead.member.id)) {
      try Rulings.withdraw(first, reason: "not so", by: lead, $0)
    }
    // A value that was brought back says where it came from; now that one says the same.
    try two.here.store.write(.program) {
      for operation in [here, there] {
        try $0.db.execute(
          sql: """
            UPDATE operation SET kind = 'ruling', body = (SELECT body FROM operation WHERE kind = 'ruling'
              AND instr(body, CAST('"undo"' AS BLOB)) AND instr(body, CAST(? AS BLOB))) WHERE id = ?
            """, arguments: [operation == here ? "Evans" : "Fox", operation.id.description])
      }
    }
    #expect(try two.here.store.read { try Contradiction.find(here.row, in: $0) }?.choices.count == 2)
    let second = try settle()
    #expect(try two.here.store.read { try Settlement.all(in: $0) }.contains { $0.key == second })
    try two.here.store.write(.program) {
      try $0.db.execute(sql: "UPDATE operation SET entity = 'Nothing' WHERE id = ?", arguments: [second])
    }
    #expect(try two.here.store.read { try Settlement.all(in: $0) }.contains { $0.key == second } == false)
  }

  @Test("edits that did not know of each other are both kept, wherever they come from, until a person rules")
  func forks() throws {
    let two = try TwoStores()
    let (here, there) = (try two.here.setSurname("Evans"), try two.there.setSurname("Fox"))
    two.here.time.pass(10)
    try two.here.store.apply([there])
    try two.there.store.apply([here])
    for test in [two.here, two.there] {
      #expect(try test.store.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM fork") } == 1)
      #expect(try test.examine().failures == [])
    }
    #expect(try two.here.surname() == two.there.surname())
    let ruling = try two.here.store.write(.program) {
      try $0.set(
        "Student", "11", ["surname": .text("Gray")], shown: ["surname": [here.id, there.id].sorted()], kind: .ruling)
    }
    try two.there.store.apply(try two.here.store.operations().filter { $0.id == ruling })
    for test in [two.here, two.there] {
      #expect(try test.store.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM fork") } == 0)
      #expect(try test.surname() == .text("Gray"))
    }
  }

  @Test("two times of one thing contradict nothing: the later change stands, everywhere the same") func times() throws {
    let two = try TwoStores()
    let changes = try [two.here, two.there].enumerated().map { place, test in
      try test.store.write(.program) {
        try $0.set("TimetableAttendanceLog", SmallExam.entry(1), ["lateAt": .integer(Int64(1000 + place))])
      }
      return try #require(try test.store.operations().last)
    }
    two.here.time.pass(10)
    try two.here.store.apply([changes[1]])
    try two.there.store.apply([changes[0]])
    let values = try [two.here, two.there].map { test in
      #expect(try test.store.read { try Contradiction.all(in: $0) } == [])
      #expect(try test.store.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM fork") } == 0)
      #expect(try test.examine().failures == [])
      return try test.store.read {
        try Int.fetchOne(
          $0, sql: "SELECT lateAt FROM timetableAttendanceLog WHERE uuid = ?", arguments: [SmallExam.entry(1)])
      }
    }
    #expect(values[0] == values[1] && values[0] != nil)
  }

  @Test("an edit of a value that a faster clock has set is later than it all the same") func fastClock() throws {
    let two = try TwoStores()
    two.there.time.setWall(TestClock.start + 3_600_000)
    let fast = try TestStore(now: TestClock.start + 3_600_000)
    try fast.store.apply(two.here.store.operations())
    let theirs = try fast.setSurname("Evans")
    try two.here.store.apply([theirs])
    let mine = try two.here.setSurname("Fox")
    #expect(mine.hlc > theirs.hlc)
    #expect(try fast.store.apply([mine]) == [.applied])
    #expect(try fast.surname() == .text("Fox"))
  }

  @Test("a mark that a deletion had not seen brings the row back, in either order") func revived() throws {
    for deletesFirst in [true, false] {
      let two = try TwoStores()
      let count = try two.there.store.operations().count
      try two.there.store.write(.program) {
        _ = try $0.set("TimetableAttendanceLog", SmallExam.entry(1), ["present": .bool(true)])
      }
      let mark = try two.there.store.operations(after: count)
      let before = try two.here.store.operations().count
      try two.here.store.write(.program) { _ = try $0.delete("Timetable", "1") }
      let delete = try two.here.store.operations(after: before)
      let third = try TestStore()
      try third.store.apply(try two.here.store.operations().dropLast(1).map { $0 })
      try third.store.apply(deletesFirst ? delete : mark)
      #expect(try third.store.value("dsDeleted", "Timetable", "1") == .bool(deletesFirst))
      try third.store.apply(deletesFirst ? mark : delete)
      #expect(try third.store.value("dsDeleted", "Timetable", "1") == .bool(false))
      #expect(try third.examine().failures == [])
    }
  }

  @Test("what the hub rejected counts for nothing, before it comes and after, and what it replaced stands again")
  func rejected() throws {
    for isHereBefore in [true, false] {
      let two = try TwoStores()
      let (first, second) = (try two.here.setSurname("Evans"), try two.here.setSurname("Fox"))
      if isHereBefore { try two.there.store.apply([first, second]) }
      let seen = try two.there.store.lastSequence()
      try two.there.store.apply([], rejected: [second.id])
      if isHereBefore {
        #expect(try two.there.store.changes(since: seen).rows == [RowKey(entity: "Student", id: "11")])
      }
      #expect(try two.there.store.apply([first, second]) == [.applied, .refused(why: "rejected")])
      #expect(try two.there.surname() == .text("Evans"))
      try two.here.store.apply([], rejected: [second.id])
      #expect(try two.here.surname() == .text("Evans"))
      for test in [two.here, two.there] { #expect(try test.examine().failures.map { $0.prefix(7) } == ["outbox:"]) }
    }
  }

  @Test("two versions of one operation are both refused, and nothing else") func versions() throws {
    let two = try TwoStores()
    let genuine = try two.here.setSurname("Evans")
    let other = Operation.seal(
      id: genuine.id, device: genuine.device, deviceSeq: genuine.deviceSeq, tx: genuine.tx, kind: .set,
      row: genuine.row, body: OperationBody(fields: ["surname": .text("Forged")]), hlc: genuine.hlc, wallTime: 0,
      schema: 1, prevHash: genuine.prevHash)
    try two.there.store.apply([genuine])
    #expect(try two.there.store.apply([other]) == [.refused(why: "two_versions")])
    #expect(try two.there.surname() == .text("Okoro"))
    #expect(try two.there.examine().failures.map { $0.prefix(7) } == ["outbox:"])
  }

  @Test("each of many values that are set beside each other is opened once") func manyHeads() throws {
    func statements(_ size: Int) throws -> Int {
      let two = try TwoStores()
      var tip = ChainTip(device: .random(), deviceSeq: 0, hash: Operation.genesisHash)
      let operations = (0..<size).map { number in
        let operation = Operation.seal(
          id: .v7(milliseconds: TestClock.start), device: tip.device, deviceSeq: tip.deviceSeq + 1, tx: .random(),
          kind: .set, row: RowKey(entity: "Student", id: "11"),
          body: OperationBody(fields: ["surname": .text("Evans \(number)")]),
          hlc: HybridTime(raw: (TestClock.start << 16) + Int64(number)), wallTime: 0, schema: 1, prevHash: tip.hash)
        tip = operation.tip
        return operation
      }
      var count = 0
      try two.there.store.merge { merge in
        merge.db.trace { _ in count += 1 }
        defer { merge.db.trace() }
        for operation in operations { _ = try merge.receive(operation) }
      }
      let heads = try two.there.store.read { try RowTable.of("Student").heads(of: "11", in: $0) }
      #expect(heads?["surname"].count == size + 1)
      return count
    }
    #expect(try statements(400) < 16 * statements(50))
  }

  @Test("what was changed on the way, or contradicts its chain, is not kept") func damaged() throws {
    let two = try TwoStores()
    let genuine = try two.here.setSurname("Evans")
    let fork = Operation.seal(
      id: .v7(milliseconds: 1), device: genuine.device, deviceSeq: genuine.deviceSeq - 1, tx: .random(), kind: .set,
      row: genuine.row, body: OperationBody(fields: ["surname": .text("Forged")]), hlc: genuine.hlc, wallTime: 0,
      schema: 1, prevHash: genuine.prevHash)
    let unsigned = Operation(
      id: genuine.id, device: genuine.device, deviceSeq: genuine.deviceSeq, tx: genuine.tx, txIndex: 0, txSize: 1,
      kind: genuine.kind, row: genuine.row, sealedBody: genuine.sealedBody, bodyHash: genuine.bodyHash,
      hlc: genuine.hlc, wallTime: genuine.wallTime + 1, clockError: genuine.clockError, examTime: nil,
      staff: genuine.staff, sitting: nil, headerReason: nil, schema: genuine.schema, prevHash: genuine.prevHash,
      hash: genuine.hash)
    #expect(try two.there.store.apply([fork, unsigned, genuine]) == [.damaged(.fork), .damaged(.hash), .applied])
    #expect(try two.there.surname() == .text("Evans"))
  }

  @Test(
    "a number that no device's chain can have is damage, and stops nothing else",
    arguments: [.min, .min + 1, -1, 0, .max - 1, .max] as [Int64])
  func number(deviceSeq: Int64) throws {
    let two = try TwoStores()
    let genuine = try two.here.setSurname("Evans")
    let impossible = Operation.seal(
      id: .v7(milliseconds: 1), device: .random(), deviceSeq: deviceSeq, tx: .random(), kind: .set, row: genuine.row,
      body: OperationBody(fields: ["surname": .text("Forged")]), hlc: genuine.hlc, wallTime: 0, staff: 1, schema: 1,
      prevHash: Operation.genesisHash)
    #expect(try two.there.store.apply([impossible, genuine]) == [.damaged(.fork), .applied])
    #expect(try two.there.surname() == .text("Evans"))
    #expect(try two.there.examine().failures == [])
  }

  @Test("what no reader could make sense of is refused at the door and stops nothing else") func door() throws {
    let two = try TwoStores()
    let device = UUIDBytes.random()
    var tip = ChainTip(device: device, deviceSeq: 0, hash: Operation.genesisHash)
    func made(_ entity: String, _ key: String, _ fields: [String: Value], hlc: Int64 = TestClock.start)
      -> Journal.Operation
    {
      let operation = Operation.seal(
        id: .v7(milliseconds: TestClock.start), device: device, deviceSeq: tip.deviceSeq + 1, tx: .random(), kind: .set,
        row: RowKey(entity: entity, id: key), body: OperationBody(fields: fields),
        hlc: HybridTime(raw: hlc << 16), wallTime: 0, schema: 1, prevHash: tip.hash)
      tip = operation.tip
      return operation
    }
    let operations = [
      made("Horse", "1", ["name": .text("x")]), made("Student", "11", ["shoe": .text("x")]),
      made("Student", "11", ["surname": .integer(1)]), made("RatingQuestion", "x", ["rating": .integer(.max)]),
      made("Operation", "1", ["kind": .text("x")]), made("Student", "one", ["surname": .text("x")]),
      made("Staff", "11", ["surname": .text("x")]), made("Student", "11", ["surname": .text("a\u{0}b")]),
      made("Student", "11", ["surname": .text("Later")], hlc: TestClock.start + 26 * 3_600_000),
      made("DataForm", "x", ["signedAt": .integer(.min)]), made("SlotTable", "x", ["places": .text(#"["abc"]"#)]),
      made("Student", "2147483648", ["surname": .text("x")]), made("Student", "12", ["surname": .text("Evans")]),
    ]
    let arrivals = try two.there.store.apply(operations)
    #expect(
      arrivals == [
        "unknown", "unknown", "value_type", "value_type", "unknown", "unknown", "unknown", "value_type", "clock_ahead",
        "value_type", "value_type", "unknown",
      ]
      .map { .refused(why: $0) } + [.applied])
    #expect(try two.there.store.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM fork") } == 1)
    #expect(try two.there.examine().failures.map { $0.prefix(7) } == ["outbox:"])
    #expect(try two.there.examine().result("refused") == .warning)
  }

  @Test("what replaces a value that was let in from a clock far ahead counts; what only is as far ahead does not")
  func afterAhead() throws {
    let two = try TwoStores()
    two.here.time.pass(48 * 3_600_000)
    let ahead = try two.here.setSurname("Evans")
    #expect(try two.there.store.apply([ahead]) == [.refused(why: "clock_ahead")])
    try two.there.store.merge { try $0.admit(ahead.id) }
    #expect(try two.there.surname() == .text("Evans"))
    func next(_ key: String, _ replaces: [String: [OperationID]]) -> Journal.Operation {
      Operation.seal(
        id: .v7(milliseconds: TestClock.start), device: .random(), deviceSeq: 1, tx: .random(), kind: .set,
        row: RowKey(entity: "Student", id: key),
        body: OperationBody(fields: ["surname": .text("Fox")], replaces: replaces),
        hlc: HybridTime(raw: ahead.hlc.raw + 1), wallTime: 0, schema: 1, prevHash: Operation.genesisHash)
    }
    let arrivals = try two.there.store.apply([next("11", ["surname": [ahead.id]]), next("12", [:])])
    #expect(arrivals == [.applied, .refused(why: "clock_ahead")])
    #expect(try two.there.surname() == .text("Fox"))
  }

  @Test("rows that come before those that they name, and rows without what they need, are stored and read")
  func incomplete() throws {
    let whole = try TestStore()
    try whole.loadSmallExam()
    let all = try whole.store.operations()
    let test = try TestStore()
    // One transaction of an import comes whole or not at all: here each row comes alone and in the wrong order.
    let device = UUIDBytes.random()
    var tip = ChainTip(device: device, deviceSeq: 0, hash: Operation.genesisHash)
    for one in all.reversed() {
      let body = try #require(try one.body())
      let fields = one.row.entity == "ActivityType" ? body.fields.filter { $0.key != "name" } : body.fields
      let alone = Operation.seal(
        id: .v7(milliseconds: TestClock.start), device: device, deviceSeq: tip.deviceSeq + 1, tx: .random(),
        kind: one.kind, row: one.row, body: OperationBody(fields: fields), hlc: one.hlc, wallTime: 0, schema: 1,
        prevHash: tip.hash)
      tip = alone.tip
      #expect(try test.store.apply([alone]) == [.applied])
      _ = try StatusReport.read(test.store)
    }
    #expect(try test.store.read { try StationSession.all(in: $0) }.count == 2)
    #expect(try test.examine().failures == [])
  }

  @Test("content that was not sent is awaited or not, and never takes away what is here; one that comes later counts")
  func stubs() throws {
    for absent in AbsentContent.allCases where absent != .erased {
      let two = try TwoStores()
      let change = try two.here.setSurname("Evans")
      #expect(try two.there.store.apply([change.withoutBody(because: absent)]) == [.applied])
      #expect(try two.there.surname() == .text("Okoro"))
      #expect(try two.there.store.operations(of: change.device).last?.absent == absent)
      #expect(try two.there.examine().failures == [])
      // Others have not seen it either, and go on from what it names.
      let next = try two.here.setSurname("Fox")
      #expect(try two.there.store.apply([next]) == [.applied])
      #expect(try two.there.surname() == .text("Fox"))
      try two.there.store.apply([change])
      let isHere = try two.there.store.operations(of: change.device).dropLast().last?.sealedBody != nil
      #expect(isHere == (absent == .scope))
      #expect(try two.there.surname() == .text("Fox"))
      #expect(try two.there.examine().failures == [])
      try two.here.store.apply([change.withoutBody(because: absent)])
      #expect(try two.here.store.operations().contains { $0 == change })
    }
  }

  @Test("an operation of a schema that is not known is damage, and stops nothing else") func schema() throws {
    let two = try TwoStores()
    let genuine = try two.here.setSurname("Evans")
    for schema in [0, 3, -1] {
      let other = Operation.seal(
        id: .v7(milliseconds: 1), device: .random(), deviceSeq: 1, tx: .random(), kind: .set, row: genuine.row,
        body: OperationBody(fields: ["surname": .text("Forged")]), hlc: genuine.hlc, wallTime: 0, staff: 1,
        schema: schema, prevHash: Operation.genesisHash)
      #expect(try two.there.store.apply([other, genuine]) == [.damaged(.hash), .applied])
    }
    #expect(try two.there.examine().failures == [])
  }

  @Test("a body that is destroyed counts for nothing any more, and what it replaced stands again") func erased() throws
  {
    let two = try TwoStores()
    let change = try two.here.setSurname("Evans")
    try two.there.store.apply([change])
    try two.there.store.apply([change.withoutBody()])
    #expect(try two.there.surname() == .text("Okoro"))
    #expect(try two.there.examine().failures.map { $0.prefix(9) } == ["erasures:"])
    let end = try two.here.store.read { try ChainEnd.read($0, device: two.here.store.device) }
    let erasure = Operation.seal(
      id: .v7(milliseconds: TestClock.start), device: two.here.store.device, deviceSeq: end.sequence + 1, tx: .random(),
      kind: .erase, row: change.row, body: OperationBody(replaces: [OperationBody.erased: [change.id]]),
      hlc: HybridTime(raw: end.time.raw + 1), wallTime: 0, schema: 1, prevHash: end.hash)
    #expect(try two.there.store.apply([erasure]) == [.applied])
    #expect(try two.there.examine().failures == [])
  }
}

extension StatusReport {
  fileprivate static func read(_ store: ExamStore) throws -> StatusReport { try store.read { try read($0) } }
}
