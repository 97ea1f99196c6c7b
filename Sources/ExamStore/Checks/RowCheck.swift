import Catalogue
import GRDB
import Journal

/// Replays the journal row by row and holds every stored field, the operations that stand on it, its deletion and its
/// contradictions against the tables.
package struct RowCheck {
  private let db: Database
  private let journal: JournalCheck
  private var problems = Problems()
  private var forks: Set<ForkKey> = []
  private var deleted: [(row: RowKey, state: RowState)] = []
  private var rows = 0

  private struct ForkKey: Hashable {
    let row: RowKey
    let field: String
  }

  package static func run(_ db: Database, _ journal: JournalCheck, _ diagnosis: inout Diagnosis) throws {
    var check = RowCheck(db: db, journal: journal)
    try check.replay()
    try check.judgeDeletions()
    try check.findStrangers()
    diagnosis.add("rows", problems: check.problems, sound: "\(check.rows) rows are what the journal says")
    try check.compareForks(&diagnosis)
  }

  private init(db: Database, journal: JournalCheck) {
    self.db = db
    self.journal = journal
  }

  private mutating func replay() throws {
    var row: RowKey?
    var operations: [OpenedOperation] = []
    try OperationTable.forEachByRow(in: db) { operation in
      if operation.row != row {
        if let row { try judge(row, operations) }
        row = operation.row
        operations.removeAll(keepingCapacity: true)
      }
      if journal.isApplied(operation.id) { operations.append(OpenedOperation(operation)) }
    }
    if let row { try judge(row, operations) }
  }

  private mutating func judge(_ row: RowKey, _ operations: [OpenedOperation]) throws {
    var state = RowState()
    for opened in operations.sorted(by: { ($0.operation.hlc, $0.operation.id) < ($1.operation.hlc, $1.operation.id) }) {
      state.apply(opened)
    }
    guard !state.fields.isEmpty || state.isCreated else { return }
    rows += 1
    guard let table = try? RowTable.of(row.entity) else {
      problems.add("\(row): this version knows no such entity")
      return
    }
    let stored: StoredRow?
    do { stored = try table.stored(row.id, in: db) } catch {
      problems.add("\(row): \(error)")
      return
    }
    guard let stored else {
      problems.add("\(row) is in the journal, but not in the tables")
      return
    }
    if stored.entity != row.entity { problems.add("\(row) is stored as \(stored.entity)") }
    if !state.deletes.isEmpty { deleted.append((row, state)) }
    for (field, value) in stored.values where field != table.entity.storageKey {
      let expected = try state.fields[field]?.standing?.value ?? table.initialValue(of: field)
      if value != expected && !(field == "dsDeleted" && !state.deletes.isEmpty) {
        problems.add("\(row): \(field) is stored as \(value.shown), the journal says \(expected.shown)")
      }
      let heads = Set(state.fields[field]?.all ?? [])
      if Set(stored.heads[field]) != heads {
        problems.add("\(row): \(field) does not name the operations that stand on it")
      }
      if state.fields[field]?.isForked == true { forks.insert(ForkKey(row: row, field: field)) }
    }
  }

  /// A deletion stands while nothing is there, in the row or below it, that it did not name.
  private mutating func judgeDeletions() throws {
    for (row, state) in deleted {
      let family = try OwnedRows.heads(of: row, in: db)
      let isInForce = state.deletes.contains { deletion in
        family.allSatisfy { member, fields in
          fields.allSatisfy { field, heads in
            let named = deletion.covers[member]?[field] ?? []
            return heads.allSatisfy { named.contains($0) }
          }
        }
      }
      let expected = isInForce || state.fields["dsDeleted"]?.standing?.value == .bool(true)
      let stored = try RowTable.of(row.entity).stored(row.id, in: db)?.values["dsDeleted"]
      if stored != .bool(expected) {
        problems.add("\(row) is stored as \(expected ? "present" : "deleted"), the journal says otherwise")
      }
    }
  }

  /// Rows that no operation made.
  private mutating func findStrangers() throws {
    for entity in Catalogue.standard.entities where entity.sync != .local {
      let discriminator = Catalogue.standard.table(named: entity.table)?.discriminator
      let kind = discriminator.map { "t.\(Tables.quoted($0)) = '\(entity.name)' AND" } ?? ""
      let keys = try Row.fetchCursor(
        db,
        sql: """
          SELECT CAST(t.\(Tables.quoted(entity.storageKey)) AS TEXT) FROM \(Tables.quoted(entity.table)) t
          WHERE \(kind) NOT EXISTS (SELECT 1 FROM operation o
            WHERE o.entity = ? AND o.entityID = CAST(t.\(Tables.quoted(entity.storageKey)) AS TEXT))
          """, arguments: [entity.name])
      while let key = try keys.next() { problems.add("\(entity.name)/\(key[0] as String? ?? "?") is in no operation") }
    }
  }

  private func compareForks(_ diagnosis: inout Diagnosis) throws {
    let listed = Set(
      try Row.fetchAll(db, sql: "SELECT entity, entityID, field FROM fork").map {
        ForkKey(row: RowKey(entity: $0[0], id: $0[1]), field: $0[2])
      })
    if listed != forks {
      let wrong = listed.symmetricDifference(forks).map { "\($0.row) \($0.field)" }.sorted().prefix(3)
      diagnosis.add(
        "contradictions", .failed, "the list is not what the journal says: \(wrong.joined(separator: ", "))")
    } else if listed.isEmpty {
      diagnosis.add("contradictions", .ok, "none")
    } else {
      diagnosis.add("contradictions", .warning, "\(listed.count) fields have two values: a person must rule")
    }
  }
}

/// A row as it lies in its table.
struct StoredRow {
  /// The entity that it says it is of.
  let entity: String
  /// Its fields.
  let values: [String: Value]
  /// What stands on them.
  let heads: HeadsColumn
}

extension Value {
  /// The value for a report: a text only by its length, because it may be personal.
  fileprivate var shown: String {
    switch self {
    case .null: "nothing"
    case .bool(let value): value ? "true" : "false"
    case .integer(let value): String(value)
    case .text(let value): "a text of \(value.utf8.count) bytes"
    }
  }
}
