import Catalogue
import GRDB
import GRDBSQLite
import Glibc
import Journal

/// What lies in one column of one row, nothing converted.
///
/// The ways of reading that the rest of the program uses make a number of a text, a text of a blob, and end a text at
/// its first zero byte. A check that read so would pass what it is to find.
enum StoredCell: Equatable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob
  /// A text whose bytes are no UTF-8.
  case brokenText

  /// A value as it lies in a column; nil where the column cannot hold it.
  init?(_ value: Value, in storage: Storage) {
    switch (value, storage) {
    case (.null, _): self = .null
    case (.bool(let bool), .integer): self = .integer(bool ? 1 : 0)
    case (.integer(let scaled), .real): self = .real(Scaled.decode(scaled))
    case (.integer(let integer), .integer): self = .integer(integer)
    case (.text(let text), .text): self = .text(text)
    default: return nil
    }
  }

  /// Equal in kind and bytes.
  static func == (left: StoredCell, right: StoredCell) -> Bool {
    switch (left, right) {
    case (.null, .null), (.blob, .blob), (.brokenText, .brokenText): true
    case (.integer(let left), .integer(let right)): left == right
    case (.real(let left), .real(let right)): left.bitPattern == right.bitPattern
    case (.text(let left), .text(let right)): left.utf8.elementsEqual(right.utf8)
    default: false
    }
  }

  /// The hash of a text's bytes, other in every process: two texts that somebody chose do not have the same.
  static func hash(_ text: UnsafeRawBufferPointer) -> UInt64 {
    var hasher = Hasher()
    hasher.combine(bytes: text)
    return UInt64(bitPattern: Int64(hasher.finalize()))
  }

  /// The cell for a report: a text only by its length, because it may be personal.
  var shown: String {
    switch self {
    case .null: "nothing"
    case .integer(let value): String(value)
    case .real(let value): String(value)
    case .text(let value): "a text of \(value.utf8.count) bytes"
    case .blob: "bytes that are no text"
    case .brokenText: "a text with bytes that are no characters"
    }
  }
}

/// The row at which a statement stands, read without a conversion: what is not of the type that is asked for is nil.
package struct RawRow {
  private let statement: SQLiteStatement

  init(_ statement: Statement) { self.statement = statement.sqliteStatement }

  /// Calls `body` at each row of a query.
  package static func forEach(
    _ db: Database, _ sql: String, _ arguments: StatementArguments = [], _ body: (RawRow) throws -> Void
  ) throws {
    try forEach(try db.makeStatement(sql: sql), arguments, body)
  }

  static func forEach(
    _ statement: Statement, _ arguments: StatementArguments = [], _ body: (RawRow) throws -> Void
  ) throws {
    let row = RawRow(statement)
    let rows = try Row.fetchCursor(statement, arguments: arguments)
    while try rows.next() != nil { try body(row) }
  }

  func isNull(_ index: Int) -> Bool { sqlite3_column_type(statement, Int32(index)) == SQLITE_NULL }

  package func integer(_ index: Int) -> Int64? {
    let index = Int32(index)
    return sqlite3_column_type(statement, index) == SQLITE_INTEGER ? sqlite3_column_int64(statement, index) : nil
  }

  package func text(_ index: Int) -> String? { withText(index) { String(exactly: $0) } ?? nil }

  func bytes(_ index: Int) -> [UInt8]? {
    guard sqlite3_column_type(statement, Int32(index)) == SQLITE_BLOB else { return nil }
    return Array(content(index))
  }

  /// An identifier as it is always written: lowercase, nothing before or after it.
  func id(_ index: Int) -> UUIDBytes? { withText(index) { UUIDBytes(canonical: $0) } ?? nil }

  func cell(_ index: Int) -> StoredCell {
    switch sqlite3_column_type(statement, Int32(index)) {
    case SQLITE_INTEGER: .integer(sqlite3_column_int64(statement, Int32(index)))
    case SQLITE_FLOAT: .real(sqlite3_column_double(statement, Int32(index)))
    case SQLITE_TEXT: String(exactly: content(index)).map { .text($0) } ?? .brokenText
    case SQLITE_BLOB: .blob
    default: .null
    }
  }

  // MARK: Without a copy

  /// Whether a column holds this and nothing else; never where that is nil.
  func holds(_ cell: StoredCell?, at index: Int) -> Bool {
    switch cell {
    case .null?: isNull(index)
    case .integer(let value)?: integer(index) == value
    case .real(let value)?:
      sqlite3_column_type(statement, Int32(index)) == SQLITE_FLOAT
        && sqlite3_column_double(statement, Int32(index)).bitPattern == value.bitPattern
    case .text(let text)?: holdsText(Array(text.utf8), at: index)
    case .blob?, .brokenText?, nil: false
    }
  }

  package func holdsText(_ text: [UInt8], at index: Int) -> Bool {
    withText(index) { stored in
      guard text.count == stored.count, let start = stored.baseAddress else { return text.isEmpty && stored.isEmpty }
      return memcmp(text, start, text.count) == 0
    } ?? false
  }

  /// The hash of a column's text; nil where it holds none.
  func textHash(_ index: Int) -> UInt64? { withText(index) { StoredCell.hash($0) } }

  func withText<T>(_ index: Int, _ body: (UnsafeRawBufferPointer) -> T) -> T? {
    sqlite3_column_type(statement, Int32(index)) == SQLITE_TEXT ? body(content(index)) : nil
  }

  private func content(_ index: Int) -> UnsafeRawBufferPointer {
    // The count is asked for after the bytes: asking may convert them.
    let start = sqlite3_column_blob(statement, Int32(index))
    return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, Int32(index))))
  }
}

extension String {
  fileprivate init?(exactly bytes: UnsafeRawBufferPointer) {
    self.init(exactly: bytes.assumingMemoryBound(to: UInt8.self))
  }
}
