import ExamStore
import Journal
import Sync
import Synchronization
import Testing

@testable import Hub

@Suite("The ways to the database and back that a request takes") struct RoundTripTests {
  /// A mark sheet of a section and some marked items, each operation a change of its own as in a hall.
  private func sheet(_ device: TestDevice, _ name: String, items: Int) -> [Journal.Operation] {
    [
      device.make(RowKey(entity: "DataForm", id: "form-\(name)"), ["attendanceLog": .text("entry-12")], staff: 1),
      device.make(RowKey(entity: "DataSection", id: "section-\(name)"), ["dataForm": .text("form-\(name)")], staff: 1),
    ]
      + (2..<items).map { number in
        device.make(
          RowKey(entity: "RatingQuestion", id: "\(name)-\(number)"),
          ["dataSection": .text("section-\(name)"), "rating": .integer(1)], staff: 1)
      }
  }

  /// Other levels in the place of what some operations set on items.
  private func again(_ device: TestDevice, _ marks: [Journal.Operation]) -> [Journal.Operation] {
    marks.filter { $0.row.entity == "RatingQuestion" }.map { mark in
      device.make(mark.row, ["rating": .integer(2)], replacing: ["rating": [mark.id]], staff: 1)
    }
  }

  @Test("are as many for 500 operations as for 50: new sheets, other marks, and both once more")
  func bounded() async throws {
    let hub = try await TestHub(on: .sqlite)
    try await hub.plan()
    let counting = CountingDatabase(hub.database)
    let counted = TestHub(over: counting, of: hub)
    var ways: [String: [Int]] = [:]
    for size in [50, 500] {
      let device = try await hub.enrol(seed: UInt64(size))
      device.hub = counted
      let sheets = stride(from: 0, to: size, by: 50).flatMap { sheet(device, "\(size)-\($0)", items: 50) }
      func count(_ what: String, _ operations: [Journal.Operation], says word: String) async throws {
        counting.begin()
        let said = try await device.sync(operations, limit: 0).said
        ways[what, default: []].append(counting.count)
        #expect(said == Array(repeating: word, count: operations.count), "\(what)")
      }
      try await count("new", sheets, says: "applied")
      try await count("new, sent again", sheets, says: "duplicate of applied")
      let marks = again(device, sheets)
      try await count("marks", marks, says: "applied")
      try await count("marks, sent again", marks, says: "duplicate of applied")
      let more = again(device, Array(marks.prefix(size * 2 / 5)))
      try await count("marks, two on each", more + again(device, more), says: "applied")
    }
    for (what, counts) in ways {
      #expect(counts[1] <= counts[0] + 2 && counts[1] <= 50, "\(what): \(counts)")
    }
    #expect(try await hub.hub.examine(hub.exam).isEmpty)
  }

  @Test("are as many for 500 events of a clock as for 50") func clock() async throws {
    let hub = try await TestHub(on: .sqlite)
    try await hub.plan()
    let counting = CountingDatabase(hub.database)
    let counted = TestHub(over: counting, of: hub)
    var ways: [Int] = []
    for size in [50, 500] {
      let desk = try await hub.enrol(.desk, seed: UInt64(size))
      desk.hub = counted
      let run = desk.make(RowKey(entity: "CircuitRun", id: "run-\(size)"), ["circuit": .integer(1)], staff: 2)
      let events = (1..<size).map { number in
        desk.make(
          RowKey(entity: "ClockEvent", id: "\(size)-\(number)"),
          ["run": .text("run-\(size)"), "at": .integer(desk.time)], staff: 2)
      }
      counting.begin()
      #expect(try await Set(desk.sync([run] + events, limit: 0).said) == ["applied"])
      ways.append(counting.count)
    }
    #expect(ways[1] <= ways[0] + 2 && ways[1] <= 50, "\(ways)")
  }

  @Test("are a few for each table of an exam that is restored, and bring all of it") func restore() async throws {
    let old = try await TestHub(on: .sqlite)
    try await old.plan()
    let device = try await old.enrol(seed: 1)
    for name in ["a", "b"] { try await device.sync(sheet(device, name, items: 500), limit: 0) }
    let file = try SQLiteDatabase(path: old.folder + "/copy.sqlite")
    try await old.database.save(to: file)
    let counting = CountingDatabase(try SQLiteDatabase(path: old.folder + "/other.sqlite"))
    try await counting.load(from: file)
    #expect(counting.count <= 50, "\(counting.count)")
    #expect(try await TestHub(over: counting, of: old).exported() == (try await old.exported()))
  }
}

/// A database that counts the ways there and back.
final class CountingDatabase: HubDatabase {
  private let real: any HubDatabase
  private let ways = Mutex(0)

  init(_ real: any HubDatabase) { self.real = real }

  /// How often it was asked since `begin`.
  var count: Int { ways.withLock { $0 } }
  func begin() { ways.withLock { $0 = 0 } }
  fileprivate func note() { ways.withLock { $0 += 1 } }

  func read<T: Sendable>(_ body: @escaping @Sendable (any HubConnection) throws -> T) async throws -> T {
    try await real.read { [self] in try body(Connection(real: $0, database: self)) }
  }

  func write<T: Sendable>(
    weight: Int, _ body: @escaping @Sendable (any HubConnection) throws -> T
  ) async throws -> T {
    try await real.write(weight: weight) { [self] in try body(Connection(real: $0, database: self)) }
  }

  var clock: HubTimeSource { real.clock }
  func close() {}

  private struct Connection: HubConnection {
    let real: any HubConnection
    let database: CountingDatabase

    func run(_ sql: String, _ arguments: [HubValue]) throws -> Int {
      database.note()
      return try real.run(sql, arguments)
    }

    func fetch(_ sql: String, _ arguments: [HubValue]) throws -> [HubRow] {
      database.note()
      return try real.fetch(sql, arguments)
    }

    func forEach(_ sql: String, _ arguments: [HubValue], _ body: (HubRow) throws -> Bool) throws {
      database.note()
      try real.forEach(sql, arguments, body)
    }

    func fetch(_ statement: BulkStatement, of exam: HubValue, _ keys: [[HubValue]]) throws -> [HubRow] {
      database.note()
      return try real.fetch(statement, of: exam, keys)
    }

    func run(_ statement: BulkStatement, of exam: HubValue, _ rows: [[HubValue]]) throws {
      database.note()
      try real.run(statement, of: exam, rows)
    }

    // Nobody waits for it.
    func begin(_ statement: BulkStatement, of exam: HubValue, _ rows: [[HubValue]]) throws {
      try real.begin(statement, of: exam, rows)
    }

    func hold(_ exam: UUIDBytes) throws { try real.hold(exam) }
    var waitsForStandby: Bool { get throws { try real.waitsForStandby } }
    var lockingClause: String { real.lockingClause }
  }
}
