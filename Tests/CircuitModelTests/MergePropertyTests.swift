import Catalogue
import GRDB
import Glibc
import Journal
import SeededNumbers
import Testing

@testable import CircuitModel
@testable import ExamStore
@testable import Reports

/// Several devices with stores of their own that write, and see each other's work late, out of order and again.
private final class RandomHall {
  let tests: [TestStore]
  var generator: Seeded
  /// All that was made, in the order of its making.
  private(set) var made: [Journal.Operation] = []
  private(set) var rejected: [OperationID] = []
  private var unseen: [[Journal.Operation]]
  private var counts: [Int]

  static let entries = (1...2).map { RowKey(entity: "TimetableAttendanceLog", id: SmallExam.entry($0)) }
  static let forms = (1...2).map { RowKey(entity: "DataForm", id: "form-\($0)") }
  static let sections = (1...3).map { RowKey(entity: "DataSection", id: "section-\($0)") }
  static let items = (1...3).map { RowKey(entity: "RatingQuestion", id: "item-\($0)") }
  static let groups = (1...2).map { RowKey(entity: "StudentGroup", id: "\($0)") }
  static let links = (1...2).map { RowKey(entity: "StudentForGroup", id: "\($0)") }
  static let pool = entries + forms + sections + items + groups + links

  init(seed: UInt64, steps: Int = 45) throws {
    var generator = Seeded(seed: seed)
    tests = try (0..<3).map { _ in
      let test = try TestStore(now: TestClock.start + .random(in: -5000...5000, using: &generator))
      try test.store.writer.inDatabase { try $0.execute(sql: "PRAGMA synchronous = OFF") }
      return test
    }
    unseen = tests.map { _ in [] }
    counts = try tests.map { try $0.store.operations().count }
    self.generator = generator
    for _ in 0..<steps { try step() }
    if self.generator.chance(70) { try deleteKnowingAll() }
    if self.generator.chance(60) { try addMisfortunes() }
  }

  private func step() throws {
    let place = Int.random(in: 0..<tests.count, using: &generator)
    let test = tests[place]
    test.time.pass(.random(in: 0...900, using: &generator))
    if generator.chance(45), !unseen[place].isEmpty {
      var arrivals: [Journal.Operation] = []
      for _ in 0...Int.random(in: 0...5, using: &generator) where !unseen[place].isEmpty {
        arrivals.append(unseen[place].remove(at: Int.random(in: 0..<unseen[place].count, using: &generator)))
      }
      if generator.chance(20), let again = made.randomElement(using: &generator) { arrivals.append(again) }
      try test.store.apply(arrivals)
      return
    }
    // A change that the rules refuse, such as an undo that comes too late, leaves nothing.
    try? test.store.write(Author(staff: place % 2)) { transaction in
      repeat { try change(transaction) } while generator.chance(30)
    }
    try publish(place)
  }

  private func publish(_ place: Int) throws {
    let new = try tests[place].store.operations(after: counts[place])
    counts[place] += new.count
    made += new
    for other in tests.indices where other != place { unseen[other] += new }
  }

  private func change(_ transaction: JournalTransaction) throws {
    let db = transaction.db
    let row = RandomHall.pool.randomElement(using: &generator)!
    guard let heads = try RowTable.of(row.entity).heads(of: row.id, in: db) else {
      try transaction.create(row.entity, row.id, fields(of: row))
      return
    }
    if generator.chance(12) {
      try transaction.delete(row.entity, row.id)
    } else if generator.chance(15),
      let own = try OperationTable.fetch(
        "device = ?", [transaction.device.description], in: db
      ).suffix(6).randomElement(using: &generator)
    {
      try transaction.undo(own.id)
    } else {
      // A dictionary's order is another in every process.
      let (field, value) = fields(of: row).sorted { $0.key < $1.key }.randomElement(using: &generator)!
      if generator.chance(15) {
        try transaction.set(row.entity, row.id, [field: value], shown: [field: heads[field]], kind: .ruling)
      } else {
        try transaction.set(row.entity, row.id, [field: value], shown: generator.chance(12) ? [:] : .unknown)
      }
    }
  }

