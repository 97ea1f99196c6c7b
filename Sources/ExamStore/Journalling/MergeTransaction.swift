import GRDB
import Journal
import Timer

import struct Foundation.Data

/// Takes operations that other devices made into a store, within one transaction of the database.
///
/// What comes of them depends on which are here and which were rejected, never on the order or on how often they came:
/// it is what `Journal.Replica` would say. One that waits changes nothing; one that is refused stops no other.
struct MergeTransaction {
  let db: Database
  let now: Instant
  let device: UUIDBytes
  private let merge: RowMerge
  private let knowledge: ExamKnowledge
  private let decided = Decided()
  private let coming = Coming()

  /// The operations that a hub says count, of those that come now.
  private final class Decided {
    var ids: Set<OperationID> = []
    /// Those of which it says anything.
    var said: Set<OperationID> = []
  }

  /// How much of transactions is here that are coming in and not complete: until they are, there is nothing to decide, and
  /// to look at all of one with each of its operations would take the square of its size.
  private final class Coming {
    var parts: [TransactionKey: (count: Int, size: Int)] = [:]
  }

  init(_ db: Database, device: UUIDBytes, knowing knowledge: ExamKnowledge, now: Instant) {
    self.db = db
    self.device = device
    self.now = now
    self.knowledge = knowledge
    merge = RowMerge(
      db: db, knowledge: knowledge, now: now, head: { [db] in try OperationTable.head($0, $1, in: db) },
      deletes: { [db] in try OperationTable.deletes(of: $0, in: db) })
  }

  struct TransactionKey: Hashable {
    let device: UUIDBytes
    let tx: UUIDBytes

    init(_ operation: Journal.Operation) {
      device = operation.device
      tx = operation.tx
    }

    init(device: UUIDBytes, tx: UUIDBytes) {
      self.device = device
      self.tx = tx
    }
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
    var fate: Fate? {
      switch state {
      case .parked: nil
      case .refused: .void
      case nil: operation.sealedBody == nil ? .void : .applied(operation.hlc)
      }
    }
  }

  // MARK: Arrivals

  /// What became of an operation as it came.
  enum Reception: Equatable {
    /// It was here already, as it is.
    case known
    /// It is kept: it counts, waits or is refused.
    case taken
    /// Its bytes are not what was hashed, or it contradicts its device's chain: it is not kept.
    case damaged(ChainProblem.Kind)
  }

