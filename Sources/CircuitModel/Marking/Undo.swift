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
    var changes: [RowKey: [OpenedOperation]] = [:]
    var order: [RowKey] = []
    for id in step.reversed() {
      let found = try find(id)
      let row = found.operation.row
      try refuseIfSigned(row)
      if found.operation.kind == .delete {
        undone.append(try set(row.entity, row.id, ["dsDeleted": .bool(false)], undoing: [id]))
      } else if found.operation.kind == .create || found.body?.fields == ["dsDeleted": .bool(false)] {
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

  private func find(_ id: OperationID) throws -> OpenedOperation {
    guard let opened = try OperationTable.applied(id, in: db), opened.body != nil else {
      throw UndoRefusal.nothingLeft
    }
    return opened
  }

  /// Undoes operations on one row, the newest first, with one operation.
  private func undo(_ operations: [OpenedOperation], of row: RowKey) throws -> OperationID {
    let table = try RowTable.of(row.entity)
    guard let heads = try table.heads(of: row.id, in: db) else { throw UndoRefusal.nothingLeft }
    var shown: [String: FieldState] = [:]
    for field in Set(operations.flatMap { $0.body?.fields.keys.map { $0 } ?? [] }) {
      shown[field] = try state(of: heads[field], field: field)
    }
    let inverse = try Undo.inverse(
      of: operations, shown: shown, initial: { try table.initialValue(of: $0) },
      find: { try OperationTable.applied($0, in: db) })
    switch inverse {
    case .set(let fields, let replaces):
      return try set(
        row.entity, row.id, fields, shown: ShownHeads(replaces), undoing: operations.map(\.operation.id))
    case .superseded(let by):
      let heads = by.sorted { $0.key < $1.key }.map(\.value.op)
      throw UndoRefusal.changedSince(by: try changer(of: heads))
    case .notAnEdit: throw UndoRefusal.nothingLeft
    }
  }

  private func changer(of heads: [OperationID]) throws -> String? {
    guard let other = heads.first, let operation = try OperationTable.find(other, in: db),
      let staff = operation.staff,
      let row = try Row.fetchOne(
        db, sql: "SELECT title, forename, surname FROM user WHERE dsid = ?", arguments: [staff])
    else { return nil }
    return personName(title: row[0], forename: row[1], surname: row[2])
  }
}