  private func fields(of row: RowKey) -> [String: Value] {
    func number() -> Value { .integer(.random(in: 0...2, using: &generator)) }
    func one(_ rows: [RowKey]) -> Value { .text(rows.randomElement(using: &generator)!.id) }
    return switch row.entity {
    case "TimetableAttendanceLog": ["order": number(), "timetable": number(), "present": .bool(generator.chance(50))]
    case "DataForm": ["attendanceLog": one(RandomHall.entries), "signedAt": number()]
    case "DataSection": ["dataForm": one(RandomHall.forms), "name": .text("x"), "quantity": number()]
    case "RatingQuestion":
      [
        "dataSection": one(RandomHall.sections), "rating": number(),
        "feedback": .text(generator.chance(50) ? "a" : "b"),
      ]
    case "StudentGroup": ["name": .text(generator.chance(50) ? "A" : "B")]
    default: ["group": number(), "student": number()]
    }
  }

  /// One device catches up and then removes a row, so that nothing voids the delete.
  private func deleteKnowingAll() throws {
    try tests[0].store.apply(unseen[0])
    unseen[0] = []
    let rows = RandomHall.pool.filter { row in
      (try? tests[0].store.read { try RowTable.of(row.entity).heads(of: row.id, in: $0) != nil }) == true
    }
    guard let row = rows.randomElement(using: &generator) else { return }
    try tests[0].store.write(Author(staff: 1)) { _ = try $0.delete(row.entity, row.id) }
    try publish(0)
  }

  /// A device that contradicts itself and others, bodies that are destroyed, and what the hub rejects.
  private func addMisfortunes() throws {
    let device = UUIDBytes.random(using: &generator)
    var tip = ChainTip(device: device, deviceSeq: 0, hash: Operation.genesisHash)
    var contradictions: [Journal.Operation] = []
    func add(
      _ id: OperationID? = nil, _ row: RowKey, _ body: OperationBody, tx: UUIDBytes? = nil, index: Int = 0,
      size: Int = 1, hlc: HybridTime
    ) {
      let operation = Operation.seal(
        id: id ?? .v7(milliseconds: TestClock.start, using: &generator), device: device,
        deviceSeq: tip.deviceSeq + 1, tx: tx ?? .random(using: &generator), txIndex: index, txSize: size, kind: .set,
        row: row, body: body, hlc: hlc, wallTime: 0, schema: 1, prevHash: tip.hash, salt: .drawn(using: &generator))
      tip = operation.tip
      contradictions.append(operation)
    }
    for operation in made {
      guard let body = try operation.body() else { continue }
      if generator.chance(3) { rejected.append(operation.id) }
      if generator.chance(3) { contradictions.append(operation.withoutBody()) }
      if generator.chance(2) { add(operation.id, operation.row, OperationBody(), hlc: operation.hlc) }
      guard generator.chance(4), let field = body.fields.keys.sorted().first, let value = body.fields[field] else {
        continue
      }
      // Not later than what it names, or only later by half a hair.
      let hlc = HybridTime(raw: operation.hlc.raw + .random(in: -1...1, using: &generator))
      add(nil, operation.row, OperationBody(fields: [field: value], replaces: [field: [operation.id]]), hlc: hlc)
      if generator.chance(50), let last = contradictions.last {
        add(
          nil, operation.row, OperationBody(fields: [field: value], replaces: [field: [last.id]]), hlc: operation.hlc)
      }
      if generator.chance(30), let last = contradictions.last {
        add(
          nil, operation.row, OperationBody(), tx: last.tx, index: 1, size: .random(in: 1...3, using: &generator),
          hlc: hlc)
      }
      if generator.chance(20) { add(nil, operation.row, OperationBody(fields: ["shoe": .null]), hlc: operation.hlc) }
    }
    made += contradictions
    for place in tests.indices { unseen[place] += contradictions }
  }

