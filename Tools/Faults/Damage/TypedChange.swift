import ExamStore
import GRDB
import Glibc
import SeededNumbers

/// One change of a store by somebody who has its file and SQL, and works out no hash.
public struct TypedChange: Sendable {
  /// The change as SQL.
  public private(set) var description = ""
  /// What kind of change.
  public let kind: Kind
  /// The path of the changed store.
  public let path: String

  /// The kinds of change.
  public enum Kind: String, CaseIterable, Sendable {
    case cell, swappedCells, deletedRows, copiedRow, movedKey, body, hashes, order, cutTail, heads, index, planted
    case table, settings, migrations, words, upkeep
  }

  /// Copies the exam and changes it.
  /// - Throws: if no change of this seed's kind can be made.
  public init(_ exam: DamagedExam, into folder: String, seed: UInt64) throws {
    var random = Seeded(seed: seed)
    path = folder + "/store.sqlite"
    kind = Kind.allCases.randomElement(using: &random)!
    for _ in 0..<200 {
      for suffix in ["-wal", "-shm", ".lock"] { unlink(path + suffix) }
      try DamagedExam.copy(exam.closed, to: path)
      try DamagedExam.write([], to: path + ".lock")
      if try change(using: &random) { return }
    }
    throw DamagedExam.Failure(description: "no change of the kind \(kind) can be made")
  }

  /// - Returns: false if SQLite refused the change.
  private mutating func change(using random: inout Seeded) throws -> Bool {
    var configuration = Configuration()
    configuration.foreignKeysEnabled = false
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    defer { try? queue.close() }
    return try queue.inDatabase { db in
      var maker = Maker(db: db, random: random)
      let statements = try maker.statements(kind)
      random = maker.random
      description = statements.joined(separator: "; ")
      guard !statements.isEmpty else { return false }
      do {
        for sql in statements { try db.execute(sql: sql) }
        return true
      } catch is DatabaseError { return false }
    }
  }

  /// Makes up changes of what is there.
  private struct Maker {
    let db: Database
    var random: Seeded

    mutating func statements(_ kind: Kind) throws -> [String] {
      switch kind {
      case .cell: return try cell()
      case .swappedCells: return try swapped(in: table(), column: nil)
      case .deletedRows:
        let table = try table()
        return try ["DELETE FROM \(quoted(table)) WHERE \(some(table, .random(in: 1...3, using: &random)))"]
      case .copiedRow: return try copied()
      case .movedKey: return try movedKey()
      case .body: return body()
      case .hashes: return try swapped(in: "operation", column: one(["hash", "prevHash", "bodyHash", "id", "tx"]))
      case .order: return try swapped(in: "operation", column: one(["seq", "deviceSeq", "hlc", "wallTime", "txIndex"]))
      case .cutTail: return cutTail()
      case .heads: return try heads()
      case .index: return try index()
      case .planted: return [planted()]
      case .table: return try alteredTable()
      case .settings:
        return ["PRAGMA \(one(["user_version", "application_id"])) = \(Int32.random(in: 1...9999, using: &random))"]
      case .migrations: return migrations()
      case .words: return try words()
      case .upkeep: return [one(["VACUUM", "REINDEX", "ANALYZE", "PRAGMA optimize", "PRAGMA incremental_vacuum"])]
      }
    }

    // MARK: Cells and rows

    private mutating func cell() throws -> [String] {
      let table = try table()
      let column = try column(of: table)
      let value = try value(for: column, of: table)
      return try ["UPDATE \(quoted(table)) SET \(quoted(column)) = \(value) WHERE \(some(table, 1))"]
    }

    private mutating func value(for column: String, of table: String) throws -> String {
      let old = quoted(column)
      switch Int.random(in: 0..<17, using: &random) {
      case 0: return "NULL"
      case 1: return "0"
      case 2: return "1"
      case 3: return "\(old) + 1"
      case 4: return "9223372036854775807"
      case 5: return "-9223372036854775807 - 1"
      case 6: return "1.5"
      case 7: return "''"
      case 8: return "'x'"
      case 9: return "CAST(\(old) AS BLOB)"
      case 10: return "CAST(\(old) AS TEXT)"
      case 11: return "CAST(x'61FF62' AS TEXT)"
      case 12: return "\(old) || CAST(x'00' AS TEXT) || 'hidden'"
      case 13: return "upper(\(old))"
      case 14: return "\(old) || ' '"
      case 15: return "(SELECT \(old) FROM \(quoted(table)) ORDER BY random() LIMIT 1)"
      default: return "'[[[[[[[[' || \(old)"
      }
    }

