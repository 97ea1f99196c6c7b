import Journal
import Sync

/// Recomputes what an exam's log, its standing values and its audit claim.
struct LogExamination {
  private let log: ExamLog
  private static let mostFaults = 20

  init(_ log: ExamLog) {
    self.log = log
  }

  /// What is wrong, a line each; the first ones where there are many.
  func faults() throws -> [String] {
    var faults: [String] = []
    func note(_ fault: String) { if faults.count < Self.mostFaults { faults.append(fault) } }
    var mark = LogHash.start(of: log.exam)
    try log.connection.forEach(
      """
      SELECT l.seq, l.type, l.subject, l.result, l.hash, o.hash FROM log l
      LEFT JOIN op o ON o.exam = l.exam AND o.seq = l.seq WHERE l.exam = ? ORDER BY l.seq
      """, [HubValue(log.exam)]
    ) { row in
      let (seq, type, subject) = (try row.integer(0), try row.text(1), try row.text(2))
      if seq != mark.seq + 1 { note("entry \(mark.seq + 1) is missing") }
      mark = LogHash.next(
        after: LogMark(seq: seq - 1, hash: mark.hash), type: type, subject: subject, result: try row.text(3))
      if try row.bytes(4) != mark.hash {
        note("entry \(seq) was changed: the log's hash is another")
        mark = LogMark(seq: seq, hash: try row.bytes(4))
      }
      if type == ExamLog.EntryType.operation.rawValue {
        let hash = try row.bytes(ifAny: 5).map { Hexadecimal.text($0) }
        if hash != subject { note("entry \(seq): its operation is not there") }
      }
      return true
    }
    if mark != log.head { note("the log ends at \(mark.seq), and not as is noted (\(log.head.seq))") }
    var verifier = ChainVerifier()
    try log.connection.forEach(
      "SELECT header, bodyHash, hash, sealed, absent FROM op WHERE exam = ? ORDER BY device, deviceSeq",
      [HubValue(log.exam)]
    ) { row in
      guard let operation = try? WireOperation.Parts(row, from: 0).operation() else {
        note("an operation cannot be read")
        return true
      }
      if let problem = verifier.feed(operation) { note("operation \(problem.operation): \(problem.kind)") }
      return true
    }
    for device in try DeviceTable(connection: log.connection, exam: log.exam).all() {
      let end = verifier.tips[device.id] ?? ChainTip(device: device.id, deviceSeq: 0, hash: Operation.genesisHash)
      if end != device.last {
        note("device \(device.id): its chain ends at \(end.deviceSeq), noted is \(device.last.deviceSeq)")
      }
    }
    try HeadExamination(log).forEachFault { note("row \($0): other values stand than its changes give") }
    var hasAudit = false
    try Audit(connection: log.connection, exam: log.exam).forEach { entry, isSound in
      hasAudit = true
      if !isSound { note("entry \(entry.n) of the audit was changed, or one before it taken away") }
    }
    if !hasAudit { note("the audit has no entry") }
    return faults
  }
}
