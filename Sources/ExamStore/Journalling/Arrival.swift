import GRDB
import Journal

/// What became of an operation that was handed to a store.
public enum Arrival: Equatable, Sendable {
  /// It counts.
  case applied
  /// It is kept and waits: `tx_incomplete` for others of its transaction, `cause_missing` for what it names.
  case parked(why: String)
  /// It is kept and counts for nothing; the reason is a `Refusal.code`.
  case refused(why: String)
  /// It was not kept: its bytes are not what was hashed, or it contradicts its device's chain.
  case damaged(ChainProblem.Kind)
}

extension ExamStore {
  /// Takes operations that other devices made, all in one durable transaction.
  ///
  /// They may come in any order, again, and late; what is stored then is the same. One that waits is applied when the
  /// last that it names is here. One that is damaged or refused stops no other.
  /// - Parameter rejected: operations that the hub rejected, here or not: they and their transactions count for nothing.
  /// - Throws: `StoreError` if the disk or the store refuses; nothing is changed then.
  /// - Returns: what became of each, in the order given.
  @discardableResult public func apply(
    _ operations: [Journal.Operation], rejected: [OperationID] = []
  ) throws -> [Arrival] {
    try merge { merge in
      let receptions = try operations.map { try merge.receive($0) }
      try merge.reject(rejected)
      return try zip(operations, receptions).map { operation, reception in
        if case .damaged(let kind) = reception { return .damaged(kind) }
        return try merge.standing(of: operation.id, operation.hash)
      }
    }
  }
}
