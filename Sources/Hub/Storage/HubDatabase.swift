import Journal
import Sync

/// Where a hub keeps everything. Nothing outside it decides: what a hub process has in memory can be lost at any
/// moment, and any number of processes may serve one database, where the database allows it.
///
/// The statements are the hub's, and the same for every database: `?` stands for an argument.
public protocol HubDatabase: Sendable {
  /// Runs a read: one consistent view.
  func read<T: Sendable>(_ body: @escaping @Sendable (any HubConnection) throws -> T) async throws -> T

  /// Runs a change. When it returns, the change is durable; when `body` throws, nothing of it is.
  /// - Parameter weight: how many operations it brings, for those that are made durable together.
  func write<T: Sendable>(
    weight: Int, _ body: @escaping @Sendable (any HubConnection) throws -> T
  ) async throws -> T

  /// Tells the other processes that serve this database that an exam's log has grown. It may get lost.
  func announce(_ exam: UUIDBytes, head: Int64)

  /// Hands over what the others announce, until it is cancelled.
  func listen(_ hear: @escaping @Sendable (_ exam: UUIDBytes, _ head: Int64) -> Void) async

  /// The clocks of a hub on this database.
  var clock: HubTimeSource { get }

  /// Which share of the disk it lies on is free, 0 to 1; nil where a hub cannot see that disk.
  var freeShare: Double? { get }

  /// Takes what was destroyed out of the database's own files too, where it may still lie in free pages.
  /// - Returns: whether it is out of them now.
  func scrub() async throws -> Bool

  /// Ends its use.
  func close() throws
}

extension HubDatabase {
  /// A database of one process tells nobody.
  public func announce(_ exam: UUIDBytes, head: Int64) {}

  /// A database of one process hears nothing.
  public func listen(_ hear: @escaping @Sendable (_ exam: UUIDBytes, _ head: Int64) -> Void) async {}

  /// The machine's.
  public var clock: HubTimeSource { .machine }

  /// A server's files are its own.
  public func scrub() async throws -> Bool { false }

  /// Another machine's disk, as a rule.
  public var freeShare: Double? { nil }
}

/// Why a database did not do what a hub asked: one line for the person who runs it, and an answer for who asked the
/// hub.
public protocol StorageFailure: Error, CustomStringConvertible {
  /// What the hub answers. Nothing of the request was done, or it is not known whether it was.
  var answer: HubError { get }
}

/// A database within one transaction.
public protocol HubConnection {
  /// Runs a statement that changes something.
  /// - Returns: how many rows it changed.
  @discardableResult func run(_ sql: String, _ arguments: [HubValue]) throws -> Int

  /// The rows of a query that has few.
  func fetch(_ sql: String, _ arguments: [HubValue]) throws -> [HubRow]

  /// Hands over the rows of a query, one after another, until `body` returns false.
  func forEach(_ sql: String, _ arguments: [HubValue], _ body: (HubRow) throws -> Bool) throws

  /// The rows of an exam that a statement finds by some keys, in any order.
  func fetch(_ statement: BulkStatement, of exam: HubValue, _ keys: [[HubValue]]) throws -> [HubRow]

  /// Changes many rows of an exam.
  func run(_ statement: BulkStatement, of exam: HubValue, _ rows: [[HubValue]]) throws

  /// Begins to change many rows of an exam: the database does it while more is decided. What goes wrong is thrown by
  /// whatever is asked next.
  func begin(_ statement: BulkStatement, of exam: HubValue, _ rows: [[HubValue]]) throws

  /// Waits until no other transaction changes an exam; from now to its end none but this one does.
  func hold(_ exam: UUIDBytes) throws

  /// Whether a change counts as durable only when a second machine has it too.
  var waitsForStandby: Bool { get throws }

  /// What a `SELECT` ends with so that nobody else changes its row before this transaction ends.
  var lockingClause: String { get }
}

