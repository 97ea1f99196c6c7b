import Catalogue
import GRDB
import Journal

/// One transaction of changes: each change alters its row and becomes an operation of the journal, together or not
/// at all. The only way in which this machine changes a row; what other devices made comes by `MergeTransaction`.
public final class JournalTransaction {
  /// The connection, for reads that must see this transaction's own changes.
  public let db: Database
  /// Who makes the changes. May be given a reason while the transaction is built.
  public var author: Author
  /// The exam's clock.
  public let clock: ExamClock

  /// Whether what is closed may be changed: for who answers for that, see `ExamKnowledge.closed`.
  package var isLockLifted = false
  /// Throws for a change of what is closed; nil where nothing is.
  private let refuseClosed: ((Entity, String, [String: Value], Database) throws -> Void)?

  /// This store's identity in the journal.
  package let device: UUIDBytes
  private let knowledge: ExamKnowledge
  private let id: UUIDBytes
  private var drafts: [Draft] = []
  /// Where the draft of an operation is: an import has hundreds of thousands.
  private var places: [OperationID: Int] = [:]
  private var deletes: [RowKey: [Deletion]] = [:]
  private var chain: ChainEnd
  private var time: HybridTime
  /// The latest time of what other devices made.
  private let foreignTime: HybridTime

  private struct Draft {
    let id: OperationID
    let kind: OperationKind
    let row: RowKey
    let body: OperationBody
    let time: HybridTime
    let author: Author

    /// What it sets.
    var edit: RowMerge.Edit {
      RowMerge.Edit(id: id, hlc: time, row: row, fields: body.fields, replaces: body.replaces)
    }
  }

  init(
    _ db: Database, author: Author, device: UUIDBytes, knowing knowledge: ExamKnowledge, clock: ExamClock
  ) throws {
    self.db = db
    self.author = author
    self.device = device
    self.knowledge = knowledge
    self.clock = clock
    refuseClosed = try knowledge.closed(db)
    id = UUIDBytes.v7(milliseconds: clock.now.milliseconds)
    chain = try ChainEnd.read(db, device: device)
    time = chain.time
    foreignTime = try ChainEnd.latest(besides: device, in: db)
  }

  /// How many operations this device's chain had before this transaction.
  var chainLength: Int64 { chain.sequence }

  // MARK: Changes

  // By names, for what handles any entity: imports, undoing, the engine itself. A rule of the exam makes typed changes.

  /// Makes a row.
  /// - Parameters:
  ///   - fields: values by attribute or relationship name; a field that is left out has no value yet.
  ///   - source: `import` for what comes from files.
  /// - Throws: `StoreError` if a field cannot hold its value: the catalogue says what each can.
  /// - Returns: the operation; nil, with nothing changed, if the row is already there (rows with derived keys may be).
  @discardableResult package func create(
    _ entity: String, _ key: String, _ fields: [String: Value], kind: OperationKind = .create, source: String? = nil
  ) throws -> OperationID? {
    let table = try RowTable.of(entity)
    if try table.heads(of: key, in: db) != nil { return nil }
    try check(fields, for: table, key)
    try refuseIfClosed(table, key, fields)
    let (sent, kept) = SendRule.split(fields, of: table.entity)
    let id = try carryOut(
      kind, RowKey(entity: entity, id: key), OperationBody(fields: sent, source: source)
    ) { try merge.apply($0.edit, heads: nil) }
    if !kept.isEmpty { try set(entity, key, kept, source: source) }
    return id
  }

  /// Sets fields of a row. A field that already has the value shown is set anyway: the caller decides whether
  /// a repetition is worth a line of history.
  /// - Parameters:
  ///   - undoing: the operations that this one takes back; see `SessionUndo`.
  ///   - shown: for each field, the operations whose value the author was shown; without it, those that stand now.
  /// - Throws: `RowRefusal` if there is no such row, `StoreError` if there is no such field or it cannot hold its
  ///   value.
  /// - Returns: the operation's id. Fields that stay here where the others are sent make another one after it.
  @discardableResult package func set(
    _ entity: String, _ key: String, _ fields: [String: Value], shown: ShownHeads = .unknown,
    kind: OperationKind = .set, source: String? = nil, undoing: [OperationID] = []
  ) throws -> OperationID {
    let table = try RowTable.of(entity)
    let row = RowKey(entity: entity, id: key)
    guard let heads = try table.heads(of: key, in: db) else { throw RowRefusal.unknown(row) }
    try check(fields, for: table, key)
    try refuseIfClosed(table, key, fields)
    let (sent, kept) = SendRule.split(fields, of: table.entity)
    var replaces: [String: [OperationID]] = [:]
    for field in sent.keys { replaces[field] = try shown[field] ?? standingHeads(of: heads[field], field: field) }
    if !undoing.isEmpty { replaces[OperationBody.undoing] = undoing }
    let id = try carryOut(
      kind, row, OperationBody(fields: sent, replaces: replaces, source: source)
    ) { try merge.apply($0.edit, heads: heads) }
    if !kept.isEmpty { try set(entity, key, kept, shown: shown, source: source) }
    return id
  }

