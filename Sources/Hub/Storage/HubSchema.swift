/// The hub's tables. The exam is in every key, so that they can be split by it.
package enum HubSchema {
  /// The version of the tables; a hub refuses a newer one.
  package static let version: Int64 = 4

  /// How a database writes what the tables are made of.
  package struct Dialect: Sendable {
    let bytes: String
    let integer: String
    let text: String
    /// What a table that its key keeps in order ends with.
    let inOrderOfKey: String
    /// Into how many parts the tables that hold much are split by the exam; nil: into none.
    let parts: Int?

    package static let sqlite = Dialect(
      bytes: "BLOB", integer: "INTEGER", text: "TEXT", inOrderOfKey: " WITHOUT ROWID", parts: nil)
    package static let postgres = Dialect(
      bytes: "BYTEA", integer: "BIGINT", text: #"TEXT COLLATE "C""#, inOrderOfKey: "", parts: 16)

    /// A key of a table that has several. PostgreSQL takes an exam that its statistics do not know for one row, and
    /// then any key that the exam leads for as good as the right one: there it comes last.
    func key(_ columns: String) -> String { parts == nil ? "exam, \(columns)" : "\(columns), exam" }

    /// What a column of a kind is called.
    func word(for kind: BulkStatement.Kind) -> String {
      switch kind {
      case .integer: integer
      case .text: text
      case .bytes: bytes
      }
    }
  }

  /// A column of a table.
  struct Column {
    let name: String
    let kind: BulkStatement.Kind
    /// Whether there may be nothing in it.
    let isOptional: Bool

    /// - Parameter text: `name kind`, and `name kind?` where there may be nothing.
    init(_ text: Substring) {
      isOptional = text.hasSuffix("?")
      let words = text.split { $0 == " " || $0 == "?" }.map(String.init)
      guard words.count == 2, let kind = BulkStatement.Kind(rawValue: words[1]) else {
        preconditionFailure("no column: \(text)")
      }
      (name, self.kind) = (words[0], kind)
    }
  }

  /// A table of the hub's.
  struct Table {
    let name: String
    let columns: [Column]
    /// The columns of a row within its exam.
    let held: [Column]
    let key: String
    /// Whether its rows lie in the order of its key: not where it has several.
    let isInOrderOfKey: Bool
    /// Whether it is split by the exam where the database can do that.
    let isSplit: Bool

    init(_ name: String, _ columns: String, key: String, isInOrderOfKey: Bool = true, isSplit: Bool = true) {
      self.name = name
      self.columns = columns.split(separator: ", ").map { Column($0) }
      held = self.columns.filter { $0.name != "exam" }
      self.key = key
      self.isInOrderOfKey = isInOrderOfKey
      self.isSplit = isSplit
    }

    /// Where in a row within its exam a column is.
    func place(of column: String) -> Int {
      guard let place = held.firstIndex(where: { $0.name == column }) else {
        preconditionFailure("\(name) has no column \(column)")
      }
      return place
    }

    /// What some columns of a row within its exam hold.
    func kinds(of names: [String]) -> [BulkStatement.Kind] { names.map { held[place(of: $0)].kind } }

    func statements(_ dialect: Dialect) -> [String] {
      let lines = columns.map { "\($0.name) \(dialect.word(for: $0.kind))\($0.isOptional ? "" : " NOT NULL")" }
      let primary = isInOrderOfKey ? key : dialect.key(String(key.trimmingPrefix("exam, ")))
      let table = "CREATE TABLE \(name) (\(lines.joined(separator: ", ")), PRIMARY KEY (\(primary)))"
      guard isSplit, let parts = dialect.parts else { return [table + (isInOrderOfKey ? dialect.inOrderOfKey : "")] }
      return [table + " PARTITION BY HASH (exam)"]
        + (0..<parts).map { part in
          "CREATE TABLE \(name)_\(part) PARTITION OF \(name) FOR VALUES WITH (MODULUS \(parts), REMAINDER \(part))"
        }
    }
  }

  /// The table that says that the others are a hub's, and of which version.
  private static let own = Table("hub", "one integer, version integer", key: "one", isSplit: false)

  /// The tables of exams, each with a column `exam`.
  static let tables = [
    Table(
      "exam",
      "exam text, epoch text, name text, head integer, headHash bytes, hubDevice text, filling integer, "
        + "locked integer?, keyDays integer?, made integer, cursorKey bytes?, importing integer?", key: "exam",
      isSplit: false),
    Table(
      "device",
      "exam text, device text, number integer, name text, role text, tokenHash bytes?, last integer, lastHash bytes, "
        + "lastHlc integer, held integer, waiting integer, seen integer?, clockOffset integer?, clockBound integer?, "
        + "scopeVersion integer, continues text?, revoked integer", key: "exam, device"),
    Table(
      "log",
      "exam text, seq integer, type text, subject text, result text, time integer, hash bytes, byOp text?, "
        + "detail text?", key: "exam, seq"),
    Table(
      "op",
      "exam text, id text, hash bytes, device text, deviceSeq integer, tx text, txIndex integer, txSize integer, "
        + "kind text, entity text, entityID text, hlc integer, schema integer, header bytes, bodyHash bytes, "
        + "sealed bytes?, absent text?, seq integer, result text, untilSeq integer?, atoms text", key: "exam, id, hash",
      isInOrderOfKey: false),
    Table(
      "head", "exam text, entity text, entityID text, field text, id text", key: "exam, entity, entityID, field, id"),
    Table("parked", "exam text, cause text, device text, tx text", key: "exam, cause, device, tx"),
    Table(
      "loose", "exam text, device text, deviceSeq integer, hash bytes, op bytes", key: "exam, device, deviceSeq, hash"),
    Table(
      "code", "hash bytes, exam text, role text, atoms text, uses integer, expires integer, device text?", key: "hash",
      isSplit: false),
    Table(
      "session",
      "hash bytes, exam text, device text, staff integer, role text, since integer, expires integer",
      key: "exam, hash"),
    Table("attempt", "exam text, username text, count integer, until integer", key: "exam, username"),
    rowAtoms, flows, late, deviceAtoms,
    Table(
      "audit", "exam text, n integer, time integer, actor text, action text, detail text, hash bytes", key: "exam, n"),
  ]

  // The tables that say where rows are, and what of an exam devices are given.
  private static let rowAtoms = Table(
    "row_atom", "exam text, entity text, entityID text, atoms text, since integer", key: "exam, entity, entityID")
  private static let flows = Table(
    "flow", "exam text, source text, sourceID text, entity text, entityID text",
    key: "exam, source, sourceID, entity, entityID")
  private static let late = Table(
    "late", "exam text, since integer, entity text, entityID text", key: "exam, since, entity, entityID")
  private static let deviceAtoms = Table(
    "device_atom",
    "exam text, device text, n integer, atom text, since integer, until integer?, began integer, ended integer?, "
      + "expires integer?, session bytes?", key: "exam, device, n")

  /// Why this program leaves a database with tables of a version alone; nil: it takes them.
  package static func refusal(of version: Int64, in database: String) -> String? {
    guard version > self.version else { return nil }
    return "\(database) was written by a newer osce-hub; nothing was changed; use that version here"
  }

  /// Brings tables of an earlier version to this one.
  package static func upgrade(_ connection: any HubConnection, from version: Int64, _ dialect: Dialect) throws {
    guard version < self.version else { return }
    try connection.run("ALTER TABLE exam ADD COLUMN importing \(dialect.integer)", [])
    if version < 3 {
      try connection.run("ALTER TABLE exam ADD COLUMN cursorKey \(dialect.bytes)", [])
      for row in try connection.rows("SELECT exam FROM exam", []) {
        try connection.run(
          "UPDATE exam SET cursorKey = ? WHERE exam = ?", [.bytes(Secret.random()), HubValue(try row.id(0))])
      }
    }
    if version < 2 {
      try connection.run("ALTER TABLE op ADD COLUMN atoms \(dialect.text) NOT NULL DEFAULT ''", [])
      for table in [rowAtoms, flows, late, deviceAtoms] {
        for statement in table.statements(dialect) { try connection.run(statement, []) }
      }
      try ScopeUpgrade.fill(connection)
    }
    try connection.run("UPDATE hub SET version = ? WHERE one = 1", [.integer(self.version)])
  }

  private static func indexes(_ dialect: Dialect) -> [String] {
    [
      "CREATE UNIQUE INDEX op_chain ON op (\(dialect.key("device, deviceSeq")))",
      "CREATE UNIQUE INDEX op_seq ON op (\(dialect.key("seq")))",
      "CREATE INDEX op_row ON op (\(dialect.key("entityID, entity")))",
      "CREATE INDEX op_tx ON op (\(dialect.key("tx")))",
    ]
  }

  /// The statements that make the tables.
  package static func statements(_ dialect: Dialect) -> [String] {
    ([own] + tables).flatMap { $0.statements(dialect) } + indexes(dialect)
      + ["INSERT INTO hub (one, version) VALUES (1, \(version))"]
  }
}
