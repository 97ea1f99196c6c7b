import Journal

/// A row of a table, without its exam, as a transaction holds it.
final class HeldRow {
  fileprivate(set) var values: [HubValue]
  fileprivate var state: State
  /// The columns that the database does not have yet.
  fileprivate var changed: Set<Int> = []

  fileprivate enum State {
    /// The database has it.
    case kept
    /// It has it not.
    case new
    /// It was removed.
    case gone
  }

  fileprivate init(_ values: [HubValue], _ state: State) { (self.values, self.state) = (values, state) }

  /// As a row of a query.
  var row: HubRow { HubRow(values) }
}

/// The tables of one exam as a transaction sees and changes them: what it has looked up it knows, also that there is
/// nothing; what it changes is written together. So a page of operations costs a few statements and not a few for each.
///
/// Nobody else may change the exam meanwhile. A statement in words goes to the database after all that is to be written;
/// one that changes something makes it forget what it knows.
final class HeldRows: HubConnection {
  private let database: any HubConnection
  private let exam: HubValue
  private var tables = HeldTable.all.map { Table($0) }
  private var isClean = true

  private final class Table {
    let form: HeldTable
    /// Its rows by their keys.
    var rows: [[HubValue]: HeldRow] = [:]
    /// By each index: what was looked up, and what was found. The order is that in which they came to be known.
    var found: [[[HubValue]: [HeldRow]]]
    var new: [HeldRow] = []
    var changed: [HeldRow] = []
    var gone: [HeldRow] = []

    init(_ form: HeldTable) {
      self.form = form
      found = form.indexes.map { _ in [:] }
    }

    func key(of row: HeldRow) -> [HubValue] { form.key.map { row.values[$0] } }

    /// The rows that the database has to get, which are its own from now on.
    func takeNew() -> [HeldRow] {
      let rows = new.filter { $0.state == .new }
      for row in rows { row.state = .kept }
      new = []
      return rows
    }
  }

  /// Whether it keeps what it looks up: not where it is only read, which may be a whole log.
  private let keeps: Bool

  init(_ exam: HubValue, in database: any HubConnection, keeps: Bool) {
    (self.exam, self.database, self.keeps) = (exam, database, keeps)
  }

  // MARK: Looking up

  /// The rows that have these values in the columns of an index.
  func rows(_ index: HeldIndex, _ key: [HubValue]) throws -> [HeldRow] {
    if !keeps { return try database.fetch(index.select, of: exam, [key]).map { HeldRow($0.values, .kept) } }
    let table = tables[index.table]
    if let found = table.found[index.place][key] { return found }
    try load(index, [key])
    return table.found[index.place][key] ?? []
  }

  /// Looks up what will be asked for.
  func load(_ index: HeldIndex, _ keys: some Sequence<[HubValue]>) throws {
    if !keeps { return }
    let table = tables[index.table]
    let open = Set(keys).filter { table.found[index.place][$0] == nil }
    if open.isEmpty { return }
    // What is found in the database is all that there is.
    if !isClean { try write() }
    // What is looked up is about as much as what comes.
    table.found[index.place].reserveCapacity(table.found[index.place].count + open.count)
    table.rows.reserveCapacity(table.rows.count + open.count)
    for key in open { table.found[index.place][key] = [] }
    if table.form.isOftenEmpty, try database.fetch(table.form.any, [exam]).isEmpty { return }
    for row in try database.fetch(index.select, of: exam, Array(open)) {
      let key = table.form.key.map { row.values[$0] }
      let held = table.rows[key] ?? HeldRow(row.values, .kept)
      table.rows[key] = held
      table.found[index.place][index.columns.map { row.values[$0] }, default: []].append(held)
    }
  }

  // MARK: Changing

  /// Adds a row; where one with its key may be there already, that stays.
  func insert(_ values: [HubValue], into table: HeldTable) {
    isClean = false
    let row = HeldRow(values, .new)
    let table = tables[table.place]
    // What is never looked up is only written.
    if !table.form.indexes.isEmpty {
      let key = table.key(of: row)
      if let held = table.rows.updateValue(row, forKey: key) {
        table.rows[key] = held
        return
      }
    }
    table.new.append(row)
    for index in table.form.indexes {
      table.found[index.place][index.columns.map { values[$0] }]?.append(row)
    }
  }

  /// Writes a column of a row that no index is of.
  func set(_ column: Int, of row: HeldRow, in table: HeldTable, to value: HubValue) {
    if row.values[column] == value { return }
    isClean = false
    row.values[column] = value
    if row.state != .kept { return }
    if row.changed.isEmpty { tables[table.place].changed.append(row) }
    row.changed.insert(column)
  }

  /// Removes a row.
  func remove(_ row: HeldRow, from table: HeldTable) {
    isClean = false
    let table = tables[table.place]
    if row.state == .kept { table.gone.append(row) }
    row.state = .gone
    table.rows[table.key(of: row)] = nil
    for index in table.form.indexes {
      table.found[index.place][index.columns.map { row.values[$0] }]?.removeAll { $0 === row }
    }
  }

  // MARK: Writing

  /// Writes what was changed.
  func write() throws {
    if isClean { return }
    for table in tables { try write(table) }
    isClean = true
  }

  /// How many new operations are begun to be written while more are decided.
  private static let ahead = 100

  /// Begins to write new operations, their entries and heads where there are many: seldom is anything of them changed
  /// again before the transaction ends.
  func writeAhead() throws {
    guard keeps, tables[HeldTable.operations.place].new.count >= Self.ahead else { return }
    for table in [HeldTable.operations, .entries, .heads] {
      let table = tables[table.place]
      let new = table.takeNew()
      if !new.isEmpty { try database.begin(table.form.insert, of: exam, new.map(\.values)) }
    }
  }

  private func write(_ table: Table) throws {
    if !table.gone.isEmpty {
      try database.run(table.form.delete, of: exam, table.gone.map { table.key(of: $0) })
    }
    let changed = Dictionary(grouping: table.changed.filter { $0.state == .kept }) { $0.changed.sorted() }
    for (columns, rows) in changed.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
      try database.run(
        table.form.update(columns), of: exam, rows.map { row in columns.map { row.values[$0] } + table.key(of: row) })
    }
    let new = table.takeNew()
    if !new.isEmpty { try database.run(table.form.insert, of: exam, new.map(\.values)) }
    for row in table.changed { row.changed = [] }
    (table.changed, table.gone) = ([], [])
  }

  /// Writes what was changed and forgets what it knows, in the midst of a transaction that goes through much.
  func settle() throws {
    try write()
    forget()
  }

  /// What is asked for next is read again.
  private func forget() { tables = HeldTable.all.map { Table($0) } }

  // MARK: In words

  func run(_ sql: String, _ arguments: [HubValue]) throws -> Int {
    try settle()
    return try database.run(sql, arguments)
  }

  func fetch(_ sql: String, _ arguments: [HubValue]) throws -> [HubRow] {
    try write()
    return try database.fetch(sql, arguments)
  }

  func forEach(_ sql: String, _ arguments: [HubValue], _ body: (HubRow) throws -> Bool) throws {
    try write()
    try database.forEach(sql, arguments, body)
  }

  func hold(_ exam: UUIDBytes) throws { try database.hold(exam) }
  var waitsForStandby: Bool { get throws { try database.waitsForStandby } }
  var lockingClause: String { database.lockingClause }
}
