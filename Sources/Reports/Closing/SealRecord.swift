import CircuitModel
import ExamStore
import Foundation
import GRDB
import Timer

/// A lock that holds, as its row records it.
struct SealRecord: Equatable {
  let scope: ExamLock.Scope
  let amendment: Int
  let content: String
  let hash: String

  /// Whether the content has the hash that it was given.
  var isAsHashed: Bool { LockContent.hash(of: content) == hash }

  /// What it sealed; nil where it cannot be read.
  var sealed: Sealed? { try? JSONDecoder().decode(Sealed.self, from: Data(content.utf8)) }

  /// What a record says of the store.
  struct Sealed: Decodable {
    let heads: [LockHead]
    let results: String
  }

  /// The last of the exam; where the exam is not locked, the last of each part that is.
  static func lasts(of standing: [SealRecord]) -> [SealRecord] {
    let scopes = Dictionary(grouping: standing, by: \.scope)
    if let whole = scopes[.init()] { return [whole[whole.count - 1]] }
    return scopes.sorted { $0.key.name < $1.key.name }.map { $0.value[$0.value.count - 1] }
  }

  /// What is locked and does not come to the results that were locked: this copy holds other marks, such as those that were
  /// made here before the lock was known here.
  /// - Parameters:
  ///   - standing: the locks and amendments that hold, in order. Where the exam is locked, its parts are not looked at.
  ///   - scores: what was read by the exam's choices already; nil: it is read.
  static func differing(
    among standing: [ExamLock], at now: Instant, from scores: StoredScores? = nil, in db: Database
  ) throws -> Set<ExamLock.Scope> {
    let records = lasts(of: standing.map(SealRecord.init))
    let scored = records.contains { !$0.scope.isExam } ? try LockContent.scored(in: db) : []
    let others = try records.filter { record in
      let results =
        record.scope.isExam
        ? try LockContent.digest(record.scope, at: now, from: scores, in: db)
        : LockContent.digest(record.scope, of: scored)
      return record.sealed?.results != results
    }
    return Set(others.map(\.scope))
  }
}

extension SealRecord {
  init(_ lock: ExamLock) {
    self.init(scope: lock.scope, amendment: lock.amendment, content: lock.content, hash: lock.hash)
  }
}
