import GRDB
import Journal

import struct Foundation.Data

extension ExamStore {
  /// Goes back to where the log of a hub that was restored agrees with what is here: what the hub said of later entries
  /// is forgotten, and is asked for again. All in one durable transaction.
  /// - Parameters:
  ///   - common: the last place at which both agree.
  ///   - epoch: the run of the hub's log from now on.
  public func rewind(to common: LogMark, epoch: UUIDBytes) throws {
    try merge { merge in
      try merge.takeBackAnswers(after: common.seq)
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
  func takeBackAnswers(after seq: Int64) throws {
    var refused: Set<OperationID> = []
    for table in Shelf.tables {
      let rows = try ReadRow.fetchAll(db, sql: "SELECT id, result FROM \(table) WHERE hubSeq > ?", arguments: [seq])
      for row in rows {
        let (text, result): (String, String?) = (row[0], row[1])
        if let id = OperationID(text), result.flatMap({ HubResult($0) })?.refusal != nil { refused.insert(id) }
      }
      try db.execute(
        sql: "UPDATE \(table) SET hubSeq = NULL, result = NULL, answeredAt = NULL WHERE hubSeq > ?", arguments: [seq])
    }
    for id in refused.sorted() { try admit(id) }
  }
}
