import Journal

/// Which operations stand on which fields, of one exam.
struct HeadTable {
  let log: ExamLog
  let operations: OperationStore

  /// What the operations set that stand on fields. Where content goes, its operation stands on none any more.
  private final class Values {
    var known: [OperationID: [String: Value]] = [:]
  }

  private let values = Values()

  init(log: ExamLog, operations: OperationStore) { (self.log, self.operations) = (log, operations) }

  private static let entityID = HeldTable.heads.column("entityID")
  private static let field = HeldTable.heads.column("field")
  private static let id = HeldTable.heads.column("id")

  private func held(_ row: RowKey) throws -> [HeldRow] {
    try log.held.rows(.headsByRow, row.held)
  }

  /// The heads of a row, by field.
  func heads(of row: RowKey) throws -> [String: [OperationID]] {
    var heads: [String: [OperationID]] = [:]
    for held in try held(row) {
      heads[try held.row.text(Self.field), default: []].append(try held.row.id(Self.id))
    }
    return heads
  }

  /// The rows of an entity in which a field was set, by their keys.
  func keys(of entity: String, having field: String) throws -> [String] {
    let held = try log.held.rows(.headsByField, [HubValue(key: entity), HubValue(key: field)])
    return Set(try held.map { try $0.row.text(Self.entityID) }).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// Applies an operation that is kept under a number, as `RowState.apply` does.
  /// - Returns: whether a field holds different values now.
  func apply(_ opened: OpenedOperation, at seq: Int64) throws -> Bool {
    guard let body = opened.body, opened.operation.kind != .delete, !body.fields.isEmpty else { return false }
    let (row, id) = (opened.operation.row, opened.operation.id)
    let before = try heads(of: row)
    var isForked = false
    var ended: Set<OperationID> = []
    for (field, value) in body.fields {
      let known = before[field] ?? []
      let remaining = FieldState.remaining(known, after: body.replaces[field] ?? [])
      let replaced = Array(Set(known).subtracting(remaining))
      if !replaced.isEmpty { try remove(replaced, field, row) }
      ended.formUnion(replaced)
      insert(id, field, row)
      if !isForked { isForked = try remaining.contains { try self.value(of: $0, field) != value } }
    }
    if !ended.isEmpty {
      let standing = Set(try heads(of: row).values.joined())
      for head in ended.subtracting(standing) { try operations.noteEnd(of: head, at: seq) }
    }
    return isForked
  }

  /// Whether one of the fields that an operation set, and on which it stands, holds another value too.
  func isForked(by opened: OpenedOperation) throws -> Bool {
    guard let body = opened.body, opened.operation.kind != .delete else { return false }
    let heads = try heads(of: opened.operation.row)
    for (field, value) in body.fields {
      guard let ids = heads[field], ids.contains(opened.operation.id) else { continue }
      for other in ids where other != opened.operation.id {
        if try self.value(of: other, field) != value { return true }
      }
    }
    return false
  }

  /// Works out a row's heads again from the operations that count, for when one of them counts no more, or again.
  func rebuild(_ row: RowKey) throws {
    let history = try operations.history(of: row)
    let before = Set(try heads(of: row).values.joined())
    let state = RowState(applying: history.filter(\.fate.counts).map { OpenedOperation($0.operation) })
    for (field, ids) in try heads(of: row) {
      let gone = ids.filter { !(state.heads[field]?.contains($0) ?? false) }
      if !gone.isEmpty { try remove(gone, field, row) }
    }
    for (field, ids) in state.heads {
      for id in ids { insert(id, field, row) }
    }
    let after = Set(state.heads.values.joined())
    for id in before.subtracting(after) { try operations.noteEnd(of: id, at: log.head.seq) }
    for id in after.subtracting(before) { try operations.noteEnd(of: id, at: nil) }
  }

  /// Whether a field holds different values.
  func isForked(_ field: String, of row: RowKey) throws -> Bool {
    let values = try (heads(of: row)[field] ?? []).compactMap { try value(of: $0, field) }
    return values.contains { $0 != values.first }
  }

  /// The standing value of a field, with the operation that set it; nil where it was never set.
  func standing(_ field: String, of row: RowKey) throws -> Head? {
    FieldState(
      heads: try (heads(of: row)[field] ?? []).compactMap { id in
        guard let operation = try operations.versions(of: id).first?.operation, let value = try value(of: id, field)
        else { return nil }
        return Head(op: id, hlc: operation.hlc, value: value)
      }
    ).standing
  }

  private func value(of id: OperationID, _ field: String) throws -> Value? {
    if let fields = values.known[id] { return fields[field] }
    guard let stored = try operations.versions(of: id).first else { return nil }
    let fields = OpenedOperation(stored.operation).body?.fields ?? [:]
    values.known[id] = fields
    return fields[field]
  }

  private func insert(_ id: OperationID, _ field: String, _ row: RowKey) {
    log.held.insert(row.held + [HubValue(key: field), HubValue(id)], into: .heads)
  }

  private func remove(_ ids: [OperationID], _ field: String, _ row: RowKey) throws {
    let (field, ids) = (HubValue(key: field), Set(ids.map { HubValue($0) }))
    for held in try held(row) where held.values[Self.field] == field && ids.contains(held.values[Self.id]) {
      log.held.remove(held, from: .heads)
    }
  }
}