    private mutating func swapped(in table: String, column: String?) throws -> [String] {
      let column = try column ?? self.column(of: table)
      let keys = try Row.fetchAll(
        db, sql: "SELECT \(try identity(table)), quote(\(quoted(column))) FROM \(quoted(table))"
      ).shuffled(using: &random)
      guard keys.count > 1 else { return [] }
      let (one, other) = (keys[0], keys[1])
      let set = "UPDATE \(quoted(table)) SET \(quoted(column)) = "
      // By way of a third value, for a column in which each stands once.
      return [
        "\(set)-77 WHERE \(one[0] as String)", "\(set)\(one[1] as String) WHERE \(other[0] as String)",
        column == "seq" || column == "dsid" || column == "uuid" || column == "id"
          ? "\(set)\(other[1] as String) WHERE \(quoted(column)) = -77"
          : "\(set)\(other[1] as String) WHERE \(one[0] as String)",
      ]
    }

    private mutating func copied() throws -> [String] {
      let table = try table()
      let columns = try columns(of: table)
      guard let key = columns.first else { return [] }
      let rest = columns.dropFirst().map(quoted).joined(separator: ", ")
      let new = one(["\(quoted(key)) || 'b'", "\(quoted(key)) + 100000", "NULL"])
      return try [
        "INSERT INTO \(quoted(table)) (\(columns.map(quoted).joined(separator: ", "))) "
          + "SELECT \(new)\(rest.isEmpty ? "" : ", " + rest) FROM \(quoted(table)) WHERE \(some(table, 1))"
      ]
    }

    private mutating func movedKey() throws -> [String] {
      let table = try table()
      guard let key = try columns(of: table).first else { return [] }
      let new = one(["\(quoted(key)) + 100000", "\(quoted(key)) || 'b'", "upper(\(quoted(key)))"])
      return try ["UPDATE \(quoted(table)) SET \(quoted(key)) = \(new) WHERE \(some(table, 1))"]
    }

    // MARK: The journal

    private mutating func body() -> [String] {
      let place = Int.random(in: 1...60, using: &random)
      let new = one([
        "NULL", "x''", "CAST(body AS TEXT)", "body || x'00'", "CAST(substr(body, 1, length(body) - 1) AS BLOB)",
        "(SELECT body FROM operation ORDER BY random() LIMIT 1)",
        "CAST(substr(body, 1, \(place)) || x'5B5B5B5B5B5B5B5B5B5B5B5B5B5B5B5B5B5B' AS BLOB)", "zeroblob(40)",
        "CAST(substr(body, 1, 16) || CAST('{\"fields\":{\"a\":99999999999999999999},\"replaces\":{}}' AS BLOB) AS BLOB)",
      ])
      let table = random.chance(80) ? "operation" : "pending"
      return ["UPDATE \(table) SET body = \(new) WHERE id = (SELECT id FROM \(table) ORDER BY random() LIMIT 1)"]
    }

    /// Takes the last operations away and notes an earlier one as the chain's end.
    private mutating func cutTail() -> [String] {
      let count = Int.random(in: 1...5, using: &random)
      let own = "(SELECT value FROM storeInfo WHERE key = 'device')"
      return [
        """
        DELETE FROM operation WHERE device = \(own)
          AND deviceSeq > (SELECT max(deviceSeq) - \(count) FROM operation WHERE device = \(own))
        """,
        """
        UPDATE chain SET (lastSeq, lastHash, lastTime) = (SELECT deviceSeq, hash, hlc FROM operation o
          WHERE o.device = chain.device ORDER BY deviceSeq DESC LIMIT 1) WHERE device = \(own)
        """,
      ]
    }

    private mutating func heads() throws -> [String] {
      let tables = try String.fetchAll(
        db,
        sql: """
          SELECT m.name FROM sqlite_master m JOIN pragma_table_info(m.name) c
          WHERE m.type = 'table' AND c.name = 'heads' ORDER BY m.name
          """)
      let table = try one(tables.filter { try Int.fetchOne(db, sql: "SELECT count(*) FROM \(quoted($0))") ?? 0 > 0 })
      let new = one([
        "''", "'zzz'", "heads || ';'", "heads || ',x'", "heads || ';' || heads", "substr(heads, 1, length(heads) - 1)",
        "upper(heads)", "CAST(heads AS BLOB)", "';' || heads", "replace(heads, ',', ',,')", "heads || char(0)",
        "heads || ';00000000-0000-7000-8000-000000000000:shoe'", "17",
      ])
      return try ["UPDATE \(quoted(table)) SET heads = \(new) WHERE \(some(table, 1))"]
    }

    // MARK: What the file is made of

    private mutating func index() throws -> [String] {
      let rows = try Row.fetchAll(
        db, sql: "SELECT name, tbl_name, sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL ORDER BY name")
      let row = rows.randomElement(using: &random)!
      let (name, table, sql) = (row[0] as String, row[1] as String, row[2] as String)
      let drop = "DROP INDEX \(quoted(name))"
      let column = try self.column(of: table)
      switch Int.random(in: 0..<3, using: &random) {
      case 0: return [drop]
      case 1: return [drop, "CREATE INDEX \(quoted(name)) ON \(quoted(table)) (\(quoted(column)) DESC)"]
      default: return [drop, sql + (sql.contains("WHERE") ? " AND 1" : " WHERE \(quoted(column)) IS NOT NULL")]
      }
    }

