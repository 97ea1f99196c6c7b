import ExamStore
import Foundation
import Journal
import PostgresTesting
import Sync
import Testing

@testable import Hub
@testable import HubPostgres

@Suite("Several hubs on one PostgreSQL", .enabled(if: PostgresServer.isInstalled))
struct SeveralHubsTests {
  @Test("number what many devices bring at once without gaps, each operation once, and give the same pages")
  func concurrent() async throws {
    let one = try await TestHub(on: .postgres)
    let hubs = [one, try await TestHub(beside: one), try await TestHub(beside: one)]
    let (devices, rounds, size) = (12, 6, 5)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for index in 0..<devices {
        group.addTask {
          let device = try await hubs[index % 3].enrol(seed: UInt64(100 + index))
          for round in 0..<rounds {
            // The next hub gets the request again, as if the answer had been lost.
            let batch = (0..<size).map { device.make(Rows.item(index * 100 + $0), ["rating": .integer(Int64(round))]) }
            let request = WireRequest(.post, "/v1/sync", token: device.token, body: device.request(batch).encoded)
            let (near, far) = (hubs[(index + round) % 3], hubs[(index + round + 1) % 3])
            async let first = near.hub.answer(request)
            async let second = far.hub.answer(request)
            let answers = try await [SyncAnswer.decode(first.body), SyncAnswer.decode(second.body)]
            #expect(answers[0].results.map(\.hubSeq) == answers[1].results.map(\.hubSeq))
            #expect(answers.count { $0.results.allSatisfy(\.isDuplicate) } == 1)
          }
        }
      }
      try await group.waitForAll()
    }
    let all = devices * rounds * size
    let numbers = try await one.rows("SELECT seq FROM log WHERE exam = ? ORDER BY seq").map { try $0.integer(0) }
    #expect(numbers == Array(1...Int64(all)))
    #expect(try await one.rows("SELECT DISTINCT id FROM op WHERE exam = ?").count == all)
    var pages: [[LogEntry]] = []
    for hub in hubs {
      let reader = try await hub.enrol(.lead, seed: 200 + UInt64(pages.count))
      pages.append(try await reader.pullAll(limit: 70))
      #expect(try await hub.hub.examine(hub.exam).isEmpty)
    }
    #expect(pages[0].count == all && pages.allSatisfy { $0.map(\.short) == pages[0].map(\.short) })
    let exports = [try await hubs[0].exported(), try await hubs[1].exported(), try await hubs[2].exported()]
    #expect(exports[0] == exports[1] && exports[1] == exports[2])
  }

  @Test("know at once of what another did: places, revocations, the end of a filling") func shared() async throws {
    let one = try await TestHub(on: .postgres, isFilling: true)
    let two = try await TestHub(beside: one)
    let a = try await one.enrol(seed: 1)
    a.hub = two
    #expect(try await a.send(a.request([a.make(Rows.item(1), ["rating": .integer(1)])], limit: 0)).said == ["applied"])
    try await one.hub.endFilling(one.exam)
    guard case .cursor(let epoch, _, _, _)? = await a.refusal(a.request()) else {
      Issue.record("the other hub does not know of the new run")
      return
    }
    a.epoch = epoch
    #expect(try await a.sync().results.isEmpty)
    try await one.hub.revoke(a.id, in: one.exam)
    #expect(await a.refusal(a.request()) == .revoked)
  }

  @Test("wake who waits at one when another has taken something") func doorbell() async throws {
    let one = try await TestHub(on: .postgres)
    let two = try await TestHub(beside: one)
    let (a, b) = (try await one.enrol(seed: 1), try await two.enrol(seed: 2))
    // The look from time to time does not help within this test.
    let watch = Task { await two.hub.watch(every: .seconds(3600)) }
    let ask = WireRequest(.get, "/v1/wait", query: ["cursor": "\(b.epoch):0", "t": "50"], token: b.token)
    async let told = two.hub.answer(ask)
    await two.untilSomebodyWaits()
    // The first may come before the doorbell is there.
    while two.hub.bell.count > 0 {
      try await a.sync([a.make(Rows.item(1), ["rating": .integer(1)])])
      try await Task.sleep(for: .milliseconds(50))
    }
    #expect(await told.status == 200)
    watch.cancel()
    await watch.value
  }

  @Test("do not believe what a log once was: a wait ends at once only for what is there") func shorterLog()
    async throws
  {
    let one = try await TestHub(on: .postgres)
    let a = try await one.enrol(seed: 1)
    one.hub.bell.ring(one.exam, head: 900)
    let ask = WireRequest(.get, "/v1/wait", query: ["cursor": "\(a.epoch):0", "t": "1"], token: a.token)
    #expect(await one.hub.answer(ask).status == 204)
  }

  @Test("go on when their connections were cut; what was under way is told to come again, and nothing of it is there")
  func cut() async throws {
    let one = try await TestHub(on: .postgres)
    let a = try await one.enrol(seed: 1)
    let address = one.address
    let cutAll: @Sendable () throws -> Void = {
      try PostgresServer.run(
        """
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid()
        """, at: address)
    }
    #expect(try await a.sync([a.make(Rows.item(1), ["rating": .integer(1)])]).said == ["applied"])
    try cutAll()
    #expect(try await a.sync([a.make(Rows.item(2), ["rating": .integer(1)])]).said == ["applied"])
    do {
      try await one.database.write(weight: 1) { connection in
        try connection.run("UPDATE exam SET name = 'half'", [])
        try cutAll()
        try connection.run("UPDATE exam SET head = 7", [])
      }
      Issue.record("a cut connection was not noticed")
    } catch let fault as PostgresFault {
      #expect(fault.answer == .notReady(after: 1) && !fault.description.contains("\n"), "\(fault)")
    }
    #expect(try await one.rows("SELECT name FROM exam WHERE exam = ?")[0].text(0) == "Year 3")
    #expect(try await a.sync([a.make(Rows.item(3), ["rating": .integer(1)])]).said == ["applied"])
  }

  @Test("hear with what they ask next that something begun went wrong, and nothing of the change is there")
  func begun() async throws {
    let one = try await TestHub(on: .postgres)
    let a = try await one.enrol(seed: 1)
    let head: [HubValue] = ["RatingQuestion", "item-1", "rating", "twice"].map { .text($0) }
    let exam = HubValue(one.exam)
    do {
      try await one.database.write(weight: 1) { connection in
        try connection.begin(HeldTable.heads.insert, of: exam, [head])
        try connection.begin(HeldTable.heads.insert, of: exam, [head])
        try connection.run("UPDATE exam SET name = 'half'", [])
      }
      Issue.record("a row went in twice")
    } catch let fault as PostgresFault {
      #expect(!fault.description.contains("\n"), "\(fault)")
    }
    #expect(try await one.rows("SELECT name FROM exam WHERE exam = ?")[0].text(0) == "Year 3")
    #expect(try await one.rows("SELECT id FROM head WHERE exam = ?").isEmpty)
    #expect(try await a.sync([a.make(Rows.item(1), ["rating": .integer(1)])]).said == ["applied"])
  }

  @Test("put off who would have to wait for too long for another's change of the same exam, and no other exam's")
  func busy() async throws {
    let one = try await TestHub(on: .postgres)
    let a = try await one.enrol(seed: 1)
    let other = UUIDBytes(high: 5, low: 5)
    try await one.hub.makeExam(other, named: "Other", device: .random())
    let (held, holds) = AsyncStream<Never>.makeStream()
    let mayEnd = DispatchSemaphore(value: 0)
    async let holding: Void = one.database.write(weight: 1) { [exam = one.exam] connection in
      try connection.hold(exam)
      holds.finish()
      mayEnd.wait()
    }
    for await _ in held {}
    try await one.hub.keep(code: "OTHER", for: .station, in: other)
    try await one.hub.beginAnew(other)
    #expect(await a.refusal(a.request()) == .notReady(after: 1))
    mayEnd.signal()
    try await holding
    #expect(try await a.sync().results.isEmpty)
  }

  @Test("do not wait longer than in any change for a table that they bring up to date") func heldTable() async throws {
    let one = try await TestHub(on: .postgres)
    try await one.database.write(weight: 1) { connection in
      try connection.run("ALTER TABLE exam DROP COLUMN importing", [])
      try connection.run("UPDATE hub SET version = 3 WHERE one = 1", [])
    }
    let (held, holds) = AsyncStream<Never>.makeStream()
    let mayEnd = DispatchSemaphore(value: 0)
    async let holding: Void = one.database.write(weight: 1) { connection in
      _ = try connection.rows("SELECT exam FROM exam")
      holds.finish()
      mayEnd.wait()
    }
    for await _ in held {}
    let began = ContinuousClock.now
    await #expect(throws: PostgresFault.self) { _ = try await PostgresDatabase(address: one.address) }
    #expect(began.duration(to: .now) < .seconds(15))
    mayEnd.signal()
    try await holding
    try await PostgresDatabase(address: one.address).close()
  }

  @Test("take the time from the server, so that they agree") func time() async throws {
    let one = try await TestHub(on: .postgres)
    // Both clocks are this machine's here.
    let difference = one.database.clock.now() - HubTimeSource.machine.now()
    #expect(abs(difference) < 500)
    #expect(abs(PrimaryTime().now - HubTimeSource.machine.now()) < 500, "the machine's, before the server was asked")
  }

  @Test("say whether they can store, and whether a second machine has what they take where it has to") func ready()
    async throws
  {
    let one = try await TestHub(on: .postgres)
    let ask = WireRequest(.get, "/v1/readyz")
    #expect(await one.hub.answer(ask).status == 200)
    let strict = Hub(one.database, version: "test", requiresStandby: true)
    #expect(await strict.answer(ask).status == 503)
    try PostgresServer.run("DROP TABLE hub", at: one.address)
    #expect(await one.hub.answer(ask).status == 503)
  }

  @Test("make the tables once, and leave a database alone that is another's") func tables() async throws {
    let empty = try PostgresServer.emptyDatabase()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<4 { group.addTask { try await PostgresDatabase(address: empty).close() } }
      try await group.waitForAll()
    }
    let foreign = try PostgresServer.emptyDatabase()
    try PostgresServer.run("CREATE TABLE hub (version bigint)", at: foreign)
    await #expect(throws: PostgresFault.self) { try await PostgresDatabase(address: foreign) }
    try PostgresServer.run("UPDATE hub SET version = 99", at: empty)
    await #expect(throws: PostgresFault.self) { try await PostgresDatabase(address: empty) }
  }

  @Test("find each entry by its number at once, also where the server knows nothing of the exam yet") func pruned()
    async throws
  {
    let one = try await TestHub(on: .postgres)
    let a = try await one.enrol(seed: 1)
    try await a.sync([a.make(Rows.item(1), ["rating": .integer(1)])])
    let plan = try await one.rows(
      """
      EXPLAIN SELECT l.seq, o.id FROM log l LEFT JOIN op o ON o.exam = l.exam AND o.seq = l.seq
      WHERE l.exam = ? AND l.seq > 0 ORDER BY l.seq
      """
    ).map { try $0.text(0) }
    #expect(plan.count { $0.contains(" on op_") || $0.contains(" on log_") } == 2, "one part of each: \(plan)")
    #expect(plan.contains { $0.contains("using op_") && $0.contains("_seq_exam_idx") }, "\(plan)")
    #expect(!plan.contains { $0.contains("Sort") || $0.contains("Filter") }, "\(plan)")
  }
}
