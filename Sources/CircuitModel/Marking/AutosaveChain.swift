import ExamStore
import Journal
import Synchronization

/// Links the successive saves of one text. Each replaces only its own predecessor, so a concurrent edit is never silently
/// overwritten.
public final class AutosaveChain: Sendable {
  /// The operations on each field; of those whose transaction failed the journal has none.
  private let fields = Mutex<[String: [OperationID]]>([:])

  /// Begins a writing.
  public init() {}

  /// Saves a piece.
  /// - Parameters:
  ///   - item: as it was shown when the writing began.
  ///   - body: what saves it, of the item as this writing has left it.
  public func continuing(
    _ item: SheetItem, in transaction: JournalTransaction, _ body: (SheetItem) throws -> OperationID
  ) throws -> OperationID {
    var item = item
    for (field, operations) in fields.withLock({ $0 }) {
      if let last = try operations.last(where: { try transaction.fields(setBy: $0).contains(field) }) {
        item.shown[field] = [last]
      }
    }
    let operation = try body(item)
    let set = try transaction.fields(setBy: operation)
    fields.withLock { known in for field in set { known[field, default: []].append(operation) } }
    return operation
  }
}
