import Catalogue
import GRDB

/// Holds the tables, indexes and settings of a file against what the migrations make.
///
/// A trigger acts on every save, a view can stand in a table's place, and an index that is gone makes each save of a
/// full hall slower: none of them changes a row that a replay would look at.
struct SchemaCheck {
  /// What is missing or not as it should be, so that journal and rows cannot be read.
  private(set) var unreadable = Problems()
  /// What is there beside it, or lacks without stopping a read.
  private(set) var strange = Problems()

  /// Whether everything is as the migrations make it.
  var isSound: Bool { unreadable.isEmpty && strange.isEmpty }

  /// Something that a database is made of, of which only words count: not how they are spaced, nor where a column
  /// that was added later stands.
  private struct Part: Equatable {
    let kind: String
    /// The words before the columns; all of them where it is no table.
    let head: String
    /// The columns of a table, in the order of their words.
    let columns: [String]
  }

  init(_ db: Database) throws {
    let expected = try SchemaCheck.expected.get()
    let found = try SchemaCheck.parts(db)
    try findMissingColumns(db)
    for (name, part) in expected.sorted(by: { $0.key < $1.key }) {
      guard let other = found[name] else {
        if part.kind == "index" { strange.add("the index \(name) is missing") }
        if part.kind == "table" && Catalogue.standard.table(named: name) == nil {
          unreadable.add("the table \(name) is missing")
        }
        continue
      }
      if other.kind != part.kind {
        unreadable.add("\(name) is a \(other.kind), not the \(part.kind) that this program makes")
      } else if other != part {
        if part.kind == "table" { unreadable.add("the table \(name) was changed") }
        if part.kind == "index" { strange.add("the index \(name) was changed") }
      }
    }
    for (name, part) in found.sorted(by: { $0.key < $1.key }) where expected[name] == nil {
      // The first versions counted the rows of two tables without need.
      if name == "sqlite_sequence", try countsRows(db) { continue }
      strange.add("the \(part.kind) \(name) is none of this program's")
    }
    for setting in ["user_version", "application_id", "auto_vacuum"] {
      if let value = try Int64.fetchOne(db, sql: "PRAGMA \(setting)"), value != 0 {
        strange.add("the file's \(setting) is \(value): this program leaves it 0")
      }
    }
  }

  /// What the migrations make.
  private static let expected = Result { () throws -> [String: Part] in
    let queue = try DatabaseQueue()
    try Migrations.migrator.migrate(queue)
    return try queue.read { try parts($0) }
  }

  private mutating func findMissingColumns(_ db: Database) throws {
    let columns = try Tables.columns(.standard, in: db)
    for table in Catalogue.standard.tables {
      guard let present = columns[table.name] else {
        unreadable.add("the table \(table.name) is missing")
        continue
      }
      for column in table.columns.map(\.name) + ["heads"] where !present.contains(column) {
        unreadable.add("the column \(table.name).\(column) is missing")
      }
    }
  }

  private func countsRows(_ db: Database) throws -> Bool {
    try Bool.fetchOne(
      db, sql: "SELECT EXISTS (SELECT 1 FROM sqlite_master WHERE type = 'table' AND sql LIKE '%AUTOINCREMENT%')")
      ?? false
  }

  private static func parts(_ db: Database) throws -> [String: Part] {
    var parts: [String: Part] = [:]
    try RawRow.forEach(db, "SELECT type, name, tbl_name, sql FROM sqlite_master") { row in
      guard let kind = row.text(0), let name = row.text(1), let table = row.text(2),
        row.isNull(3) || row.text(3) != nil
      else {
        throw StoreError("the list of tables holds what is no name")
      }
      // What belongs to a key has no words of its own.
      let text = row.text(3) ?? ""
      parts[name] =
        kind == "table" && table == name
        ? tablePart(text) : Part(kind: kind, head: "\(table): \(words(text.utf8))", columns: [])
    }
    return parts
  }

  private static func tablePart(_ sql: String) -> Part {
    var (head, tail, column) = ([UInt8](), [UInt8](), [UInt8]())
    var columns: [String] = []
    var depth = 0
    var quote: UInt8?
    for byte in sql.utf8 {
      if quote != nil {
        if byte == quote { quote = nil }
      } else {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "`"): quote = byte
        case UInt8(ascii: "("):
          depth += 1
          if depth == 1 { continue }
        case UInt8(ascii: ")"):
          depth -= 1
          if depth == 0 {
            columns.append(words(column))
            continue
          }
        case UInt8(ascii: ",") where depth == 1:
          columns.append(words(column))
          column = []
          continue
        default: break
        }
      }
      if depth > 0 { column.append(byte) } else if columns.isEmpty { head.append(byte) } else { tail.append(byte) }
    }
    let plain = columns.map { counted[$0] ?? $0 }
    return Part(kind: "table", head: words(head) + "|" + words(tail), columns: plain.sorted())
  }

  /// How the first versions declared two keys; it changes nothing.
  private static let counted = [
    #""seq" INTEGER PRIMARY KEY AUTOINCREMENT"#: #""seq" INTEGER PRIMARY KEY"#,
    #""auto" INTEGER PRIMARY KEY AUTOINCREMENT"#: #""auto" INTEGER PRIMARY KEY"#,
  ]

  /// A text with single spaces between its words, as far as they are not in quotes.
  private static func words(_ text: some Sequence<UInt8>) -> String {
    var bytes: [UInt8] = []
    var quote: UInt8?
    var isApart = false
    for byte in text {
      let isSpace = quote == nil && (byte == 0x20 || (0x09...0x0D).contains(byte))
      if isSpace {
        isApart = !bytes.isEmpty
        continue
      }
      if isApart { bytes.append(0x20) }
      isApart = false
      bytes.append(byte)
      if byte == quote {
        quote = nil
      } else if quote == nil && [UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "`")].contains(byte) {
        quote = byte
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