  /// Hands everything to everybody, in an order of its own to each, some of it again, some of it one by one.
  func deliverAll() throws {
    for place in tests.indices {
      var open = (unseen[place] + made.filter { _ in generator.chance(15) }).shuffled(using: &generator)
      var verdicts = rejected.shuffled(using: &generator)
      while !open.isEmpty || !verdicts.isEmpty {
        let page = open.suffix(.random(in: 1...9, using: &generator))
        open.removeLast(page.count)
        let said = generator.chance(40) || open.isEmpty ? verdicts : []
        if !said.isEmpty { verdicts = [] }
        try tests[place].store.apply(Array(page), rejected: said)
      }
      // What is the device's own, without a body now, was never handed to it as an arrival of another.
      try tests[place].store.apply(made.filter { $0.sealedBody == nil })
    }
  }

  /// What the rules say of all that was made.
  func replica() -> Replica {
    var replica = Replica(
      owners: { row, values in
        guard let entity = Catalogue.standard[row.entity] else { return [] }
        return Catalogue.standard.owners(of: entity).compactMap { owner in
          switch values[owner.name] {
          case .integer(let number): RowKey(entity: owner.destination, id: String(number))
          case .text(let text): RowKey(entity: owner.destination, id: text)
          case .null, .bool, nil: nil
          }
        }
      }, check: { EntryCheck.refusal(of: $0) })
    for operation in made { replica.receive(operation) }
    replica.reject(rejected)
    return replica
  }
}

/// All that a store and the rules must agree on.
private struct Outcome: Equatable {
  var values: [String: Value] = [:]
  var heads: [String: Set<OperationID>] = [:]
  var rows: Set<RowKey> = []
  var deleted: Set<RowKey> = []
  var forks: Set<String> = []
  var voidDeletes: Set<OperationID> = []
  var deletesInForce: Set<OperationID> = []
  var refused: Set<OperationID> = []
  var parked: Set<OperationID> = []

  init(_ replica: Replica) throws {
    for (row, state) in replica.rows where !state.fields.isEmpty {
      rows.insert(row)
      let table = try RowTable.of(row.entity)
      for (field, state) in state.fields {
        values["\(row) \(field)"] = table.storedFields.first { $0.name == field }?.held(state.standing?.value)
        heads["\(row) \(field)"] = Set(state.all)
      }
    }
    let deletions = replica.deletions
    values = values.filter { !$0.key.hasSuffix(" dsDeleted") }
    deleted = deletions.rows.intersection(RandomHall.pool)
    forks = Set(
      replica.forks.filter { Forks.isListed($0.field, of: $0.row.entity) }.map { "\($0.row) \($0.field)" })
    voidDeletes = Set(deletions.void.keys)
    deletesInForce = Set(deletions.inForce)
    refused = Set(replica.refused.keys)
    parked = Set(replica.parked.flatMap(\.operations)).subtracting(refused)
  }

  init(_ db: Database) throws {
    for row in RandomHall.pool {
      let table = try RowTable.of(row.entity)
      guard let stored = try table.stored(row.id, in: db) else { continue }
      if try table.isDeletedOrBelowDeleted(row.id, in: db) { deleted.insert(row) }
      let standing = stored.heads.operations
      if standing.isEmpty { continue }
      rows.insert(row)
      for (field, ids) in standing {
        heads["\(row) \(field)"] = Set(ids)
        if field != "dsDeleted" { values["\(row) \(field)"] = stored.values[field] }
      }
      for deletion in try OperationTable.deletes(of: row, in: db) {
        let isVoid = try !deletion.unnamedHeads(in: OwnedRows.heads(of: row, in: db)).isEmpty
        if isVoid { voidDeletes.insert(deletion.op) } else { deletesInForce.insert(deletion.op) }
      }
    }
    for row in RandomHall.pool
    where try RowTable.of(row.entity).stored(row.id, in: db)?.heads.operations.isEmpty ?? true {
      for deletion in try OperationTable.deletes(of: row, in: db) {
        let isVoid = try !deletion.unnamedHeads(in: OwnedRows.heads(of: row, in: db)).isEmpty
        if isVoid { voidDeletes.insert(deletion.op) } else { deletesInForce.insert(deletion.op) }
      }
    }
    for row in try Row.fetchAll(db, sql: "SELECT entity, entityID, field FROM fork") {
      forks.insert("\(RowKey(entity: row[0], id: row[1])) \(row[2] as String)")
    }
    let pending = try PendingOperation.all(in: db)
    refused = Set(pending.filter { !$0.isParked }.map(\.operation.id))
    refused.formUnion(try String.fetchAll(db, sql: "SELECT id FROM barred").compactMap { OperationID($0) })
    parked = Set(pending.filter(\.isParked).map(\.operation.id)).subtracting(refused)
  }

