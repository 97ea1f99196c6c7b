import GRDB
import Journal
import Timer

import struct Foundation.Data

/// Takes operations that other devices made into a store, within one transaction of the database.
///
/// What comes of them depends on which are here and which were rejected, never on the order or on how often they came:
/// it is what `Journal.Replica` would say. One that waits changes nothing; one that is refused stops no other.
final class MergeTransaction {
  let db: Database
  let now: Instant
  let device: UUIDBytes
  let merge: RowMerge
  let knowledge: ExamKnowledge
  /// The operation that comes now, where a hub says anything of it, and where it says that it counts. What it says is
  /// stored with the operation only afterwards.
  private(set) var said: OperationID?, counting: OperationID?
  /// How much of transactions is here that are coming in and not complete: until they are, there is nothing to decide, and
  /// to look at all of one with each of its operations would take the square of its size.
  var coming: [TransactionKey: (count: Int, size: Int)] = [:]

  init(_ db: Database, device: UUIDBytes, knowing knowledge: ExamKnowledge, now: Instant) {
    self.db = db
    self.device = device
    self.now = now
    self.knowledge = knowledge
    merge = RowMerge(
      db: db, knowledge: knowledge, now: now, head: { [db] in try OperationTable.head($0, $1, in: db) },
      deletes: { [db] in try OperationTable.deletes(of: $0, in: db) })
  }

  /// What is known of an operation of a transaction: where it is kept, which says what became of it so far.
  struct Member {
    let opened: OpenedOperation
    let isInJournal: Bool
    let state: PendingOperations.State?
    /// Whether another under the same identifier stands at the hub.
    var isOutvoted = false
    var operation: Journal.Operation { opened.operation }

    /// Nil while it waits.
    var fate: AdmissionResult? {
      switch state {
      case .parked: nil
      case .refused: .void
      case nil: operation.sealedBody == nil ? .void : .applied(operation.hlc)
      }
    }
  }

  /// Counts what is here of an operation's transaction again when the next of it comes: this one was rolled back.
  func recount(_ operation: Journal.Operation) { coming[TransactionKey(operation)] = nil }

  // MARK: Arrivals

  /// What became of an operation as it came.
  enum Reception: Equatable {
    /// It was here already, as it is.
    case known
    /// It is kept: it counts, waits or is refused.
    case taken
    /// Its bytes are not what was hashed, or it contradicts its device's chain: it is not kept.
    case damaged(ChainProblem.Kind)
    /// It is none that a file may bring: it is not kept.
    case unfit(RefusedEntry.Why)
  }

  /// Takes an operation.
  /// - Parameter erases: whether one that says that its content was destroyed destroys it here too. Of what came from
  ///   elsewhere only an erasure does that: a mark must not vanish because somebody's copy of it has no content.
  /// - Parameter result: what the hub that sent it says of it; nil where it comes from no hub.
  /// - Parameter isUnfit: why one that is not here may not come, from what is here under its identifier; nil: it may.
  func receive(
    _ received: Journal.Operation, erases: Bool = true, said result: HubResult? = nil,
    isUnfit: ([Journal.Operation]) throws -> RefusedEntry.Why? = { _ in nil }
  ) throws -> Reception {
    let isErased = try ErasedOperations.contains(received.id, in: db)
    // Of what was damaged on its way the hash is still to be held against its content.
    let operation = isErased && received.damage == nil ? received.withoutBody() : received
    let isSaid = result != nil
    (said, counting) = (isSaid ? operation.id : nil, result?.counts == true ? operation.id : nil)
    let known = try copies(of: operation.id)
    if let here = known.first(where: { $0.hash == operation.hash }) {
      return try receiveKnown(operation, here, among: known, erases: erases, isSaid: isSaid)
    }
    // The same change in a chain that goes on in the place of another.
    if let same = known.first(where: { $0.isSameChange(as: operation) }) {
      if let problem = damage(of: operation) { return .damaged(problem.kind) }
      if isSaid { try settleVersions(known, standing: same) }
      return .known
    }
    if let why = try isUnfit(known) { return .unfit(why) }
    // Numbers near the ends of their range have no neighbours to be held against: no device has made so many.
    guard 1...Journal.Operation.greatestNumber ~= operation.deviceSeq else { return .damaged(fork(operation).kind) }
    let rivals = try known.filter { try !PendingOperations.isOutvoted($0, in: db) }
    if try rivals.isEmpty && PendingOperations.reasonBarred(operation.id, in: db) != twoVersions {
      return try receiveNew(operation, isSaid: isSaid)
    }
    return try receiveRival(operation, of: known, isSaid: isSaid)
  }

  /// Takes an operation that is here as it is: at most its content goes or comes.
  private func receiveKnown(
    _ operation: Journal.Operation, _ here: Journal.Operation, among known: [Journal.Operation], erases: Bool,
    isSaid: Bool
  ) throws -> Reception {
    // A stub that only was not sent says nothing of the content that is here.
    if operation.sealedBody == nil, operation.absent ?? .erased == .erased, here.sealedBody != nil, erases {
      try erase(here)
    } else if isSaid, operation.absent == .scope, here.sealedBody != nil, here.device != device {
      // This device is not given it any more.
      try replaceBody(of: here, by: here.withoutBody(because: .scope))
      return .taken
    } else if operation.sealedBody != nil, here.sealedBody == nil, here.absent == .scope {
      if let problem = damage(of: operation) { return .damaged(problem.kind) }
      try replaceBody(of: here, by: operation)
      return .taken
    }
    if isSaid { try settleVersions(known, standing: here) }
    return .known
  }