  /// Takes an operation.
  /// - Parameter erases: whether one that says that its content was destroyed destroys it here too. Of what came from
  ///   elsewhere only an erasure does that: a mark must not vanish because somebody's copy of it has no content.
  /// - Parameter said: what the hub that sent it says of it; nil where it comes from no hub.
  func receive(
    _ received: Journal.Operation, erases: Bool = true, said: HubResult? = nil
  ) throws -> Reception {
    let isErased = try ErasedOperations.contains(received.id, in: db)
    // Of what was damaged on its way the hash is still to be held against its content.
    let operation = isErased && received.damage == nil ? received.withoutBody() : received
    if said != nil { decided.said.insert(operation.id) }
    if said == .applied || said == .conflict { decided.ids.insert(operation.id) }
    let known = try copies(of: operation.id)
    if let here = known.first(where: { $0.hash == operation.hash }) {
      // A stub that only was not sent says nothing of the content that is here.
      if operation.sealedBody == nil, operation.absent ?? .erased == .erased, here.sealedBody != nil, erases {
        try erase(here)
      } else if said != nil, operation.absent == .scope, here.sealedBody != nil, here.device != device {
        // This device is not given it any more.
        try replaceBody(of: here, by: here.withoutBody(because: .scope))
        return .taken
      } else if operation.sealedBody != nil, here.sealedBody == nil, here.absent == .scope {
        if let problem = damage(of: operation) { return .damaged(problem.kind) }
        try replaceBody(of: here, by: operation)
        return .taken
      }
      if said != nil { try settleVersions(known, standing: here) }
      return .known
    }
    // The same change in a chain that goes on in the place of another.
    if let same = known.first(where: { $0.isSameChange(as: operation) }) {
      if let problem = damage(of: operation) { return .damaged(problem.kind) }
      if said != nil { try settleVersions(known, standing: same) }
      return .known
    }
    // Numbers near the ends of their range have no neighbours to be held against: no device has made so many.
    guard 1...Journal.Operation.greatestNumber ~= operation.deviceSeq else { return .damaged(fork(operation).kind) }
    let rivals = try known.filter { try !PendingOperations.isOutvoted($0, in: db) }
    let isContradicted = try !rivals.isEmpty || PendingOperations.reasonBarred(operation.id, in: db) == twoVersions
    // Another version of one that is here is no fork of the chain, but a contradiction in itself: until a hub says which
    // stands, both are refused.
    if let problem = try isContradicted ? damage(of: operation) : chainProblem(of: operation) {
      return .damaged(problem.kind)
    }
    try PendingOperations.save(operation, .parked, why: PendingOperations.Why.incomplete, at: now, in: db)
    try noteEnd(operation)
    if operation.absent == .erased { try ErasedOperations.note(operation.id, in: db) }
    if isContradicted, said != nil {
      try settleVersions(known + [operation], standing: operation)
    } else if !isContradicted {
      if let refusal = try refusalAtTheDoor(operation, isSaid: said != nil) {
        try PendingOperations.bar(operation.id, because: refusal, in: db)
      }
      if try completes(operation) { try settle([TransactionKey(operation)]) }
    } else {
      try PendingOperations.bar(operation.id, because: .twoVersions, in: db)
      try settle((known + [operation]).map { TransactionKey($0) } + waiters(for: operation.id))
    }
    return .taken
  }

  /// What speaks against an operation as it comes: asked once, for the answer may be another later.
  /// - Parameter isSaid: whether a hub said what comes of it. Then its time was held against the hub's clock, which this
  ///   machine's may be far behind.
  private func refusalAtTheDoor(_ operation: Journal.Operation, isSaid: Bool) throws -> Journal.Refusal? {
    if !isSaid, !EntryCheck.isInTime(operation, now: now) { return .clockAhead }
    guard let table = try? RowTable.of(operation.row.entity), table.isKey(operation.row.id) else { return nil }
    // A family shares a table: one key cannot be a candidate's and an assessor's.
    let stored = try table.storedEntity(of: operation.row.id, in: db)
    return stored.map { $0 != operation.row.entity } ?? false ? .unknown("\(operation.row)") : nil
  }

  /// Takes note of operations that the hub rejected, here or not: they and their transactions count for nothing.
  func reject(_ ids: some Sequence<OperationID>, because refusal: Journal.Refusal = .rejected) throws {
    for id in ids {
      try PendingOperations.bar(id, because: refusal, in: db)
      let unsaid = "(result IS NULL OR NOT (\(RefusedChanges.condition())))"
      try db.cachedStatement(sql: "UPDATE operation SET result = ? WHERE id = ? AND \(unsaid)").execute(
        arguments: [refusal.code, id.description])
      try settle(try copies(of: id).map { TransactionKey($0) } + waiters(for: id))
    }
  }

  /// Takes note of what a person ruled on an operation that is here and did not count, or was to count no more.
  func rule(_ verdict: Journal.Verdict, on id: OperationID) throws {
    for table in ["operation", "pending"] {
      try db.execute(
        sql: "UPDATE \(table) SET verdict = ? WHERE id = ?", arguments: [verdict.rawValue, id.description])
    }
    guard verdict == .applied else { return try reject([id]) }
    try admit(id)
  }

  /// Lets an operation that a hub or a clock kept back take part like any other.
  func admit(_ id: OperationID) throws {
    guard try PendingOperations.admit(id, in: db) else { return }
    try settle(try copies(of: id).map { TransactionKey($0) } + waiters(for: id))
  }

