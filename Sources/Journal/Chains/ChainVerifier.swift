/// The end of a device's chain: what its next operation must follow.
public struct ChainTip: Hashable, Sendable {
  /// The device.
  public let device: UUIDBytes
  /// The number of its last operation; 0 when there is none.
  public let deviceSeq: Int64
  /// The hash of its last operation; `Operation.genesisHash` when there is none.
  public let hash: [UInt8]

  /// Names the end of a chain.
  public init(device: UUIDBytes, deviceSeq: Int64, hash: [UInt8]) {
    self.device = device
    self.deviceSeq = deviceSeq
    self.hash = hash
  }
}

/// What is wrong with an operation or with its place in its device's chain.
public struct ChainProblem: Error, Hashable, Sendable {
  /// The kinds of damage.
  public enum Kind: Hashable, Sendable {
    /// Operations are missing: this number was due.
    case gap(expected: Int64)
    /// Another operation of the device has this number, or this one follows another history.
    case fork
    /// The body or its salt is not what was hashed.
    case bodyHash
    /// The header is not what was hashed.
    case hash
    /// It was held against the chain of another device.
    case otherDevice(UUIDBytes)
  }

  /// The operation.
  public let operation: OperationID
  /// Its device.
  public let device: UUIDBytes
  /// Its number in the device's chain.
  public let deviceSeq: Int64
  /// What is wrong.
  public let kind: Kind

  /// Names what is wrong with an operation.
  public init(operation: OperationID, device: UUIDBytes, deviceSeq: Int64, kind: Kind) {
    self.operation = operation
    self.device = device
    self.deviceSeq = deviceSeq
    self.kind = kind
  }
}

/// Verifies chains as their operations stream by, those of each device in order; devices may alternate.
///
/// A destroyed body is not a problem, nor is the same operation twice. After a gap or a wrong hash the verifier goes
/// on behind the operation as it is stored, so that one damage is reported once; after a fork it stays on the history
/// that came first. What lies before a tip given at the start is not known: an operation from there counts as a fork.
public struct ChainVerifier: Sendable {
  private struct Chain: Sendable {
    var tip: ChainTip
    /// The first eight bytes of each hash, by number: enough to tell a repeat from a fork.
    var seen: [Int64: UInt64] = [:]
  }

  private var chains: [UUIDBytes: Chain] = [:]

  /// A verifier that goes on behind known tips; a device without one begins at its first operation.
  public init(tips: some Sequence<ChainTip> = EmptyCollection()) {
    for tip in tips { chains[tip.device] = Chain(tip: tip, seen: [tip.deviceSeq: Self.prefix(tip.hash)]) }
  }

  /// Takes the next operation and says what is wrong with it; nil when all is well.
  public mutating func feed(_ operation: Operation) -> ChainProblem? { feed(operation, damage: operation.damage) }

  /// Takes the next operation, checked alone before, and says what is wrong with it.
  /// - Parameter damage: what is wrong with the operation alone.
  package mutating func feed(_ operation: Operation, damage: ChainProblem.Kind?) -> ChainProblem? {
    let device = operation.device
    // Taken out while it is changed: a second reference would copy all that was seen, at every operation.
    var isKept = chains[device] != nil
    var chain =
      chains.removeValue(forKey: device)
      ?? Chain(tip: ChainTip(device: device, deviceSeq: 0, hash: Operation.genesisHash))
    defer { if isKept { chains[device] = chain } }
    let problem = operation.verify(following: chain.tip, damage: damage)
    if problem?.kind == .fork, operation.deviceSeq <= chain.tip.deviceSeq,
      chain.seen[operation.deviceSeq] == Self.prefix(operation.hash)
    {
      return nil
    }
    if operation.deviceSeq > chain.tip.deviceSeq, problem?.kind != .fork {
      // A damaged header's own number may be the damage: the number that was due is the better guess.
      let isDamaged = problem?.kind == .hash || problem?.kind == .bodyHash
      let deviceSeq = isDamaged ? chain.tip.deviceSeq + 1 : operation.deviceSeq
      chain.tip = ChainTip(device: device, deviceSeq: deviceSeq, hash: operation.hash)
      chain.seen[deviceSeq] = Self.prefix(operation.hash)
      isKept = true
    }
    return problem
  }

  /// The end of each chain as far as it was fed or given.
  public var tips: [UUIDBytes: ChainTip] { chains.mapValues(\.tip) }

  private static func prefix(_ hash: [UInt8]) -> UInt64 {
    hash.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
  }
}
