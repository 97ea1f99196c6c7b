/// What it takes to undo an operation, or why it cannot be undone.
public enum Undo: Hashable, Sendable {
  /// Set these fields, naming these operations as replaced.
  case set(fields: [String: Value], replaces: [String: [OperationID]])
  /// Other operations stand in these fields now: they say who changed what.
  case superseded(by: [String: Head])
  /// There is nothing to set back: the operation made or removed a row, is not applied, or its body is destroyed.
  case notAnEdit

  /// The inverse of an operation: each of its fields back to the value before.
  ///
  /// Allowed while the operation is still the standing head of every field that it set. The value before is the
  /// standing one among those that it replaced, null when it replaced none.
  /// - Parameters:
  ///   - opened: the operation to undo.
  ///   - shown: its row as the person sees it now.
  ///   - head: the value that an operation set a field to; nil when it is not applied or its body is destroyed.
  public static func inverse(
    of opened: OpenedOperation, shown: RowState, head: (OperationID, String) -> Head?
  ) -> Undo {
    let kind = opened.operation.kind
    guard kind != .create, kind != .delete, let body = opened.body, !body.fields.isEmpty else { return .notAnEdit }
    var fields: [String: Value] = [:]
    var replaces: [String: [OperationID]] = [:]
    var superseding: [String: Head] = [:]
    for field in body.fields.keys {
      guard let state = shown.fields[field], let standing = state.standing else { return .notAnEdit }
      if standing.op != opened.operation.id { superseding[field] = standing }
      let before = FieldState(heads: (body.replaces[field] ?? []).compactMap { head($0, field) })
      fields[field] = before.standing?.value ?? .null
      replaces[field] = state.shown
    }
    return superseding.isEmpty ? .set(fields: fields, replaces: replaces) : .superseded(by: superseding)
  }
}