  /// Takes the only operation with its identifier that may count.
  private func receiveNew(_ operation: Journal.Operation, isSaid: Bool) throws -> Reception {
    if let problem = try chainProblem(of: operation) { return .damaged(problem.kind) }
    try keep(operation)
    if let refusal = try refusalAtTheDoor(operation, isSaid: isSaid) {
      try PendingOperations.bar(operation.id, because: refusal, in: db)
    }
    if try completes(operation) { try settle([TransactionKey(operation)]) }
    return .taken
  }

  /// Takes another version of an operation that is here. That is no fork of the chain, but a contradiction in itself:
  /// until a hub says which stands, both are refused.
  private func receiveRival(
    _ operation: Journal.Operation, of known: [Journal.Operation], isSaid: Bool
  ) throws -> Reception {
    if let problem = damage(of: operation) { return .damaged(problem.kind) }
    try keep(operation)
    if isSaid {
      try settleVersions(known + [operation], standing: operation)
    } else {
      try PendingOperations.bar(operation.id, because: .twoVersions, in: db)
      try settle((known + [operation]).map { TransactionKey($0) } + waiters(for: operation.id))
    }
    return .taken
  }

  /// Lays an operation aside until it is decided.
  private func keep(_ operation: Journal.Operation) throws {
    try PendingOperations.save(operation, .parked, why: HubResult.Delay.transactionIncomplete.rawValue, at: now, in: db)
    try noteEnd(operation)
    if operation.absent == .erased { try ErasedOperations.note(operation.id, in: db) }
  }

  /// What speaks against an operation as it comes: asked once, for the answer may be another later.
  /// - Parameter isSaid: whether a hub said what comes of it. Then its time was held against the hub's clock, which this
  ///   machine's may be far behind.
  private func refusalAtTheDoor(_ operation: Journal.Operation, isSaid: Bool) throws -> Journal.Refusal? {
    if try !isSaid && !isInTime(operation) { return .clockAhead }
    guard let table = try? RowTable.of(operation.row.entity), table.isKey(operation.row.id) else { return nil }
    // A family shares a table: one key cannot be a candidate's and an assessor's.
    let stored = try table.storedEntity(of: operation.row.id, in: db)
    return stored.map { $0 != operation.row.entity } ?? false ? .unknown("\(operation.row)") : nil
  }

  private func isInTime(_ operation: Journal.Operation) throws -> Bool {
    try EntryCheck.isInTime(operation, now: now) {
      var latest = try PendingOperations.latestTime(of: operation.device, in: db)
      for cause in OpenedOperation(operation).body?.causes ?? [] {
        guard case .applied(let time)? = try PendingOperations.fate(of: cause, in: db) else { continue }
        latest = max(latest ?? time, time)
      }
      return latest
    }
  }

  /// Takes note of operations that the hub rejected, here or not: they and their transactions count for nothing.
  func reject(_ ids: some Sequence<OperationID>, because refusal: Journal.Refusal = .rejected) throws {
    for id in ids {
      // Of several under one identifier none stands: all are refused for what was said now, not one behind another.
      if try PendingOperations.reasonBarred(id, in: db) == twoVersions {
        try db.cachedStatement(sql: "UPDATE pending SET why = ? WHERE id = ? AND why = ?").execute(
          arguments: [refusal.code, id.description, twoVersions])
      }
      try PendingOperations.bar(id, because: refusal, in: db)
      let unsaid = "(result IS NULL OR NOT (\(RefusedChanges.condition())))"
      try db.cachedStatement(sql: "UPDATE operation SET result = ? WHERE id = ? AND \(unsaid)").execute(
        arguments: [refusal.code, id.description])
      try settle(try copies(of: id).map { TransactionKey($0) } + waiters(for: id))
    }
  }

  /// Takes note of what a person ruled on an operation that is here and did not count, or was to count no more.
  func rule(_ verdict: Journal.Verdict, on id: OperationID) throws {
    for table in Shelf.tables {
      try db.execute(
        sql: "UPDATE \(table) SET verdict = ? WHERE id = ?", arguments: [verdict.rawValue, id.description])
    }
    guard verdict == .applied else { return try reject([id]) }
    try admit(id)
  }

  /// Lets an operation take part like any other that a hub or a clock kept back, or that waits for what this store was
  /// not sent. What counts already is not looked at: a hub says it of each operation of a long transaction.
  func admit(_ id: OperationID) throws {
    let wasBarred = try PendingOperations.admit(id, in: db)
    guard try wasBarred || PendingOperations.state(of: id, in: db) != nil else { return }
    try settle(try copies(of: id).map { TransactionKey($0) } + waiters(for: id))
  }

