import Catalogue
import GRDB
import Journal

/// One transaction of changes: each change alters its row and becomes an operation of the journal, together or not
/// at all. The only code that writes to the catalogue's tables.
public final class JournalTransaction {
  /// The connection, for reads that must see this transaction's own changes.
  public let db: Database
  /// Who makes the changes. May be given a reason while the transaction is built.
  public var author: Author
  /// The exam's clock.
  public let clock: ExamClock

  /// This store's identity in the journal.
  package let device: UUIDBytes
  private let knowledge: ExamKnowledge
  private let id: UUIDBytes
  private var drafts: [Draft] = []
  private var chain: ChainEnd
  private var time: HybridTime

  private struct Draft {
    let id: OperationID
    let kind: OperationKind
    let row: RowKey
    let body: OperationBody
    let time: HybridTime
    let author: Author
  }

  init(
    _ db: Database, author: Author, device: UUIDBytes, knowing knowledge: ExamKnowledge, clock: ExamClock
  ) throws {
    self.db = db
    self.author = author
    self.device = device
    self.knowledge = knowledge
    self.clock = clock
    id = UUIDBytes.v7(milliseconds: clock.now.milliseconds)
    chain = try ChainEnd.read(db, device: device)
    time = chain.time
  }

  // MARK: Changes

  // By names, for what handles any entity: imports, undoing, the engine itself. A rule of the exam makes typed changes.

  /// Makes a row.
  /// - Parameters:
  ///   - fields: values by attribute or relationship name; a field that is left out has no value yet.
  ///   - source: `import` for what comes from files.
  /// - Returns: the operation; nil, with nothing changed, if the row is already there (rows with derived keys may be).
  @discardableResult package func create(
    _ entity: String, _ key: String, _ fields: [String: Value], kind: OperationKind = .create, source: String? = nil
  ) throws -> OperationID? {
    let table = try RowTable.of(entity)
    if try table.heads(of: key, in: db) != nil { return nil }
    let id = nextID()
    var heads = HeadsColumn()
    for field in fields.keys { heads[field] = [id] }
    try table.insert(key, fields: fields, heads: heads, in: db)
    try knowledge.derive(table.entity, key, fields, db)
    append(
      id, kind: kind, row: RowKey(entity: entity, id: key),
      body: OperationBody(fields: fields, source: source))
    try bringBack(from: RowKey(entity: entity, id: key))
    return id
  }

  /// Sets fields of a row. A field that already has the value shown is set all the same: the caller decides whether
  /// a repetition is worth a line of history.
  /// - Parameters:
  ///   - undoing: the operations that this one takes back; see `SessionUndo`.
  ///   - shown: for each field, the operations whose value the author was shown; without it, those that stand now.
  /// - Throws: `StoreError` if there is no such row or field.
  /// - Returns: the operation's id.
  @discardableResult package func set(
    _ entity: String, _ key: String, _ fields: [String: Value], shown: ShownHeads = .unknown,
    kind: OperationKind = .set, source: String? = nil, undoing: [OperationID] = []
  ) throws -> OperationID {
    let table = try RowTable.of(entity)
    guard var heads = try table.heads(of: key, in: db) else { throw StoreError("there is no \(entity) \(key)") }
    let id = nextID()
    var replaces: [String: [OperationID]] = [:]
    var standing = fields
    for (field, value) in fields {
      let current = heads[field]
      let named = try shown[field] ?? standingHeads(of: current, field: field)
      replaces[field] = named
      let others = current.filter { !named.contains($0) }
      heads[field] = others + [id]
      if !others.isEmpty {
        // The new operation is later than any that is here, so its value is the one that stands.
        try noteFork(RowKey(entity: entity, id: key), field: field, others: others, value: value)
      } else if current.count > 1 {
        try Forks.close(RowKey(entity: entity, id: key), field: field, in: db)
      }
      standing[field] = value
    }
    if !undoing.isEmpty { replaces[JournalTransaction.undoing] = undoing }
    try table.update(key, fields: standing, heads: heads, in: db)
    try knowledge.derive(table.entity, key, standing, db)
    append(
      id, kind: kind, row: RowKey(entity: entity, id: key),
      body: OperationBody(fields: fields, replaces: replaces, source: source))
    try bringBack(from: RowKey(entity: entity, id: key))
    return id
  }

