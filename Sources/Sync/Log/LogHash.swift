import Journal

/// The hash over a hub's log. It does not hold the epoch: a log that was restored shares its beginning with the one that
/// was lost.
public enum LogHash {
  /// Before the first entry: SHA-256 of `osce-hub/1`, a line break and the exam.
  public static func start(of exam: UUIDBytes) -> LogMark {
    LogMark(seq: 0, hash: StreamDigest.of(Array("osce-hub/1\n\(exam)".utf8)))
  }

  /// After one more entry: SHA-256 of the hash before and of type, number, subject and result, a line each.
  /// - Parameters:
  ///   - type: `op`, `verdict` or `erase`.
  ///   - subject: the operation's hash in hexadecimal digits; of a verdict the operation's identifier, of an erasure the
  ///     key's.
  ///   - result: as `HubResult` has it.
  public static func next(after mark: LogMark, type: String, subject: String, result: String) -> LogMark {
    let seq = mark.seq + 1
    return LogMark(seq: seq, hash: StreamDigest.of(mark.hash + "\(type)\n\(seq)\n\(subject)\n\(result)".utf8))
  }
}
