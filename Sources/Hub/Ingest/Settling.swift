import ExamStore
import Journal
import Sync

/// Decides on transactions: keeps each operation under a number of the log, says what it does, and brings the heads to
/// what the rules of `Journal` say.
///
/// Everything is kept, also what counts for nothing: it can be listed, and a person can admit it.
final class Settling {
  let tables: IngestTables
  /// The operations whose content came only now: who was given them without it is given it with what became of them.
  var filled: Set<OperationID> = []

  init(_ tables: IngestTables) { self.tables = tables }

  /// What was said of an operation as it came.
  struct Outcome {
    let operation: Journal.Operation
    let seq: Int64
    let result: HubResult
    /// Whether the same change was here before, under this number.
    let isDuplicate: Bool
  }

  /// Decides on all members, keeps the new ones, and says by verdicts what became of the others.
  /// - Parameter isAdmitted: whether a person lets it in: only what contradicts itself is still refused.
  @discardableResult func settle(
    _ members: [TransactionMember], _ key: TransactionKey, isAdmitted: Bool = false, by cause: OperationID? = nil
  ) throws -> [Outcome] {
    let memberIDs = Set(members.map(\.operation.id))
    let refusedBefore = Set(
      members.filter { member in
        guard let fate = member.stored?.fate, !isAdmitted || member.isSecondVersion else { return false }
        return !fate.counts && !fate.isDeferred
      }.map(\.operation.id))
    let admission = try Admission.decide(members.map(\.opened)) { opened in
      let refusal = EntryCheck.refusal(of: opened)
      // Who knows more than this hub may say that it counts; a value that no terminal can read never does.
      if isAdmitted, case .unknown? = refusal { return nil }
      // After what has the last time that there is nothing could stand.
      if isAdmitted, refusal == nil, !EntryCheck.hasTimeAfter(opened.operation.hlc) { return .clockAhead }
      return refusal
    } fate: { id in
      memberIDs.contains(id)
        ? (refusedBefore.contains(id) ? .void : nil) : try tables.operations.admission(of: id)
    }
    switch admission {
    case .wait(let missing, let causes):
      let delay: HubResult.Delay = missing > 0 ? .transactionIncomplete : .causeMissing
      for cause in causes {
        tables.log.held.insert([HubValue(cause), HubValue(key.device), HubValue(key.tx)], into: .waiters)
      }
      for member in members where member.stored?.fate.isDeferred == true {
        try tables.operations.note(.result(.deferred(delay)), of: member.operation)
      }
      return try keep(
        members.filter { $0.stored == nil }.map(\.operation),
        Dictionary(members.map { ($0.operation.id, .deferred(delay)) }, uniquingKeysWith: { first, _ in first }))
    case .refuse(let refusals):
      let results = refusals.mapValues { HubResult($0) }.spread(over: members.map(\.operation))
      return try finish(members, results, by: cause)
    case .apply(let inOrder):
      return try apply(members, inOrder, by: cause)
    }
  }

  /// Lets a transaction count: keeps the new members and brings the heads to what all of them say.
  private func apply(_ members: [TransactionMember], _ inOrder: [OpenedOperation], by cause: OperationID?) throws
    -> [Outcome]
  {
    let new = members.filter { $0.stored == nil }.map(\.opened)
    let fresh = new.map(\.operation)
    var next = tables.log.head.seq
    var numbers: [OperationID: Int64] = [:]
    for opened in new {
      next += 1
      let operation = opened.operation
      numbers[operation.id] = next
      let atoms = try tables.scope.atoms(for: opened, at: next, counts: true)
      tables.operations.insert(
        operation, seq: next, result: operation.absent == nil ? .applied : .withheld, untilSeq: nil, atoms: atoms)
    }
    // What counts only now gets its number by the verdict that follows.
    for member in members where member.stored.map({ !$0.fate.counts }) ?? false {
      _ = try tables.scope.atoms(for: member.opened, at: next + 1, counts: true)
    }
    var results: [OperationID: HubResult] = [:]
    let isNew = fresh.count == members.count
    for opened in inOrder {
      let operation = opened.operation
      if opened.content == .destroyed {
        results[operation.id] = .withheld
      } else if isNew {
        let isForked = try tables.heads.apply(opened, at: numbers[operation.id] ?? next)
        results[operation.id] = isForked ? .conflict : .applied
        if isForked { try tables.operations.note(.result(.conflict), of: operation) }
      } else {
        results[operation.id] = .applied
      }
    }
    for member in members where member.stored != nil {
      try tables.operations.note(.result(results[member.operation.id] ?? .applied), of: member.operation)
    }
    if !isNew {
      // What came late may lie under what came since.
      for row in Set(inOrder.map(\.operation.row)) { try tables.heads.rebuild(row) }
      for opened in inOrder where results[opened.operation.id] == .applied {
        guard try tables.heads.isForked(by: opened) else { continue }
        results[opened.operation.id] = .conflict
        try tables.operations.note(.result(.conflict), of: opened.operation)
      }
    }
    for operation in fresh {
      tables.log.append(.operation(hash: operation.hash, result: results[operation.id] ?? .applied))
    }
    for member in members {
      guard let stored = member.stored, !stored.fate.counts else { continue }
      let id = member.operation.id
      tables.log.append(.verdict(id, .result(results[id] ?? .applied), by: cause), note(of: id))
    }
    tables.memory.note(inOrder)
    for opened in inOrder where opened.operation.row.entity == Ruling.entity {
      try rule(on: opened.operation)
    }
    return fresh.compactMap { operation in
      guard let seq = numbers[operation.id], let result = results[operation.id] else { return nil }
      return Outcome(operation: operation, seq: seq, result: result, isDuplicate: false)
    }
  }