  /// Removes a row and what belongs to it from view. Nothing is erased, and a change of the row that this operation
  /// did not see brings it back.
  /// - Parameter undoing: the operations that this one takes back; see `SessionUndo`.
  /// - Returns: the operation's id.
  @discardableResult package func delete(
    _ entity: String, _ key: String, undoing: [OperationID] = []
  ) throws -> OperationID {
    let row = RowKey(entity: entity, id: key)
    let table = try RowTable.of(entity)
    guard let heads = try table.heads(of: key, in: db) else { throw StoreError("there is no \(entity) \(key)") }
    let covers = try OwnedRows.heads(of: row, in: db)
    let id = nextID()
    // A deletion sets no field: it stands as long as nothing that it does not name is there.
    try table.update(key, fields: ["dsDeleted": .bool(true)], heads: heads, in: db)
    append(
      id, kind: .delete, row: row,
      body: OperationBody(replaces: undoing.isEmpty ? [:] : [JournalTransaction.undoing: undoing], covers: covers))
    return id
  }

  /// The name under which an operation lists those that it takes back. It is no field, so it only says that they
  /// come before.
  package static let undoing = "undo"

  /// The fields that an operation set; none if the journal does not have it, as when its transaction failed.
  package func fields(setBy id: OperationID) throws -> Set<String> {
    if let draft = drafts.first(where: { $0.id == id }) { return Set(draft.body.fields.keys) }
    return try Set(OperationTable.find(id, in: db)?.body()?.fields.keys.map { $0 } ?? [])
  }

  // MARK: Sealing

  /// Appends the drafts to the journal as one gapless piece of this device's chain.
  /// - Returns: the sequence numbers that they took.
  @discardableResult func seal() throws -> Range<Int64> {
    let first = chain.sequence + 1
    guard !drafts.isEmpty else { return first..<first }
    let wall = clock.wall
    for (index, draft) in drafts.enumerated() {
      let operation = Operation.seal(
        id: draft.id, device: device, deviceSeq: chain.sequence + 1, tx: id, txIndex: index, txSize: drafts.count,
        kind: draft.kind, row: draft.row, body: draft.body, hlc: draft.time, wallTime: wall,
        clockError: clock.wallClockLead, examTime: draft.author.examTime, staff: draft.author.staff.map { Int64($0) },
        sitting: draft.author.sitting, reason: draft.author.reason, schema: OperationTable.schema,
        prevHash: chain.hash)
      try OperationTable.insert(operation, in: db)
      chain = ChainEnd(sequence: operation.deviceSeq, hash: operation.hash, time: operation.hlc)
    }
    try chain.write(db, device: device)
    return first..<chain.sequence + 1
  }

  private func nextID() -> OperationID { UUIDBytes.v7(milliseconds: clock.now.milliseconds) }

  private func append(_ id: OperationID, kind: OperationKind, row: RowKey, body: OperationBody) {
    time = HybridTime.next(after: time, wall: clock.now.milliseconds)
    drafts.append(Draft(id: id, kind: kind, row: row, body: body, time: time, author: author))
  }

  // MARK: Heads

  /// The heads that carry the standing value: what an ordinary edit names.
  private func standingHeads(of ids: [OperationID], field: String) throws -> [OperationID] {
    ids.count <= 1 ? ids : FieldState(heads: try heads(ids, field: field)).shown
  }

  func heads(_ ids: [OperationID], field: String) throws -> [Head] {
    try ids.map { id in
      if let draft = drafts.first(where: { $0.id == id }) {
        return Head(op: id, hlc: draft.time, value: draft.body.fields[field] ?? .null)
      }
      guard let operation = try OperationTable.find(id, in: db) else {
        throw StoreError("the journal lacks the operation \(id); run: osce doctor")
      }
      return Head(op: id, hlc: operation.hlc, value: try operation.body()?.fields[field] ?? .null)
    }
  }

  private func noteFork(_ row: RowKey, field: String, others: [OperationID], value: Value) throws {
    let differs = try heads(others, field: field).contains { $0.value != value }
    if differs {
      try Forks.open(row, field: field, at: clock.now, in: db)
    } else {
      try Forks.close(row, field: field, in: db)
    }
  }
}
