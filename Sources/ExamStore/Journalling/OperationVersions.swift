import GRDB
import Journal

import struct Foundation.Data

/// Different operations with one identifier. Where no hub has said which stands, none counts. The first that a hub was
/// brought stands there; a hub that was restored may be brought them in another order than before.
extension MergeTransaction {
  /// Why operations with one identifier count for nothing.
  var twoVersions: String { Journal.Refusal.twoVersions.code }

  /// Brings it about that of the operations with one identifier that are here the one stands which a hub says stands.
  func settleVersions(_ copies: [Journal.Operation], standing: Journal.Operation) throws {
    guard try PendingOperations.state(of: standing.id, in: db) != nil else { return }
    let others = copies.filter { $0.hash != standing.hash && !$0.isSameChange(as: standing) }
    for other in others { try outvote(other) }
    let isBarred = try PendingOperations.reasonBarred(standing.id, in: db) == twoVersions
    let incomplete = HubResult.Delay.transactionIncomplete.rawValue
    let isNew = try PendingOperations.standing(of: standing.id, standing.hash, in: db)?.why == incomplete
    guard try isBarred || isNew || PendingOperations.isOutvoted(standing, in: db) else { return }
    let key = TransactionKey(standing)
    let before = try members(of: key)
    try PendingOperations.liftBarOfVersions(standing.id, in: db)
    let notes = try OperationNotes.read(standing, in: db)
    try PendingOperations.save(standing, .parked, why: incomplete, at: now, in: db)
    try notes.write(to: .aside, of: standing, in: db)
    try settle([key], was: before)
  }

  /// Takes note that another operation has the identifier of this one at the hub: it counts for nothing, and only it.
  private func outvote(_ operation: Journal.Operation) throws {
    if try PendingOperations.isOutvoted(operation, in: db) { return }
    let key = TransactionKey(operation)
    let before = try members(of: key)
    let notes = try OperationNotes.read(operation, in: db)
    try PendingOperations.save(operation, .refused, why: twoVersions, at: now, in: db)
    try notes.write(to: .aside, of: operation, in: db)
    try settle([key], was: before)
  }

  /// Whether an operation is here that a hub says has the identifier of another: then it is noted with the one that it
  /// is.
  func noteOtherVersion(_ operation: Journal.Operation, _ hubSeq: Int64) throws -> Bool {
    guard let here = try copies(of: operation.id).first(where: { $0.hash == operation.hash }) else { return false }
    try note(HubAnswer(id: here.id, hubSeq: hubSeq, result: .rejected(.twoVersions)), on: here)
    return true
  }

  /// Takes down what a hub said of an operation as it sent it.
  func note(_ answer: HubAnswer, as operation: Journal.Operation) throws {
    guard try PendingOperations.state(of: answer.id, in: db) != nil else { return try note(answer, with: operation) }
    let copies = try copies(of: answer.id)
    guard copies.count > 1, let here = copies.first(where: { $0.hash == operation.hash }) else {
      return try note(answer, with: operation)
    }
    try note(answer, on: here)
  }

  /// Takes down what a hub said of one of several operations with an identifier.
  func note(_ answer: HubAnswer, on operation: Journal.Operation) throws {
    try write(answer, where: "hash = ?", [Data(operation.hash)])
    if answer.result == .rejected(.twoVersions) {
      try outvote(operation)
    } else {
      try settleVersions(copies(of: operation.id), standing: operation)
      if let refusal = answer.result.refusal { try reject([operation.id], because: refusal) }
    }
  }

  /// Of which of several operations with one identifier an answer is that names the identifier alone: of the one with
  /// that number, of this device's own that has none, of any that has none, of this device's own. Of one alone, where it
  /// stands back behind another or does so now. Nil: the answer is of all copies.
  func version(of answer: HubAnswer) throws -> Journal.Operation? {
    let isOther = answer.result == .rejected(.twoVersions)
    guard try isOther || PendingOperations.state(of: answer.id, in: db) != nil else { return nil }
    let copies = try copies(of: answer.id)
    if copies.count == 1, let only = copies.first {
      return try isOther || PendingOperations.isOutvoted(only, in: db) ? only : nil
    }
    return copies.first { $0.hubSeq == answer.hubSeq }
      ?? copies.first { $0.device == device && $0.hubSeq == nil } ?? copies.first { $0.hubSeq == nil }
      ?? copies.first { $0.device == device }
  }
}