  /// Destroys the content of operations that are here, and keeps none that comes later.
  /// - Returns: of how many there was any.
  func erase(_ ids: [OperationID]) throws -> Int {
    var count = 0
    for id in ids {
      try ErasedOperations.note(id, in: db)
      for here in try copies(of: id) {
        if here.sealedBody != nil { count += 1 }
        try erase(here)
      }
      if try WithheldContent.destroy(id, in: db) { count += 1 }
      count += try RefusedEntry.destroy(id, in: db)
    }
    if count > 0 { try ErasedPages.note(at: now, in: db) }
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
    for table in ["operation", "pending"] {
      try db.execute(
        sql: "UPDATE \(table) SET body = ?, absent = ? WHERE id = ? AND hash = ?",
        arguments: [
          other.sealedBody.map { Data($0) }, other.absent?.rawValue, operation.id.description, Data(operation.hash),
        ])
    }
    try db.execute(
      sql: "UPDATE operation SET sends = ? WHERE id = ? AND hash = ?",
      arguments: [
        Outbox.stored(other.sealedBody != nil, as: try Enrolment.role(db)), operation.id.description,
        Data(operation.hash),
      ])
    try settle([key], was: before, findsNamers: !isOfScope)
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

  // MARK: Settling

  /// Whether there is something to decide with an operation that was just kept: false while others of its transaction are
  /// still to come, where it waits with those that are here.
  private func completes(_ operation: Journal.Operation) throws -> Bool {
    if operation.txSize <= 1 { return true }
    let key = TransactionKey(operation)
    if let (count, size) = coming.parts[key] {
      coming.parts[key] = (count + 1, min(size, operation.txSize))
      return count + 1 >= min(size, operation.txSize)
    }
    let statement = try db.cachedStatement(
      sql: """
        SELECT count(*), min(txSize), coalesce(sum(state <> 'parked' OR why <> ?3), 0),
          EXISTS (SELECT 1 FROM merged WHERE device = ?1 AND tx = ?2)
        FROM pending WHERE device = ?1 AND tx = ?2
        """)
    let row = try ReadRow.fetchOne(
      statement, arguments: [key.device.description, key.tx.description, PendingOperations.Why.incomplete])
    guard let row else { return true }
    let (count, size, others, isMerged): (Int, Int, Int, Bool) = (row[0], row[1], row[2], row[3])
    if isMerged || others > 0 || count >= size { return true }
    coming.parts[key] = (count, size)
    return false
  }

  /// Decides transactions, and all those that this decides in turn.
  func settle(
    _ keys: some Sequence<TransactionKey>, was: [Member]? = nil, findsNamers: Bool = true
  ) throws {
    var open = Array(keys)
    var was = was
    while let key = open.popLast() {
      coming.parts[key] = nil
      let members = try self.members(of: key)
      if members.isEmpty { continue }
      let before = was ?? members
      was = nil
      var fates: [OperationID: Fate] = [:]
      var isFirst = false
      switch try decide(members) {
      case .wait(let missing, let causes):
        try park(members, missing: missing, causes: causes)
      case .refuse(let refusals):
        try refuse(members, refusals)
        for id in refusals.keys { fates[id] = .void }
      case .apply(let inOrder):
        isFirst = before.allSatisfy { $0.state == .parked }
        if isFirst, try isLate(members) {
          for member in members { try PendingOperations.bar(member.operation.id, because: .locked, in: db) }
          (was, open) = (before, open + [key])
          continue
        }
        try apply(inOrder, members, isFirst: isFirst)
        for opened in inOrder {
          fates[opened.operation.id] = opened.content == .destroyed ? .void : .applied(opened.operation.hlc)
        }
      }
      var dirty: Set<RowKey> = []
      for member in before {
        let (id, former) = (member.operation.id, member.fate)
        let fate = fates[id]
        if former == fate { continue }
        // What counted counts no more, or the other way round: rows and those that name it are looked at again.
        if !isFirst, (former ?? .void) != (fate ?? .void) { dirty.insert(member.operation.row) }
        if former != nil, findsNamers { open += try namers(of: id) }
        open += try waiters(for: id)
      }
      for row in dirty { try rebuild(row) }
    }
  }

  private func decide(_ members: [Member]) throws -> Admission {
    let own = Set(members.map(\.operation.id))
    let counted = Set(members.filter { $0.isInJournal && $0.state == nil }.map(\.operation.id))
    let outvoted = Set(members.filter(\.isOutvoted).map(\.operation.id))
    return try Admission.decide(members.map(\.opened)) { opened in
      let isOwn = opened.operation.device == device
      return isOwn ? nil : EntryCheck.refusal(of: opened, countsHere: counted.contains(opened.operation.id))
    } fate: { id in
      guard own.contains(id) else {
        if let fate = try PendingOperations.fate(of: id, in: db) { return fate }
        // A hub decided on it with all that it names: what this device was not given is simply not there.
        return try isDecided(members) && copies(of: id).isEmpty ? .void : nil
      }
      return try outvoted.contains(id) || PendingOperations.isBarred(id, in: db) ? .void : nil
    }
  }

  /// Whether a transaction of another device touches what is locked here without knowing of the lock. Of what a hub has,
  /// the hub says what counts; what two people answer for goes through.
  private func isLate(_ members: [Member]) throws -> Bool {
    guard members.allSatisfy({ $0.operation.device != device }), let isLate = try knowledge.late(db),
      try !members.contains(where: { try isAtHub($0.operation.id) })
    else { return false }
    let isLifting = members.contains { member in
      let entity = member.operation.row.entity
      return entity == "ExamLock"
        || (entity == "ExamRuling" && member.opened.body?.fields["kind"] == .text("amendment"))
    }
    if isLifting { return false }
    return try members.contains { member in
      let fields = member.opened.body?.fields ?? [:]
      return try isLate(member.operation, fields, db) || isOnLate(member.operation.row, fields)
    }
  }

  private func isAtHub(_ id: OperationID) throws -> Bool {
    if decided.said.contains(id) { return true }
    let statement = try db.cachedStatement(
      sql: "SELECT EXISTS (SELECT 1 FROM pending WHERE id = ? AND hubSeq IS NOT NULL)")
    return try Bool.fetchOne(statement, arguments: [id.description]) ?? false
  }

  /// Whether a row, or one that it is made to belong to, was made by what is kept back for a lock.
  private func isOnLate(_ row: RowKey, _ fields: [String: Value]) throws -> Bool {
    let statement = try db.cachedStatement(
      sql: """
        SELECT EXISTS (SELECT 1 FROM pending WHERE why = '\(Journal.Refusal.locked.code)' AND verdict IS NULL
          AND entityID = ?)
        """)
    let named = fields.values.compactMap { value in if case .text(let text) = value { text } else { nil } }
    return try ([row.id] + named).contains { try Bool.fetchOne(statement, arguments: [$0]) ?? false }
  }

  /// Whether a hub says that a transaction counts.
  private func isDecided(_ members: [Member]) throws -> Bool {
    try members.contains { member in
      if decided.ids.contains(member.operation.id) { return true }
      return try ["operation", "pending"].contains { table in
        try String.fetchOne(
          db,
          sql: "SELECT result FROM \(table) WHERE id = ? AND hubSeq IS NOT NULL AND result IN ('applied', 'conflict')",
          arguments: [member.operation.id.description]) != nil
      }
    }
  }

  private func park(_ members: [Member], missing: Int, causes: Set<OperationID>) throws {
    for member in members {
      let notes = try OperationNotes.read(member.operation, in: db)
      try withdraw(member)
      try PendingOperations.save(
        member.operation, .parked, why: missing > 0 ? PendingOperations.Why.incomplete : PendingOperations.Why.missing,
        at: now, in: db)
      try notes.write(to: "pending", of: member.operation, in: db)
    }
    guard let key = members.first.map({ TransactionKey($0.operation) }) else { return }
    for cause in causes {
      try db.cachedStatement(sql: "INSERT OR IGNORE INTO pendingCause (cause, device, tx) VALUES (?, ?, ?)").execute(
        arguments: [cause.description, key.device.description, key.tx.description])
    }
  }

  private func refuse(_ members: [Member], _ refusals: [OperationID: Journal.Refusal]) throws {
    for member in members {
      let id = member.operation.id
      let notes = try OperationNotes.read(member.operation, in: db)
      try withdraw(member)
      let barred = member.isOutvoted ? twoVersions : try PendingOperations.reasonBarred(id, in: db)
      let why = barred ?? refusals[id]?.code ?? ""
      try PendingOperations.save(member.operation, .refused, why: why, at: now, in: db)
      try notes.write(to: "pending", of: member.operation, in: db)
    }
  }

  /// Takes an operation that does not count any more out of the journal, unless it is this device's own.
  private func withdraw(_ member: Member) throws {
    guard member.isInJournal, member.operation.device != device else { return }
    // Its number stays taken, as that of a change of its row: a number that came again would be passed over.
    let copy: StatementArguments = [member.operation.id.description, Data(member.operation.hash)]
    try db.execute(
      sql: """
        INSERT INTO rowChange (seq, entity, entityID)
        SELECT seq, entity, entityID FROM operation WHERE id = ? AND hash = ?
        """, arguments: copy)
    try db.execute(sql: "DELETE FROM operation WHERE id = ? AND hash = ?", arguments: copy)
  }

  private func apply(_ inOrder: [OpenedOperation], _ members: [Member], isFirst: Bool) throws {
    let inJournal = Set(members.filter(\.isInJournal).map(\.operation.id))
    for opened in inOrder {
      let operation = opened.operation
      let isNew = !inJournal.contains(operation.id)
      let notes = isNew ? try OperationNotes.read(operation, in: db) : OperationNotes()
      try PendingOperations.remove(operation, in: db)
      if isNew {
        try insert(operation)
        try notes.write(to: "operation", of: operation, in: db)
      }
      if isFirst { try applyToRow(opened) }
    }
    let numbers = inOrder.map(\.operation.deviceSeq)
    if let one = inOrder.first?.operation, one.device != device, let first = numbers.min(), let last = numbers.max() {
      try db.cachedStatement(
        sql: "INSERT OR REPLACE INTO merged (device, tx, firstSeq, lastSeq) VALUES (?, ?, ?, ?)"
      ).execute(arguments: [one.device.description, one.tx.description, first, last])
    }
  }

  /// What came with its content from elsewhere was sent by its author; a hub that lacks it is owed it.
  private func insert(_ operation: Journal.Operation) throws {
    let sends = Outbox.stored(operation.sealedBody != nil, as: try Enrolment.role(db))
    try OperationTable.insert(operation, sends: sends, in: db)
  }

  private func applyToRow(_ opened: OpenedOperation) throws {
    guard let body = opened.body, opened.operation.row.entity != Ruling.entity else { return }
    let operation = opened.operation
    if operation.kind == .delete { return try merge.applyDelete(of: operation.row) }
    let heads = try RowTable.of(operation.row.entity).heads(of: operation.row.id, in: db)
    if let heads, try isReplaced(operation, body, under: heads) { return try rebuild(operation.row) }
    try merge.apply(
      RowMerge.Edit(
        id: operation.id, hlc: operation.hlc, row: operation.row, fields: body.fields, replaces: body.replaces),
      heads: heads)
    try merge.judgeEarlierDeletes(above: operation.row)
  }

  /// Whether what stands on the row already replaced an operation that comes only now: this device was not given it before,
  /// and a hub had decided without it.
  private func isReplaced(
    _ operation: Journal.Operation, _ body: OperationBody, under heads: HeadsColumn
  ) throws -> Bool {
    let standsAlone = body.fields.keys.allSatisfy { field in
      FieldState.remaining(heads[field], after: body.replaces[field] ?? []).isEmpty
    }
    if standsAlone { return false }
    return try OperationTable.history(of: operation.row, in: db).contains {
      $0.id != operation.id && OpenedOperation($0).body?.causes.contains(operation.id) == true
    }
  }

  /// Writes a row again from the operations that count, and gives the change a number of its own.
  private func rebuild(_ row: RowKey) throws {
    guard row.entity != Ruling.entity, (try? RowTable.of(row.entity)) != nil else { return }
    let applied = try OperationTable.history(of: row, in: db).filter {
      try !PendingOperations.isVoid($0, in: db)
    }
    try merge.rebuild(row, from: applied.map(OpenedOperation.init))
    try db.execute(
      sql: """
        INSERT INTO rowChange (seq, entity, entityID) VALUES (\(OperationTable.nextNumber), ?, ?)
        """, arguments: [row.entity, row.id])
  }

  // MARK: What is here

  func copies(of id: OperationID) throws -> [Journal.Operation] {
    let kept = try PendingOperations.copies(of: id, in: db)
    let journalled = try OperationTable.versions(of: id, in: db)
    return journalled.filter { operation in !kept.contains { $0.hash == operation.hash } } + kept
  }

  func members(of key: TransactionKey) throws -> [Member] {
    let kept = try PendingOperations.members(device: key.device, tx: key.tx, in: db)
    var members: [Member] = []
    let journalled = try journalled(key, besides: kept)
    for operation in journalled where !kept.contains(where: { $0.id == operation.id && $0.hash == operation.hash }) {
      members.append(Member(opened: OpenedOperation(operation), isInJournal: true, state: nil))
    }
    for operation in kept {
      let standing = try PendingOperations.standing(of: operation.id, operation.hash, in: db)
      members.append(
        Member(
          opened: OpenedOperation(operation),
          isInJournal: journalled.contains { $0.id == operation.id && $0.hash == operation.hash },
          state: standing?.state, isOutvoted: standing.map { $0 == (.refused, twoVersions) } ?? false))
    }
    return members
  }

  /// The operations of a transaction that are in the journal.
  private func journalled(_ key: TransactionKey, besides kept: [Journal.Operation]) throws -> [Journal.Operation] {
    if key.device == device {
      return try OperationTable.fetch("device = ? AND tx = ?", [key.device.description, key.tx.description], in: db)
    }
    let bounds = try ReadRow.fetchOne(
      db.cachedStatement(sql: "SELECT firstSeq, lastSeq FROM merged WHERE device = ? AND tx = ?"),
      arguments: [key.device.description, key.tx.description])
    guard let bounds else { return [] }
    return try OperationTable.fetch(
      "device = ? AND deviceSeq BETWEEN ? AND ? AND tx = ?",
      [key.device.description, try bounds.counted(0), try bounds.counted(1), key.tx.description], in: db)
  }

  /// The transactions that wait for an operation; they are taken off the list.
  private func waiters(for id: OperationID) throws -> [TransactionKey] {
    let statement = try db.cachedStatement(sql: "SELECT device, tx FROM pendingCause WHERE cause = ?")
    let keys = try ReadRow.fetchAll(statement, arguments: [id.description]).compactMap { row -> TransactionKey? in
      guard let device = UUIDBytes(row[0]), let tx = UUIDBytes(row[1]) else { return nil }
      return TransactionKey(device: device, tx: tx)
    }
    if !keys.isEmpty {
      try db.cachedStatement(sql: "DELETE FROM pendingCause WHERE cause = ?").execute(arguments: [id.description])
    }
    return keys
  }

  /// The transactions that name an operation that was decided before: nothing lists them, for next to none ever change.
  private func namers(of id: OperationID) throws -> [TransactionKey] {
    try ["operation", "pending"].flatMap { table in
      try ReadRow.fetchAll(
        db, sql: "SELECT DISTINCT device, tx FROM \(table) WHERE instr(body, CAST(? AS BLOB)) > 0",
        arguments: [id.description]
      ).compactMap { row in
        guard let device = UUIDBytes(row[0]), let tx = UUIDBytes(row[1]) else { return nil }
        return TransactionKey(device: device, tx: tx)
      }
    }
  }
}
