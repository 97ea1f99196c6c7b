import Journal

/// What stands in the rows of an exam, as far as the hub has to know it to decide who may do what.
struct ExamRows {
  let log: ExamLog
  private let operations: OperationStore
  private let heads: HeadTable

  init(_ log: ExamLog) {
    self.log = log
    operations = OperationStore(log: log)
    heads = HeadTable(log: log, operations: operations)
  }

  /// The standing value of a field; nil where it was never set.
  func value(_ field: String, of row: RowKey) throws -> Value? { try heads.standing(field, of: row)?.value }

  /// A text that stands in a field; nil where none does.
  func text(_ field: String, of row: RowKey) throws -> String? {
    if case .text(let text)? = try value(field, of: row) { text } else { nil }
  }

  /// A number that stands in a field; nil where none does.
  func integer(_ field: String, of row: RowKey) throws -> Int64? {
    if case .integer(let integer)? = try value(field, of: row) { integer } else { nil }
  }

  /// The rows of an entity in which a field was set, by their keys.
  func keys(of entity: String, having field: String) throws -> [String] {
    try heads.keys(of: entity, having: field)
  }

  /// The standing values of all fields of a row that were ever set.
  func fields(of row: RowKey) throws -> [String: Value] {
    var fields: [String: Value] = [:]
    for field in try heads.heads(of: row).keys { fields[field] = try value(field, of: row) }
    return fields
  }

  /// What stands in a field of all rows of an entity, by their keys; of a field with several values each of them.
  func standing(_ field: String, of entity: String) throws -> [(key: String, value: Value)] {
    var found: [(String, Value)] = []
    try log.connection.forEach(
      """
      SELECT h.entityID, o.sealed FROM head h JOIN op o ON o.exam = h.exam AND o.id = h.id
      WHERE h.exam = ? AND h.entity = ? AND h.field = ? AND o.sealed IS NOT NULL ORDER BY h.entityID, o.seq
      """, [HubValue(log.exam), HubValue(key: entity), HubValue(key: field)]
    ) { row in
      let body = try? OperationBody.decode(sealed: row.bytes(1))
      if let value = body?.fields[field] { found.append((try row.text(0), value)) }
      return true
    }
    return found
  }

  /// The operations on a row that count, the first to come first.
  func history(of row: RowKey) throws -> [OpenedOperation] {
    try operations.history(of: row).filter(\.fate.counts).map { OpenedOperation($0.operation) }
  }

  /// Whether a row was removed: what lies below it is not looked at.
  func isGone(_ row: RowKey) throws -> Bool {
    Deletion.isOutOfView(
      try history(of: row).compactMap { Deletion($0) }, family: [row: try heads.heads(of: row)],
      field: try value("dsDeleted", of: row))
  }
}
