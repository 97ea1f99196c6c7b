import Journal

/// What must follow from a set of operations, worked out straight from the definitions and without any cleverness.
struct Oracle {
  private(set) var applied: [OpenedOperation] = []
  private(set) var refused: Set<OperationID> = []
  private(set) var parked: Set<OperationID> = []

  init(received: [Operation], rejected: Set<OperationID>) {
    var copies: [OperationID: [[UInt8]: Operation]] = [:]
    for operation in received {
      let known = copies[operation.id]?[operation.hash]
      copies[operation.id, default: [:]][operation.hash] = known?.sealedBody == nil && known != nil ? known : operation
    }
    let twice = Set(copies.filter { $1.count > 1 }.keys)
    let groups = Dictionary(grouping: copies.values.flatMap(\.values)) { "\($0.device) \($0.tx)" }
    var void = rejected.union(twice)
    var times: [OperationID: HybridTime] = [:]
    var open = Array(groups.values)
    var goesOn = true
    while goesOn {
      goesOn = false
      for (place, group) in open.enumerated() {
        let members = group.map(OpenedOperation.init)
        guard let verdict = Self.isSound(members, void: void, times: times) else { continue }
        for member in members {
          let id = member.operation.id
          if !verdict { refused.insert(id) }
          if verdict, member.body != nil {
            times[id] = member.operation.hlc
            applied.append(member)
          } else {
            void.insert(id)
          }
        }
        open.remove(at: place)
        goesOn = true
        break
      }
    }
    refused.formUnion(rejected)
    refused.formUnion(twice)
    parked = Set(open.joined().map(\.id)).subtracting(refused)
  }

  /// Whether a transaction is to be applied; nil while it has to wait.
  private static func isSound(
    _ members: [OpenedOperation], void: Set<OperationID>, times: [OperationID: HybridTime]
  ) -> Bool? {
    let operations = members.map(\.operation)
    guard operations.count >= operations.map(\.txSize).min()! else { return nil }
    guard Set(operations.map(\.id)).count == operations.count,
      operations.map(\.txIndex).sorted() == Array(0..<operations.count),
      operations.allSatisfy({ $0.txSize == operations.count && !void.contains($0.id) })
    else { return false }
    let own = Dictionary(uniqueKeysWithValues: operations.map { ($0.id, $0.hlc) })
    var isSound = true
    for member in members {
      if case .unreadable = member.content { return false }
      guard let body = member.body else { continue }
      if member.operation.kind == .delete, !body.fields.isEmpty { return false }
    }
    for member in members {
      for cause in member.body?.causes ?? [] where own[cause] != nil || !void.contains(cause) {
        guard let time = own[cause] ?? times[cause] else { return nil }
        if time >= member.operation.hlc { isSound = false }
      }
    }
    return isSound
  }

  /// The heads of each field: applied sets of it that no other applied set of it names.
  var heads: [RowKey: [String: Set<Head>]] {
    var result: [RowKey: [String: Set<Head>]] = [:]
    let sets = applied.filter { $0.operation.kind != .delete }
    for candidate in sets {
      for (field, value) in candidate.body!.fields {
        let isNamed = sets.contains {
          $0.operation.row == candidate.operation.row && $0.body!.fields[field] != nil
            && $0.body!.replaces[field]?.contains(candidate.operation.id) == true
        }
        guard !isNamed else { continue }
        let head = Head(op: candidate.operation.id, hlc: candidate.operation.hlc, value: value)
        result[candidate.operation.row, default: [:]][field, default: []].insert(head)
      }
    }
    return result
  }

  /// The rows that some delete in force takes.
  func deletedRows(owner: (RowKey, [String: Value]) -> RowKey?) -> Set<RowKey> {
    let heads = heads
    func isBelow(_ row: RowKey, _ top: RowKey) -> Bool {
      var row = row
      for _ in 0...heads.count {
        if row == top { return true }
        let values = (heads[row] ?? [:]).compactMapValues { heads in
          heads.max { ($0.hlc, $0.op) < ($1.hlc, $1.op) }?.value
        }
        guard let next = owner(row, values) else { return false }
        row = next
      }
      return false
    }
    var deleted: Set<RowKey> = []
    for delete in applied where delete.operation.kind == .delete {
      let top = delete.operation.row
      let family = Set(heads.keys.filter { isBelow($0, top) }).union([top])
      let isInForce = family.allSatisfy { row in
        (heads[row] ?? [:]).allSatisfy { field, heads in
          heads.allSatisfy { delete.body!.covers[row]?[field]?.contains($0.op) == true }
        }
      }
      if isInForce { deleted.formUnion(family) }
    }
    return deleted
  }
}
