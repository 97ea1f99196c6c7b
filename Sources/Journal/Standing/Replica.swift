/// All that follows from a set of operations, kept in memory.
///
/// The answer is a function of the operations received, those rejected and those erased, whatever the order,
/// repetition or delay. Chains and hashes are not looked at here: `ChainVerifier` does that first.
///
/// A refused operation counts for nothing: those that name it are applied as if it were not named, and its time binds
/// nobody. The same holds for one that the hub rejected and for one whose body is destroyed.
///
/// Stores and hubs come to the same by tables, an operation at a time. This is the model that they are held against, by
/// property tests and the simulation: nothing of the product asks it.
public struct Replica: Sendable {
  /// The rows directly above one with these standing values; none at the top.
  public typealias Owners = @Sendable (RowKey, [String: Value]) -> [RowKey]
  /// What speaks against an operation by itself, whatever else is here.
  public typealias Check = @Sendable (OpenedOperation) -> Refusal?

  private struct Copy: Sendable {
    let hash: [UInt8]
    let transaction: TransactionKey
  }

  private struct Transaction: Sendable {
    var members: [OpenedOperation] = []
    var smallestSize = Int.max

    var isComplete: Bool { members.count >= smallestSize }

    mutating func add(_ opened: OpenedOperation) {
      members.append(opened)
      smallestSize = min(smallestSize, opened.operation.txSize)
    }
  }

  private let owners: Owners
  private let check: Check
  private var copies: [OperationID: [Copy]] = [:]
  private var transactions: [TransactionKey: Transaction] = [:]
  private var barred: [OperationID: Refusal] = [:]

  /// The rows after the applied operations, deleted ones included.
  public private(set) var rows: [RowKey: RowState] = [:]
  /// The operations that are here and refused, and those known to be rejected, with the reasons.
  public private(set) var refused: [OperationID: Refusal] = [:]
  private var fates: [OperationID: AdmissionResult] = [:]
  private var settled: Set<TransactionKey> = []
  private var waiting: [OperationID: [TransactionKey]] = [:]

  /// An empty replica that finds the rows above a row, and what may not come in at all, with closures.
  public init(owners: @escaping Owners = { _, _ in [] }, check: @escaping Check = { _ in nil }) {
    self.owners = owners
    self.check = check
  }

  /// Takes an operation; one that is here already changes nothing.
  ///
  /// A copy without its body erases the one that is here. Two different operations with one identifier are both
  /// refused.
  public mutating func receive(_ operation: Operation) {
    let key = TransactionKey(operation)
    let known = copies[operation.id] ?? []
    if known.contains(where: { $0.hash == operation.hash }) {
      if operation.sealedBody == nil { erase(operation.id, hash: operation.hash) }
      return
    }
    let isHere = known.contains { copy in
      transactions[copy.transaction]?.members.contains { $0.operation.isSameChange(as: operation) } ?? false
    }
    // The same change in a chain that goes on in the place of another.
    if isHere { return }
    copies[operation.id, default: []].append(Copy(hash: operation.hash, transaction: key))
    transactions[key, default: Transaction()].add(OpenedOperation(operation))
    if !known.isEmpty, barred[operation.id] != .rejected { barred[operation.id] = .twoVersions }
    if known.isEmpty, !settled.contains(key), barred[operation.id] == nil {
      settle(from: [key])
    } else {
      rebuild()
    }
  }

  /// Takes note of operations that the hub rejected, here or not; they and their transactions count for nothing.
  public mutating func reject(_ ids: some Sequence<OperationID>) {
    for id in ids { barred[id] = .rejected }
    rebuild()
  }

  private mutating func erase(_ id: OperationID, hash: [UInt8]) {
    var isChanged = false
    for copy in copies[id] ?? [] where copy.hash == hash {
      let members = transactions[copy.transaction]?.members ?? []
      for (index, member) in members.enumerated() where member.operation.hash == hash && member.content != .destroyed {
        transactions[copy.transaction]?.members[index] = OpenedOperation(member.operation.withoutBody())
        isChanged = true
      }
    }
    if isChanged { rebuild() }
  }

