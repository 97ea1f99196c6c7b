/// A place in a hub's log: a number, and the hash over everything up to it. Two logs that agree there agree in all that
/// comes before.
public struct LogMark: Hashable, Sendable {
  /// The number of the log's entry, from 1; 0 before the first.
  public let seq: Int64
  /// 32 bytes.
  public let hash: [UInt8]

  /// Names a place.
  public init(seq: Int64, hash: [UInt8]) {
    self.seq = seq
    self.hash = hash
  }
}
