import GRDB
import Journal

import struct Foundation.Data

extension ExamStore {
  /// Goes back to where the log of a hub that was restored agrees with what is here: what the hub said of later entries
  /// is forgotten, and is asked for again. All in one durable transaction.
  /// - Parameters:
  ///   - common: the last place at which both agree.
  ///   - epoch: the run of the hub's log from now on.
  ///   - keepsRefusals: whether what only that hub could know stands until another answers, which is told of it.
  public func rewind(to common: LogMark, epoch: UUIDBytes, keepsRefusals: Bool = false) throws {
    try merge { merge in
      try merge.takeBackAnswers(after: common.seq, keepsRefusals: keepsRefusals)
      try merge.db.execute(sql: "DELETE FROM hubMark WHERE seq > ?", arguments: [common.seq])
      // What the hub said of later entries may have come before these: the log is read on from where it is here.
      let enrolment = try Enrolment.read(merge.db)
      let mark = enrolment?.mark.map { $0.seq < common.seq ? $0 : common } ?? common
      let cursor = ExchangeCursor(epoch: epoch, backTo: mark, isPartial: enrolment?.isPartial ?? false)
      try Enrolment.move(to: cursor, scope: nil, in: merge.db)
    }
  }
}

extension MergeTransaction {
  /// Forgets what a hub said under numbers after one: what it had refused counts again until it is answered again.
  /// - Parameter keepsRefusals: whether what only that hub could know stands.
  func takeBackAnswers(after seq: Int64, keepsRefusals: Bool = false) throws {
    var (refused, kept): (Set<OperationID>, Set<String>) = ([], [])
    for table in Shelf.tables {
      let rows = try ReadRow.fetchAll(
        db, sql: "SELECT id, result, verdict IS NULL FROM \(table) WHERE hubSeq > ?", arguments: [seq])
      for row in rows {
        let text: String = row[0]
        guard let id = OperationID(text), let result = (row[1] as String?).flatMap({ HubResult($0) }) else { continue }
        // What a person ruled is an operation, and tells another hub by itself.
        if keepsRefusals, row[2], result.isOfItsTime {
          kept.insert(result.description)
        } else if result.refusal != nil {
          refused.insert(id)
        }
      }
      let marks = kept.map { _ in "?" }.joined(separator: ", ")
      try db.execute(
        sql: """
          UPDATE \(table) SET hubSeq = NULL, answeredAt = NULL,
            result = CASE WHEN verdict IS NULL AND result IN (\(marks)) THEN result END
          WHERE hubSeq > ?
          """, arguments: StatementArguments(kept) + [seq])
    }
    for id in refused.sorted() { try admit(id) }
  }
}

extension Operation {
  /// What a lost hub said against it that only that hub could know; nil where it said nothing of the kind, or another has
  /// answered since.
  var refusalOfItsTime: HubResult? {
    guard hubSeq == nil, let said = result.flatMap({ HubResult($0) }), said.isOfItsTime else { return nil }
    return said
  }
}
