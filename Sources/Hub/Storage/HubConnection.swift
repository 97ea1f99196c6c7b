import Journal

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
