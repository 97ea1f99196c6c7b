import Journal

/// One entry of what is exchanged: of a page of a hub's log, or of a pack.
public enum ExchangeEntry: Sendable {
  /// An operation, and what a hub said of it. `hubSeq` is its number there; a pack gives none, for it acknowledges
  /// nothing.
  case operation(Journal.Operation, result: HubResult? = nil, hubSeq: Int64? = nil)
  /// What a hub says now of an operation that came before.
  case outcome(OperationID, HubResult)
  /// What was ruled on an operation that came before.
  case verdict(OperationID, Journal.Verdict)
  /// Content that is to be destroyed wherever it lies.
  case erase([OperationID])
  /// A hub's answer to an operation that this store sent.
  case receipt(HubAnswer)
  /// What was sent as an entry and is none, or an operation that is not what its author sealed.
  case unreadable(RefusedEntry.Why, OperationID? = nil)
}

/// How far a hub's log has been taken in: what comes before is here.
public struct ExchangeCursor: Equatable, Sendable {
  /// Which run of the hub's log.
  public let epoch: UUIDBytes
  /// As the hub gave it; after the colon it is the hub's to read.
  public let text: String
  /// The number of the log's last entry that is here; nil where the hub's words do not say.
  public let seq: Int64?
  /// The hub's log hash there: 32 bytes.
  public let hash: [UInt8]

  /// A place in a hub's log as it came.
  public init(epoch: UUIDBytes, place: String, hash: [UInt8]) {
    self.epoch = epoch
    text = "\(epoch):\(place)"
    seq = place.split(separator: ".", omittingEmptySubsequences: false).first.flatMap { Int64($0) }.flatMap {
      $0 < 0 ? nil : $0
    }
    self.hash = hash
  }

  /// A place to which a store goes back.
  /// - Parameter isPartial: whether it is given part of the exam: which part it had up to there is not known any more, so
  ///   the hub gives it the part that it has now, and takes back the others.
  init(epoch: UUIDBytes, backTo mark: LogMark, isPartial: Bool) {
    self.init(epoch: epoch, place: mark.seq > 0 && isPartial ? "\(mark.seq).0" : String(mark.seq), hash: mark.hash)
  }
}

/// What became of the entries of one page or pack.
public struct IngestReport: Equatable, Sendable {
  /// The operations of one device.
  public struct Counts: Equatable, Sendable {
    /// They are new here, and count.
    public var applied = 0
    /// They are new here, and their content stays where they were made.
    public var stubs = 0
    /// They are new here, and wait for others.
    public var waiting = 0
    /// They are new here, and count for nothing.
    public var refused = 0
    /// They were here before.
    public var known = 0

    /// All of them.
    public var count: Int { applied + stubs + waiting + refused + known }

    static func += (left: inout Counts, right: Counts) {
      left.applied += right.applied
      left.stubs += right.stubs
      left.waiting += right.waiting
      left.refused += right.refused
      left.known += right.known
    }
  }

  /// The operations by the device that made them.
  public internal(set) var devices: [UUIDBytes: Counts] = [:]
  /// Why new operations count for nothing, as `Refusal.code`, with how many there are.
  public internal(set) var reasons: [String: Int] = [:]
  /// Operations that had waited here and count now.
  public internal(set) var released = 0
  /// Verdicts and receipts.
  public internal(set) var rulings = 0
  /// Operations whose content was destroyed.
  public internal(set) var erased = 0
  /// Entries that could not be taken and were passed over: they are kept as they came, and listed.
  public internal(set) var setAside: [RefusedEntry] = []

  /// The operations of all devices.
  public var total: Counts { devices.values.reduce(into: Counts()) { $0 += $1 } }
}
