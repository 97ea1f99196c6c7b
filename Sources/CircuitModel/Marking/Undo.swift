import GRDB
import Journal

extension JournalTransaction {
  /// Sets the fields of an earlier operation back to what stood before it; removes a row that it made; brings back a
  /// row that it removed.
  /// - Throws: `StoreError` that says who changed them since, if somebody did; nothing is then changed.
  /// - Returns: the operation that undoes it, which can be undone in turn.
  @discardableResult public func undo(_ id: OperationID) throws -> OperationID {
    guard let operation = try OperationTable.find(id, in: db), let body = try operation.body() else {
      throw StoreError("there is nothing left to undo")
    }
    if operation.kind == .delete {
      return try set(operation.row.entity, operation.row.id, ["dsDeleted": .bool(false)])
    }
    if body.fields == ["dsDeleted": .bool(false)] { return try delete(operation.row.entity, operation.row.id) }
    let table = try RowTable.of(operation.row.entity)
    guard let heads = try table.heads(of: operation.row.id, in: db) else {
      throw StoreError("there is nothing left to undo")
    }
    if operation.kind == .create { return try delete(operation.row.entity, operation.row.id) }
    if operation.kind == .delete {
      return try set(operation.row.entity, operation.row.id, ["dsDeleted": .bool(false)])
    }
    var fields: [String: Value] = [:]
    for field in body.fields.keys {
      if heads[field] != [id] {
        throw StoreError("cannot undo: \(try changer(of: heads[field], besides: id)) changed it since")
      }
      fields[field] = try valueBefore(operation, body: body, field: field)
    }
    return try set(
      operation.row.entity, operation.row.id, fields, shown: fields.mapValues { _ in [id] })
  }

  private func valueBefore(_ operation: Operation, body: OperationBody, field: String) throws -> Value {
    let heads = try (body.replaces[field] ?? []).compactMap { id -> Head? in
      guard let earlier = try OperationTable.find(id, in: db) else { return nil }
      return Head(op: id, hlc: earlier.hlc, value: try earlier.body()?.fields[field] ?? .null)
    }
    if let value = FieldState(heads: heads).standing?.value { return value }
    return try RowTable.of(operation.row.entity).initialValue(of: field)
  }

  private func changer(of heads: [OperationID], besides id: OperationID) throws -> String {
    guard let other = heads.last(where: { $0 != id }), let operation = try OperationTable.find(other, in: db),
      let staff = operation.staff,
      let row = try Row.fetchOne(
        db, sql: "SELECT title, forename, surname FROM user WHERE dsid = ?", arguments: [staff])
    else { return "somebody" }
    return personName(title: row[0], forename: row[1], surname: row[2]) ?? "somebody"
  }
}
