import ArgumentParser
import ExamStore
import Foundation
import GRDB
import Hub
import HubPostgres
import HubRig
import Journal
import Rig
import Sync

/// How many operations a second go through `/v1/sync` into the hub's database, beside a plain batch insert of the same rows.
struct HubRate: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rate", abstract: "Operations a second through /v1/sync, and by a plain insert of the same rows.")

  @Option(help: "How many devices push at once.")
  var devices = 8

  @Option(help: "How many operations each of them pushes.")
  var operations = 4000

  @Option(help: "How many operations a push has.")
  var batch = 500

  @Option(help: "How often both are measured, in turn.")
  var rounds = 3

  @Option(help: "A PostgreSQL database to push into instead.")
  var postgres: String?

  func run() throws { try runBlocking { try await measure() } }

  private func measure() async throws {
    var rates: [(hub: Double, plain: Double)] = []
    for _ in 0..<rounds {
      let rate = if let postgres { try await rateOfPostgres(postgres) } else { try await rateOfSQLite() }
      rates.append(rate)
      let share = percent(rate.hub / rate.plain)
      print("  /v1/sync \(Int(rate.hub)) operations/s, plain insert \(Int(rate.plain)): \(share)")
    }
    let middle = rates.map { $0.hub / $0.plain }.sorted()[rates.count / 2]
    print(
      "median \(percent(middle)) of the plain insert into \(postgres == nil ? "SQLite" : "PostgreSQL"), \(devices) devices, "
        + "\(batch) operations a push")
  }

  private func rateOfSQLite() async throws -> (hub: Double, plain: Double) {
    let folder = try ScratchFolder(in: "/var/tmp")
    defer { folder.remove() }
    let hub = try await push(prepare(try SQLiteDatabase(path: folder.path + "/hub.sqlite")))
    return (hub, try insert(folder.path))
  }

  private func rateOfPostgres(_ address: String) async throws -> (hub: Double, plain: Double) {
    let database = try await PostgresDatabase(address: address)
    let pushes = try await prepare(database)
    let hub = try await push(pushes)
    let plain = try await insert(pushes.exam, database)
    database.close()
    return (hub, plain)
  }

  private func percent(_ share: Double) -> String { String(format: "%.0f %%", share * 100) }

  private struct Pushes: Sendable {
    let hub: Hub
    let exam: UUIDBytes
    /// The requests of each device, in their order, as bytes.
    var requests: [[WireRequest]] = []
    let count: Int
  }

  private func prepare(_ database: any HubDatabase) async throws -> Pushes {
    let hub = Hub(database, version: "bench", limitsRates: false)
    let exam = UUIDBytes.random()
    try await hub.makeExam(exam, named: "bench", device: .random())
    var pushes = Pushes(hub: hub, exam: exam, count: devices * operations)
    for _ in 0..<devices {
      let device = try await BenchDevice(in: exam, of: hub)
      var requests: [WireRequest] = []
      for start in stride(from: 0, to: operations, by: batch) {
        requests.append(device.push(min(batch, operations - start)))
      }
      pushes.requests.append(requests)
    }
    return pushes
  }

  private func push(_ pushes: Pushes) async throws -> Double {
    Double(pushes.count) / (try await pushes.hub.takeAtOnce(pushes.requests))
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
        (
          name,
          try Row.fetchAll(db, sql: "SELECT * FROM hub.\(name)").map {
            Array($0.databaseValues) as [(any DatabaseValueConvertible)?]
          }
        )
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

  /// The same with PostgreSQL: as many rows a statement as it takes arguments, all statements of a batch a transaction.
  private func insert(_ exam: UUIDBytes, _ database: PostgresDatabase) async throws -> Double {
    let tables = ["op", "log", "head"]
    let rows = try await database.read { connection in
      try tables.map { name in
        try connection.fetch("SELECT * FROM \(name) WHERE exam = ?", [.text(exam.description)]).map(\.values)
      }
    }
    _ = try await database.write(weight: 1) { connection in
      for name in tables {
        try connection.run("DROP TABLE IF EXISTS plain_\(name)", [])
        try connection.run("CREATE TABLE plain_\(name) (LIKE \(name) INCLUDING ALL)", [])
      }
    }
    let count = rows[0].count
    let start = ContinuousClock.now
    for place in stride(from: 0, to: count, by: batch) {
      let end = min(count, place + batch)
      try await database.write(weight: batch) { connection in
        for (name, values) in zip(tables, rows) where !values.isEmpty {
          let part = values[place * values.count / count..<end * values.count / count]
          let marks = "(" + Array(repeating: "?", count: values[0].count).joined(separator: ", ") + ")"
          let all = Array(repeating: marks, count: part.count).joined(separator: ", ")
          try connection.run("INSERT INTO plain_\(name) VALUES \(all)", Array(part.joined()))
        }
      }
    }
    return Double(count) / ((ContinuousClock.now - start) / .seconds(1))
  }
}
