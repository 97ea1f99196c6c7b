import Catalogue
import CircuitModel
import Foundation
import GRDB
import Glibc
import Journal
import SeededNumbers
import Testing

@testable import ExamFiles
@testable import ExamStore
@testable import Reports

/// Stores that only files join: packs come late, twice, out of order, or are lost.
private final class RandomPacks {
  let hall: PackHall
  private var generator: Seeded
  /// The packs under way, by name, with the store that made them.
  private var packs: [(name: String, maker: Int)] = []
  private var count = 0
  private let pool: [RowKey]

  init(seed: UInt64, steps: Int) throws {
    hall = try PackHall(copies: 2, others: 1)
    generator = Seeded(seed: seed)
    let entries = try hall.stores[0].read {
      try String.fetchAll($0, sql: "SELECT uuid FROM timetableAttendanceLog ORDER BY uuid LIMIT 2")
    }
    pool =
      entries.map { RowKey(entity: "TimetableAttendanceLog", id: $0) }
      + (1...2).map { RowKey(entity: "DataForm", id: "form-\($0)") }
      + (1...3).map { RowKey(entity: "DataSection", id: "section-\($0)") }
      + (1...3).map { RowKey(entity: "RatingQuestion", id: "item-\($0)") }
    for store in hall.stores {
      try store.writer.inDatabase { try $0.execute(sql: "PRAGMA synchronous = OFF") }
    }
    for _ in 0..<steps { try step() }
  }

  private func step() throws {
    let place = Int.random(in: 0..<hall.stores.count, using: &generator)
    switch Int.random(in: 0..<100, using: &generator) {
    case 0..<55:
      try? hall.stores[place].write(Author(staff: place % 2 + 1)) { transaction in
        repeat { try change(transaction) } while generator.chance(30)
      }
    case 55..<72: try pack(place)
    case 72..<78:
      // Lost: what was in it comes with a later one.
      if !packs.isEmpty { packs.remove(at: .random(in: 0..<packs.count, using: &generator)) }
    default:
      guard let pack = packs.randomElement(using: &generator) else { return }
      try unpack(pack.name, place)
    }
  }

  private func pack(_ place: Int) throws {
    count += 1
    try hall.pack(place, "pack-\(count)")
    packs.append(("pack-\(count)", place))
  }

  private func unpack(_ name: String, _ place: Int) throws {
    let report = try hall.unpack(name, place)
    #expect(report.setAside == [])
    // A transaction is here whole or not at all.
    let broken = try hall.stores[place].read {
      try Int.fetchOne(
        $0, sql: "SELECT count(*) FROM (SELECT 1 FROM operation GROUP BY device, tx HAVING count(*) <> max(txSize))")
    }
    #expect(broken == 0)
  }

  private func change(_ transaction: JournalTransaction) throws {
    let row = pool.randomElement(using: &generator)!
    guard let heads = try RowTable.of(row.entity).heads(of: row.id, in: transaction.db) else {
      try transaction.create(row.entity, row.id, fields(of: row))
      return
    }
    if row.entity != "TimetableAttendanceLog", generator.chance(12) {
      try transaction.delete(row.entity, row.id)
      return
    }
    let (field, value) = fields(of: row).sorted { $0.key < $1.key }.randomElement(using: &generator)!
    if generator.chance(15) {
      try transaction.set(row.entity, row.id, [field: value], shown: [field: heads[field]], kind: .ruling)
    } else {
      try transaction.set(row.entity, row.id, [field: value])
    }
  }

  private func fields(of row: RowKey) -> [String: Value] {
    func one(_ entity: String) -> Value {
      .text(pool.filter { $0.entity == entity }.randomElement(using: &generator)!.id)
    }
    func number() -> Value { .integer(.random(in: 0...2, using: &generator)) }
    return switch row.entity {
    case "TimetableAttendanceLog": ["present": .bool(generator.chance(50))]
    case "DataForm": ["attendanceLog": one("TimetableAttendanceLog"), "signedAt": number()]
    case "DataSection": ["dataForm": one("DataForm"), "name": .text("x"), "quantity": number()]
    default:
      ["dataSection": one("DataSection"), "rating": number(), "feedback": .text(generator.chance(50) ? "a" : "b")]
    }
  }