  /// Destroys the content of operations that are here, and keeps none that comes later.
  /// - Returns: of how many there was any.
  func erase(_ ids: [OperationID]) throws -> Int {
    var count = 0
    var mayBeInFile = false
    for id in ids {
      try ErasedOperations.note(id, in: db)
      for here in try copies(of: id) {
        if here.sealedBody != nil { count += 1 }
        // Content that was given up with a part of the exam may still lie where it was.
        if here.absent == .scope { mayBeInFile = true }
        try erase(here)
      }
      if try WithheldContent.destroy(id, in: db) { count += 1 }
      count += try RefusedEntry.destroy(id, in: db)
    }
    if count > 0 || mayBeInFile { try ErasedPages.note(at: now, in: db) }
    return count
  }

  /// What became of an operation that was received.
  func standing(of id: OperationID, _ hash: [UInt8]) throws -> Arrival {
    guard let standing = try PendingOperations.standing(of: id, hash, in: db) else { return .applied }
    return standing.state == .parked ? .parked(why: standing.why) : .refused(why: standing.why)
  }

  /// Destroys the body of an operation that is here.
  private func erase(_ operation: Journal.Operation) throws {
    try replaceBody(of: operation, by: operation.withoutBody())
  }

  /// Takes an operation's content away, or brings it where this device's scope did not hold it before.
  ///
  /// What only this device's scope holds or does not hold is decided elsewhere: those that name it stay as they are.
  func replaceBody(of operation: Journal.Operation, by other: Journal.Operation) throws {
    let isOfScope = operation.absent == .scope || other.absent == .scope
    let key = TransactionKey(operation)
    let before = try members(of: key)
    try write(other.sealedBody, absent: other.absent, to: operation)
    try settle([key], was: before, findsNamers: !isOfScope)
  }

  /// Takes the content of operations away that the hub has without it, and decides each of their transactions once.
  func withhold(_ operations: [Journal.Operation]) throws {
    let transactions = Dictionary(grouping: operations) { TransactionKey($0) }
    for (key, operations) in transactions.sorted(by: { ($0.key.device, $0.key.tx) < ($1.key.device, $1.key.tx) }) {
      let before = try members(of: key)
      for operation in operations { try write(nil, absent: .withheld, to: operation) }
      try settle([key], was: before)
    }
  }

  private func write(_ body: [UInt8]?, absent: AbsentContent?, to operation: Journal.Operation) throws {
    for table in Shelf.tables {
      try db.cachedStatement(sql: "UPDATE \(table) SET body = ?, absent = ? WHERE id = ? AND hash = ?").execute(
        arguments: [body.map { Data($0) }, absent?.rawValue, operation.id.description, Data(operation.hash)])
    }
    try db.cachedStatement(sql: "UPDATE operation SET sends = ? WHERE id = ? AND hash = ?").execute(
      arguments: [
        Outbox.stored(body != nil, as: try Enrolment.role(db)), operation.id.description, Data(operation.hash),
      ])
  }

  // MARK: Chains

  private func damage(of operation: Journal.Operation) -> ChainProblem? {
    operation.damage.map {
      ChainProblem(operation: operation.id, device: operation.device, deviceSeq: operation.deviceSeq, kind: $0)
    }
  }

  private func fork(_ operation: Journal.Operation) -> ChainProblem {
    damage(of: operation)
      ?? ChainProblem(operation: operation.id, device: operation.device, deviceSeq: operation.deviceSeq, kind: .fork)
  }

  /// Holds an operation against its neighbours in its device's chain, as far as they are here.
  private func chainProblem(of operation: Journal.Operation) throws -> ChainProblem? {
    // This store has its own chain whole: what claims to be of it and is not here comes from a copy of the store.
    if operation.device == device { return fork(operation) }
    if try neighbour(operation, 0) != nil { return fork(operation) }
    let before = try neighbour(operation, -1)
    var verifier = ChainVerifier(tips: [
      before?.tip
        ?? ChainTip(
          device: operation.device, deviceSeq: operation.deviceSeq - 1,
          hash: operation.deviceSeq == 1 ? Journal.Operation.genesisHash : operation.prevHash)
    ])
    if let problem = verifier.feed(operation) { return problem }
    if let after = try neighbour(operation, 1), after.prevHash != operation.hash { return fork(operation) }
    return nil
  }

  private func neighbour(_ operation: Journal.Operation, _ distance: Int64) throws -> Journal.Operation? {
    let number = operation.deviceSeq + distance
    return try OperationTable.fetch(
      "device = ? AND deviceSeq = ?", [operation.device.description, number], in: db
    ).first
      ?? PendingOperations.fetch(
        "device = ? AND deviceSeq = ?", [operation.device.description, number], in: db
      ).first
  }

  private func noteEnd(_ operation: Journal.Operation) throws {
    guard operation.device != device else { return }
    var end = try ChainEnd.read(db, device: operation.device)
    end.time = max(end.time, operation.hlc)
    if operation.deviceSeq > end.sequence { (end.sequence, end.hash) = (operation.deviceSeq, operation.hash) }
    try end.write(db, device: operation.device)
  }
}
