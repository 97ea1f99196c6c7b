/// A head that a delete did not name: the reason why the delete is void.
public struct UnnamedHead: Hashable, Comparable, Sendable {
  /// The row, the deleted one or one below it.
  public let row: RowKey
  /// The field.
  public let field: String
  /// The operation.
  public let op: OperationID

  /// Names a head.
  public init(row: RowKey, field: String, op: OperationID) {
    self.row = row
    self.field = field
    self.op = op
  }

  /// Orders by row, field, operation.
  public static func < (left: UnnamedHead, right: UnnamedHead) -> Bool {
    if left.row != right.row { return left.row < right.row }
    return left.field != right.field ? left.field.precedesInUTF8(right.field) : left.op < right.op
  }
}

/// An applied delete: what it removes as long as nothing stands there that its author had not seen.
public struct Deletion: Hashable, Sendable {
  /// The operation.
  public let op: OperationID
  /// The row that it removes, with every row below.
  public let row: RowKey
  /// The heads that it names: row, field, operations.
  public let covers: [RowKey: [String: [OperationID]]]

  /// A delete of a row with the heads that it names.
  public init(op: OperationID, row: RowKey, covers: [RowKey: [String: [OperationID]]]) {
    self.op = op
    self.row = row
    self.covers = covers
  }

  /// What an applied operation deletes; nil if it is no delete, or its body cannot be read.
  public init?(_ opened: OpenedOperation) {
    guard opened.operation.kind == .delete, let body = opened.body else { return nil }
    self.init(op: opened.operation.id, row: opened.operation.row, covers: body.covers)
  }

  /// The heads of the deleted row and of all rows below it that this delete does not name; sorted.
  ///
  /// The delete is in force when there are none.
  /// - Parameter family: the heads of each of these rows, by field.
  public func unnamedHeads(in family: [RowKey: [String: [OperationID]]]) -> [UnnamedHead] {
    family.flatMap { row, fields in
      let named = covers[row] ?? [:]
      return fields.flatMap { field, heads in
        heads.compactMap { head in
          named[field]?.contains(head) == true ? nil : UnnamedHead(row: row, field: field, op: head)
        }
      }
    }.sorted()
  }

  /// Whether a row is out of view: one of its deletes is in force, or its own field says so, which imports set before
  /// they deleted.
  /// - Parameters:
  ///   - deletes: the applied deletes of the row.
  ///   - family: the heads of the row and of all rows below it.
  ///   - field: the standing value of the row's own `dsDeleted`; nil where it was never set.
  public static func isOutOfView(
    _ deletes: [Deletion], family: [RowKey: [String: [OperationID]]], field: Value?
  ) -> Bool {
    field == .bool(true) || deletes.contains { $0.unnamedHeads(in: family).isEmpty }
  }
}

/// Which rows are deleted, and what became of each delete.
public struct DeletionStates: Hashable, Sendable {
  /// The rows that are deleted, themselves or with one above.
  public let rows: Set<RowKey>
  /// The deletes in force, sorted.
  public let inForce: [OperationID]
  /// The void deletes, each with the heads that it did not name.
  public let void: [OperationID: [UnnamedHead]]

  /// Judges every delete of some rows.
  ///
  /// - Parameters:
  ///   - rows: all rows that matter: those with deletes and all below them.
  ///   - owners: the rows directly above one with these standing values, none at the top.
  public init(of rows: [RowKey: RowState], owners: (RowKey, [String: Value]) -> [RowKey]) {
    guard rows.values.contains(where: { !$0.deletes.isEmpty }) else {
      (self.rows, inForce, void) = ([], [], [:])
      return
    }
    var below: [RowKey: [RowKey]] = [:]
    for (key, state) in rows {
      for parent in owners(key, state.values) { below[parent, default: []].append(key) }
    }
    var deleted: Set<RowKey> = []
    var inForce: [OperationID] = []
    var void: [OperationID: [UnnamedHead]] = [:]
    for (key, state) in rows where !state.deletes.isEmpty {
      let family = Self.family(of: key, below: below)
      let heads = Dictionary(uniqueKeysWithValues: family.map { ($0, rows[$0]?.heads ?? [:]) })
      for delete in state.deletes {
        let unnamed = delete.unnamedHeads(in: heads)
        if unnamed.isEmpty {
          inForce.append(delete.op)
          deleted.formUnion(family)
        } else {
          void[delete.op] = unnamed
        }
      }
    }
    self.rows = deleted
    self.inForce = inForce.sorted()
    self.void = void
  }

  /// A row and all rows below it. Rows that own each other in a ring are met once.
  static func family(of row: RowKey, below: [RowKey: [RowKey]]) -> Set<RowKey> {
    var family: Set<RowKey> = [row]
    var open = [row]
    while let next = open.popLast() {
      for child in below[next] ?? [] where family.insert(child).inserted { open.append(child) }
    }
    return family
  }
}
