import Catalogue
import GRDB
import Journal
import Synchronization
import Timer

import struct Foundation.Data

/// A type as which columns are read.
///
/// What a file holds is not what a program wrote: an older version, another program or a broken disk may have put a
/// text where a number belongs, or nothing where something must stand. A reader that meets such a value shows what
/// stands for nothing and goes on with the other rows; `doctor` names the row. GRDB's own way ends the program.
@usableFromInline package protocol ReadableColumn: DatabaseValueConvertible, StatementColumnConvertible {
  /// What is read where the column holds something else.
  static var unreadable: Self { get }
  /// The value itself, or the nearest one that arithmetic can bear.
  var bearable: Self { get }
}

extension ReadableColumn {
  @inlinable package var bearable: Self { self }
}

extension Int: ReadableColumn {
  @inlinable package static var unreadable: Int { 0 }
  /// No attribute that counts or measures is wider than 32 bits: the product of two of them still is an `Int`.
  @inlinable package var bearable: Int { Swift.min(Swift.max(self, Int(Int32.min)), Int(Int32.max)) }
}
extension Int32: ReadableColumn {
  @inlinable package static var unreadable: Int32 { 0 }
}
extension Int64: ReadableColumn {
  @inlinable package static var unreadable: Int64 { 0 }
}
extension Double: ReadableColumn {
  @inlinable package static var unreadable: Double { 0 }
}
extension Bool: ReadableColumn {
  @inlinable package static var unreadable: Bool { false }
}
extension String: ReadableColumn {
  @inlinable package static var unreadable: String { "" }
}
extension Data: ReadableColumn {
  @inlinable package static var unreadable: Data { Data() }
}
extension Optional: ReadableColumn where Wrapped: ReadableColumn {
  @inlinable package static var unreadable: Wrapped? { nil }
  @inlinable package var bearable: Wrapped? { map { $0.bearable } }
}

/// A row as its readers see it: its columns can be asked for any type, and never fail on what they hold.
@usableFromInline package struct ReadRow {
  @usableFromInline let row: Row

  @inlinable package init(_ row: Row) { self.row = row }

  /// The value of a column by its place.
  @inlinable
  package subscript<Value: ReadableColumn>(_ index: Int) -> Value {
    do { return try row.decode(Value.self, atIndex: index).bearable } catch {
      UnreadableValues.note(Array(row.columnNames)[index])
      return .unreadable
    }
  }

  /// The value of a column by its name.
  @inlinable
  package subscript<Value: ReadableColumn>(_ name: String) -> Value {
    do { return try row.decode(Value.self, forColumn: name).bearable } catch {
      assert(row.hasColumn(name), "no column \(name)")
      UnreadableValues.note(name)
      return .unreadable
    }
  }

  /// The value of a column where nothing may stand for it: a hash, a place in a chain, a part of an operation.
  /// - Throws: `StoreError` if the column holds something else.
  @inline(__always)
  package func held<Value: ReadableColumn>(_ index: Int) throws -> Value {
    do { return try row.decode(Value.self, atIndex: index) } catch {
      throw broken(index)
    }
  }

  /// A number that the journal counts by: a place in a chain, in a transaction or in the order of arrival.
  /// - Throws: `StoreError` if the column holds something else, or a number that nothing counts to: what is worked out
  ///   from it must not overflow.
  package func counted(_ index: Int) throws -> Int64 {
    guard let number: Int64 = try countedIfAny(index) else { throw broken(index) }
    return number
  }

  /// The same; nil where the column holds nothing.
  package func countedIfAny(_ index: Int) throws -> Int64? {
    guard let number: Int64 = try held(index) else { return nil }
    guard ReadRow.countable.contains(number) else { throw broken(index) }
    return number
  }

  private static let countable: ClosedRange<Int64> = 0...1 << 53

  /// The bytes of a column; nil where it holds nothing.
  /// - Throws: `StoreError` if the column holds something else.
  package func bytes(_ index: Int) throws -> [UInt8]? {
    do { return try row.withUnsafeData(atIndex: index) { data in data.map { [UInt8]($0) } } } catch {
      throw broken(index)
    }
  }

  /// What a column holds, whatever that is.
  package func cell(_ index: Int) -> DatabaseValue { row[index] }

  /// The text form of a key; nil where the column holds none.
  package func key(_ index: Int) -> String? {
    switch cell(index).storage {
    case .int64(let number): String(number)
    case .string(let text): text
    case .null, .double, .blob: nil
    }
  }

  /// How many columns there are.
  package var count: Int { row.count }

  @usableFromInline func broken(_ index: Int) -> StoreError {
    StoreError("the journal holds a broken \(Array(row.columnNames)[index]); run: osce doctor")
  }

  /// The first row.
  package static func fetchOne(
    _ db: Database, sql: String, arguments: StatementArguments = StatementArguments()
  ) throws -> ReadRow? {
    try Row.fetchOne(db, sql: sql, arguments: arguments).map { ReadRow($0) }
  }

  /// The first row.
  package static func fetchOne(_ statement: Statement, arguments: StatementArguments? = nil) throws -> ReadRow? {
    try Row.fetchOne(statement, arguments: arguments).map { ReadRow($0) }
  }

  /// Every row.
  package static func fetchAll(
    _ db: Database, sql: String, arguments: StatementArguments = StatementArguments()
  ) throws -> [ReadRow] {
    try Row.fetchAll(db, sql: sql, arguments: arguments).map { ReadRow($0) }
  }

  /// Every row.
  package static func fetchAll(_ statement: Statement, arguments: StatementArguments? = nil) throws -> [ReadRow] {
    try Row.fetchAll(statement, arguments: arguments).map { ReadRow($0) }
  }

  /// One row after the other; each is there until the next is asked for.
  package static func fetchCursor(
    _ db: Database, sql: String, arguments: StatementArguments = StatementArguments()
  ) throws -> ReadRowCursor {
    ReadRowCursor(rows: try Row.fetchCursor(db, sql: sql, arguments: arguments))
  }

  /// One row after the other; each is there until the next is asked for.
  package static func fetchCursor(
    _ statement: Statement, arguments: StatementArguments? = nil
  ) throws -> ReadRowCursor {
    ReadRowCursor(rows: try Row.fetchCursor(statement, arguments: arguments))
  }
}

