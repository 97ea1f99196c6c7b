import ExamStore
import GRDB
import Journal

extension JournalTransaction {
  /// Sets the fields of an earlier operation back to what stood before it; removes a row that it made; brings back a
  /// row that it removed.
  /// - Throws: `UndoRefusal` if somebody changed them since; nothing is then changed.
  /// - Returns: the operation that undoes it, which can be undone in turn.
  @discardableResult public func undo(_ id: OperationID) throws -> OperationID { try undo([id])[0] }

  /// Undoes several operations of this transaction's author as one step.
  /// - Parameter step: the operations in the order in which they were made.
  /// - Throws: `UndoRefusal` if somebody changed since what they changed, `MarkingRefusal.signed`; the caller's transaction is then to be given up.
  /// - Returns: the operations that undo them, one for each row, which are a step in turn.
  @discardableResult public func undo(_ step: [OperationID]) throws -> [OperationID] {
    var undone: [OperationID] = []
    var changes: [RowKey: [FoundOperation]] = [:]
    var order: [RowKey] = []
    for id in step.reversed() {
      let found = try find(id)
      let row = found.operation.row
      try refuseIfSigned(row)
      if found.operation.kind == .delete {
        undone.append(try set(row.entity, row.id, ["dsDeleted": .bool(false)], undoing: [id]))
      } else if found.operation.kind == .create || found.body.fields == ["dsDeleted": .bool(false)] {
        undone.append(try delete(row.entity, row.id, undoing: [id]))
      } else {
        if changes[row] == nil { order.append(row) }
        changes[row, default: []].append(found)
      }
    }
    for row in order { undone.append(try undo(changes[row] ?? [], of: row)) }
    for row in order where row.entity == "DataForm" { try refuseIfDoubled(row.id) }
    // A step is kept in the order of its making, so that undoing the undoing goes the other way.
    return undone.reversed()
  }

  /// An entry has one sheet of a template at a seat: an emptied one may have been given a new sheet meanwhile.
  private func refuseIfDoubled(_ sheet: String) throws {
    let isDoubled = try Bool.fetchOne(
      db,
      sql: """
        SELECT EXISTS (SELECT 1 FROM dataForm f JOIN dataForm g ON g.attendanceLogID = f.attendanceLogID
          AND g.typeID = f.typeID AND g.seat = f.seat AND g.uuid <> f.uuid AND g.dsDeleted = 0
          WHERE f.uuid = ? AND f.dsDeleted = 0)
        """, arguments: [sheet])
    if isDoubled == true { throw UndoRefusal.anotherSheet }
  }

  private struct FoundOperation {
    let operation: Operation
    let body: OperationBody
  }

  private func find(_ id: OperationID) throws -> FoundOperation {
    guard let operation = try OperationTable.find(id, in: db), let body = try operation.body() else {
      throw UndoRefusal.nothingLeft
    }
    return FoundOperation(operation: operation, body: body)
  }

  /// Undoes operations on one row, the newest first, with one operation.
  private func undo(_ operations: [FoundOperation], of row: RowKey) throws -> OperationID {
    guard let heads = try RowTable.of(row.entity).heads(of: row.id, in: db) else {
      throw UndoRefusal.nothingLeft
    }
    var fields: [String: Value] = [:]
    var shown: ShownHeads = [:]
    for found in operations {
      for (field, value) in found.body.fields {
        // Of several operations on a field the newest must stand, and the oldest says what stood before.
        let mustEqual = fields[field] == nil ? value : nil
        guard try stands(found.operation.id, mustEqual, heads: heads[field], field: field) else {
          throw UndoRefusal.changedSince(by: try changer(of: heads[field], besides: found.operation.id))
        }
        fields[field] = try valueBefore(found.operation, body: found.body, field: field)
        shown[field] = heads[field]
      }
    }
    return try set(row.entity, row.id, fields, shown: shown, undoing: operations.map(\.operation.id))
  }

  /// Whether an operation is what stands: the head itself, or one that the same person's later changes, undone since,
  /// have brought back.
  /// - Parameter value: what the head must hold; nil where a later operation of the step was looked at before.
  private func stands(_ id: OperationID, _ value: Value?, heads: [OperationID], field: String) throws -> Bool {
    if heads == [id] { return true }
    guard heads.count == 1, var current = heads.first else { return false }
    if let value, try find(current).body.fields[field] != value { return false }
    // A hundred changes of one item by one person are more than any sheet sees.
    for _ in 0..<100 {
      let found = try find(current)
      guard found.operation.staff == author.staff.map({ Int64($0) }), let before = found.body.replaces[field],
        before.count == 1
      else { return false }
      if before == [id] { return true }
      current = before[0]
    }
    return false
  }

  private func valueBefore(_ operation: Operation, body: OperationBody, field: String) throws -> Value {
    let heads = try (body.replaces[field] ?? []).compactMap { id -> Head? in
      guard let earlier = try OperationTable.find(id, in: db) else { return nil }
      return Head(op: id, hlc: earlier.hlc, value: try earlier.body()?.fields[field] ?? .null)
    }
    if let value = FieldState(heads: heads).standing?.value { return value }
    return try RowTable.of(operation.row.entity).initialValue(of: field)
  }

  private func changer(of heads: [OperationID], besides id: OperationID) throws -> String? {
    guard let other = heads.last(where: { $0 != id }), let operation = try OperationTable.find(other, in: db),
      let staff = operation.staff,
      let row = try Row.fetchOne(
        db, sql: "SELECT title, forename, surname FROM user WHERE dsid = ?", arguments: [staff])
    else { return nil }
    return personName(title: row[0], forename: row[1], surname: row[2])
  }
}
