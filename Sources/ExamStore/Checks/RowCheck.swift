import Catalogue
import GRDB
import Journal

/// Holds every stored field, the operations that stand on it, its deletion and its contradictions against the tables: by
/// what the check of the journal kept of each row, and where that is not enough, or not what lies there, by replaying
/// the row's operations.
package struct RowCheck {
  private let db: Database
  private let journal: JournalCheck
  private let progress: CheckProgress
  private let replaysAll: Bool
  private var problems = Problems()
  private var strangers = Problems()
  private var forks: Set<ForkKey> = []
  private var deleted: [(row: RowKey, state: RowState, stored: StoredCell?)] = []
  private var rows = 0
  /// Whether each of the rows that the journal's check has kept was met in a table.
  private var isMet: [Bool]
  private var scratch = ReplayedRows.Scratch()

  private struct ForkKey: Hashable {
    let row: RowKey
    let field: String
  }

  /// - Parameter replaysAll: replays every row, which takes long and finds the same.
  package static func run(
    _ db: Database, _ journal: JournalCheck, progress: CheckProgress = .silent, replaysAll: Bool = false,
    _ diagnosis: inout Diagnosis
  ) throws {
    var check = RowCheck(db: db, journal: journal, progress: progress, replaysAll: replaysAll)
    var reason: String?
    do {
      for table in Catalogue.standard.tables where table.name != "operation" { try check.compare(table) }
      try check.findMissing()
      try check.judgeDeletions()
    } catch { reason = Diagnosis.reason(of: error) }
    check.problems.add(check.strangers)
    if let reason { check.problems.add(reason) }
    diagnosis.add("rows", problems: check.problems, sound: "\(check.rows) rows are what the journal says")
    try check.compareForks(&diagnosis)
  }

  private init(db: Database, journal: JournalCheck, progress: CheckProgress, replaysAll: Bool) {
    self.db = db
    self.journal = journal
    self.progress = progress
    self.replaysAll = replaysAll || journal.fates.hasRepeats
    isMet = [Bool](repeating: false, count: journal.rows.places.count)
  }

  // MARK: Rows that are there

  /// How the rows of an entity lie in a table that is read whole.
  private struct Columns {
    let fields: [(field: RowTable.ColumnReading, place: Int)]
    let places: [Int]
    /// Columns of other entities of the family, which hold what they were made with.
    let unused: [(name: String, initial: StoredCell, place: Int)]

    init(_ entity: String, in table: StoredTable, from first: Int) throws {
      let names = table.columns.map(\.name)
      let stored = try RowTable.of(entity).storedFields
      fields = stored.compactMap { field in names.firstIndex(of: field.column).map { (field, first + $0) } }
      places = fields.map(\.place)
      let used = Set(stored.map(\.column) + [table.key, table.discriminator].compactMap { $0 })
      unused = table.columns.enumerated().filter { !used.contains($0.element.name) }.map { index, column in
        (column.name, StoredCell(column.defaultValue), first + index)
      }
    }
  }

  private enum Place {
    static let key = 0
    static let entity = 1
    static let heads = 2
    static let first = 3
    /// After the columns of an operation's content.
    static let hash = 5
  }

  /// Goes through a table once, in the order in which its rows were made: the operations on them were kept in that order.
  private mutating func compare(_ table: StoredTable) throws {
    let key = Tables.quoted(table.key)
    let isNumber = table.columns.contains { $0.isKey && $0.storage == .integer }
    let entity = table.discriminator.map { Tables.quoted($0) } ?? "'\(table.entities[0])'"
    var columns: [String: Columns] = [:]
    for name in table.entities { columns[name] = try Columns(name, in: table, from: Place.first) }
    var last: (entity: String, columns: Columns?) = ("", nil)
    var seen = 0
    try RawRow.forEach(
      db,
      """
      SELECT \(isNumber ? "CAST(\(key) AS TEXT)" : key), \(entity), heads,
        \(table.columns.map { Tables.quoted($0.name) }.joined(separator: ", "))
      FROM \(Tables.quoted(table.name)) ORDER BY rowid
      """
    ) { next in
      seen += 1
      progress.report("rows", seen)
      let entity = next.text(Place.entity) ?? "?"
      if entity != last.entity { last = (entity, columns[entity]) }
      if let columns = last.columns, isWhole(next, entity, columns) {
        rows += 1
      } else {
        try replay(RowKey(entity: entity, id: next.text(Place.key) ?? "?"), next, last.columns)
      }
    }
  }

  /// Whether a row is what the check of the journal kept of it.
  private mutating func isWhole(_ stored: RawRow, _ entity: String, _ columns: Columns) -> Bool {
    let place = stored.withText(Place.key) { journal.rows.place(entity: entity, id: $0) }
    guard let place = place ?? nil else { return false }
    isMet[place] = true
    return !replaysAll && columns.unused.allSatisfy { stored.holds($0.initial, at: $0.place) }
      && journal.rows.isWhole(
        place, stored, heads: Place.heads, columns: columns.places, journal.fates.ids, &scratch)
  }

  /// Compares a row with what its operations make of it.
  private mutating func replay(_ row: RowKey, _ stored: RawRow, _ columns: Columns?) throws {
    guard let declared = Catalogue.standard[row.entity], let columns else {
      return strangers.add("\(row) is of no entity of its table")
    }
    let (operations, isStranger) = try operations(on: row)
    if operations.isEmpty, declared.sync == .local, try isOutsideJournal(row, of: declared) { return }
    if isStranger { return strangers.add("\(row) is in no operation") }
    try judge(row, operations, Stored(stored, columns))
  }

  /// Whether a row is rightly in no operation: it follows from a field of others, and who derives it compares it, or it
  /// says when something came from the hub.
  private func isOutsideJournal(_ row: RowKey, of entity: Entity) throws -> Bool {
    try entity.isDerived || entity.name == LastUpdates.entity && LastUpdates.isNoted(row.id, in: db)
  }

  /// The operations on a row that apply, in the order of arrival.
  private func operations(on row: RowKey) throws -> (applied: [OpenedOperation], isStranger: Bool) {
    var operations: [OpenedOperation] = []
    var isStranger = true
    try RawRow.forEach(
      db.cachedStatement(
        sql: """
          SELECT \(OperationTable.contentColumns), o.hash FROM operation o WHERE entity = ? AND entityID = ? ORDER BY seq
          """),
      [row.entity, row.id]
    ) { next in
      isStranger = false
      // Where it shares its identifier with another that counts, it is told apart by its hash.
      guard let found = OperationTable.content(next, from: 0, of: row), journal.isApplied(found.id),
        next.bytes(Place.hash).map({ !journal.isOutvoted($0) }) ?? true
      else { return }
      operations.append(OpenedOperation(found))
    }
    return (operations, isStranger)
  }

  /// A row as it lies in its table.
  private struct Stored {
    let heads: StoredCell
    let cells: [(field: RowTable.ColumnReading, cell: StoredCell)]
    /// What lies where this entity has nothing; empty in a row as it is made.
    let strays: [(column: String, cell: StoredCell)]

    init(_ row: RawRow, _ columns: Columns) {
      heads = row.cell(Place.heads)
      cells = columns.fields.map { ($0.field, row.cell($0.place)) }
      strays = columns.unused.compactMap { column in
        let cell = row.cell(column.place)
        return cell == column.initial ? nil : (column.name, cell)
      }
    }
  }

  private mutating func judge(_ row: RowKey, _ operations: [OpenedOperation], _ stored: Stored) throws {
    let state = RowState(applying: operations)
    if !state.fields.isEmpty || state.isCreated {
      rows += 1
    } else if state.deletes.isEmpty {
      return problems.add("\(row) is in the tables, but no operation that counts made it")
    }
    if !state.deletes.isEmpty {
      deleted.append((row, state, stored.cells.first { $0.field.name == "dsDeleted" }?.cell))
    }
    for (column, cell) in stored.strays {
      problems.add("\(row): \(column) is stored as \(cell.shown), a row of this kind has none")
    }
    let heads = if case .text(let text) = stored.heads { text } else { nil as String? }
    let namesAll = heads.map { HeadsColumn.isText($0, of: state.fields) } ?? false
    let named = namesAll ? nil : HeadsColumn(text: heads ?? "")
    var areHeadsNamed = namesAll
    for (field, cell) in stored.cells {
      let held = state.fields[field.name]
      let expected = field.cell(held?.standing?.value)
      if cell != expected && !(field.name == "dsDeleted" && !state.deletes.isEmpty) {
        problems.add(
          "\(row): \(field.name) is stored as \(cell.shown), the journal says \(expected?.shown ?? "nothing")")
      }
      if let fault = field.fault(of: field.held(held?.standing?.value)) { problems.add("\(row): \(fault)") }
      if let named, Set(named[field.name]) != Set(held?.all ?? []) {
        areHeadsNamed = true
        problems.add("\(row): \(field.name) does not name the operations that stand on it")
      }
      if held?.isForked == true, Forks.isListed(field.name, of: row.entity) {
        forks.insert(ForkKey(row: row, field: field.name))
      }
    }
    if !areHeadsNamed { problems.add("\(row): what stands on its fields is not the list that was written") }
  }

  // MARK: Rows that are not

  /// Rows that the journal has and that are in no table, or stored as another entity.
  private mutating func findMissing() throws {
    let missing = journal.rows.places.filter { !isMet[$0] }.map { journal.rows[$0] }
    for row in missing.sorted() { try judgeMissing(row) }
  }

  private mutating func judgeMissing(_ row: RowKey) throws {
    if row.entity == Ruling.entity { return }
    let operations = try operations(on: row).applied
    let state = RowState(applying: operations)
    guard !state.fields.isEmpty || state.isCreated else { return }
    guard let table = try? RowTable.of(row.entity) else {
      return problems.add("\(row): this version knows no such entity")
    }
    do {
      guard let stored = try table.stored(row.id, in: db) else {
        return problems.add("\(row) is in the journal, but not in the tables")
      }
      problems.add("\(row) is stored as \(stored.entity)")
    } catch let error as DatabaseError {
      // The file cannot be read: not a matter of this row.
      throw error
    } catch { problems.add("\(row): \(error)") }
  }

  /// A deletion stands while nothing is there, in the row or below it, that it did not name.
  private mutating func judgeDeletions() throws {
    for (row, state, stored) in deleted {
      let family = try OwnedRows.heads(of: row, in: db)
      let expected = Deletion.isOutOfView(
        state.deletes, family: family, field: state.fields["dsDeleted"]?.standing?.value)
      if stored != .integer(expected ? 1 : 0) {
        problems.add(
          "\(row): dsDeleted is stored as \(stored?.shown ?? "nothing"), the journal says \(expected ? 1 : 0)")
      }
    }
  }

  private func compareForks(_ diagnosis: inout Diagnosis) throws {
    var listed: Set<ForkKey> = []
    var problems = Problems()
    try RawRow.forEach(db, "SELECT entity, entityID, field, openedAt FROM fork") { row in
      guard let entity = row.text(0), let id = row.text(1), let field = row.text(2), row.integer(3) != nil else {
        return problems.add("the list holds what is no row, field or time")
      }
      listed.insert(ForkKey(row: RowKey(entity: entity, id: id), field: field))
    }
    if !problems.isEmpty { return diagnosis.add("contradictions", problems: problems, sound: "") }
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

extension StoredCell {
  /// What a column holds that nobody has set.
  fileprivate init(_ value: DefaultValue?) {
    switch value {
    case .integer(let number): self = .integer(number)
    case .double(let number): self = .real(number)
    case .string(let text): self = .text(text)
    case .boolean(let bool): self = .integer(bool ? 1 : 0)
    case nil: self = .null
    }
  }
}