/// Rows one after the other.
package struct ReadRowCursor {
  fileprivate let rows: RowCursor

  /// The next row; nil after the last.
  @inline(__always)
  package func next() throws -> ReadRow? { try rows.next().map { ReadRow($0) } }
}

extension ReadableColumn {
  /// The first column of the first row; nil: there is no row, or nothing in it.
  package static func fetchOne(
    _ db: Database, sql: String, arguments: StatementArguments = StatementArguments()
  ) throws -> Self? {
    try fetchOne(db.makeStatement(sql: sql), arguments: arguments)
  }

  /// The first column of the first row; nil: there is no row, or nothing in it.
  package static func fetchOne(_ statement: Statement, arguments: StatementArguments? = nil) throws -> Self? {
    try ReadRow.fetchOne(statement, arguments: arguments)?[0]
  }

  /// The first column of every row.
  package static func fetchAll(
    _ db: Database, sql: String, arguments: StatementArguments = StatementArguments()
  ) throws -> [Self] {
    try fetchAll(db.makeStatement(sql: sql), arguments: arguments)
  }

  /// The first column of every row.
  package static func fetchAll(_ statement: Statement, arguments: StatementArguments? = nil) throws -> [Self] {
    var values: [Self] = []
    let rows = try ReadRow.fetchCursor(statement, arguments: arguments)
    while let row = try rows.next() { values.append(row[0]) }
    return values
  }
}

extension ReadableColumn where Self: Hashable {
  /// The first column of every row, each value once.
  package static func fetchSet(
    _ db: Database, sql: String, arguments: StatementArguments = StatementArguments()
  ) throws -> Set<Self> {
    try Set(fetchAll(db, sql: sql, arguments: arguments))
  }

  /// The first column of every row, each value once.
  package static func fetchSet(_ statement: Statement, arguments: StatementArguments? = nil) throws -> Set<Self> {
    try Set(fetchAll(statement, arguments: arguments))
  }
}

/// The columns in which this process has met values that it could not read.
public enum UnreadableValues {
  private static let columns = Mutex<Set<String>>([])

  @usableFromInline static func note(_ column: String) { _ = columns.withLock { $0.insert(column) } }

  /// What a person is to know of it; nil where every value could be read.
  public static var warning: String? {
    let names = columns.withLock { $0.sorted() }
    return names.isEmpty
      ? nil : "stored values could not be read (\(names.joined(separator: ", "))); osce doctor names their rows"
  }
}

extension Instant {
  /// An instant as it is stored, held within the years that an attribute may name: no arithmetic on it overflows.
  package init(stored milliseconds: Int64) {
    self.init(milliseconds: min(max(milliseconds, Bounds.instants.lowerBound), Bounds.instants.upperBound))
  }
}

extension Operation {
  /// When it was made: by the exam's clock, where there was one, else by the wall clock.
  package var madeAt: Instant { Instant(stored: examTime?.milliseconds ?? wallTime) }
}