    private mutating func planted() -> String {
      one([
        "CREATE TRIGGER kind AFTER UPDATE ON dataQuestion BEGIN SELECT 1; END",
        "CREATE TRIGGER grey BEFORE INSERT ON operation BEGIN DELETE FROM sitting; END",
        "CREATE VIEW marks AS SELECT * FROM dataQuestion", "CREATE TABLE notes (text)",
        "CREATE TABLE \"sheet\" (a INTEGER PRIMARY KEY, b) WITHOUT ROWID", "CREATE INDEX more ON sitting (tty)",
        "CREATE UNIQUE INDEX once ON student (surname)", "CREATE UNIQUE INDEX once ON chain (lastSeq)",
        "CREATE VIRTUAL TABLE words USING fts5(text)",
      ])
    }

    private mutating func alteredTable() throws -> [String] {
      let table = try table()
      let name = quoted(table)
      let column = try self.column(of: table)
      return one([
        ["DROP TABLE \(name)"], ["ALTER TABLE \(name) RENAME TO renamed"],
        ["ALTER TABLE \(name) RENAME COLUMN \(quoted(column)) TO renamed"],
        ["ALTER TABLE \(name) ADD COLUMN more TEXT"],
        ["ALTER TABLE \(name) DROP COLUMN \(quoted(column))"],
        ["ALTER TABLE \(name) RENAME TO kept", "CREATE VIEW \(name) AS SELECT * FROM kept"],
        ["CREATE TABLE kept AS SELECT * FROM \(name)", "DROP TABLE \(name)", "ALTER TABLE kept RENAME TO \(name)"],
        ["DELETE FROM \(name)"],
      ])
    }

    private mutating func migrations() -> [String] {
      [
        one([
          "DELETE FROM grdb_migrations WHERE rowid = (SELECT max(rowid) FROM grdb_migrations)",
          "DELETE FROM grdb_migrations WHERE rowid = 3", "DELETE FROM grdb_migrations", "DROP TABLE grdb_migrations",
          "INSERT INTO grdb_migrations VALUES ('99')", "INSERT INTO grdb_migrations VALUES (x'00')",
          "UPDATE grdb_migrations SET identifier = upper(identifier) || 'x' WHERE rowid = 2",
        ])
      ]
    }

    /// The words by which SQLite remembers a table, changed behind its back.
    private mutating func words() throws -> [String] {
      let change = one([
        "replace(sql, 'NOT NULL', '')", "replace(sql, 'DEFAULT 0', 'DEFAULT 1')", "replace(sql, 'INTEGER', 'TEXT')",
        "replace(sql, 'TEXT', 'TEXT COLLATE NOCASE')", "replace(sql, 'TEXT,', 'TEXT CHECK (1),')",
        "replace(sql, 'REAL', 'BLOB')",
      ])
      let name = try String.fetchAll(
        db, sql: "SELECT name FROM sqlite_master WHERE sql IS NOT NULL AND sql <> \(change) ORDER BY name"
      ).randomElement(using: &random)
      guard let name else { return [] }
      return [
        "PRAGMA writable_schema = ON", "UPDATE sqlite_master SET sql = \(change) WHERE name = '\(name)'",
        "PRAGMA writable_schema = RESET",
      ]
    }

    // MARK: What is there

    private mutating func one<T>(_ choices: [T]) -> T { choices.randomElement(using: &random)! }

    /// A table that has rows.
    private mutating func table() throws -> String {
      let names = try String.fetchAll(
        db, sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name")
      return one(try names.filter { try Int.fetchOne(db, sql: "SELECT count(*) FROM \(quoted($0))") ?? 0 > 0 })
    }

    private func columns(of table: String) throws -> [String] {
      try Row.fetchAll(db, sql: "PRAGMA table_info(\(quoted(table)))").map { $0["name"] }
    }

    private mutating func column(of table: String) throws -> String { one(try columns(of: table)) }

    /// SQL that gives the condition which a row meets alone.
    private func identity(_ table: String) throws -> String {
      let keys = try Row.fetchAll(db, sql: "PRAGMA table_info(\(quoted(table)))").filter { $0["pk"] as Int > 0 }
        .map { $0["name"] as String }
      let columns = keys.isEmpty ? ["rowid"] : keys
      return columns.map { "'\(quoted($0)) IS ' || quote(\(quoted($0)))" }.joined(separator: " || ' AND ' || ")
    }

    /// A condition that some rows meet.
    private mutating func some(_ table: String, _ count: Int) throws -> String {
      let rows = try String.fetchAll(db, sql: "SELECT \(try identity(table)) FROM \(quoted(table))")
        .shuffled(using: &random).prefix(count)
      return rows.map { "(\($0))" }.joined(separator: " OR ")
    }

    private func quoted(_ name: String) -> String { "\"\(name)\"" }
  }
}
