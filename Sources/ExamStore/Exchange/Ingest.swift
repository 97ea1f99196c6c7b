import GRDB
import Journal
import Timer

import struct Foundation.Data

/// Takes what came from elsewhere into a store, entry by entry, within one transaction: a page that a hub sent, or a pack.
/// There is no other way in.
///
/// An entry that cannot be taken changes nothing, is kept as it came, and stops no other.
public final class Ingest {
  private let merge: MergeTransaction
  /// Whether it is the hub of this store that says all this.
  private let isOfHub: Bool
  /// What may come in a file; nil where it is none.
  private let file: FileRules?
  private let parkedBefore: Set<OperationID>
  private var report = IngestReport()
  private var taken: [Taken] = []
  /// The rows of the plan on which others have set something, or of which the hub has something without content.
  fileprivate var plan: Set<RowKey> = []
  /// The hub's time of the page; nil where none of a hub's came.
  private let time: Instant?
  /// The entities of which it brought content that counts.
  private var updated: Set<String> = []

  /// An operation that was new: enough to say what became of it.
  private struct Taken {
    let id: OperationID
    let hash: [UInt8]
    let device: UUIDBytes
    let isStub: Bool
  }

  /// What there is to remember of an entry that was taken; of one that was rolled back nothing.
  private struct Effect {
    var taken: Taken?
    /// The device of an operation that was here already.
    var known: UUIDBytes?
    var plan: Set<RowKey> = []
    var updated: String?
    var rulings = 0
    var erased = 0
  }

  init(_ merge: MergeTransaction, isOfHub: Bool, isOfFile: Bool, time: Instant?) throws {
    (self.merge, self.isOfHub, self.time) = (merge, isOfHub, time)
    file = isOfFile ? try FileRules(knowing: merge.knowledge, in: merge.db) : nil
    parkedBefore = try Ingest.parked(merge.db)
  }

  /// Takes the next entry.
  /// - Parameter bytes: the entry as it came, to be kept if it cannot be taken.
  /// - Throws: `StoreError` if the disk refuses: the whole page is then to be given up.
  public func take(_ entry: ExchangeEntry, bytes: @autoclosure () -> [UInt8]) throws {
    var effect = Effect()
    let refusal = try guarded { try apply(entry, &effect) }
    guard let refusal else { return remember(effect) }
    if case .operation(let operation, _, _) = entry { merge.recount(operation) }
    let refused = RefusedEntry(why: refusal, operation: Ingest.operation(of: entry), since: merge.now)
    try refused.save(bytes(), in: merge.db)
    report.setAside.append(refused)
  }

  private func remember(_ effect: Effect) {
    if let taken = effect.taken { self.taken.append(taken) }
    if let device = effect.known { report.devices[device, default: IngestReport.Counts()].known += 1 }
    plan.formUnion(effect.plan)
    if let entity = effect.updated { updated.insert(entity) }
    report.rulings += effect.rulings
    report.erased += effect.erased
  }

  /// - Returns: why the entry cannot be taken; nil: it is.
  private func apply(_ entry: ExchangeEntry, _ effect: inout Effect) throws -> RefusedEntry.Why? {
    switch entry {
    case .operation(let operation, let result, let hubSeq):
      return try apply(operation, result, hubSeq, &effect)
    case .outcome(let id, let result):
      try merge.note(result, of: id)
      // Of a transaction that is longer than a batch a hub says only with its last batch what came of the others.
      if result == .withheld, let row = try OperationTable.find(id, in: merge.db)?.row { effect.plan.insert(row) }
      effect.rulings += 1
    case .verdict(let id, let verdict):
      if let file, verdict != .applied, try file.shields(merge.copies(of: id)) { return file.refusalOfRuling }
      try merge.rule(verdict, on: id)
      effect.rulings += 1
    case .erase(let ids):
      // Nobody but the hub itself can say that a person asked for it: a pack can be anybody's.
      guard isOfHub else { return try Enrolment.exists(merge.db) ? nil : .noHub }
      effect.erased += try merge.erase(ids)
    case .receipt(let answer):
      // Of what is not here nothing is kept that another run of the log would have to take back.
      if try merge.copies(of: answer.id).isEmpty { return nil }
      effect.plan = try merge.note([answer])
      effect.rulings += 1
    case .unreadable(let why, _): return why
    }
    return nil
  }

