import Journal

/// What the client needs of a store.
public protocol SyncStore: Sendable {
  /// Where the store stands; nil where it has no place at a hub.
  func standing() async throws -> SyncStanding?
  /// What of the device's own chain follows what the hub has; nil where the hub has another chain.
  func owed(after last: ChainTip, operations: Int, damaged: Set<OperationID>) async throws -> [WireOperation]?
  /// How many operations of other devices the hub has not numbered.
  func unnumbered() async throws -> Int
  /// Operations of other devices that the hub has not numbered, after the last one that was sent.
  func unnumbered(after place: ChainTip?, operations: Int) async throws -> [WireOperation]
  /// Takes an answer in: results, entries and cursor at once.
  func take(_ answer: SyncAnswer) async throws
  /// Takes a page of a snapshot in; the cursor moves with the last one.
  func take(_ page: SnapshotPage) async throws
  /// Goes back to where the hub's log agrees with what is here.
  func rewind(to mark: LogMark, epoch: UUIDBytes) async throws
  /// Goes on as a new device, with a token that it asks the hub for; of a store that was moved, as the one that it is
  /// already.
  /// - Throws: `HubError`, `TransportFailure`, or what the store says.
  func continueAsNewDevice(asking transport: any Transport) async throws
  /// Says what the client does, for people.
  func note(_ report: SyncReport) async throws
}

/// Where a store stands in the exchange.
public struct SyncStanding: Sendable {
  /// The device.
  public var device: UUIDBytes
  /// The token of the device at the hub.
  public var token: String
  /// The device that `token` is of, where the store was moved and the hub does not know its present device yet; nil: it
  /// is the device's own.
  public var former: UUIDBytes?
  /// How far the hub's log is here, and its hash there.
  public var cursor: LogCursor
  /// The log's hash there: 32 bytes.
  public var hash: [UInt8]
  /// Places in the log that are remembered, the latest first.
  public var marks: [LogMark]
  /// Where the device's chain ends.
  public var tip: ChainTip
  /// How many changes wait for the hub.
  public var waiting: Int64
  /// Whether a clock runs.
  public var isRunOpen: Bool

  /// A standing.
  public init(
    device: UUIDBytes, token: String, former: UUIDBytes? = nil, cursor: LogCursor, hash: [UInt8], marks: [LogMark],
    tip: ChainTip, waiting: Int64, isRunOpen: Bool
  ) {
    self.device = device
    self.token = token
    self.former = former
    self.cursor = cursor
    self.hash = hash
    self.marks = marks
    self.tip = tip
    self.waiting = waiting
    self.isRunOpen = isRunOpen
  }
}

/// What a client says of its work.
public struct SyncReport: Hashable, Sendable {
  /// What it does.
  public var phase: SyncMachine.Phase
  /// What is wrong; nil: nothing is.
  public var trouble: SyncTrouble?
  /// How long ago the hub last answered, in milliseconds; nil: not since this client began.
  public var sinceContact: Int64?
  /// How long ago the hub was last tried, in milliseconds.
  public var sinceAttempt: Int64
  /// How far this machine's clock is from the hub's; nil: not known.
  public var clock: DeviceNote.Clock?
}
