import Journal
import Sync

/// Hands over a log as it is kept.
struct LogExport {
  let log: ExamLog

  /// Up to a thousand entries after a number, as lines: each as a device is given it, with the log's hash after it.
  /// - Returns: the lines, and the number of the last.
  func lines(after start: Int64) throws -> (lines: [UInt8], last: Int64) {
    var (lines, last) = ([UInt8](), start)
    try log.connection.forEach(
      """
      SELECT l.seq, l.type, l.subject, l.result, l.time, l.byOp, l.detail, l.hash, o.header, o.bodyHash, o.hash, o.sealed,
        o.absent
      FROM log l LEFT JOIN op o ON o.exam = l.exam AND o.seq = l.seq WHERE l.exam = ? AND l.seq > ? ORDER BY l.seq LIMIT 1000
      """, [HubValue(log.exam), .integer(start)]
    ) { row in
      last = try row.integer(0)
      var out = WireWriter()
      out.add("seq", last)
      out.add("type", try row.text(1))
      out.add("subject", try row.text(2))
      out.add("result", try row.text(3))
      out.add("time", try row.integer(4))
      out.add("by", try row.text(ifAny: 5))
      out.add("detail", try row.text(ifAny: 6))
      out.add("hash", hash: try row.bytes(7))
      if try row.bytes(ifAny: 8) != nil {
        var document: [UInt8] = []
        try WireOperation.Parts(row, from: 8).write(to: &document)
        out.add("op", document: document)
      }
      lines += out.document + [UInt8(ascii: "\n")]
      return true
    }
    return (lines, last)
  }
}
