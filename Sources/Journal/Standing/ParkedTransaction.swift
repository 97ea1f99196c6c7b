/// Operations of one transaction that cannot be applied yet.
public struct ParkedTransaction: Hashable, Sendable {
  /// The device.
  public let device: UUIDBytes
  /// The transaction.
  public let tx: UUIDBytes
  /// Its operations that are here, sorted.
  public let operations: [OperationID]
  /// How many of its own operations are still to come.
  public let missing: Int
  /// The operations outside it that it waits for, not here or parked themselves, sorted.
  public let causes: [OperationID]

  /// Lists a transaction that waits.
  public init(device: UUIDBytes, tx: UUIDBytes, operations: [OperationID], missing: Int, causes: [OperationID]) {
    self.device = device
    self.tx = tx
    self.operations = operations
    self.missing = missing
    self.causes = causes
  }
}
