import Journal
import Sync

/// What the hub that is lost had said against operations, as the stores say that fill this one: it had judged by what
/// stood there as they came, and whom it refused must not count because it is gone.
final class FormerRefusals {
  private var refusals: [[UInt8]: HubResult] = [:]

  /// Takes down what is said to have been said of an operation; what a hub finds out by itself is not asked. What was
  /// taken down first stays.
  func note(_ said: HubResult?, of operation: Journal.Operation) {
    if let said, said.isOfItsTime, refusals[operation.hash] == nil { refusals[operation.hash] = said }
  }

  subscript(operation: Journal.Operation) -> HubResult? { refusals[operation.hash] }
}
