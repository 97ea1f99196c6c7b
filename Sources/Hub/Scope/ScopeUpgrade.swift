import ExamStore
import Journal
import Sync

/// Works out where the rows of the exams are that a hub kept before it asked. Their devices hold the whole exam, and
/// are given it until they are enrolled again.
enum ScopeUpgrade {
  static func fill(_ connection: any HubConnection) throws {
    for row in try connection.rows("SELECT exam FROM exam ORDER BY exam") {
      let log = try ExamLog(try row.id(0), in: connection, at: 0, forChange: true)
      try place(log)
      try connection.run(
        """
        INSERT INTO device_atom (exam, device, n, atom, since, until, began, ended, expires, session)
        SELECT exam, device, 1, 'all', 1, NULL, 0, NULL, NULL, NULL FROM device WHERE exam = ?
        """, [HubValue(log.exam)])
      try log.close()
    }
  }

  private static func place(_ log: ExamLog) throws {
    let (scope, operations) = (ScopeTable(log), OperationStore(log: log))
    var from: Int64 = 0
    while true {
      let batch = try operations.stored(after: from, limit: 500)
      for stored in batch {
        from = stored.seq
        let atoms = try scope.atoms(
          for: OpenedOperation(stored.operation), at: stored.seq, counts: stored.fate.counts)
        try operations.call(stored.operation, atoms)
      }
      if batch.isEmpty { return }
    }
  }
}

extension OperationStore {
  /// The operations that follow a number of the log.
  fileprivate func stored(after seq: Int64, limit: Int64) throws -> [StoredOperation] {
    try fetch("seq > ?", [.integer(seq)], limit: limit)
  }

  /// Writes what an operation is called, in place of what was noted of it while it was not looked at yet.
  fileprivate func call(_ operation: Journal.Operation, _ atoms: String) throws {
    try log.connection.run(
      "UPDATE op SET atoms = ? WHERE exam = ? AND id = ? AND hash = ?",
      [.text(atoms), HubValue(log.exam), HubValue(operation.id), .bytes(operation.hash)])
  }
}