  /// Keeps new operations with what is said of them, in the order of their chain.
  func keep(
    _ fresh: [Journal.Operation], _ results: [OperationID: HubResult], note: ExamLog.Note? = nil
  ) throws -> [Outcome] {
    try fresh.map { operation in
      let result = results[operation.id] ?? .rejected(.withTransaction)
      let seq = tables.log.append(.operation(hash: operation.hash, result: result), note)
      let atoms = try tables.scope.atoms(for: OpenedOperation(operation), at: seq, counts: false)
      tables.operations.insert(
        operation, seq: seq, result: result, untilSeq: result.isDeferred ? nil : seq, atoms: atoms)
      return Outcome(operation: operation, seq: seq, result: result, isDuplicate: false)
    }
  }

  /// Keeps the new members of a transaction and says by verdicts of those that were here what became of them.
  func finish(
    _ members: [TransactionMember], _ results: [OperationID: HubResult], by cause: OperationID?
  ) throws -> [Outcome] {
    let outcomes = try keep(members.filter { $0.stored == nil }.map(\.operation), results)
    for member in members {
      guard let stored = member.stored, !member.isSecondVersion, let result = results[member.operation.id] else {
        continue
      }
      if stored.fate == .result(result) { continue }
      // What did not count before keeps its own reason, unless a person has asked again.
      if cause == nil, !stored.fate.counts, !stored.fate.isDeferred { continue }
      try close(member.operation, stored.fate, as: .result(result), by: cause)
    }
    return outcomes
  }

  /// Says of an operation that was here that it counts for nothing.
  func close(
    _ operation: Journal.Operation, _ before: LogEntry.Fate, as fate: LogEntry.Fate, by cause: OperationID?
  ) throws {
    try tables.operations.note(fate, of: operation)
    tables.log.append(.verdict(operation.id, fate, by: cause), note(of: operation.id))
    if before.counts {
      try tables.heads.rebuild(operation.row)
      tables.memory.note([OpenedOperation(operation)])
    }
    try tables.operations.noteEnd(of: operation.id, at: tables.log.head.seq)
  }

  /// What the log notes with a verdict on an operation.
  func note(of id: OperationID) -> ExamLog.Note? { filled.contains(id) ? .content : nil }

  private static let (device, tx) = (HeldTable.waiters.column("device"), HeldTable.waiters.column("tx"))

  /// Looks again at the transactions that waited for operations which are decided now.
  func wake(_ ids: [OperationID]) throws {
    var open = ids
    while let id = open.popLast() {
      let waiters = try tables.log.held.rows(.waitersByCause, [HubValue(id)])
      if waiters.isEmpty { continue }
      guard try tables.operations.admission(of: id) != nil else { continue }
      for waiter in waiters { tables.log.held.remove(waiter, from: .waiters) }
      let keys = try waiters.map { TransactionKey(device: try $0.row.id(Self.device), tx: try $0.row.id(Self.tx)) }
      for key in keys.sorted(by: { ($0.device, $0.tx) < ($1.device, $1.tx) }) {
        let members = try tables.members(of: key)
        guard members.contains(where: { $0.stored?.fate.isDeferred == true }) else { continue }
        try settle(members, key)
        open += members.map(\.operation.id)
      }
    }
  }
}
