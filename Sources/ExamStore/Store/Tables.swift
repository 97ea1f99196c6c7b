import Catalogue
import GRDB

/// The tables of a store, made from the catalogue's declarations.
enum Tables {
  /// Makes one table for each family of entities, with its indexes. Beside the catalogue's columns each row carries
  /// its `heads`: the journal operations that stand on its fields.
  static func create(_ catalogue: Catalogue, in db: Database) throws {
    for table in catalogue.tables { try create(table, catalogue, in: db) }
  }

  /// The columns that each of the catalogue's tables has in a file; a table that is not there has none.
  static func columns(_ catalogue: Catalogue, in db: Database) throws -> [String: Set<String>] {
    // One look at all of them: a new store goes through every migration, and lacks nothing after the first. Tables of
    // others may be of a kind that this SQLite cannot look into.
    let own = catalogue.tables.map { "'\($0.name)'" }.joined(separator: ", ")
    let rows = try ReadRow.fetchAll(
      db,
      sql: """
        SELECT m.name, group_concat(c.name, char(31)) FROM sqlite_master m, pragma_table_info(m.name) c
        WHERE m.type = 'table' AND m.name IN (\(own)) GROUP BY 1
        """)
    return rows.reduce(into: [:]) { found, row in
      let names: String = row[1]
      found[row[0]] = Set(names.split(separator: "\u{1F}").map(String.init))
    }
  }

  /// Adds the tables, columns and indexes that the catalogue declares and an older store lacks.
  static func complete(_ catalogue: Catalogue, in db: Database) throws {
    let columns = try columns(catalogue, in: db)
    let indexes = try String.fetchSet(db, sql: "SELECT name FROM sqlite_master WHERE type = 'index'")
    for table in catalogue.tables {
      guard let present = columns[table.name] else {
        try create(table, catalogue, in: db)
        continue
      }
      for column in table.columns {
        if !present.contains(column.name) {
          try db.execute(
            sql: "ALTER TABLE \(quoted(table.name)) ADD COLUMN \(definition(of: column, in: table, catalogue))")
        }
        if !indexes.contains(indexName(of: column, in: table)) { try createIndex(of: column, in: table, db) }
      }
    }
  }

  private static func create(_ table: StoredTable, _ catalogue: Catalogue, in db: Database) throws {
    var columns = table.columns.map { definition(of: $0, in: table, catalogue) }
    columns.append("heads TEXT NOT NULL DEFAULT ''")
    try db.execute(sql: "CREATE TABLE \(quoted(table.name)) (\(columns.joined(separator: ", ")))")
    for column in table.columns { try createIndex(of: column, in: table, db) }
  }

  private static func createIndex(of column: StoredColumn, in table: StoredTable, _ db: Database) throws {
    guard column.needsIndex else { return }
    let index = quoted(indexName(of: column, in: table))
    try db.execute(sql: "CREATE INDEX \(index) ON \(quoted(table.name)) (\(quoted(column.name)))")
  }

  private static func indexName(of column: StoredColumn, in table: StoredTable) -> String {
    "\(table.name)_\(column.name)"
  }

  /// Makes the tables that only this store needs: none of them travels.
  static func createHousekeeping(in db: Database) throws {
    try db.execute(
      sql: """
        CREATE TABLE chain (device TEXT PRIMARY KEY, lastSeq INTEGER NOT NULL, lastHash BLOB NOT NULL,
          lastTime INTEGER NOT NULL) WITHOUT ROWID;
        CREATE TABLE bootClock (bootID TEXT PRIMARY KEY, offset INTEGER NOT NULL, anchoredAt INTEGER NOT NULL)
          WITHOUT ROWID;
        CREATE TABLE storeInfo (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
        CREATE TABLE fork (entity TEXT NOT NULL, entityID TEXT NOT NULL, field TEXT NOT NULL,
          openedAt INTEGER NOT NULL, PRIMARY KEY (entity, entityID, field)) WITHOUT ROWID;
        CREATE UNIQUE INDEX operation_sequence ON operation (device, deviceSeq);
        CREATE INDEX operation_row ON operation (entity, entityID);
        """)
  }

  /// Makes what found the changes that the hub refused, before `indexUnsettled`.
  static func indexRefused(_ db: Database) throws {
    try db.execute(
      sql: "CREATE INDEX operation_refused ON operation (entity, entityID) WHERE \(RefusedChanges.formerCondition)")
  }

  /// Makes what finds the changes that the hub did not take as they are, which are few, without looking through a row's
  /// history.
  static func indexUnsettled(_ db: Database) throws {
    try db.execute(
      sql: "CREATE INDEX operation_unsettled ON operation (entity, entityID) WHERE \(RefusedChanges.unsettled())")
  }

  static func quoted(_ name: String) -> String { "\"" + name + "\"" }

  private static func definition(of column: StoredColumn, in table: StoredTable, _ catalogue: Catalogue) -> String {
    var text = quoted(column.name) + " " + column.storage.rawValue
    if column.isKey {
      // Without AUTOINCREMENT, whose counter is one more page to write with each save. The journal loses no row, so
      // none of its numbers comes twice.
      text += " PRIMARY KEY" + (table.keyKind == .automatic ? "" : " NOT NULL")
    } else if column.isNotNull {
      text += " NOT NULL"
    }
    switch column.defaultValue {
    case .integer(let number): text += " DEFAULT \(number)"
    case .double(let number): text += " DEFAULT \(number)"
    case .string(let string): text += " DEFAULT '\(string)'"
    case .boolean(let bool): text += " DEFAULT \(bool ? 1 : 0)"
    case nil: break
    }
    if let destination = column.destination.flatMap({ catalogue[$0] }) {
      // Checked at commit: rows of one transaction may come in any order.
      text += """
         REFERENCES \(quoted(destination.table)) (\(quoted(destination.storageKey))) DEFERRABLE INITIALLY DEFERRED
        """
    }
    return text
  }
}

extension Database {
  /// Whether a table is in the file: asked by its name. The library reads the texts of the whole schema for that.
  package func holdsTable(_ name: String) throws -> Bool {
    let statement = try cachedStatement(
      sql: "SELECT EXISTS (SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?)")
    return try Bool.fetchOne(statement, arguments: [name]) ?? false
  }
}
