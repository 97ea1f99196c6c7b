/// One value that a field has had.
public struct HistoryEntry: Hashable, Sendable {
  /// The operation that set it: who, when, from where and why.
  public let operation: Operation
  /// The field.
  public let field: String
  /// The value.
  public let value: Value
  /// The operations that set the field after having seen this value, sorted; none for a head.
  public let supersededBy: [OperationID]

  /// Every value that the applied operations of one row have set, in the order of time, then field.
  public static func list(of applied: some Sequence<OpenedOperation>) -> [HistoryEntry] {
    var superseding: [OperationID: [String: [OperationID]]] = [:]
    var entries: [(operation: Operation, field: String, value: Value)] = []
    for opened in applied where opened.operation.kind != .delete {
      guard let body = opened.body else { continue }
      for (field, value) in body.fields {
        entries.append((opened.operation, field, value))
        for named in body.replaces[field] ?? [] {
          superseding[named, default: [:]][field, default: []].append(opened.operation.id)
        }
      }
    }
    return entries.map { operation, field, value in
      HistoryEntry(
        operation: operation, field: field, value: value,
        supersededBy: (superseding[operation.id]?[field] ?? []).sorted())
    }.sorted { $0.precedes($1) }
  }

  private func precedes(_ other: HistoryEntry) -> Bool {
    if operation.hlc != other.operation.hlc { return operation.hlc < other.operation.hlc }
    return operation.id != other.operation.id
      ? operation.id < other.operation.id : field.precedesInUTF8(other.field)
  }
}
