import ExamStore
import Journal
import Sync

/// Decides on operations that are chain-valid: keeps each under a number of the log, says what it does, and brings the
/// heads to what the rules of `Journal` say.
///
/// Everything is kept, also what counts for nothing: it can be listed, and a person can admit it.
final class Decisions {
  private let log: ExamLog
  private let operations: OperationStore
  private let heads: HeadTable
  private let devices: DeviceTable
  private let memory = PushMemory()
  private let scope: ScopeTable
  /// The operations whose content came only now: who was given them without it is given it with what became of them.
  private var filled: Set<OperationID> = []

  init(_ log: ExamLog) {
    self.log = log
    operations = OperationStore(log: log)
    heads = HeadTable(log: log, operations: operations)
    devices = DeviceTable(connection: log.beside, exam: log.exam)
    scope = ScopeTable(log)
  }

  /// What was said of an operation as it came.
  struct Outcome {
    let operation: Journal.Operation
    let seq: Int64
    let result: HubResult
    /// Whether the same change was here before, under this number.
    let isDuplicate: Bool
  }

  /// An operation of a transaction that is being decided.
  private struct Member {
    let opened: OpenedOperation
    /// Its number, and what was said of it; nil while it is new.
    let stored: (seq: Int64, standing: StoredOperation.Standing)?
    /// Whether it has the identifier of another's change, which stands: a verdict on that would be one on the other's.
    var isBorrowed = false
    var operation: Journal.Operation { opened.operation }
  }

  // MARK: Arrivals

  /// Takes operations of one device that follow its chain, in the chain's order.
  /// - Parameter relayers: who passed on what of them.
  func take(
    _ arrivals: [OpenedOperation], from sender: DeviceRecord, passedOnBy relayers: Relayers = [:]
  ) throws -> [Outcome] {
    if arrivals.isEmpty { return [] }
    memory.forget()
    try ArrivalRows(log).load(arrivals)
    var outcomes: [Outcome] = []
    var rest = arrivals[...]
    while let first = rest.first?.operation {
      let group = rest.prefix { $0.operation.tx == first.tx && $0.operation.device == first.device }
      rest = rest.dropFirst(group.count)
      outcomes += try takeTransaction(Array(group), from: sender, relayers)
      try log.held.writeAhead()
    }
    return outcomes
  }

  private func takeTransaction(
    _ opened: [OpenedOperation], from sender: DeviceRecord, _ relayers: Relayers
  ) throws -> [Outcome] {
    let arrivals = opened.map(\.operation)
    let door = try Door(log, sender, relayers, transaction: opened, memory, scope)
    defer { memory.note(opened) }
    var copies: [OperationID: StoredOperation] = [:]
    var refused: [OperationID: HubResult] = [:]
    var seen: Set<OperationID> = []
    for opened in opened {
      let operation = opened.operation
      if let first = try operations.versions(of: operation.id).first {
        if try isSame(first.operation, operation) {
          copies[operation.id] = first
        } else {
          refused[operation.id] = .rejected(.twoVersions)
        }
      } else if !seen.insert(operation.id).inserted {
        refused[operation.id] = .rejected(.twoVersions)
      } else if let refusal = try door.refusal(of: opened) {
        refused[operation.id] = refusal
      }
    }
    let new = opened.filter { copies[$0.operation.id] == nil }
    let fresh = new.map(\.operation)
    if refused.isEmpty, try !areNeighbours(fresh) {
      for operation in fresh { refused[operation.id] = .rejected(.transactionForm) }
    }
    let decided: [Outcome]
    if refused.isEmpty {
      decided = new.isEmpty ? [] : try decide(new)
    } else {
      let isRelayed = arrivals.contains { relayers[$0.hash] != nil }
      decided = try keep(fresh, Decisions.spread(refused, over: fresh), note: isRelayed ? .relayed : nil)
      // That they count for nothing is what others waited to know, those first that came of the same transaction before.
      // What is only passed on may still come from its own device, and count.
      var ids = fresh.map(\.id)
      if let first = fresh.first, !isRelayed, fresh.count < first.txSize {
        let members = try members(of: TransactionKey(first))
        _ = try finish(members, Decisions.spread(refused, over: members.map(\.operation)), by: nil)
        ids = members.map(\.operation.id)
      }
      try wake(ids)
    }
    // A copy in a chain that continues another is kept, so that the chain is whole, and does nothing a second time.
    var byHash = Dictionary(decided.map { ($0.operation.hash, $0) }, uniquingKeysWith: { first, _ in first })
    for arrival in arrivals {
      guard let first = copies[arrival.id] else { continue }
      // What was erased comes back with no other copy.
      let isErased = first.operation.sealedBody == nil && first.operation.absent == .erased
      let operation = isErased ? arrival.withoutBody() : arrival
      let result = first.standing.result
      let seq = log.append(.operation(hash: operation.hash, result: result))
      let atoms = try scope.words(for: OpenedOperation(operation), at: seq, counts: false)
      operations.insert(operation, seq: seq, result: result, untilSeq: seq, atoms: atoms)
      byHash[operation.hash] = Outcome(operation: operation, seq: first.seq, result: result, isDuplicate: true)
    }
    try ruleOn(decided.map(\.operation.id))
    return arrivals.compactMap { byHash[$0.hash] }
  }

