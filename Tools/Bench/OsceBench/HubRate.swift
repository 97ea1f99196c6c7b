import ArgumentParser
import ExamStore
import Foundation
import GRDB
import Hub
import HubPostgres
import Journal
import Rig
import Sync
import Synchronization

/// How many operations a second go through `/v1/sync` into the hub's database, beside a plain batch insert of the same rows.
struct HubRate: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "hub", abstract: "Operations a second through /v1/sync, and by a plain insert of the same rows.")

  @Option(help: "How many devices push at once.")
  var devices = 8

  @Option(help: "How many operations each of them pushes.")
  var operations = 4000

  @Option(help: "How many operations a push has.")
  var batch = 500

  @Option(help: "How often both are measured, in turn.")
  var rounds = 3

  @Option(help: "An empty PostgreSQL database to push into instead; there is no plain insert beside it then.")
  var postgres: String?

  func run() throws {
    let outcome = Mutex<Result<Void, any Error>?>(nil)
    let ended = DispatchSemaphore(value: 0)
    Task.detached {
      let result: Result<Void, any Error>
      do { result = .success(try await measure()) } catch { result = .failure(error) }
      outcome.withLock { $0 = result }
      ended.signal()
    }
    ended.wait()
    try outcome.withLock { $0 }?.get()
  }

  private func measure() async throws {
    if let postgres {
      let hub = try await push(prepare(try await PostgresDatabase(address: postgres), postgres))
      return print("/v1/sync into PostgreSQL: \(Int(hub)) operations/s, \(devices) devices, \(batch) operations a push")
    }
    var rates: [(hub: Double, plain: Double)] = []
    for _ in 0..<rounds {
      let folder = try ScratchFolder(in: "/var/tmp")
      defer { folder.remove() }
      let path = folder.path + "/hub.sqlite"
      let pushes = try await prepare(try SQLiteDatabase(path: path), path)
      let hub = try await push(pushes)
      let plain = try insert(folder.path)
      rates.append((hub, plain))
      print("  /v1/sync \(Int(hub)) operations/s, plain insert \(Int(plain)) rows/s: \(percent(hub / plain))")
    }
    let middle = rates.map { $0.hub / $0.plain }.sorted()[rates.count / 2]
    print("median \(percent(middle)) of the plain insert, \(devices) devices, \(batch) operations a push")
  }

  private func percent(_ share: Double) -> String { String(format: "%.0f %%", share * 100) }

  private struct Pushes: Sendable {
    let hub: Hub
    let path: String
    /// The requests of each device, in their order, as bytes.
    var requests: [[WireRequest]] = []
    let count: Int
  }

  private func prepare(_ database: any HubDatabase, _ path: String) async throws -> Pushes {
    let hub = Hub(database, version: "bench", limitsRates: false)
    let exam = UUIDBytes.random()
    try await hub.makeExam(exam, named: "bench", device: .random())
    var pushes = Pushes(hub: hub, path: path, count: devices * operations)
    for number in 0..<devices {
      let device = UUIDBytes.random()
      try await hub.keep(code: "CODE\(number)", for: .station, in: exam)
      let asked = EnrolRequest(
        code: "CODE\(number)", device: device, name: "bench",
        tip: ChainTip(device: device, deviceSeq: 0, hash: Journal.Operation.genesisHash), schema: 2)
      let answer = try EnrolAnswer.decode(
        await hub.answer(WireRequest(.post, "/v1/enrol", body: asked.encoded)).body)
      let chain = chain(of: device)
      var requests: [WireRequest] = []
      for start in stride(from: 0, to: chain.count, by: batch) {
        let part = chain[start..<min(start + batch, chain.count)]
        let sync = SyncRequest(
          device: device, cursor: LogCursor(epoch: answer.exam.epoch, seq: 0), hash: LogHash.start(of: exam).hash,
          marks: [], tip: chain[chain.count - 1].tip, operations: part.map { WireOperation($0) }, limit: 0, held: 0)
        requests.append(WireRequest(.post, "/v1/sync", token: answer.token, body: sync.encoded))
      }
      pushes.requests.append(requests)
    }
    return pushes
  }

  /// Marks as a station makes them: each item is marked, some twice.
  private func chain(of device: UUIDBytes) -> [Journal.Operation] {
    var generator = SystemRandomNumberGenerator()
    var (hash, chain, heads) = (Journal.Operation.genesisHash, [Journal.Operation](), [String: OperationID]())
    let start = Int64(Date().timeIntervalSince1970 * 1000)
    for number in 1...Int64(operations) {
      let item = "\(device)-\(number * 7 / 8)"
      let operation = Journal.Operation.seal(
        id: .v7(milliseconds: start + number, using: &generator), device: device, deviceSeq: number,
        tx: .random(using: &generator), kind: .set, row: RowKey(entity: "RatingQuestion", id: item),
        body: OperationBody(
          fields: [
            "rating": .integer(3_000_000), "markedAt": .integer(start + number), "source": .text("screen"),
            "unable": .bool(false),
          ], replaces: heads[item].map { ["rating": [$0], "markedAt": [$0], "source": [$0], "unable": [$0]] } ?? [:]),
        hlc: HybridTime(raw: (start + number) << 16), wallTime: start + number, staff: 7, schema: 2, prevHash: hash,
        using: &generator)
      heads[item] = operation.id
      (hash, chain) = (operation.hash, chain + [operation])
    }
    return chain
  }

  private func push(_ pushes: Pushes) async throws -> Double {
    let start = ContinuousClock.now
    let hub = pushes.hub
    let refused = await withTaskGroup(of: Int.self) { group in
      for requests in pushes.requests {
        group.addTask {
          var refused = 0
          for request in requests where await hub.answer(request).status != 200 { refused += 1 }
          return refused
        }
      }
      return await group.reduce(0, +)
    }
    if refused > 0 { throw RigError("pushes were refused") }
    return Double(pushes.count) / ((ContinuousClock.now - start) / .seconds(1))
  }

  /// The rows that the pushes left, copied into empty tables of the same form, a batch a durable transaction.
  private func insert(_ folder: String) throws -> Double {
    let queue = try DatabaseQueue(path: folder + "/plain.sqlite")
    _ = try SQLiteDatabase(path: folder + "/empty.sqlite")
    try queue.inDatabase { db in
      try db.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL")
      try db.execute(sql: "ATTACH '\(folder)/hub.sqlite' AS hub")
      for sql in try String.fetchAll(
        db, sql: "SELECT sql FROM hub.sqlite_master WHERE sql IS NOT NULL AND tbl_name IN ('op', 'log', 'head')")
      {
        try db.execute(sql: sql)
      }
    }
    let rows = try queue.inDatabase { db in
      try ["op", "log", "head"].map { name in
        (name, try Row.fetchAll(db, sql: "SELECT * FROM hub.\(name)").map { Array($0.databaseValues) })
      }
    }
    let count = rows[0].1.count
    let start = ContinuousClock.now
    for place in stride(from: 0, to: count, by: batch) {
      try queue.inTransaction { db in
        for (name, values) in rows where place < values.count {
          let marks = Array(repeating: "?", count: values[0].count).joined(separator: ", ")
          let statement = try db.cachedStatement(sql: "INSERT INTO \(name) VALUES (\(marks))")
          let end =
            name == "head"
            ? min(values.count, (place + batch) * values.count / count + 1) : min(values.count, place + batch)
          let begin = name == "head" ? (place == 0 ? 0 : min(values.count, place * values.count / count + 1)) : place
          for row in values[begin..<max(begin, end)] { try statement.execute(arguments: StatementArguments(row)) }
        }
        return .commit
      }
    }
    return Double(count) / ((ContinuousClock.now - start) / .seconds(1))
  }
}
