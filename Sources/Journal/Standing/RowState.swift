/// What is known of a row after the applied operations: its fields and the deletes aimed at it.
public struct RowState: Hashable, Sendable {
  /// The fields that were ever set.
  public private(set) var fields: [String: FieldState]
  /// The applied deletes of this row, in force or void, in the order of their identifiers.
  public private(set) var deletes: [Deletion]
  /// Whether a create is among the applied operations.
  public private(set) var isCreated: Bool

  /// A row with what is known of it.
  public init(fields: [String: FieldState] = [:], deletes: [Deletion] = [], isCreated: Bool = false) {
    self.fields = fields
    self.deletes = deletes.sorted { $0.op < $1.op }
    self.isCreated = isCreated
  }

  /// Applies an operation on this row. Everything that it names must be applied or void: `Admission` says when.
  ///
  /// The result is the same in any order that keeps to that. An operation whose body is destroyed changes nothing.
  public mutating func apply(_ opened: OpenedOperation) {
    guard case .readable(let body) = opened.content else { return }
    let operation = opened.operation
    if let deletion = Deletion(opened) {
      deletes.append(deletion)
      deletes.sort { $0.op < $1.op }
      return
    }
    if operation.kind == .create { isCreated = true }
    for (field, value) in body.fields {
      let head = Head(op: operation.id, hlc: operation.hlc, value: value)
      fields[field, default: FieldState()].apply(head, replacing: body.replaces[field] ?? [])
    }
  }

  /// A row after all its applied operations, in any order.
  public init(applying operations: [OpenedOperation]) {
    self.init()
    let inOrder = operations.sorted {
      $0.operation.hlc != $1.operation.hlc
        ? $0.operation.hlc < $1.operation.hlc : $0.operation.id < $1.operation.id
    }
    for opened in inOrder { apply(opened) }
  }

  /// The standing value of each field.
  public var values: [String: Value] {
    fields.compactMapValues { $0.standing?.value }
  }

  /// Every head of every field: what a delete names of this row.
  public var heads: [String: [OperationID]] { fields.mapValues(\.all) }
}