  /// Removes a row and what belongs to it from view. Nothing is erased, and a change of the row that this operation
  /// did not see brings it back.
  ///
  /// The rows below go with it. Rows that only name it forget it, or refuse the deletion, as the catalogue's delete
  /// rules say.
  /// - Parameters:
  ///   - undoing: the operations that this one takes back; see `SessionUndo`.
  ///   - source: `import` for what comes from files.
  /// - Throws: `RowRefusal` if there is no such row, or a row that is in use names it.
  /// - Returns: the operation's id.
  @discardableResult package func delete(
    _ entity: String, _ key: String, undoing: [OperationID] = [], source: String? = nil
  ) throws -> OperationID {
    let row = RowKey(entity: entity, id: key)
    let table = try RowTable.of(entity)
    guard try table.heads(of: key, in: db) != nil else { throw RowRefusal.unknown(row) }
    guard table.isDeletable else { throw RowRefusal.neverDeleted(entity: entity) }
    try refuseIfClosed(table, key, [:])
    if let user = try DeleteRules.denial(of: row, in: db) { throw RowRefusal.needed(row, by: user) }
    for (holder, field) in try DeleteRules.forgetters(of: row, in: db) {
      try set(holder.entity, holder.id, [field: .null], source: source)
    }
    let body = OperationBody(
      replaces: undoing.isEmpty ? [:] : [OperationBody.undoing: undoing],
      covers: try OwnedRows.heads(of: row, in: db), source: source)
    return try carryOut(.delete, row, body) { _ in try merge.applyDelete(of: row) }
  }

  /// Rules on an operation: lets it in, rejects it, or takes it back. No row changes by it: a hub says what comes of
  /// it.
  /// - Throws: `StoreError` without a reason, or where there is no such operation here.
  @discardableResult package func rule(
    _ verdict: Journal.Verdict, on operation: OperationID, reason: String
  ) throws -> OperationID {
    let here = try Bool.fetchOne(
      db, sql: "SELECT EXISTS (SELECT 1 FROM operation WHERE id = ?1) OR EXISTS (SELECT 1 FROM pending WHERE id = ?1)",
      arguments: [operation.description])
    guard here == true else { throw StoreError("there is no change \(operation) here") }
    guard !reason.isEmpty else { throw StoreError("a ruling needs a reason") }
    let row = Ruling.row(of: operation)
    let earlier = try OperationTable.history(of: row, in: db).map(OpenedOperation.init)
    let heads = RowState(applying: earlier).heads[Ruling.field] ?? []
    let body = OperationBody(
      fields: [Ruling.field: .text(verdict.rawValue)], replaces: heads.isEmpty ? [:] : [Ruling.field: heads],
      reason: reason)
    return try carryOut(Ruling.kind(of: verdict), row, body) { _ in }
  }

  /// Rules on operations that this store keeps back because of a lock, and lets them count, or not, at once. To be done
  /// before anything else in the transaction: rows are written again.
  /// - Throws: `StoreError` where a hub is to say what counts, or one is not kept back.
  package func settle(_ verdict: Journal.Verdict, on late: [LateOperation], reason: String) throws {
    if try Enrolment.exists(db) { throw StoreError("the hub keeps these changes: an exam lead alone rules on them") }
    let merge = MergeTransaction(db, device: device, knowing: knowledge, now: clock.now)
    for one in late { try rule(verdict, on: one.id, reason: reason) }
    for one in late { try merge.rule(verdict, on: one.id) }
  }