  private mutating func rebuild() {
    rows = [:]
    refused = barred
    fates = barred.mapValues { _ in .void }
    settled = []
    waiting = [:]
    settle(from: Array(transactions.keys))
  }

  private mutating func settle(from keys: [TransactionKey]) {
    var open = keys
    while let key = open.popLast() {
      guard !settled.contains(key), let transaction = transactions[key], transaction.isComplete else { continue }
      let decided: [OperationID]
      switch Admission.decide(transaction.members, check: check, fate: { fates[$0] }) {
      case .wait(_, let causes):
        // Waking for one cause is enough, for the others are asked after then; the youngest is likely the last.
        if let youngest = causes.max() { waiting[youngest, default: []].append(key) }
        continue
      case .refuse(let refusals):
        refused.merge(refusals) { earlier, _ in earlier }
        for id in refusals.keys { fates[id] = .void }
        decided = Array(refusals.keys)
      case .apply(let inOrder):
        for opened in inOrder { apply(opened) }
        decided = inOrder.map(\.operation.id)
      }
      settled.insert(key)
      for id in decided { open.append(contentsOf: waiting.removeValue(forKey: id) ?? []) }
    }
  }

  private mutating func apply(_ opened: OpenedOperation) {
    let operation = opened.operation
    if opened.content == .destroyed {
      fates[operation.id] = .void
    } else {
      rows[operation.row, default: RowState()].apply(opened)
      fates[operation.id] = .applied(operation.hlc)
    }
  }
}

extension Replica {
  /// The standing value of a field; nil when it was never set.
  public func value(of field: String, in row: RowKey) -> Value? {
    rows[row]?.fields[field]?.standing?.value
  }

  /// The forked fields, in the order of row and field.
  public var forks: [Fork] {
    rows.flatMap { row, state in
      state.fields.compactMap { $1.isForked ? Fork(row: row, field: $0, heads: $1.heads) : nil }
    }.sorted { $0.row != $1.row ? $0.row < $1.row : $0.field.precedesInUTF8($1.field) }
  }

  /// The transactions that wait, in the order of device and identifier.
  public var parked: [ParkedTransaction] {
    transactions.compactMap { key, transaction -> ParkedTransaction? in
      guard !settled.contains(key),
        case .wait(let missing, let causes) = Admission.decide(
          transaction.members, check: check, fate: { fates[$0] })
      else { return nil }
      return ParkedTransaction(
        device: key.device, tx: key.tx, operations: transaction.members.map(\.operation.id).sorted(), missing: missing,
        causes: causes.sorted())
    }.sorted { $0.device != $1.device ? $0.device < $1.device : $0.tx < $1.tx }
  }

  /// Which rows are deleted, and what became of each delete.
  public var deletions: DeletionStates { DeletionStates(of: rows, owners: owners) }

  /// What a delete of a row names: all heads of the row and of every row below it.
  public func covers(of row: RowKey) -> [RowKey: [String: [OperationID]]] {
    var below: [RowKey: [RowKey]] = [:]
    for (key, state) in rows {
      for parent in owners(key, state.values) { below[parent, default: []].append(key) }
    }
    var covers: [RowKey: [String: [OperationID]]] = [:]
    for member in DeletionStates.family(of: row, below: below) { covers[member] = rows[member]?.heads }
    return covers
  }

  /// Every value that a row's fields have had, in the order of time.
  public func history(of row: RowKey) -> [HistoryEntry] {
    let applied = transactions.values.lazy.flatMap(\.members).filter {
      guard case .applied = fates[$0.operation.id] else { return false }
      return $0.operation.row == row
    }
    return HistoryEntry.list(of: applied)
  }
}
