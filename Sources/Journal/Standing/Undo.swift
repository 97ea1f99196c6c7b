/// What it takes to undo operations on one row, or why they cannot be undone.
public enum Undo: Hashable, Sendable {
  /// Set these fields, naming these operations as replaced.
  case set(fields: [String: Value], replaces: [String: [OperationID]])
  /// Other operations stand in these fields now: they say who changed what.
  case superseded(by: [String: Head])
  /// There is nothing to set back: an operation made or removed a row, is not applied, or its body is destroyed.
  case notAnEdit

  /// The inverse of some edits of one row, made one after the other: each field back to the value before the first.
  ///
  /// Allowed while the newest edit of each field is what stands there: the standing head itself, or what the same
  /// person's later edits, undone since, have brought back. The value before is the standing one among those that the
  /// oldest edit replaced, `initial` when it replaced none.
  /// - Parameters:
  ///   - edits: the operations, the newest first.
  ///   - shown: the fields of the row as the person sees them now.
  ///   - initial: what a field holds before it is ever set.
  ///   - find: an applied operation; nil when there is none, or its body is destroyed.
  public static func inverse(
    of edits: [OpenedOperation], shown: [String: FieldState], initial: (String) throws -> Value,
    find: (OperationID) throws -> OpenedOperation?
  ) rethrows -> Undo {
    var fields: [String: Value] = [:]
    var replaces: [String: [OperationID]] = [:]
    var superseding: [String: Head] = [:]
    for opened in edits {
      let kind = opened.operation.kind
      guard kind != .create, kind != .delete, let body = opened.body, !body.fields.isEmpty else { return .notAnEdit }
      for (field, value) in body.fields {
        guard let state = shown[field], let standing = state.standing else { return .notAnEdit }
        // Of several edits of a field the newest must stand, and the oldest says what stood before.
        let mustEqual = fields[field] == nil ? value : nil
        if try !stands(opened, mustEqual, below: standing, in: state, field: field, find: find) {
          superseding[field] = standing
        }
        fields[field] = try valueBefore(opened, field, find: find) ?? initial(field)
        replaces[field] = state.shown
      }
    }
    return superseding.isEmpty ? .set(fields: fields, replaces: replaces) : .superseded(by: superseding)
  }

  /// The value that stood in a field before an operation set it: the standing one among those that it replaced.
  ///
  /// - Returns: nil when it replaced none that is applied.
  public static func valueBefore(
    _ opened: OpenedOperation, _ field: String, find: (OperationID) throws -> OpenedOperation?
  ) rethrows -> Value? {
    let heads = try (opened.body?.replaces[field] ?? []).compactMap { id -> Head? in
      guard let named = try find(id), let value = named.body?.fields[field] else { return nil }
      return Head(op: id, hlc: named.operation.hlc, value: value)
    }
    return FieldState(heads: heads).standing?.value
  }

  private static func stands(
    _ opened: OpenedOperation, _ value: Value?, below standing: Head, in state: FieldState, field: String,
    find: (OperationID) throws -> OpenedOperation?
  ) rethrows -> Bool {
    if standing.op == opened.operation.id { return true }
    guard state.heads.count == 1 else { return false }
    if let value, standing.value != value { return false }
    var current = standing.op
    // A hundred edits of one item by one person are more than any sheet sees.
    for _ in 0..<100 {
      guard let later = try find(current), later.operation.staff == opened.operation.staff,
        let before = later.body?.replaces[field], before.count == 1
      else { return false }
      if before[0] == opened.operation.id { return true }
      current = before[0]
    }
    return false
  }
}
