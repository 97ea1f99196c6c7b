import GRDB
import Journal
import SeededNumbers
import Testing

@testable import CircuitModel
@testable import ExamStore
@testable import Reports

/// A store, and a device elsewhere whose clock may be as wrong as anybody accepts.
private final class WrongClock {
  let here: TestStore
  let device: UUIDBytes
  var generator: Seeded
  private var tip: ChainTip
  /// All that both made, in the order of its making.
  private(set) var made: [Journal.Operation]

  static let rows = [("11", "surname"), ("11", "forename"), ("12", "surname")]

  init(seed: UInt64) throws {
    generator = Seeded(seed: seed)
    here = try TestStore(now: TestClock.start + .random(in: -86_400_000...86_400_000, using: &generator))
    try here.loadSmallExam()
    device = .random(using: &generator)
    tip = ChainTip(device: device, deviceSeq: 0, hash: Operation.genesisHash)
    made = try here.store.operations()
  }

  /// A change elsewhere of what stands here arrives.
  func pull(_ key: String, _ field: String, ahead milliseconds: Int64) throws {
    let row = RowKey(entity: "Student", id: key)
    let (heads, latest) = try here.store.read { db in
      let heads = try #require(try RowTable.of("Student").heads(of: key, in: db))[field]
      return (heads, try heads.compactMap { try OperationTable.time(of: $0, in: db) }.max())
    }
    let time = max(
      HybridTime(raw: (here.store.clock.now.milliseconds + milliseconds) << 16), HybridTime.next(after: latest, wall: 0)
    )
    let operation = Operation.seal(
      id: .v7(milliseconds: TestClock.start, using: &generator), device: device, deviceSeq: tip.deviceSeq + 1,
      tx: .random(using: &generator), kind: .set, row: row,
      body: OperationBody(fields: [field: .text("\(made.count)")], replaces: [field: heads]), hlc: time, wallTime: 0,
      schema: 2, prevHash: tip.hash, salt: .drawn(using: &generator))
    tip = operation.tip
    made.append(operation)
    #expect(try here.store.apply([operation]) == [.applied])
  }

  /// Something is done here to what stands.
  func edit() throws {
    let (key, field) = WrongClock.rows.randomElement(using: &generator)!
    let choice = Int.random(in: 0..<4, using: &generator)
    let count = try here.store.operations().count
    // An undo that comes too late is refused, and leaves nothing.
    try? here.store.write(Author(staff: 1)) { transaction in
      let heads = try #require(try RowTable.of("Student").heads(of: key, in: transaction.db))[field]
      switch choice {
      case 0:
        try transaction.set(
          "Student", key, [field: .text("ruled")], shown: [field: heads], kind: .ruling)
      case 1: try transaction.delete("StudentForGroup", "1")
      case 2: if let head = heads.first { try transaction.undo(head) }
      default: try transaction.set("Student", key, [field: .text("here")])
      }
      try transaction.set("Student", key, [field: .text("again")])
    }
    made += try here.store.operations(after: count)
  }
}

@Suite("Edits of what was pulled") struct PulledEditsTests {
  @Test("are later than it, by whatever clock it was made, and so refused by nobody") func neverNotAfter() throws {
    for seed in Seeded.seeds(8) {
      let scene = try WrongClock(seed: seed)
      for _ in 0..<25 {
        if scene.generator.chance(50) {
          let (key, field) = WrongClock.rows.randomElement(using: &scene.generator)!
          let ahead = [0, 60_000, EntryCheck.greatestLead].randomElement(using: &scene.generator)!
          try scene.pull(key, field, ahead: ahead)
        } else {
          try scene.edit()
        }
        scene.here.time.pass(.random(in: 0...5_000, using: &scene.generator))
      }
      let times = Dictionary(scene.made.map { ($0.id, $0.hlc) }, uniquingKeysWith: max)
      for operation in scene.made {
        for cause in try operation.body()?.causes ?? [] {
          #expect(try #require(times[cause]) < operation.hlc, "OSCE_SEED=\(seed)")
        }
      }
      let there = try TestStore(now: scene.here.store.clock.now.milliseconds)
      try there.store.apply(scene.made.shuffled(using: &scene.generator))
      let waiting = try there.store.read { try PendingOperation.all(in: $0) }.map(\.why)
      #expect(waiting == [], "OSCE_SEED=\(seed)")
    }
  }

  @Test("take a wrong clock no further than to what they replace") func contained() throws {
    let scene = try WrongClock(seed: 1)
    let now = scene.here.store.clock.now.milliseconds
    try scene.pull("11", "surname", ahead: EntryCheck.greatestLead)
    func rename(_ key: String) throws -> HybridTime {
      let id = try scene.here.store.write(Author(staff: 1)) {
        try $0.set("Student", key, ["surname": .text("here")])
      }
      return try #require(try scene.here.store.read { try OperationTable.time(of: id, in: $0) })
    }
    #expect(try rename("12").milliseconds == now)
    #expect(try rename("11").milliseconds == now + EntryCheck.greatestLead)
  }
}
