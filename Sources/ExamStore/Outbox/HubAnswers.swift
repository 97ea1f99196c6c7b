import GRDB
import Journal

import struct Foundation.Data

/// A hub's answer to an operation that it was sent. It is noted only once the hub has stored the operation.
public struct HubAnswer: Equatable, Sendable {
  /// The operation.
  public let id: OperationID
  /// Its number in the hub's log.
  public let hubSeq: Int64
  /// What the hub says of it; of a duplicate, what it said before.
  public let result: HubResult

  /// An answer as it came.
  public init(id: OperationID, hubSeq: Int64, result: HubResult) {
    self.id = id
    self.hubSeq = hubSeq
    self.result = result
  }
}

extension MergeTransaction {
  /// Takes down what a hub said of operations that are here.
  /// - Returns: the rows of those that it has without content: they give way to what others have set there.
  func note(_ answers: [HubAnswer]) throws -> Set<RowKey> {
    for answer in answers {
      if let version = try version(of: answer) { try note(answer, on: version) } else { try note(answer) }
    }
    return Set(
      try answers.lazy.filter { $0.result == .withheld }.compactMap { try OperationTable.find($0.id, in: db)?.row })
  }

  /// Takes down what a hub said of an operation. The first number stays: the hub has a change that was sealed again in
  /// another chain a second time, too.
  /// - Parameter operation: what the hub sent with it. A copy in another chain, as of a clone of this store, says nothing of
  ///   this device's own: its own answer comes.
  func note(_ answer: HubAnswer, with operation: Journal.Operation? = nil) throws {
    if let operation {
      try write(answer, where: "(hash = ? OR device <> ?)", [Data(operation.hash), device.description])
    } else {
      try write(answer, where: "TRUE", [])
    }
    if let refusal = answer.result.refusal {
      try reject([answer.id], because: refusal)
    } else if answer.result.counts, try isKeptBack(answer.id) {
      try admit(answer.id)
    }
  }

  /// Whether an operation counts for nothing because of what a hub said before, and nobody ruled on it.
  private func isKeptBack(_ id: OperationID) throws -> Bool {
    guard try PendingOperations.isBarred(id, in: db) else { return false }
    return try !Shelf.tables.contains { table in
      let statement = try db.cachedStatement(sql: "SELECT 1 FROM \(table) WHERE id = ? AND verdict IS NOT NULL")
      return try Int.fetchOne(statement, arguments: [id.description]) != nil
    }
  }

  /// Writes an answer to the operations under its identifier that meet a condition.
  func write(_ answer: HubAnswer, where condition: String, _ arguments: StatementArguments) throws {
    for table in Shelf.tables {
      try db.cachedStatement(
        sql: """
          UPDATE \(table) SET hubSeq = coalesce(hubSeq, ?), result = ?, answeredAt = ? WHERE id = ? AND \(condition)
          """
      ).execute(
        arguments: [answer.hubSeq, answer.result.description, now.milliseconds, answer.id.description] + arguments)
    }
  }

  /// Takes down what a hub says now of an operation that it has numbered before.
  func note(_ result: HubResult, of id: OperationID) throws {
    for table in Shelf.tables {
      try db.cachedStatement(
        sql: "UPDATE \(table) SET result = ?, answeredAt = ? WHERE id = ? AND hubSeq IS NOT NULL"
      ).execute(arguments: [result.description, now.milliseconds, id.description])
    }
    if let refusal = result.refusal {
      try reject([id], because: refusal)
    } else if result.counts {
      try admit(id)
    }
  }
}
