import Journal
import Sync

/// Works out again which operations stand on an exam's fields, and holds that against what is noted.
struct HeadExamination {
  private let log: ExamLog

  init(_ log: ExamLog) {
    self.log = log
  }

  /// Hands over each row for which others are noted than those that its operations say.
  func forEachFault(_ body: (RowKey) -> Void) throws {
    var noted = try notedHeads()
    try forEachRow { row, counting in
      let heads = RowState(applying: counting).heads.flatMap { field, ids in
        ids.map { [HubValue(key: field), HubValue($0)] }
      }
      if noted.removeValue(forKey: row) ?? [] != Set(heads) { body(row) }
    }
    for row in noted.keys.sorted() { body(row) }
  }

  /// What is noted for each row: the fields with the operations that stand there.
  private func notedHeads() throws -> [RowKey: Set<[HubValue]>] {
    var noted: [RowKey: Set<[HubValue]>] = [:]
    try log.connection.forEach(
      "SELECT entity, entityID, field, id FROM head WHERE exam = ?", [HubValue(log.exam)]
    ) { found in
      let row = RowKey(entity: try found.text(0), id: try found.text(1))
      noted[row, default: []].insert(Array(found.values[2...]))
      return true
    }
    return noted
  }

  /// Hands over the operations that count, row by row: of a change that was sealed again in another chain the first.
  private func forEachRow(_ body: (RowKey, [OpenedOperation]) -> Void) throws {
    var row: RowKey?
    var (seen, counting): (Set<OperationID>, [OpenedOperation]) = ([], [])
    try log.connection.forEach(
      """
      SELECT entity, entityID, result, header, bodyHash, hash, sealed, absent FROM op WHERE exam = ?
      ORDER BY entityID, entity, seq
      """, [HubValue(log.exam)]
    ) { found in
      let next = RowKey(entity: try found.text(0), id: try found.text(1))
      if let last = row, last != next {
        body(last, counting)
        (seen, counting) = ([], [])
      }
      row = next
      // One that cannot be read is a fault of its own.
      guard let operation = try? WireOperation.Parts(found, from: 3).operation() else { return true }
      if seen.insert(operation.id).inserted, try LogEntry.Fate(stored: found.text(2)).counts {
        counting.append(OpenedOperation(operation))
      }
      return true
    }
    if let row { body(row, counting) }
  }
}
