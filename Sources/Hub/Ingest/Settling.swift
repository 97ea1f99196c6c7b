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

  /// Why it is asked what becomes of operations.
  enum Asker {
    /// They came, or what they waited for did.
    case arrival
    /// A person lets them in, by a ruling: only what contradicts itself is still refused.
    case person(ruling: OperationID)

    /// What verdicts name as their cause.
    var ruling: OperationID? { if case .person(let ruling) = self { ruling } else { nil } }

    var isPerson: Bool { ruling != nil }
  }

  /// Decides on all members, keeps the new ones, and says by verdicts what became of the others.
  @discardableResult func settle(
    _ members: [TransactionMember], _ key: TransactionKey, for asker: Asker = .arrival
  ) throws -> [Outcome] {
    let memberIDs = Set(members.map(\.operation.id))
    let refusedBefore = Set(
      members.filter { member in
        guard let fate = member.stored?.fate, !asker.isPerson || member.isSecondVersion else { return false }
        return !fate.counts && !fate.isDeferred
      }.map(\.operation.id))
    let admission = try Admission.decide(members.map(\.opened)) { opened in
      let refusal = EntryCheck.refusal(of: opened)
      // Who knows more than this hub may say that it counts; a value that no terminal can read never does.
      if asker.isPerson, case .unknown? = refusal { return nil }
      // After what has the last time that there is nothing could stand.
      if asker.isPerson, refusal == nil, !EntryCheck.hasTimeAfter(opened.operation.hlc) { return .clockAhead }
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
      return try finish(members, results, for: asker)
    case .apply(let inOrder):
      return try apply(members, inOrder, by: asker.ruling)
    }
  }

  /// Lets a transaction count: keeps the new members and brings the heads to what all of them say.
  private func apply(
    _ members: [TransactionMember], _ inOrder: [OpenedOperation], by cause: OperationID?
  ) throws -> [Outcome] {
    let new = members.filter { $0.stored == nil }.map(\.opened)
    let numbers = try keepCounting(new)
    // What counts only now gets its number by the verdict that follows.
    let next = tables.log.head.seq + Int64(new.count) + 1
    for member in members where member.stored.map({ !$0.fate.counts }) ?? false {
      _ = try tables.scope.atoms(for: member.opened, at: next, counts: true)
    }
    let results =
      new.count == members.count ? try applyNew(inOrder, numbers) : try applyLate(inOrder, of: members)
    for opened in new {
      let operation = opened.operation
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
    return new.map(\.operation).compactMap { operation in
      guard let seq = numbers[operation.id], let result = results[operation.id] else { return nil }
      return Outcome(operation: operation, seq: seq, result: result, isDuplicate: false)
    }
  }

  /// Keeps new operations that count, each at the place of the log that its entry will have.
  /// - Returns: their numbers.
  private func keepCounting(_ new: [OpenedOperation]) throws -> [OperationID: Int64] {
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
    return numbers
  }

  /// Brings the heads to what the members of a transaction say that is new as a whole.
  private func applyNew(
    _ inOrder: [OpenedOperation], _ numbers: [OperationID: Int64]
  ) throws -> [OperationID: HubResult] {
    var results: [OperationID: HubResult] = [:]
    for opened in inOrder {
      let operation = opened.operation
      guard opened.content != .destroyed, let seq = numbers[operation.id] else {
        results[operation.id] = .withheld
        continue
      }
      let isForked = try tables.heads.apply(opened, at: seq)
      results[operation.id] = isForked ? .conflict : .applied
      if isForked { try tables.operations.note(.result(.conflict), of: operation) }
    }
    return results
  }

  /// Brings the heads to what the members of a transaction say of which some were here: they may lie under what came
  /// since.
  private func applyLate(
    _ inOrder: [OpenedOperation], of members: [TransactionMember]
  ) throws -> [OperationID: HubResult] {
    var results: [OperationID: HubResult] = [:]
    for opened in inOrder { results[opened.operation.id] = opened.content == .destroyed ? .withheld : .applied }
    for member in members where member.stored != nil {
      try tables.operations.note(.result(results[member.operation.id] ?? .applied), of: member.operation)
    }
    for row in Set(inOrder.map(\.operation.row)) { try tables.heads.rebuild(row) }
    for opened in inOrder where results[opened.operation.id] == .applied {
      guard try tables.heads.isForked(by: opened) else { continue }
      results[opened.operation.id] = .conflict
      try tables.operations.note(.result(.conflict), of: opened.operation)
    }
    return results
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
  @discardableResult func finish(
    _ members: [TransactionMember], _ results: [OperationID: HubResult], for asker: Asker = .arrival
  ) throws -> [Outcome] {
    let outcomes = try keep(members.filter { $0.stored == nil }.map(\.operation), results)
    for member in members {
      guard let stored = member.stored, !member.isSecondVersion, let result = results[member.operation.id] else {
        continue
      }
      if stored.fate == .result(result) { continue }
      // What did not count before keeps its own reason, unless a person has asked again.
      if !asker.isPerson, !stored.fate.counts, !stored.fate.isDeferred { continue }
      try close(member.operation, stored.fate, as: .result(result), by: asker.ruling)
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