  /// What differs, for a person.
  func differences(from other: Outcome) -> [String] {
    var lines: [String] = []
    func compare<T: Hashable>(_ name: String, _ left: Set<T>, _ right: Set<T>) {
      if left != right { lines.append("\(name): \(left.subtracting(right)) against \(right.subtracting(left))") }
    }
    for key in Set(values.keys).union(other.values.keys) where values[key] != other.values[key] {
      lines.append("\(key): \(values[key].map { "\($0)" } ?? "-") against \(other.values[key].map { "\($0)" } ?? "-")")
    }
    for key in Set(heads.keys).union(other.heads.keys) {
      compare("heads \(key)", heads[key] ?? [], other.heads[key] ?? [])
    }
    compare("rows", rows, other.rows)
    compare("deleted", deleted, other.deleted)
    compare("forks", forks, other.forks)
    compare("void", voidDeletes, other.voidDeletes)
    compare("in force", deletesInForce, other.deletesInForce)
    compare("refused", refused, other.refused)
    compare("parked", parked, other.parked)
    return lines
  }
}

@Suite("The store and the rules") struct MergePropertyTests {
  private static var caseCount: Int { getenv("OSCE_CASES").flatMap { Int(String(cString: $0)) } ?? 6 }

  @Test("after any history, in any order of arrival, every store is what the rules say, and its doctor agrees")
  func agreement() throws {
    // The last: operations under one identifier are refused, and then rejected as well.
    for seed in Seeded.seeds(MergePropertyTests.caseCount) + [5_852_363_582_053_400_540] {
      let hall = try RandomHall(seed: seed)
      try hall.deliverAll()
      let expected = try Outcome(hall.replica())
      for (place, test) in hall.tests.enumerated() {
        let differences = try test.store.read { try Outcome($0) }.differences(from: expected)
        #expect(differences == [], "OSCE_SEED=\(seed), store \(place)")
        let surroundings = MachineSurroundings(system: test.time.system, freeBytes: { _ in 1 << 40 })
        let failures = try Doctor(test.store.location, surroundings: surroundings).examine().failures.filter { line in
          // The histories destroy content without saying so, are made by nobody, and contain what is refused.
          !["foreign keys", "erasures", "authors", "outbox"].contains { name in line.hasPrefix(name + ":") }
        }
        #expect(failures == [], "OSCE_SEED=\(seed), store \(place)")
        if !differences.isEmpty || !failures.isEmpty { return }
      }
    }
  }

  @Test("the random histories contain every case that matters") func coverage() throws {
    var seen: [String: Int] = [:]
    for seed in 1...12 as ClosedRange<UInt64> {
      let outcome = try Outcome(RandomHall(seed: seed).replica())
      for (name, count) in [
        ("forks", outcome.forks.count), ("deleted", outcome.deleted.count), ("void", outcome.voidDeletes.count),
        ("refused", outcome.refused.count),
      ] { seen[name, default: 0] += count }
    }
    #expect(seen.values.allSatisfy { $0 > 3 }, "\(seen)")
  }
}
