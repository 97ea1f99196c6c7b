/// The hub's tables. The exam leads every key, so that they can be split by it.
enum HubSchema {
  /// The version of the tables; a hub refuses a newer one.
  static let version: Int64 = 1

  /// The kinds of columns, as a database calls them.
  struct Dialect: Sendable {
    let bytes: String
    let integer: String
    let text: String
    let endOfTable: String

    static let sqlite = Dialect(bytes: "BLOB", integer: "INTEGER", text: "TEXT", endOfTable: "WITHOUT ROWID")
    static let postgres = Dialect(bytes: "BYTEA", integer: "BIGINT", text: #"TEXT COLLATE "C""#, endOfTable: "")
  }

  /// The statements that make the tables.
  static func statements(_ dialect: Dialect) -> [String] {
    let (bytes, integer, text) = (dialect.bytes, dialect.integer, dialect.text)
    func table(_ name: String, _ columns: String, keeping end: String = dialect.endOfTable) -> String {
      "CREATE TABLE \(name) (\(columns)) \(end)"
    }
    return [
      table("hub", "one \(integer) PRIMARY KEY, version \(integer) NOT NULL"),
      "INSERT INTO hub (one, version) VALUES (1, \(version))",
      table(
        "exam",
        """
        exam \(text) PRIMARY KEY, epoch \(text) NOT NULL, name \(text) NOT NULL, head \(integer) NOT NULL,
        headHash \(bytes) NOT NULL, hubDevice \(text) NOT NULL, filling \(integer) NOT NULL, locked \(integer),
        keyDays \(integer), made \(integer) NOT NULL
        """),
      table(
        "device",
        """
        exam \(text) NOT NULL, device \(text) NOT NULL, number \(integer) NOT NULL, name \(text) NOT NULL,
        role \(text) NOT NULL, tokenHash \(bytes), last \(integer) NOT NULL, lastHash \(bytes) NOT NULL,
        lastHlc \(integer) NOT NULL, held \(integer) NOT NULL, waiting \(integer) NOT NULL, seen \(integer),
        clockOffset \(integer), clockBound \(integer), scopeVersion \(integer) NOT NULL, continues \(text),
        revoked \(integer) NOT NULL, PRIMARY KEY (exam, device)
        """),
      table(
        "log",
        """
        exam \(text) NOT NULL, seq \(integer) NOT NULL, type \(text) NOT NULL, subject \(text) NOT NULL,
        result \(text) NOT NULL, time \(integer) NOT NULL, hash \(bytes) NOT NULL, byOp \(text), detail \(text),
        PRIMARY KEY (exam, seq)
        """),
      table(
        "op",
        """
        exam \(text) NOT NULL, id \(text) NOT NULL, hash \(bytes) NOT NULL, device \(text) NOT NULL,
        deviceSeq \(integer) NOT NULL, tx \(text) NOT NULL, txIndex \(integer) NOT NULL, txSize \(integer) NOT NULL,
        kind \(text) NOT NULL, entity \(text) NOT NULL, entityID \(text) NOT NULL, hlc \(integer) NOT NULL,
        schema \(integer) NOT NULL, header \(bytes) NOT NULL, bodyHash \(bytes) NOT NULL, sealed \(bytes),
        absent \(text), seq \(integer) NOT NULL, result \(text) NOT NULL, untilSeq \(integer),
        PRIMARY KEY (exam, id, hash)
        """, keeping: ""),
      "CREATE UNIQUE INDEX op_chain ON op (exam, device, deviceSeq)",
      "CREATE UNIQUE INDEX op_seq ON op (exam, seq)",
      "CREATE INDEX op_row ON op (exam, entity, entityID)",
      "CREATE INDEX op_tx ON op (exam, tx)",
      table(
        "head",
        """
        exam \(text) NOT NULL, entity \(text) NOT NULL, entityID \(text) NOT NULL, field \(text) NOT NULL,
        id \(text) NOT NULL, PRIMARY KEY (exam, entity, entityID, field, id)
        """),
      table(
        "parked",
        "exam \(text) NOT NULL, cause \(text) NOT NULL, device \(text) NOT NULL, tx \(text) NOT NULL, "
          + "PRIMARY KEY (exam, cause, device, tx)"),
      table(
        "loose",
        "exam \(text) NOT NULL, device \(text) NOT NULL, deviceSeq \(integer) NOT NULL, hash \(bytes) NOT NULL, "
          + "op \(bytes) NOT NULL, PRIMARY KEY (exam, device, deviceSeq, hash)"),
      table(
        "code",
        """
        hash \(bytes) PRIMARY KEY, exam \(text) NOT NULL, role \(text) NOT NULL, atoms \(text) NOT NULL,
        uses \(integer) NOT NULL, expires \(integer) NOT NULL, device \(text)
        """),
      table(
        "session",
        """
        hash \(bytes) PRIMARY KEY, exam \(text) NOT NULL, device \(text) NOT NULL, staff \(integer) NOT NULL,
        role \(text) NOT NULL, since \(integer) NOT NULL, expires \(integer) NOT NULL
        """),
      table(
        "attempt",
        "exam \(text) NOT NULL, username \(text) NOT NULL, count \(integer) NOT NULL, until \(integer) NOT NULL, "
          + "PRIMARY KEY (exam, username)"),
      table(
        "audit",
        """
        exam \(text) NOT NULL, n \(integer) NOT NULL, time \(integer) NOT NULL, actor \(text) NOT NULL,
        action \(text) NOT NULL, detail \(text) NOT NULL, hash \(bytes) NOT NULL, PRIMARY KEY (exam, n)
        """),
    ]
  }
}