  /// Whether the operations of a transaction stand in its order and beside each other in their device's chain.
  private func areNeighbours(_ fresh: [Journal.Operation]) throws -> Bool {
    guard let first = fresh.first else { return true }
    let begin = first.deviceSeq - Int64(first.txIndex)
    guard fresh.allSatisfy({ $0.deviceSeq - Int64($0.txIndex) == begin }) else { return false }
    if fresh.count == first.txSize { return true }
    return try operations.members(device: first.device, tx: first.tx).allSatisfy {
      $0.operation.deviceSeq - Int64($0.operation.txIndex) == begin
    }
  }

  // MARK: Again

  /// Looks again at operations that are here and come once more: with the content that was missing, or from the device
  /// itself where another had passed them on that may not.
  func takeAgain(_ arrivals: [Journal.Operation], from sender: DeviceRecord, passedOnBy relayer: DeviceRecord? = nil)
    throws
  {
    try log.held.load(.operationsByID, arrivals.map { [HubValue($0.id)] })
    var open: [TransactionKey: Set<OperationID>] = [:]
    var keys: [TransactionKey] = []
    for operation in arrivals {
      let versions = try operations.versions(of: operation.id)
      guard let stored = versions.first(where: { $0.operation.hash == operation.hash }) else { continue }
      if Self.isContent(operation, of: stored.operation, isOwn: relayer == nil) {
        if let relayer, try !mayBring(operation, relayer, from: sender) { continue }
        let atoms = try scope.words(for: OpenedOperation(operation), at: log.head.seq + 1, counts: false)
        try operations.fill(operation, atoms: atoms)
        filled.insert(operation.id)
      } else {
        guard relayer == nil, stored.standing == .result(.quarantined(.session)),
          try log.note(at: stored.seq) == .relayed
        else { continue }
      }
      // A copy does nothing that the first has not done.
      guard versions.first?.operation.hash == operation.hash else { continue }
      try operations.note(.result(.deferred(.transactionIncomplete)), of: operation)
      let key = TransactionKey(operation)
      if open.updateValue(open[key, default: []].union([operation.id]), forKey: key) == nil { keys.append(key) }
    }
    for key in keys {
      try decideAgain(open[key, default: []], key, from: sender, relayer)
    }
  }

  /// Whether an operation brings what one that is here lacks: what only was not sent, or by the device itself what
  /// another said to be lost or kept back.
  private static func isContent(
    _ operation: Journal.Operation, of stored: Journal.Operation, isOwn: Bool
  ) -> Bool {
    guard operation.sealedBody != nil, stored.sealedBody == nil else { return false }
    return stored.absent == .scope || isOwn && stored.absent != .erased
  }

  /// Whether what a device brings of another would count: content that would only be kept for a person waits for who may
  /// bring it, for it takes with it what stands of its transaction.
  private func mayBring(
    _ operation: Journal.Operation, _ relayer: DeviceRecord, from sender: DeviceRecord
  ) throws -> Bool {
    let opened = OpenedOperation(operation)
    let door = try Door(log, sender, [operation.hash: relayer], transaction: [opened], memory, scope)
    defer { memory.note([opened]) }
    return try door.refusal(of: opened) != .quarantined(.session)
  }

