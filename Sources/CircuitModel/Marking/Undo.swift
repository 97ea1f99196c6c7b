import ExamStore
import GRDB
import Journal

extension JournalTransaction {
  /// Sets the fields of an earlier operation back to what stood before it; removes a row that it made; brings back a
  /// row that it removed.
  /// - Throws: `UndoRefusal` if somebody changed them since, or marked what it made; nothing is then changed.
  /// - Returns: the operation that undoes it, which can be undone in turn.
  @discardableResult public func undo(_ id: OperationID) throws -> OperationID { try undo([id])[0] }

  /// Undoes several operations of this transaction's author as one step.
  /// - Parameter step: the operations in the order in which they were made.
  /// - Throws: `UndoRefusal` if somebody changed since what they changed, `MarkingRefusal.signed`; the caller's
  ///   transaction is then to be given up.
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
        try refuseIfUsed(row, since: found)
        undone.append(try delete(row.entity, row.id, undoing: [id]))
      } else {
        if changes[row] == nil { order.append(row) }
        changes[row, default: []].append(found)
      }
    }
    for row in order { undone.append(try undo(changes[row] ?? [], of: row)) }
    for row in order where row.isSheet { try refuseIfDoubled(row.id) }
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

  /// Refuses to take a row out of view again if anything stands on it, or on a row below it, that was not there when
  /// an operation put it in view: a deletion names all that it meets, so another's marks would go with it, unseen.
  private func refuseIfUsed(_ row: RowKey, since shown: OpenedOperation) throws {
    var later: Head?
    try OwnedRows.forEachInView(below: row, in: db) { member in
      let table = try RowTable.of(member.entity)
      let before = try values(of: member, from: shown)
      for (field, ids) in try table.heads(of: member.id, in: db)?.operations ?? [:] {
        let standing = try before.map { try $0[field] ?? table.initialValue(of: field) }
        for head in try state(of: ids, field: field).heads where head.value != standing {
          let given = try giver(of: head, field)
          if later.map({ ($0.hlc, $0.op) < (given.hlc, given.op) }) ?? true { later = given }
        }
      }
      return true
    }
    if let later { throw UndoRefusal.changedSince(by: try changer(of: [later.op])) }
  }

  /// What a row held when an operation put it in view, or a row above it: what the same transaction made it with, or,
  /// where a deletion was undone, what that deletion had met. Nil if the row was not there.
  private func values(of row: RowKey, from shown: OpenedOperation) throws -> [String: Value]? {
    if let id = shown.body?.undone.first {
      guard let deletion = try OperationTable.applied(id, in: db).flatMap({ Deletion($0) }) else { return nil }
      return try deletion.covers[row].map { heads in
        try heads.reduce(into: [:]) { values, field in
          values[field.key] = try state(of: field.value, field: field.key).standing?.value
        }
      }
    }
    let made = try OperationTable.history(of: row, in: db).filter {
      $0.device == shown.operation.device && $0.tx == shown.operation.tx
    }
    if made.isEmpty { return nil }
    return try made.reduce(into: [:]) { values, operation in
      try values.merge(operation.body()?.fields ?? [:]) { $1 }
    }
  }

  /// The edit that gave a value: an undo only gives back what an earlier one did, no matter whose.
  private func giver(of head: Head, _ field: String) throws -> Head {
    var head = head
    while let undone = try OperationTable.applied(head.op, in: db)?.body?.undone,
      let oldest = try undone.compactMap({ try OperationTable.applied($0, in: db) })
        .last(where: { $0.body?.fields[field] != nil }),
      let before = try state(of: oldest.body?.replaces[field] ?? [], field: field).standing
    {
      head = before
    }
    return head
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
      let staff = operation.staff
    else { return nil }
    return try personName(of: staff, in: db)
  }
}
