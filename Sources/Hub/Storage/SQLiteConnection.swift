import GRDB
import GRDBSQLite
import Journal

/// SQLite within one transaction.
///
/// Values go to the statements and come from them without the library's own in between, which were a good part of the
/// cost of a push. The statements are the library's: it keeps them, and ends them with the file.
struct SQLiteConnection: HubConnection {
  let db: Database

  // Only one transaction changes anything at a time.
  var lockingClause: String { "" }
  func hold(_ exam: UUIDBytes) {}
  var waitsForStandby: Bool { false }

  func run(_ sql: String, _ arguments: [HubValue]) throws -> Int {
    try BoundStatement(sql, in: db).forEach(arguments) { _ in true }
    return db.changesCount
  }

  func run(_ bulk: BulkStatement, of exam: HubValue, _ rows: [[HubValue]]) throws {
    let statement = try BoundStatement(bulk.single, in: db)
    for row in rows { try statement.forEach(bulk.arguments(exam, row)) { _ in true } }
  }

  func fetch(_ bulk: BulkStatement, of exam: HubValue, _ keys: [[HubValue]]) throws -> [HubRow] {
    let statement = try BoundStatement(bulk.single, in: db)
    var rows: [HubRow] = []
    for key in keys {
      try statement.forEach(bulk.arguments(exam, key)) {
        rows.append($0)
        return true
      }
    }
    return rows
  }

  func fetch(_ sql: String, _ arguments: [HubValue]) throws -> [HubRow] {
    var rows: [HubRow] = []
    try forEach(sql, arguments) {
      rows.append($0)
      return true
    }
    return rows
  }

  func forEach(_ sql: String, _ arguments: [HubValue], _ body: (HubRow) throws -> Bool) throws {
    try BoundStatement(sql, in: db).forEach(arguments, body)
  }
}

/// A statement of the library, run with the hub's own values.
private struct BoundStatement {
  private let db: Database
  private let sql: String
  /// Keeps the handle alive.
  private let statement: Statement
  private let handle: SQLiteStatement
  private let columns: Int32

  init(_ sql: String, in db: Database) throws {
    (self.db, self.sql) = (db, sql)
    // A query within the rows of the same query has a statement of its own: the kept one is in use.
    let kept = try db.cachedStatement(sql: sql)
    statement = sqlite3_stmt_busy(kept.sqliteStatement) == 0 ? kept : try db.makeStatement(sql: sql)
    handle = statement.sqliteStatement
    columns = sqlite3_column_count(handle)
  }

  /// Hands over its rows for these arguments, one after another, until `body` returns false.
  func forEach(_ arguments: [HubValue], _ body: (HubRow) throws -> Bool) throws {
    guard sqlite3_bind_parameter_count(handle) == arguments.count else {
      throw DatabaseError(resultCode: .SQLITE_MISUSE, message: "\(arguments.count) arguments", sql: sql)
    }
    defer {
      sqlite3_reset(handle)
      sqlite3_clear_bindings(handle)
    }
    for (place, value) in arguments.enumerated() { try check(bind(value, at: Int32(place + 1)), is: SQLITE_OK) }
    while true {
      let code = sqlite3_step(handle)
      if code == SQLITE_DONE { return }
      try check(code, is: SQLITE_ROW)
      if try !body(HubRow((0..<columns).map(value))) { return }
    }
  }

  private func check(_ code: Int32, is expected: Int32) throws {
    if code == expected { return }
    throw DatabaseError(
      resultCode: ResultCode(rawValue: sqlite3_extended_errcode(db.sqliteConnection)),
      message: String(cString: sqlite3_errmsg(db.sqliteConnection)), sql: sql)
  }

  private func bind(_ value: HubValue, at place: Int32) -> Int32 {
    // SQLite copies what it is given: it is asked again after the value is gone.
    let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    switch value {
    case .null: return sqlite3_bind_null(handle, place)
    case .integer(let integer): return sqlite3_bind_int64(handle, place, integer)
    case .text(var text):
      return text.withUTF8 { utf8 in
        // Without an address it would be taken for nothing.
        guard let start = utf8.baseAddress else { return sqlite3_bind_text(handle, place, "", 0, copied) }
        return start.withMemoryRebound(to: CChar.self, capacity: utf8.count) {
          sqlite3_bind_text(handle, place, $0, Int32(utf8.count), copied)
        }
      }
    case .bytes(let bytes):
      guard !bytes.isEmpty else { return sqlite3_bind_zeroblob(handle, place, 0) }
      return sqlite3_bind_blob(handle, place, bytes, Int32(bytes.count), copied)
    }
  }

  private func value(_ column: Int32) -> HubValue {
    switch sqlite3_column_type(handle, column) {
    case SQLITE_INTEGER: return .integer(sqlite3_column_int64(handle, column))
    case SQLITE_TEXT:
      guard let start = sqlite3_column_text(handle, column) else { return .text("") }
      let utf8 = UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column)))
      return .text(String(decoding: utf8, as: UTF8.self))
    case SQLITE_BLOB:
      let start = sqlite3_column_blob(handle, column)
      return .bytes([UInt8](UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column)))))
    // The hub writes no fractions; what holds one is damage, and read as nothing.
    default: return .null
    }
  }
}