  private func decideAgain(
    _ ids: Set<OperationID>, _ key: TransactionKey, from sender: DeviceRecord, _ relayer: DeviceRecord?
  ) throws {
    let members = try members(of: key)
    let open = members.filter { ids.contains($0.operation.id) }
    let relayers = relayer.map { relayer in
      Relayers(open.map { ($0.operation.hash, relayer) }, uniquingKeysWith: { first, _ in first })
    }
    let door = try Door(log, sender, relayers ?? [:], transaction: open.map(\.opened), memory, scope)
    defer { memory.forget() }
    var refused: [OperationID: HubResult] = [:]
    for member in open {
      if let refusal = try door.refusal(of: member.opened) { refused[member.operation.id] = refusal }
    }
    if refused.isEmpty {
      try settle(members, key)
    } else {
      _ = try finish(members, Decisions.spread(refused, over: members.map(\.operation)), by: nil)
    }
    for member in open {
      // That it waits now is news, too.
      guard let stored = try operations.versions(of: member.operation.id).first, stored.standing.isDeferred else {
        continue
      }
      log.append(
        .verdict(member.operation.id, .result(stored.standing.result), by: nil), note(of: member.operation.id))
    }
    try wake(members.map(\.operation.id))
    try ruleOn(open.map(\.operation.id))
  }

  private func note(of id: OperationID) -> ExamLog.Note? { filled.contains(id) ? .content : nil }

  // MARK: Ruled before

  /// Carries out what was ruled on operations before they came: a hub that was restored gets them again in any order.
  private func ruleOn(_ ids: [OperationID]) throws {
    if ids.isEmpty { return }
    let ruled = try memory.ruledOn { Set(try heads.keys(of: Ruling.entity, having: Ruling.field)) }
    for id in ids where ruled.contains(id.description) {
      guard let standing = try heads.standing(Ruling.field, of: Ruling.row(of: id)),
        let ruling = try operations.versions(of: standing.op).first
      else { continue }
      try rule(on: ruling.operation)
    }
  }

  /// Whether two operations with one identifier are the same change: sealed again in another chain.
  private func isSame(_ first: Journal.Operation, _ second: Journal.Operation) throws -> Bool {
    if first.row != second.row || first.hlc != second.hlc || first.kind != second.kind { return false }
    if first.bodyHash == second.bodyHash { return true }
    let lineage = Set(try self.lineage(of: first.device))
    return try self.lineage(of: second.device).contains { lineage.contains($0) }
  }

  private func lineage(of device: UUIDBytes) throws -> [UUIDBytes] {
    try memory.lineage(of: device) { try devices.lineage(of: device) }
  }

  /// Gives the members of a transaction that are not refused themselves their share of its fate.
  private static func spread(
    _ refused: [OperationID: HubResult], over members: [Journal.Operation]
  ) -> [OperationID: HubResult] {
    var results = refused
    let quarantine = refused.sorted { $0.key < $1.key }.first {
      if case .quarantined = $0.value { true } else { false }
    }
    let isOnlyKept = refused.values.allSatisfy { if case .quarantined = $0 { true } else { false } }
    for member in members where results[member.id] == nil {
      results[member.id] = isOnlyKept ? quarantine?.value : .rejected(.withTransaction)
    }
    return results
  }

  // MARK: Deciding

  /// Decides on a transaction of which operations are new.
  private func decide(_ fresh: [OpenedOperation]) throws -> [Outcome] {
    guard let first = fresh.first?.operation else { return [] }
    let key = TransactionKey(first)
    let isWhole = fresh.count == first.txSize && fresh.allSatisfy { $0.operation.txSize == first.txSize }
    let earlier = isWhole ? [] : try members(of: key)
    let members = earlier + fresh.map { Member(opened: $0, stored: nil) }
    let outcomes = try settle(members, key)
    try wake(outcomes.map(\.operation.id) + earlier.map(\.operation.id))
    return outcomes
  }

  /// Every operation of a transaction that is here, each once.
  private func members(of key: TransactionKey) throws -> [Member] {
    var ids: Set<OperationID> = []
    var members: [Member] = []
    for device in try lineage(of: key.device).reversed() {
      for stored in try operations.members(device: device, tx: key.tx) where ids.insert(stored.operation.id).inserted {
        let isBorrowed = try stored.standing.result == .rejected(.twoVersions) && !operations.isFirst(stored)
        members.append(
          Member(
            opened: OpenedOperation(stored.operation), stored: (stored.seq, stored.standing), isBorrowed: isBorrowed))
      }
    }
    return members
  }