  private func apply(
    _ operation: Journal.Operation, _ result: HubResult?, _ hubSeq: Int64?, _ effect: inout Effect
  ) throws -> RefusedEntry.Why? {
    // Of two operations with one identifier the first at the hub stands; the other is set aside, unless it was here.
    if result == .rejected(.twoVersions), let hubSeq {
      return try merge.noteOtherVersion(operation, hubSeq) ? nil : .twoVersions
    }
    // Before it is looked at, so that it never counts, not for a moment. What a file tells may be of a hub that is gone:
    // where this store's own has spoken, that holds.
    if let refusal = result?.refusal,
      try hubSeq != nil || !merge.copies(of: operation.id).contains(where: { $0.hubSeq != nil })
    {
      if let file, try file.shields(merge.copies(of: operation.id)) { return file.refusalOfRuling }
      try merge.reject([operation.id], because: refusal)
    }
    let reception = try merge.receive(operation, erases: false, said: hubSeq == nil ? nil : result) { [file] known in
      try file?.refusal(of: operation, result, beside: known)
    }
    switch reception {
    case .known: effect.known = operation.device
    case .taken:
      if WithheldContent.givesWay(operation.row.entity) { effect.plan.insert(operation.row) }
      effect.taken = Taken(
        id: operation.id, hash: operation.hash, device: operation.device, isStub: operation.sealedBody == nil)
    case .damaged(let kind): return RefusedEntry.Why(kind)
    case .unfit(let why): return why
    }
    if let result, let hubSeq {
      try merge.note(HubAnswer(id: operation.id, hubSeq: hubSeq, result: result), as: operation)
      if result == .withheld { effect.plan.insert(operation.row) }
    }
    if operation.sealedBody != nil, result?.counts == true { effect.updated = operation.row.entity }
    return nil
  }

  /// Runs a step so that it happens whole or not at all.
  /// - Returns: what the step returns; `store` where what is in the entry made it fail.
  private func guarded(_ step: () throws -> RefusedEntry.Why?) throws -> RefusedEntry.Why? {
    var refusal: RefusedEntry.Why?
    do {
      try merge.db.inSavepoint {
        refusal = try step()
        return refusal == nil ? .commit : .rollback
      }
    } catch let error as StoreError where !error.isDiskError {
      return .store
    } catch let error as DatabaseError where Ingest.isOfEntry(error) {
      return .store
    }
    return refusal
  }

  /// Whether SQLite refused a value, and not the disk or the file.
  private static func isOfEntry(_ error: DatabaseError) -> Bool {
    [.SQLITE_ERROR, .SQLITE_CONSTRAINT, .SQLITE_MISMATCH, .SQLITE_TOOBIG, .SQLITE_RANGE].contains(error.resultCode)
  }

  /// Says what became of everything, once all is here.
  func finish() throws -> IngestReport {
    if isOfHub, !taken.isEmpty { try merge.withholdOwnImport() }
    try merge.giveWay(on: plan)
    if let time { try LastUpdates.note(updated, at: time, in: merge.db) }
    for operation in taken {
      var counts = report.devices[operation.device] ?? IngestReport.Counts()
      switch try merge.standing(of: operation.id, operation.hash) {
      case .applied where operation.isStub: counts.stubs += 1
      case .applied: counts.applied += 1
      case .parked: counts.waiting += 1
      case .refused(let why):
        counts.refused += 1
        report.reasons[why, default: 0] += 1
      case .damaged: break
      }
      report.devices[operation.device] = counts
    }
    for id in try parkedBefore.subtracting(Ingest.parked(merge.db)) {
      if case .applied = try PendingOperations.fate(of: id, in: merge.db) { report.released += 1 }
    }
    return report
  }

  private static func parked(_ db: Database) throws -> Set<OperationID> {
    let ids = try String.fetchAll(db, sql: "SELECT id FROM pending WHERE state = 'parked'")
    return Set(ids.compactMap { OperationID($0) })
  }

  private static func operation(of entry: ExchangeEntry) -> OperationID? {
    switch entry {
    case .operation(let operation, _, _): operation.id
    case .outcome(let id, _), .verdict(let id, _): id
    case .receipt(let answer): answer.id
    case .unreadable(_, let id): id
    case .erase: nil
    }
  }
}

extension ExamStore {
  /// Takes in what came from elsewhere, all in one durable transaction: again, late or out of order changes nothing.
  ///
  /// - Parameters:
  ///   - cursor: how far the hub's log is here afterwards; nil where it came from no hub.
  ///   - end: where the hub's log ended as it gave `answers`.
  ///   - scope: what of the exam the hub gives from now on, as JSON; nil: as before.
  ///   - time: the hub's time as it gave the page; nil: no hub did, or it does not say.
  ///   - answers: what the hub said of operations that it was sent: noted before anything is taken in.
  ///   - isOfFile: whether it came in a file, which anybody can have written.
  ///   - feed: hands over the entries. Where it throws, nothing of them is changed.
  /// - Throws: what `feed` throws; `StoreError` if the disk or the store refuses, or there is no hub whose cursor it is.
  @discardableResult public func ingest(
    upTo cursor: ExchangeCursor? = nil, end: LogMark? = nil, scope: String? = nil, at time: Instant? = nil,
    answers: [HubAnswer] = [], isOfFile: Bool = false,
    _ feed: (Ingest) throws -> Void
  ) throws -> IngestReport {
    let clock = clock
    return try merge { merge in
      let withheld = try merge.note(answers)
      let ingest = try Ingest(merge, isOfHub: cursor != nil || scope != nil, isOfFile: isOfFile, time: time)
      ingest.plan.formUnion(withheld)
      try feed(ingest)
      if let cursor { try Enrolment.move(to: cursor, scope: scope, end: answers.isEmpty ? nil : end, in: merge.db) }
      let report = try ingest.finish()
      if cursor != nil { try merge.settleImportedSecrets(by: clock) }
      return report
    }
  }
}
