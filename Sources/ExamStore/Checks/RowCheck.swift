import Catalogue
import GRDB
import Journal

/// Replays the journal row by row and holds every stored field, the operations that stand on it, its deletion and its
/// contradictions against the tables.
package struct RowCheck {
  private let db: Database
  private let journal: JournalCheck
  private let progress: CheckProgress
  private var problems = Problems()
  private var strangers = Problems()
  private var forks: Set<ForkKey> = []
  private var deleted: [(row: RowKey, state: RowState)] = []
  private var rows = 0

  private struct ForkKey: Hashable {
    let row: RowKey
    let field: String
  }

  package static func run(
    _ db: Database, _ journal: JournalCheck, progress: CheckProgress = .silent, _ diagnosis: inout Diagnosis
  ) throws {
    var check = RowCheck(db: db, journal: journal, progress: progress)
    for table in Catalogue.standard.tables where table.name != "operation" { try check.compare(table) }
    try check.findMissing()
    try check.judgeDeletions()
    check.problems.add(check.strangers)
    diagnosis.add("rows", problems: check.problems, sound: "\(check.rows) rows are what the journal says")
    try check.compareForks(&diagnosis)
  }

  private init(db: Database, journal: JournalCheck, progress: CheckProgress) {
    self.db = db
    self.journal = journal
    self.progress = progress
  }

  // MARK: Rows that are there

  /// How the rows of an entity lie in a table that is read whole.
  private struct Columns {
    let table: RowTable
    let fields: [(field: RowTable.StoredField, place: Int)]
  }

  /// Goes through a table once, in the order in which its rows were made, each beside the operations on it: these were
  /// made near one another too.
  private mutating func compare(_ table: StoredTable) throws {
    let key = "t.\(Tables.quoted(table.key))"
    let isNumber = table.columns.contains { $0.isKey && $0.storage == .integer }
    let keyText = isNumber ? "CAST(\(key) AS TEXT)" : key
    let entity = table.discriminator.map { "t.\(Tables.quoted($0))" } ?? "'\(table.entities[0])'"
    let names = table.columns.map(\.name)
    let first = 4
    var columns: [String: Columns] = [:]
    for name in table.entities {
      let rows = try RowTable.of(name)
      columns[name] = Columns(
        table: rows,
        fields: rows.storedFields.compactMap { field in
          names.firstIndex(of: field.column).map { (field, first + $0) }
        })
    }
    let cursor = try Row.fetchCursor(
      db,
      sql: """
        SELECT t.rowid, \(keyText), \(entity), t.heads, \(names.map { "t." + Tables.quoted($0) }.joined(separator: ", ")),
          \(OperationTable.contentColumns)
        FROM \(Tables.quoted(table.name)) t LEFT JOIN operation o ON o.entity = \(entity) AND o.entityID = \(keyText)
        ORDER BY t.rowid
        """)
    let operation = first + names.count
    var current: (rowid: Int64, row: RowKey, stored: Stored)?
    var operations: [OpenedOperation] = []
    var isStranger = true
    var seen = 0
    func finish(_ check: inout RowCheck) throws {
      guard let (_, row, stored) = current else { return }
      if !isStranger {
        try check.judge(row, operations, stored)
      } else if Catalogue.standard[row.entity].map({ $0.sync != .local }) ?? false {
        check.strangers.add("\(row) is in no operation")
      }
    }
    while let next = try cursor.next() {
      let rowid: Int64 = next[0]
      if rowid != current?.rowid {
        try finish(&self)
        let row = RowKey(entity: ReadRow(next)[2] as String? ?? "", id: ReadRow(next)[1] as String? ?? "?")
        current = (rowid, row, Stored(next, columns[row.entity]?.fields ?? []))
        operations.removeAll(keepingCapacity: true)
        isStranger = true
        seen += 1
        progress.report("rows", seen)
      }
      if let row = current?.row, let found = try OperationTable.content(next, from: operation, of: row) {
        isStranger = false
        if journal.isApplied(found.id) { operations.append(OpenedOperation(found)) }
      }
    }
    try finish(&self)
  }

  /// A row as it lies in its table.
  private struct Stored {
    let entity: String
    let heads: String
    let values: [(field: RowTable.StoredField, value: Value)]
    /// Why a value could not be read; nil where all could.
    let problem: (any Error)?

    init(_ row: Row, _ fields: [(field: RowTable.StoredField, place: Int)]) {
      entity = ReadRow(row)[2] as String? ?? ""
      heads = ReadRow(row)[3] as String? ?? ""
      var values: [(field: RowTable.StoredField, value: Value)] = []
      values.reserveCapacity(fields.count)
      var problem: (any Error)?
      do { for (field, place) in fields { values.append((field, try field.value(row, at: place))) } } catch {
        problem = error
      }
      (self.values, self.problem) = (values, problem)
    }
  }

  /// - Returns: what the operations come to; nil where they make no row.
  private mutating func state(after operations: [OpenedOperation]) -> RowState? {
    let state = RowState(applying: operations)
    guard !state.fields.isEmpty || state.isCreated else { return nil }
    rows += 1
    return state
  }

  private mutating func judge(_ row: RowKey, _ operations: [OpenedOperation], _ stored: Stored) throws {
    guard let state = state(after: operations) else { return }
    if let problem = stored.problem { return problems.add("\(row): \(problem)") }
    if !state.deletes.isEmpty { deleted.append((row, state)) }
    let namesAll = HeadsColumn.isText(stored.heads, of: state.fields)
    let named = namesAll ? nil : HeadsColumn(text: stored.heads)
    for (field, value) in stored.values {
      let held = state.fields[field.name]
      let expected = field.held(held?.standing?.value)
      if value != expected && !(field.name == "dsDeleted" && !state.deletes.isEmpty) {
        problems.add("\(row): \(field.name) is stored as \(value.shown), the journal says \(expected.shown)")
      }
      if let fault = field.fault(of: value) { problems.add("\(row): \(fault)") }
      if let named, Set(named[field.name]) != Set(held?.all ?? []) {
        problems.add("\(row): \(field.name) does not name the operations that stand on it")
      }
      if held?.isForked == true { forks.insert(ForkKey(row: row, field: field.name)) }
    }
  }

  // MARK: Rows that are not

  /// Rows that the journal has and that are in no table, or stored as another entity.
  private mutating func findMissing() throws {
    for entity in try String.fetchAll(db, sql: "SELECT DISTINCT entity FROM operation ORDER BY entity") {
      var isMissing = "1"
      if let declared = Catalogue.standard[entity], let table = Catalogue.standard.table(named: declared.table) {
        let kind = table.discriminator.map { "AND t.\(Tables.quoted($0)) = o.entity" } ?? ""
        isMissing = """
          NOT EXISTS (SELECT 1 FROM \(Tables.quoted(table.name)) t WHERE t.\(Tables.quoted(table.key)) = o.entityID \(kind))
          """
      }
      let keys = try String.fetchAll(
        db, sql: "SELECT DISTINCT entityID FROM operation o WHERE entity = ? AND \(isMissing) ORDER BY entityID",
        arguments: [entity])
      for key in keys { try judgeMissing(RowKey(entity: entity, id: key)) }
    }
  }

  private mutating func judgeMissing(_ row: RowKey) throws {
    let operations = try OperationTable.history(of: row, in: db).filter { journal.isApplied($0.id) }
    guard state(after: operations.map { OpenedOperation($0) }) != nil else { return }
    guard let table = try? RowTable.of(row.entity) else {
      return problems.add("\(row): this version knows no such entity")
    }
    do {
      guard let stored = try table.stored(row.id, in: db) else {
        return problems.add("\(row) is in the journal, but not in the tables")
      }
      problems.add("\(row) is stored as \(stored.entity)")
    } catch { problems.add("\(row): \(error)") }
  }

  /// A deletion stands while nothing is there, in the row or below it, that it did not name.
  private mutating func judgeDeletions() throws {
    for (row, state) in deleted {
      let family = try OwnedRows.heads(of: row, in: db)
      let expected = Deletion.isOutOfView(
        state.deletes, family: family, field: state.fields["dsDeleted"]?.standing?.value)
      let stored = try RowTable.of(row.entity).stored(row.id, in: db)?.values["dsDeleted"]
      if stored != .bool(expected) {
        problems.add("\(row) is stored as \(expected ? "present" : "deleted"), the journal says otherwise")
      }
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
