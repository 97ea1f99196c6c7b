import Catalogue
import GRDB
import Journal
import Timer

/// Brings the rows of the tables to what the rules of `Journal` say after an operation, made here or elsewhere.
///
/// The usual case, one head in each field and nothing deleted, reads and writes the row once and opens no other
/// operation.
struct RowMerge {
  let db: Database
  /// Follows what was written with what is derived from it.
  let knowledge: ExamKnowledge
  /// When a contradiction that opens now was found.
  let now: Instant
  /// What an applied operation set a field to; nil when there is none, or it counts for nothing.
  let head: (OperationID, String) throws -> Head?
  /// The applied deletes of a row.
  let deletes: (RowKey) throws -> [Deletion]
  private let opened = OpenedHeads()

  /// The heads that stand beside others, opened once: each operation that names none of them asks for all. Where one of
  /// them counts no more its row is written again.
  private final class OpenedHeads {
    var known: [OperationID: [String: Head]] = [:]
  }

  /// What an operation sets.
  struct Edit {
    let id: OperationID
    let hlc: HybridTime
    let row: RowKey
    let fields: [String: Value]
    let replaces: [String: [OperationID]]
  }

  /// Applies an operation that sets fields, as `RowState.apply` does.
  ///
  /// - Parameter heads: the row's heads, where they were just read; nil: there is no such row.
  func apply(_ edit: Edit, heads known: HeadsColumn?) throws {
    let table = try RowTable.of(edit.row.entity)
    var heads = known ?? HeadsColumn()
    var standing = edit.fields
    for (field, value) in edit.fields {
      let before = heads[field]
      let others = FieldState.remaining(before, after: edit.replaces[field] ?? [])
      if others.isEmpty {
        heads[field] = [edit.id]
        if before.count > 1 { try Forks.close(edit.row, field: field, in: db) }
        continue
      }
      var state = try self.state(of: others, field: field)
      state.apply(Head(op: edit.id, hlc: edit.hlc, value: value), replacing: [])
      heads[field] = state.all
      standing[field] = state.standing?.value
      try Forks.note(edit.row, field: field, isForked: state.isForked, at: now, in: db)
    }
    let isMoved = known != nil && edit.fields.keys.contains { table.isOwner($0) }
    let formerOwners = isMoved ? try table.ownership(of: edit.row.id, in: db)?.owners ?? [] : []
    if known == nil {
      try table.insert(edit.row.id, fields: standing, heads: heads, in: db)
    } else {
      try table.update(edit.row.id, fields: standing, heads: heads, in: db)
    }
    try knowledge.derive(table.entity, edit.row.id, standing, db)
    if isMoved {
      try judge([edit.row] + formerOwners)
    } else if try table.isDeletedOrBelowDeleted(edit.row.id, in: db) {
      try judge([edit.row])
    }
  }

  /// Judges a row's deletes after one of them was applied.
  func applyDelete(of row: RowKey) throws { try judgeDeletes(of: row) }

  /// Writes a row as all its applied operations say, whatever it was; for when one of them counts no more.
  func rebuild(_ row: RowKey, from operations: [OpenedOperation]) throws {
    opened.known = [:]
    let table = try RowTable.of(row.entity)
    let formerOwners = try table.ownership(of: row.id, in: db)?.owners ?? []
    let state = RowState(applying: operations)
    try db.cachedStatement(sql: "DELETE FROM fork WHERE entity = ? AND entityID = ?").execute(
      arguments: [row.entity, row.id])
    if state.fields.isEmpty && !state.isCreated {
      try table.remove(row.id, in: db)
    } else {
      let isThere = try table.heads(of: row.id, in: db) != nil
      let (fields, heads) = (try table.allFields(state.values), HeadsColumn(state.heads))
      if isThere {
        try table.update(row.id, fields: fields, heads: heads, in: db)
      } else {
        try table.insert(row.id, fields: fields, heads: heads, in: db)
      }
      try knowledge.derive(table.entity, row.id, fields, db)
      for (field, state) in state.fields where state.isForked {
        try Forks.note(row, field: field, isForked: true, at: now, in: db)
      }
    }
    try judge([row] + formerOwners)
  }

  /// The heads of a field by their operations; one that is not here, or counts for nothing, is left out.
  func state(of ids: [OperationID], field: String) throws -> FieldState {
    FieldState(
      heads: try ids.compactMap { id in
        if let known = opened.known[id]?[field] { return known }
        let found = try head(id, field)
        opened.known[id, default: [:]][field] = found
        return found
      })
  }

  // MARK: Deletes

  /// Judges the deletes of a row and of the rows above it where there are any: one that came before may name what comes
  /// only now.
  func judgeEarlierDeletes(above row: RowKey) throws {
    var hasDeletes = false
    try RowTable.walkUp(from: [row], in: db) { row in
      hasDeletes = try !deletes(row).isEmpty
      return !hasDeletes
    }
    if hasDeletes { try judge([row]) }
  }

  /// Judges the deletes of some rows and of all rows above them.
  private func judge(_ rows: [RowKey]) throws {
    try RowTable.walkUp(from: rows, in: db) { row in
      try judgeDeletes(of: row)
      return true
    }
  }

  private func judgeDeletes(of row: RowKey) throws {
    let table = try RowTable.of(row.entity)
    guard table.isDeletable else { return }
    let deletes = try deletes(row)
    let known = try table.heads(of: row.id, in: db)
    let isDeleted = try table.ownership(of: row.id, in: db)?.isDeleted ?? false
    guard isDeleted || !deletes.isEmpty else { return }
    let heads = known ?? HeadsColumn()
    let family = deletes.isEmpty ? [:] : try OwnedRows.heads(of: row, in: db)
    let field = try state(of: heads["dsDeleted"], field: "dsDeleted").standing?.value
    let expected = Deletion.isOutOfView(deletes, family: family, field: field)
    if expected == isDeleted { return }
    if known == nil {
      // A row that was never made here, while rows below it are: it is kept as deleted, and only so.
      try table.insert(row.id, fields: ["dsDeleted": .bool(true)], heads: heads, in: db)
    } else if try !expected && heads.operations.isEmpty && !OperationTable.isMade(row, in: db) {
      try table.remove(row.id, in: db)
    } else {
      try table.update(row.id, fields: ["dsDeleted": .bool(expected)], heads: heads, in: db)
    }
  }
}
