import GRDB
import Journal

import struct Foundation.Data

/// What is noted of an operation beside itself, and stays with it wherever it is kept: when a hub answered, and what a
/// person ruled.
struct OperationNotes {
  private var answeredAt: Int64?
  private var verdict: String?

  init() {}

  /// What is noted where the operation lies now: aside, or else in the journal.
  static func read(_ operation: Operation, in db: Database) throws -> OperationNotes {
    let arguments: StatementArguments = [operation.id.description, Data(operation.hash)]
    for shelf in [Shelf.aside, .journal] {
      let statement = try db.cachedStatement(
        sql: "SELECT answeredAt, verdict FROM \(shelf.rawValue) WHERE id = ? AND hash = ?")
      guard let row = try ReadRow.fetchOne(statement, arguments: arguments) else { continue }
      var notes = OperationNotes()
      (notes.answeredAt, notes.verdict) = (row[0], row[1])
      return notes
    }
    return OperationNotes()
  }

  func write(to shelf: Shelf, of operation: Operation, in db: Database) throws {
    if answeredAt == nil && verdict == nil { return }
    try db.cachedStatement(
      sql: "UPDATE \(shelf.rawValue) SET answeredAt = ?, verdict = ? WHERE id = ? AND hash = ?"
    ).execute(arguments: [answeredAt, verdict, operation.id.description, Data(operation.hash)])
  }
}