  private func refuseIfClosed(_ table: RowTable, _ key: String, _ fields: [String: Value]) throws {
    if !isLockLifted { try refuseClosed?(table.entity, key, fields, db) }
  }

  /// What other terminals and the next reader would refuse is not written.
  private func check(_ fields: [String: Value], for table: RowTable, _ key: String) throws {
    for (field, value) in fields {
      if let fault = table.fault(of: value, in: field) { throw StoreError("\(table.entity.name) \(key): \(fault)") }
    }
  }

  /// The fields that an operation set; none if the journal does not have it, as when its transaction failed.
  package func fields(setBy id: OperationID) throws -> Set<String> {
    if let draft = draft(id) { return Set(draft.body.fields.keys) }
    return try Set(OperationTable.find(id, in: db)?.body()?.fields.keys.map { $0 } ?? [])
  }

  // MARK: Sealing

  /// Appends the drafts to the journal as one gapless piece of this device's chain.
  /// - Returns: the sequence numbers that they took.
  @discardableResult func seal() throws -> Range<Int64> {
    let first = chain.sequence + 1
    guard !drafts.isEmpty else { return first..<first }
    let wall = clock.wall
    let role = try Enrolment.role(db)
    for (index, draft) in drafts.enumerated() {
      let operation = Operation.seal(
        id: draft.id, device: device, deviceSeq: chain.sequence + 1, tx: id, txIndex: index, txSize: drafts.count,
        kind: draft.kind, row: draft.row, body: draft.body, hlc: draft.time, wallTime: wall,
        clockError: clock.wallClockLead, examTime: draft.author.examTime, staff: draft.author.staff.map { Int64($0) },
        sitting: draft.author.sitting, reason: draft.author.reason, schema: OperationTable.schema,
        prevHash: chain.hash)
      let isSent = SendRule(role: role).owes(draft.row, draft.body)
      try OperationTable.insert(operation, sends: Outbox.stored(isSent, as: role), in: db)
      chain = ChainEnd(sequence: operation.deviceSeq, hash: operation.hash, time: operation.hlc)
    }
    try chain.write(db, device: device)
    return first..<chain.sequence + 1
  }

  private func nextID() -> OperationID { UUIDBytes.v7(milliseconds: clock.now.milliseconds) }

  /// Drafts an operation, later than everything that it names, and changes the rows by it.
  private func carryOut(
    _ kind: OperationKind, _ row: RowKey, _ body: OperationBody, _ change: (Draft) throws -> Void
  ) throws -> OperationID {
    var latest = time
    // What other devices made may be later than all that was made here; nearly always nothing is.
    if foreignTime > latest {
      for cause in body.causes { latest = max(latest, try OperationTable.time(of: cause, in: db) ?? latest) }
    }
    time = HybridTime.next(after: latest, wall: clock.now.milliseconds)
    let draft = Draft(id: nextID(), kind: kind, row: row, body: body, time: time, author: author)
    places[draft.id] = drafts.count
    drafts.append(draft)
    if kind == .delete { deletes[row, default: []].append(Deletion(op: draft.id, row: row, covers: body.covers)) }
    do { try change(draft) } catch {
      drafts.removeLast()
      places[draft.id] = nil
      if kind == .delete { deletes[row]?.removeLast() }
      throw error
    }
    return draft.id
  }

  private func draft(_ id: OperationID) -> Draft? { places[id].map { drafts[$0] } }

  // MARK: Heads

  /// What keeps the rows as the operations say.
  private var merge: RowMerge {
    RowMerge(
      db: db, knowledge: knowledge, now: clock.now, head: { [self] in try head($0, field: $1) },
      deletes: { [self] row in try OperationTable.deletes(of: row, in: db) + (deletes[row] ?? []) })
  }

  /// The heads that carry the standing value: what an ordinary edit names.
  private func standingHeads(of ids: [OperationID], field: String) throws -> [OperationID] {
    ids.count <= 1 ? ids : try state(of: ids, field: field).shown
  }

  /// A field by the operations that stand on it, those of this transaction included.
  package func state(of ids: [OperationID], field: String) throws -> FieldState {
    try merge.state(of: ids, field: field)
  }

  private func head(_ id: OperationID, field: String) throws -> Head? {
    guard let draft = draft(id) else { return try OperationTable.head(id, field, in: db) }
    return draft.body.fields[field].map { Head(op: id, hlc: draft.time, value: $0) }
  }
}
