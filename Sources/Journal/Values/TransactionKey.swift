/// A transaction of a device: its operations count together or not at all.
package struct TransactionKey: Hashable, Sendable {
  package let device: UUIDBytes
  package let tx: UUIDBytes

  /// The transaction of an operation.
  package init(_ operation: Operation) {
    self.init(device: operation.device, tx: operation.tx)
  }

  /// Names a transaction.
  package init(device: UUIDBytes, tx: UUIDBytes) {
    self.device = device
    self.tx = tx
  }
}