  /// Decides on all members, keeps the new ones, and says by verdicts what became of the others.
  /// - Parameter isAdmitted: whether a person lets it in: only what contradicts itself is still refused.
  @discardableResult private func settle(
    _ members: [Member], _ key: TransactionKey, isAdmitted: Bool = false, by cause: OperationID? = nil
  ) throws -> [Outcome] {
    let own = Set(members.map(\.operation.id))
    let void = Set(
      members.filter { member in
        guard let standing = member.stored?.standing, !isAdmitted || member.isBorrowed else { return false }
        return !standing.isApplied && !standing.isDeferred
      }.map(\.operation.id))
    let admission = try Admission.decide(members.map(\.opened)) { opened in
      let refusal = EntryCheck.refusal(of: opened)
      // Who knows more than this hub may say that it counts; a value that no terminal can read never does.
      if isAdmitted, case .unknown? = refusal { return nil }
      return refusal
    } fate: { id in
      own.contains(id) ? (void.contains(id) ? .void : nil) : try operations.fate(of: id)
    }
    switch admission {
    case .wait(let missing, let causes):
      let delay: HubResult.Delay = missing > 0 ? .transactionIncomplete : .causeMissing
      for cause in causes {
        log.held.insert([HubValue(cause), HubValue(key.device), HubValue(key.tx)], into: .waiters)
      }
      for member in members where member.stored?.standing.isDeferred == true {
        try operations.note(.result(.deferred(delay)), of: member.operation)
      }
      return try keep(
        members.filter { $0.stored == nil }.map(\.operation),
        Dictionary(members.map { ($0.operation.id, .deferred(delay)) }, uniquingKeysWith: { first, _ in first }))
    case .refuse(let refusals):
      let results = Decisions.spread(refusals.mapValues { Decisions.result(of: $0) }, over: members.map(\.operation))
      return try finish(members, results, by: cause)
    case .apply(let inOrder):
      return try apply(members, inOrder, by: cause)
    }
  }

  private func apply(_ members: [Member], _ inOrder: [OpenedOperation], by cause: OperationID?) throws -> [Outcome] {
    let new = members.filter { $0.stored == nil }.map(\.opened)
    let fresh = new.map(\.operation)
    var next = log.head.seq
    var numbers: [OperationID: Int64] = [:]
    for opened in new {
      next += 1
      let operation = opened.operation
      numbers[operation.id] = next
      let atoms = try scope.words(for: opened, at: next, counts: true)
      operations.insert(
        operation, seq: next, result: operation.absent == nil ? .applied : .withheld, untilSeq: nil, atoms: atoms)
    }
    // What counts only now gets its number by the verdict that follows.
    for member in members where member.stored.map({ !$0.standing.isApplied }) ?? false {
      _ = try scope.words(for: member.opened, at: next + 1, counts: true)
    }
    var results: [OperationID: HubResult] = [:]
    let isNew = fresh.count == members.count
    for opened in inOrder {
      let operation = opened.operation
      if opened.content == .destroyed {
        results[operation.id] = .withheld
      } else if isNew {
        let isForked = try heads.apply(opened, at: numbers[operation.id] ?? next)
        results[operation.id] = isForked ? .conflict : .applied
        if isForked { try operations.note(.result(.conflict), of: operation) }
      } else {
        results[operation.id] = .applied
      }
    }
    for member in members where member.stored != nil {
      try operations.note(.result(results[member.operation.id] ?? .applied), of: member.operation)
    }
    if !isNew {
      // What came late may lie under what came since.
      for row in Set(inOrder.map(\.operation.row)) { try heads.rebuild(row) }
      for opened in inOrder where results[opened.operation.id] == .applied {
        guard try heads.isForked(by: opened) else { continue }
        results[opened.operation.id] = .conflict
        try operations.note(.result(.conflict), of: opened.operation)
      }
    }
    for operation in fresh {
      log.append(.operation(hash: operation.hash, result: results[operation.id] ?? .applied))
    }
    for member in members {
      guard let stored = member.stored, !stored.standing.isApplied else { continue }
      let id = member.operation.id
      log.append(.verdict(id, .result(results[id] ?? .applied), by: cause), note(of: id))
    }
    memory.note(inOrder)
    for opened in inOrder where opened.operation.row.entity == Ruling.entity {
      try rule(on: opened.operation)
    }
    return fresh.compactMap { operation in
      guard let seq = numbers[operation.id], let result = results[operation.id] else { return nil }
      return Outcome(operation: operation, seq: seq, result: result, isDuplicate: false)
    }
  }

  /// Keeps new operations with what is said of them, in the order of their chain.
  private func keep(
    _ fresh: [Journal.Operation], _ results: [OperationID: HubResult], note: ExamLog.Note? = nil
  ) throws -> [Outcome] {
    try fresh.map { operation in
      let result = results[operation.id] ?? .rejected(.withTransaction)
      let seq = log.append(.operation(hash: operation.hash, result: result), note)
      let isOpen = if case .deferred = result { true } else { false }
      let atoms = try scope.words(for: OpenedOperation(operation), at: seq, counts: false)
      operations.insert(operation, seq: seq, result: result, untilSeq: isOpen ? nil : seq, atoms: atoms)
      return Outcome(operation: operation, seq: seq, result: result, isDuplicate: false)
    }
  }

