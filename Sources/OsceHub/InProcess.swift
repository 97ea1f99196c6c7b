import Console
import Hub
import Sync
import Synchronization

/// The way to a hub in the same process.
final class InProcess: Transport {
  private let hub: Hub
  private let line: ProgressLine
  private let count = Mutex(0)

  /// - Parameter line: says how many pages were exchanged.
  init(hub: Hub, line: ProgressLine) { (self.hub, self.line) = (hub, line) }

  func send(_ request: WireRequest, wait: Int64) async throws(TransportFailure) -> WireResponse {
    let number = count.withLock { count in
      count += 1
      return count
    }
    line.say("exchanging with the hub, page \(number)")
    return await hub.answer(request)
  }
}
