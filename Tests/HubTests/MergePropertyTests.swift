import ExamStore
import Glibc
import Journal
import SeededNumbers
import Sync
import Testing

@testable import Hub

@Suite("A hub's merge") struct HubMergeTests {
  /// Devices that pull and push in any order, edit what they have seen, and name it.
  @Test(
    "is what the rules of the journal say of the same operations, and the same at every device",
    arguments: Storage.installed)
  func agrees(on storage: Storage) async throws {
    let seed = Seeded.seed
    var generator = Seeded(seed: seed)
    for round in 0..<(getenv("OSCE_CASES").flatMap { Int(String(cString: $0)) } ?? 3) {
      let hub = try await TestHub(on: storage)
      var devices: [TestDevice] = []
      for index in 0..<4 {
        devices.append(try await hub.enrol(.lead, seed: seed &+ UInt64(round * 10 + index)))
      }
      var replicas = devices.map { _ in Replica(check: { EntryCheck.refusal(of: $0) }) }
      var sent = [Int](repeating: 0, count: devices.count)
      func exchange(_ index: Int) async throws {
        let device = devices[index]
        let batch = Array(device.chain[sent[index]...])
        let answer = try await device.sync(batch, limit: 5)
        sent[index] += batch.count
        for entry in answer.entries {
          switch entry.content {
          case .operation(let wire, _, _): replicas[index].receive(wire.operation)
          case .verdict: break
          default: Issue.record("seed \(seed): \(entry.short)")
          }
        }
      }
      for _ in 0..<60 {
        let index = Int.random(in: 0..<devices.count, using: &generator)
        let device = devices[index]
        if Int.random(in: 0..<3, using: &generator) == 0 {
          try await exchange(index)
          continue
        }
        device.time += Int64.random(in: -50...50, using: &generator)
        let size = Int.random(in: 1...3, using: &generator)
        let tx = UUIDBytes.random(using: &generator)
        for place in 0..<size {
          let row = Rows.item(Int.random(in: 0..<4, using: &generator))
          let heads = replicas[index].rows[row]?.fields["rating"]?.shown ?? []
          let others = replicas[index].rows.values.flatMap { $0.heads.values.joined() }
          let stray = Int.random(in: 0..<6, using: &generator) == 0 ? others.randomElement(using: &generator) : nil
          let operation = device.make(
            row, ["rating": .integer(Int64.random(in: 0...3, using: &generator) * 1_000_000)],
            replacing: ["rating": heads, "note": stray.map { [$0] } ?? []].filter { !$0.value.isEmpty },
            hlc: device.time + Int64.random(in: 0...1, using: &generator) * 30, tx: tx, place: (place, size))
          replicas[index].receive(operation)
        }
      }
      for _ in 0..<200 {
        for index in devices.indices { try await exchange(index) }
        let head = try await hub.rows("SELECT head FROM exam WHERE exam = ?")[0].integer(0)
        if devices.allSatisfy({ $0.mark.seq == head }) && zip(sent, devices).allSatisfy({ $0 == $1.chain.count }) {
          break
        }
      }
      // What one device knows of all operations is what the hub's heads say.
      for replica in replicas {
        var heads: Set<String> = []
        for (row, state) in replica.rows {
          for (field, ids) in state.heads { heads.formUnion(ids.map { "\(row) \(field) \($0)" }) }
        }
        let kept = try await hub.rows("SELECT entity, entityID, field, id FROM head WHERE exam = ?").map { row in
          "\(RowKey(entity: try row.text(0), id: try row.text(1))) \(try row.text(2)) \(try row.text(3))"
        }
        #expect(Set(kept) == heads, "OSCE_SEED=\(seed), round \(round)")
      }
      for device in devices {
        let results = try await device.send(device.request(device.chain.suffix(400)))
        for result in results.results {
          guard case .stored(let said) = result.outcome else { continue }
          let isRefused = replicas[0].refused[result.id] != nil
          #expect((said.refusal != nil) == isRefused, "OSCE_SEED=\(seed), round \(round): \(said)")
        }
      }
    }
  }
}
