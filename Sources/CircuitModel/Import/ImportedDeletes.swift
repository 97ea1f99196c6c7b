import Catalogue
import ExamStore
import GRDB
import Journal

/// The rows that files delete: each takes the way of every deletion, and none takes along what a person made.
///
/// An import knows what imports have made and nothing else: a row stays where it, or a row below it that is in view,
/// was made or changed here. What was deleted before is not looked at.
public struct ImportedDeletes {
  /// Why a row stays.
  public enum Obstacle: Hashable, Sendable {
    /// This row, or one below it, was made or changed here.
    case madeHere(RowKey)
    /// This row needs it.
    case neededBy(RowKey)
    /// It goes only with this row, which stays.
    case goesWith(RowKey)

    /// The row that is in the way.
    var row: RowKey {
      switch self {
      case .madeHere(let row), .neededBy(let row), .goesWith(let row): row
      }
    }
  }

  private let transaction: JournalTransaction
  private var rows: [(row: ImportRow, isChanged: Bool)] = []
  private var imported: [OperationID: Bool] = [:]

  init(in transaction: JournalTransaction) { self.transaction = transaction }

  /// Notes a row to delete.
  /// - Parameter isChanged: whether it was counted as made or changed already.
  mutating func add(_ row: ImportRow, isChanged: Bool) { rows.append((row, isChanged)) }

  /// Deletes what can be deleted, over and over: one row may be needed by another that goes too.
  mutating func carryOut(_ report: inout ImportReport) throws {
    var open = rows
    var stays: [RowKey: Obstacle] = [:]
    var isMoving = true
    while isMoving {
      isMoving = false
      stays = [:]
      var left: [(row: ImportRow, isChanged: Bool)] = []
      let going = Set(open.map { $0.row.row })
      for (row, isChanged) in open {
        if let reason = try obstacle(to: row, going) {
          stays[row.row] = reason
          left.append((row, isChanged))
        } else {
          try delete(row.row, isChanged: isChanged, &report)
          isMoving = true
        }
      }
      open = left
    }
    report.notDeleted += open.compactMap { row, _ in
      stays[row.row].map { ImportReport.NotDeleted(row: row.row, obstacle: $0) }
    }
  }

  private mutating func delete(_ row: RowKey, isChanged: Bool, _ report: inout ImportReport) throws {
    let isDeleted = try RowTable.of(row.entity).values(of: row.id, in: transaction.db)?["dsDeleted"] == .bool(true)
    if !isDeleted {
      try transaction.delete(row.entity, row.id, source: OperationBody.imported)
      if !isChanged { report.changed += 1 }
    } else if !isChanged {
      report.unchanged += 1
    }
  }

  private mutating func obstacle(to row: ImportRow, _ going: Set<RowKey>) throws -> Obstacle? {
    let db = transaction.db
    guard let values = try RowTable.of(row.row.entity).values(of: row.row.id, in: db),
      values["dsDeleted"] != .bool(true)
    else { return nil }
    if let other = row.goesWith, going.contains(other), try RowTable.of(other.entity).isInView(other.id, in: db) {
      return .goesWith(other)
    }
    if let made = try firstMadeHere(below: row.row) { return .madeHere(made) }
    if let user = try DeleteRules.denial(of: row.row, in: db) { return .neededBy(user) }
    for (holder, field) in try DeleteRules.forgetters(of: row.row, in: db) {
      let heads = try RowTable.of(holder.entity).heads(of: holder.id, in: db)?[field] ?? []
      if try !heads.allSatisfy({ try isImported($0) }) { return .neededBy(holder) }
    }
    return nil
  }

  /// A row, or a row below it that is in view, that a person made or changed; nil if there is none.
  private mutating func firstMadeHere(below row: RowKey) throws -> RowKey? {
    var made: RowKey?
    try OwnedRows.forEachInView(below: row, in: transaction.db) { member in
      if try isMadeHere(member) { made = member }
      return made == nil
    }
    return made
  }

  private mutating func isMadeHere(_ row: RowKey) throws -> Bool {
    // The versions of a template are made by the program at an import.
    if row.entity == Stored.FormVersion.entityName { return false }
    let heads = try RowTable.of(row.entity).heads(of: row.id, in: transaction.db)?.operations ?? [:]
    for id in Set(heads.values.joined()) where try !isImported(id) { return true }
    return false
  }

  /// Whether an operation comes from files. One of this transaction does.
  mutating func isImported(_ id: OperationID) throws -> Bool {
    if let known = imported[id] { return known }
    let operation = try OperationTable.find(id, in: transaction.db)
    let isImported = try operation.map { try $0.body()?.source == OperationBody.imported } ?? true
    imported[id] = isImported
    return isImported
  }

  /// Whether files may bring a deleted row back: no person has deleted it.
  mutating func canBringBack(_ row: RowKey) throws -> Bool {
    for delete in try OperationTable.deletes(of: row, in: transaction.db) where try !isImported(delete.op) {
      return false
    }
    let heads = try RowTable.of(row.entity).heads(of: row.id, in: transaction.db)?["dsDeleted"] ?? []
    return try heads.allSatisfy { try isImported($0) }
  }

  /// Whether a field says whose a person's marks, attendance or comments are: a file that gave them to another candidate,
  /// or hid them as practice, would falsify what that person has seen.
  mutating func protects(_ field: String, of row: RowKey) throws -> Bool {
    let fields: Set<String> =
      switch row.entity {
      case Stored.TimetableAttendanceLog.entityName: ["student", "timetable", "practice"]
      case Stored.DataForm.entityName: ["attendanceLog"]
      case Stored.DataSection.entityName: ["dataForm"]
      case Stored.DataQuestion.entityName, Stored.RatingQuestion.entityName: ["dataSection"]
      default: []
      }
    return try fields.contains(field) && firstMadeHere(below: row) != nil
  }
}