  /// Brings a pack of everybody to everybody, in an order of its own for each, and some earlier ones again.
  func meet() throws {
    for place in hall.stores.indices { try pack(place) }
    let latest = packs.suffix(hall.stores.count)
    for place in hall.stores.indices {
      let again = packs.filter { _ in generator.chance(20) }
      for pack in (latest + again).shuffled(using: &generator) { try unpack(pack.name, place) }
    }
  }

  /// All that stores that know the same must agree on.
  func contents(_ place: Int) throws -> [String: String] {
    try hall.stores[place].read { db in
      var found: [String: String] = [:]
      for entity in Catalogue.standard.entities where entity.sync != .local {
        let table = try RowTable.of(entity.name)
        let keys = try String.fetchAll(
          db, sql: "SELECT CAST(\(Tables.quoted(entity.storageKey)) AS TEXT) FROM \(Tables.quoted(entity.table))")
        for key in keys where try table.storedEntity(of: key, in: db) == entity.name {
          guard let stored = try table.stored(key, in: db) else { continue }
          for (field, value) in stored.values {
            found["\(entity.name) \(key) \(field)"] = "\(value)"
            guard SendRule(role: nil).sends(RowKey(entity: entity.name, id: key), fields: [field]) else { continue }
            let heads = Set(stored.heads[field]).map(\.description).sorted()
            found["\(entity.name) \(key) \(field) heads"] = heads.joined(separator: ",")
          }
        }
      }
      for row in try Row.fetchAll(db, sql: "SELECT entity, entityID, field FROM fork") {
        found["fork \(row[0] as String) \(row[1] as String) \(row[2] as String)"] = "open"
      }
      for row in try Row.fetchAll(db, sql: "SELECT id, state, why FROM pending") {
        found["pending \(row[0] as String)"] = "\(row[1] as String) \(row[2] as String)"
      }
      return found
    }
  }
}

@Suite("Stores that only packs join") struct PackPropertyTests {
  private static func setting(_ name: String, else usual: Int) -> Int {
    getenv(name).flatMap { Int(String(cString: $0)) } ?? usual
  }

  @Test("are equal once each has seen a pack of each, whatever came late, twice, out of order or never")
  func agreement() throws {
    for seed in Seeded.seeds(PackPropertyTests.setting("OSCE_CASES", else: 1)) {
      let packs = try RandomPacks(seed: seed, steps: PackPropertyTests.setting("OSCE_STEPS", else: 120))
      try packs.meet()
      let expected = try packs.contents(0)
      #expect(!expected.keys.contains { $0.hasPrefix("pending") }, "OSCE_SEED=\(seed)")
      for place in packs.hall.stores.indices {
        let found = try packs.contents(place)
        let differences = Set(expected.keys).union(found.keys).filter { expected[$0] != found[$0] }.sorted().map {
          "\($0): \(expected[$0] ?? "-") against \(found[$0] ?? "-")"
        }
        #expect(differences.prefix(5) == [], "OSCE_SEED=\(seed), store \(place)")
        let failures = try packs.hall.diagnose(place).failures.filter { line in
          // The histories make rows that no sheet of the exam would.
          !["foreign keys", "authors", "exam"].contains { name in line.hasPrefix(name + ":") }
        }
        #expect(failures == [], "OSCE_SEED=\(seed), store \(place)")
        if !differences.isEmpty || !failures.isEmpty { return }
      }
      let sequences = try packs.hall.stores.map { try $0.lastSequence() }
      try packs.meet()
      #expect(try packs.hall.stores.map { try $0.lastSequence() } == sequences, "OSCE_SEED=\(seed)")
      #expect(try packs.contents(0) == expected, "OSCE_SEED=\(seed)")
    }
  }
}