  /// The same of a transaction of which some operations were here before.
  private func finish(
    _ members: [Member], _ results: [OperationID: HubResult], by cause: OperationID?
  ) throws -> [Outcome] {
    let outcomes = try keep(members.filter { $0.stored == nil }.map(\.operation), results)
    for member in members {
      guard let stored = member.stored, !member.isBorrowed, let result = results[member.operation.id] else { continue }
      if stored.standing == .result(result) { continue }
      // What did not count before keeps its own reason, unless a person has asked again.
      if cause == nil, !stored.standing.isApplied, !stored.standing.isDeferred { continue }
      try close(member.operation, stored.standing, as: .result(result), by: cause)
    }
    return outcomes
  }

  /// Says of an operation that was here that it counts for nothing.
  private func close(
    _ operation: Journal.Operation, _ before: StoredOperation.Standing, as ruling: LogEntry.Ruling,
    by cause: OperationID?
  ) throws {
    try operations.note(StoredOperation.Standing(ruling), of: operation)
    log.append(.verdict(operation.id, ruling, by: cause), note(of: operation.id))
    if before.isApplied {
      try heads.rebuild(operation.row)
      memory.note([OpenedOperation(operation)])
    }
    try operations.noteEnd(of: operation.id, at: log.head.seq)
  }

  private static let (device, tx) = (HeldTable.waiters.column("device"), HeldTable.waiters.column("tx"))

  /// Looks again at the transactions that waited for operations which are decided now.
  private func wake(_ ids: [OperationID]) throws {
    var open = ids
    while let id = open.popLast() {
      let waiters = try log.held.rows(.waitersByCause, [HubValue(id)])
      if waiters.isEmpty { continue }
      guard try operations.fate(of: id) != nil else { continue }
      for waiter in waiters { log.held.remove(waiter, from: .waiters) }
      let keys = try waiters.map { TransactionKey(device: try $0.row.id(Self.device), tx: try $0.row.id(Self.tx)) }
      for key in keys.sorted(by: { ($0.device, $0.tx) < ($1.device, $1.tx) }) {
        let members = try members(of: key)
        guard members.contains(where: { $0.stored?.standing.isDeferred == true }) else { continue }
        try settle(members, key)
        open += members.map(\.operation.id)
      }
    }
  }

  // MARK: Rulings

  /// Carries out what was ruled on an operation: admitted, rejected or revoked.
  private func rule(on ruling: Journal.Operation) throws {
    guard let target = OperationID(ruling.row.id), let stored = try operations.versions(of: target).first,
      case .text(let word)? = try heads.standing(Ruling.field, of: ruling.row)?.value,
      let verdict = Verdict(rawValue: word)
    else { return }
    let key = TransactionKey(stored.operation)
    let members = try members(of: key)
    try Audit(connection: log.beside, exam: log.exam).note(
      ruling.kind.rawValue, by: ruling.device == log.hubDevice ? Audit.operator : ruling.device.description,
      "\(verdict.rawValue) \(target)", at: log.now)
    switch verdict {
    case .applied:
      if stored.standing.isApplied { return }
      try settle(members, key, isAdmitted: true, by: ruling.id)
    case .rejected, .withdrawn:
      // What counts is undone, not revoked.
      if verdict == .withdrawn && stored.standing.isApplied { return }
      let said: LogEntry.Ruling = verdict == .withdrawn ? .withdrawn : .result(.rejected(nil))
      for member in members {
        guard let before = member.stored?.standing, !member.isBorrowed, before != StoredOperation.Standing(said) else {
          continue
        }
        try close(member.operation, before, as: said, by: ruling.id)
      }
    }
    try wake(members.map(\.operation.id))
  }

  private static func result(of refusal: Refusal) -> HubResult {
    switch refusal {
    case .notAfter: .rejected(.notAfter)
    case .unreadableBody: .rejected(.unreadableBody)
    case .deleteSetsFields: .rejected(.deleteSetsFields)
    case .transactionForm: .rejected(.transactionForm)
    case .twoVersions: .rejected(.twoVersions)
    case .withTransaction: .rejected(.withTransaction)
    case .valueType: .rejected(.valueType)
    case .rejected: .rejected(nil)
    case .unknown, .quarantined: .quarantined(.unknown)
    case .clockAhead: .quarantined(.clockAhead)
    case .locked: .quarantined(.locked)
    }
  }
}
