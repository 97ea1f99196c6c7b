import Journal
import SeededNumbers
import Testing

@Suite("The same answer in any order of arrival")
struct MergePropertyTests {
  private func replica(_ arrivals: [Arrival]) -> Replica {
    var replica = Replica(owners: ownersInField)
    for arrival in arrivals {
      switch arrival {
      case .operation(let operation): replica.receive(operation)
      case .rejection(let id): replica.reject([id])
      }
    }
    return replica
  }

  private func oracle(_ arrivals: [Arrival]) -> Oracle {
    var received: [Operation] = []
    var rejected: Set<OperationID> = []
    for arrival in arrivals {
      switch arrival {
      case .operation(let operation): received.append(operation)
      case .rejection(let id): rejected.insert(id)
      }
    }
    return Oracle(received: received, rejected: rejected)
  }

  /// Some or all of the arrivals, in any order, some of them again.
  private func shuffled(_ arrivals: [Arrival], using generator: inout Seeded) -> [Arrival] {
    (arrivals + arrivals.filter { _ in generator.chance(20) }).shuffled(using: &generator)
  }

  private func expectAgreement(_ replica: Replica, with oracle: Oracle, seed: UInt64) {
    let heads = replica.rows.mapValues { $0.fields.mapValues { Set($0.heads) } }.filter { !$1.isEmpty }
    #expect(heads == oracle.heads, "seed \(seed)")
    for state in replica.rows.values.flatMap(\.fields.values) {
      #expect(state.standing == state.heads.max { ($0.hlc, $0.op) < ($1.hlc, $1.op) }, "seed \(seed)")
    }
    #expect(Set(replica.refused.keys) == oracle.refused, "seed \(seed)")
    #expect(Set(replica.parked.flatMap(\.operations)).subtracting(oracle.refused) == oracle.parked, "seed \(seed)")
    #expect(replica.deletions.rows == oracle.deletedRows(owner: ownerInField), "seed \(seed)")
  }

  @Test("values, forks, parked, refused and deleted are the same however the operations come")
  func anyOrder() {
    for seed in Seeded.seeds(25) {
      let arrivals = RandomHistory(seed: seed).arrivals
      var generator = Seeded(seed: ~seed)
      let first = replica(arrivals)
      expectAgreement(first, with: oracle(arrivals), seed: seed)
      for _ in 0..<4 {
        #expect(Snapshot(replica(shuffled(arrivals, using: &generator))) == Snapshot(first), "seed \(seed)")
      }
    }
  }

  @Test("so they are when only some of the operations have come yet")
  func anyPart() {
    for seed in Seeded.seeds(25) {
      var generator = Seeded(seed: ~seed)
      let share = Int.random(in: 30...95, using: &generator)
      let part = RandomHistory(seed: seed).arrivals.filter { _ in generator.chance(share) }
      let first = replica(part)
      expectAgreement(first, with: oracle(part), seed: seed)
      for _ in 0..<3 {
        #expect(Snapshot(replica(shuffled(part, using: &generator))) == Snapshot(first), "seed \(seed)")
      }
    }
  }

  @Test("equal values never fork, and different ones always do")
  func forks() {
    for seed in Seeded.seeds(10) {
      let replica = replica(RandomHistory(seed: seed).arrivals)
      let forked = Set(replica.forks.map { "\($0.row) \($0.field)" })
      for (row, state) in replica.rows {
        for (field, fieldState) in state.fields {
          let differs = Set(fieldState.heads.map(\.value)).count > 1
          #expect(forked.contains("\(row) \(field)") == differs, "seed \(seed)")
        }
      }
    }
  }

  @Test("every value that was ever applied is in the history, and those without a successor are the heads")
  func history() {
    for seed in Seeded.seeds(10) {
      let replica = replica(RandomHistory(seed: seed).arrivals)
      for (row, state) in replica.rows {
        let last = replica.history(of: row).filter(\.supersededBy.isEmpty)
        let heads = state.fields.flatMap { field, state in state.heads.map { "\(field) \($0.op)" } }
        #expect(Set(last.map { "\($0.field) \($0.operation.id)" }) == Set(heads), "seed \(seed)")
      }
    }
  }

  @Test("the random exams contain every case that matters")
  func coverage() {
    var forks = 0
    var twins = 0
    var parked = 0
    var inForce = 0
    var void = 0
    var reasons: Set<String> = []
    for seed in 1...30 as ClosedRange<UInt64> {
      let history = RandomHistory(seed: seed)
      let whole = replica(history.arrivals)
      forks += whole.forks.count
      twins += whole.rows.values.flatMap(\.fields.values).count { $0.heads.count > 1 && !$0.isForked }
      parked += replica(Array(history.arrivals.dropFirst(5))).parked.count
      inForce += whole.deletions.inForce.count
      void += whole.deletions.void.count
      for refusal in whole.refused.values { reasons.insert(String("\(refusal)".prefix { $0 != "(" })) }
    }
    #expect(forks > 10)
    #expect(twins > 10)
    #expect(parked > 10)
    #expect(inForce > 10)
    #expect(void > 10)
    #expect(
      reasons.isSuperset(of: ["notAfter", "withTransaction", "transactionForm", "twoVersions", "rejected"]))
  }
}