extension HubConnection {
  /// One after another.
  public func fetch(_ statement: BulkStatement, of exam: HubValue, _ keys: [[HubValue]]) throws -> [HubRow] {
    try keys.flatMap { try fetch(statement.single, statement.arguments(exam, $0)) }
  }

  /// One after another.
  public func run(_ statement: BulkStatement, of exam: HubValue, _ rows: [[HubValue]]) throws {
    for row in rows { try run(statement.single, statement.arguments(exam, row)) }
  }

  /// At once: a database in the hub's own process does nothing beside it.
  public func begin(_ statement: BulkStatement, of exam: HubValue, _ rows: [[HubValue]]) throws {
    try run(statement, of: exam, rows)
  }

  /// The rows of a query.
  func rows(_ sql: String, _ arguments: [HubValue] = []) throws -> [HubRow] { try fetch(sql, arguments) }

  /// The first row of a query; nil if there is none.
  func row(_ sql: String, _ arguments: [HubValue] = []) throws -> HubRow? { try fetch(sql, arguments).first }
}

/// A value of a column, or for one.
public enum HubValue: Hashable, Sendable {
  case null
  case integer(Int64)
  case text(String)
  case bytes([UInt8])

  init(_ integer: Int64?) { self = integer.map { .integer($0) } ?? .null }
  init(_ text: String?) { self = text.map { .text($0) } ?? .null }
  init(_ bytes: [UInt8]?) { self = bytes.map { .bytes($0) } ?? .null }
  init(_ flag: Bool) { self = .integer(flag ? 1 : 0) }
  init(_ id: some CustomStringConvertible) { self = .text(id.description) }

  /// A word by which rows are found. One that is longer than any real one, or that no text of a database holds, is
  /// hostile, and kept as its digest: the keys of a database have an end.
  init(key: String) {
    let isPlain = key.utf8.count <= 512 && !key.utf8.contains(0)
    self = .text(isPlain ? key : "sha256:" + Hexadecimal.text(StreamDigest.of(Array(key.utf8))))
  }
}

/// A row of a query, its columns by their places.
public struct HubRow: Sendable {
  /// Its columns.
  public let values: [HubValue]

  /// A row with these values.
  public init(_ values: [HubValue]) {
    self.values = values
  }

  private func value(_ place: Int) throws -> HubValue {
    guard values.indices.contains(place) else { throw HubDamage(what: "a column is missing") }
    return values[place]
  }

  func integer(ifAny place: Int) throws -> Int64? {
    switch try value(place) {
    case .null: return nil
    case .integer(let integer): return integer
    default: throw HubDamage(what: "a column holds no number")
    }
  }

  func integer(_ place: Int) throws -> Int64 {
    guard let integer = try integer(ifAny: place) else { throw HubDamage(what: "a column holds nothing") }
    return integer
  }

  func text(ifAny place: Int) throws -> String? {
    switch try value(place) {
    case .null: return nil
    case .text(let text): return text
    default: throw HubDamage(what: "a column holds no text")
    }
  }

  func text(_ place: Int) throws -> String {
    guard let text = try text(ifAny: place) else { throw HubDamage(what: "a column holds nothing") }
    return text
  }

  func bytes(ifAny place: Int) throws -> [UInt8]? {
    switch try value(place) {
    case .null: return nil
    case .bytes(let bytes): return bytes
    default: throw HubDamage(what: "a column holds no bytes")
    }
  }

  func bytes(_ place: Int) throws -> [UInt8] {
    guard let bytes = try bytes(ifAny: place) else { throw HubDamage(what: "a column holds nothing") }
    return bytes
  }

  func id(_ place: Int) throws -> UUIDBytes {
    guard let id = UUIDBytes(try text(place)) else { throw HubDamage(what: "a column holds no identifier") }
    return id
  }

  func flag(_ place: Int) throws -> Bool { try integer(place) != 0 }
}

/// That the hub's own database holds what the hub never wrote.
public struct HubDamage: Error, CustomStringConvertible, Sendable {
  let what: String

  /// One line.
  public var description: String { "the hub's database is damaged: \(what); run: osce-hub doctor" }
}
