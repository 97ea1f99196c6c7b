import Journal
import SeededNumbers

/// One device that writes operations in a chain, for tests.
struct Author {
  let device: UUIDBytes
  var generator: Seeded
  var hlc: HybridTime?
  var tip: ChainTip
  /// Which form its operations have.
  var schema = 2

  init(seed: UInt64) {
    generator = Seeded(seed: seed)
    device = UUIDBytes.random(using: &generator)
    tip = ChainTip(device: device, deviceSeq: 0, hash: Operation.genesisHash)
  }

  struct Draft {
    var kind = OperationKind.set
    var row: RowKey
    var body: OperationBody
    var hlc: HybridTime?
  }

  mutating func write(_ drafts: [Draft], wall: Int64 = 1_700_000_000_000) -> [Operation] {
    let tx = UUIDBytes.v7(milliseconds: wall, using: &generator)
    return drafts.enumerated().map { index, draft in
      let time = draft.hlc ?? HybridTime.next(after: hlc, wall: wall)
      hlc = max(hlc ?? time, time)
      let operation = Operation.seal(
        id: .v7(milliseconds: wall, using: &generator), device: device, deviceSeq: tip.deviceSeq + 1, tx: tx,
        txIndex: index, txSize: drafts.count, kind: draft.kind, row: draft.row, body: draft.body, hlc: time,
        wallTime: wall, clockError: 12, examTime: ExamTime(milliseconds: wall + 5), staff: 7,
        sitting: UUIDBytes(high: 1, low: 2), reason: "because", schema: schema, prevHash: tip.hash,
        salt: .drawn(using: &generator))
      tip = operation.tip
      return operation
    }
  }

  /// One set of one field as a transaction of its own.
  mutating func set(
    _ field: String, of row: RowKey, to value: Value, replacing named: [OperationID] = [], hlc: HybridTime? = nil
  ) -> Operation {
    write([Draft(row: row, body: OperationBody(fields: [field: value], replaces: [field: named]), hlc: hlc)])[0]
  }

  mutating func create(_ row: RowKey, _ fields: [String: Value]) -> Operation {
    write([Draft(kind: .create, row: row, body: OperationBody(fields: fields))])[0]
  }

  mutating func delete(_ row: RowKey, covers: [RowKey: [String: [OperationID]]]) -> Operation {
    write([Draft(kind: .delete, row: row, body: OperationBody(covers: covers))])[0]
  }
}

let sheet = RowKey(entity: "DataForm", id: "a")
let section = RowKey(entity: "DataSection", id: "b")
let item = RowKey(entity: "RatingQuestion", id: "c")

/// A row's field `owner` names the row above as entity and key with a stroke between.
@Sendable func ownerInField(_: RowKey, values: [String: Value]) -> RowKey? {
  guard case .text(let text) = values["owner"], let stroke = text.firstIndex(of: "/") else { return nil }
  return RowKey(entity: String(text[..<stroke]), id: String(text[text.index(after: stroke)...]))
}

/// The same as a list.
@Sendable func ownersInField(_ row: RowKey, values: [String: Value]) -> [RowKey] {
  ownerInField(row, values: values).map { [$0] } ?? []
}

func replica(_ operations: [Operation]) -> Replica {
  var replica = Replica(owners: ownersInField)
  for operation in operations { replica.receive(operation) }
  return replica
}

/// All that two replicas must agree on.
struct Snapshot: Equatable {
  var rows: [RowKey: RowState]
  var forks: [Fork]
  var parked: [ParkedTransaction]
  var refused: [OperationID: Refusal]
  var deletions: DeletionStates

  init(_ replica: Replica) {
    rows = replica.rows
    forks = replica.forks
    parked = replica.parked
    refused = replica.refused
    deletions = replica.deletions
  }
}
