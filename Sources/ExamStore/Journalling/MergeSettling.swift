import GRDB
import Journal

import struct Foundation.Data

/// Decides transactions by what they name, and brings the rows to what is decided.
extension MergeTransaction {
  /// Whether there is something to decide with an operation that was just kept: false while others of its transaction are
  /// still to come, where it waits with those that are here.
  func completes(_ operation: Journal.Operation) throws -> Bool {
    if operation.txSize <= 1 { return true }
    let key = TransactionKey(operation)
    if let (count, size) = coming[key] {
      coming[key] = (count + 1, min(size, operation.txSize))
      return count + 1 >= min(size, operation.txSize)
    }
    let statement = try db.cachedStatement(
      sql: """
        SELECT count(*), min(txSize), coalesce(sum(state <> 'parked' OR why <> ?3), 0),
          EXISTS (SELECT 1 FROM merged WHERE device = ?1 AND tx = ?2)
        FROM pending WHERE device = ?1 AND tx = ?2
        """)
    let row = try ReadRow.fetchOne(
      statement,
      arguments: [key.device.description, key.tx.description, HubResult.Delay.transactionIncomplete.rawValue])
    guard let row else { return true }
    let (count, size, others, isMerged): (Int, Int, Int, Bool) = (row[0], row[1], row[2], row[3])
    if isMerged || others > 0 || count >= size { return true }
    coming[key] = (count, size)
    return false
  }

  /// Decides transactions, and all those that this decides in turn.
  func settle(
    _ keys: some Sequence<TransactionKey>, was: [Member]? = nil, findsNamers: Bool = true
  ) throws {
    var open = Array(keys)
    var was = was
    while let key = open.popLast() {
      coming[key] = nil
      let members = try self.members(of: key)
      if members.isEmpty { continue }
      let before = was ?? members
      was = nil
      var fates: [OperationID: AdmissionResult] = [:]
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
    if members.contains(where: { knowledge.isLifting($0.operation.row.entity, $0.opened.body?.fields ?? [:]) }) {
      return false
    }
    return try members.contains { member in
      let fields = member.opened.body?.fields ?? [:]
      return try isLate(member.operation, fields, db) || isOnLate(member.operation.row, fields)
    }
  }

  private func isAtHub(_ id: OperationID) throws -> Bool {
    if said == id { return true }
    let statement = try db.cachedStatement(
      sql: "SELECT EXISTS (SELECT 1 FROM pending WHERE id = ? AND hubSeq IS NOT NULL)")
    return try Bool.fetchOne(statement, arguments: [id.description]) ?? false
  }

  /// Whether a row, or one that it is made to belong to, was made by what is kept back for a lock.
  private func isOnLate(_ row: RowKey, _ fields: [String: Value]) throws -> Bool {
    let statement = try db.cachedStatement(
      sql: """
        SELECT EXISTS (SELECT 1 FROM pending WHERE why = '\(Journal.Refusal.locked.code)' AND verdict IS NULL
          AND entityID = ?1 AND coalesce(entity = ?2, TRUE))
        """)
    func isHeldBack(_ key: String, of entity: String?) throws -> Bool {
      try Bool.fetchOne(statement, arguments: [key, entity]) ?? false
    }
    if try isHeldBack(row.id, of: row.entity) { return true }
    return try fields.values.contains { value in
      if case .text(let text) = value { try isHeldBack(text, of: nil) } else { false }
    }
  }

  /// Whether a hub says that a transaction counts.
  private func isDecided(_ members: [Member]) throws -> Bool {
    try members.contains { member in
      if counting == member.operation.id { return true }
      return try Shelf.tables.contains { table in
        let statement = try db.cachedStatement(
          sql: "SELECT 1 FROM \(table) WHERE id = ? AND hubSeq IS NOT NULL AND result IN \(HubResult.countingList)")
        return try Int.fetchOne(statement, arguments: [member.operation.id.description]) != nil
      }
    }
  }

  private func park(_ members: [Member], missing: Int, causes: Set<OperationID>) throws {
    for member in members {
      let notes = try OperationNotes.read(member.operation, in: db)
      try withdraw(member)
      try PendingOperations.save(
        member.operation, .parked, why: (missing > 0 ? HubResult.Delay.transactionIncomplete : .causeMissing).rawValue,
        at: now, in: db)
      try notes.write(to: .aside, of: member.operation, in: db)
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
      try notes.write(to: .aside, of: member.operation, in: db)
    }
  }

  /// Takes an operation that does not count any more out of the journal, unless it is this device's own.
  private func withdraw(_ member: Member) throws {
    guard member.isInJournal, member.operation.device != device else { return }
    // Its number stays taken, as that of a change of its row: a number that came again would be passed over.
    let copy: StatementArguments = [member.operation.id.description, Data(member.operation.hash)]
    try db.cachedStatement(
      sql: """
        INSERT INTO rowChange (seq, entity, entityID)
        SELECT seq, entity, entityID FROM operation WHERE id = ? AND hash = ?
        """
    ).execute(arguments: copy)
    try db.cachedStatement(sql: "DELETE FROM operation WHERE id = ? AND hash = ?").execute(arguments: copy)
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
        try notes.write(to: .journal, of: operation, in: db)
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
    // A change of nothing makes no row.
    if heads == nil, body.fields.isEmpty, operation.kind != .create { return }
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
    // What names it is later than it.
    return try OperationTable.fetch(
      "entity = ? AND entityID = ? AND hlc > ?", [operation.row.entity, operation.row.id, operation.hlc.raw], in: db
    ).contains { OpenedOperation($0).body?.causes.contains(operation.id) == true }
  }

  /// Writes a row again from the operations that count, and gives the change a number of its own.
  private func rebuild(_ row: RowKey) throws {
    guard row.entity != Ruling.entity, (try? RowTable.of(row.entity)) != nil else { return }
    let applied = try OperationTable.history(of: row, in: db).filter {
      try !PendingOperations.isVoid($0, in: db)
    }
    try merge.rebuild(row, from: applied.map(OpenedOperation.init))
    try db.cachedStatement(
      sql: "INSERT INTO rowChange (seq, entity, entityID) VALUES (\(OperationTable.nextNumber), ?, ?)"
    ).execute(arguments: [row.entity, row.id])
  }
}
