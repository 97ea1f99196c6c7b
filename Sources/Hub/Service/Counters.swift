import Sync
import Synchronization

/// What a hub process counts of itself since it was started.
final class Counters: Sendable {
  private struct State {
    var requests: [String: [Int: Int64]] = [:]
    var operations: Int64 = 0
    var failures: Int64 = 0
    /// Why requests fail at the moment; nil: they do not.
    var failure: String?
  }

  private let state = Mutex(State())

  func note(_ path: String, _ status: Int) {
    // Paths that are none are hostile, and any number of them may come.
    let path = Route(rawValue: path) == nil ? "other" : path
    state.withLock { $0.requests[path, default: [:]][status, default: 0] += 1 }
  }

  func noteOperations(_ count: Int) { state.withLock { $0.operations += Int64(count) } }

  /// - Returns: whether that is why since this request alone.
  func noteFailure(_ what: String) -> Bool {
    state.withLock { state in
      state.failures += 1
      defer { state.failure = what }
      return state.failure != what
    }
  }

  /// - Returns: whether the request before had failed.
  func noteSuccess() -> Bool {
    state.withLock { state in
      defer { state.failure = nil }
      return state.failure != nil
    }
  }

  /// Prometheus's text.
  func text(waiting: Int) -> String {
    let state = state.withLock { $0 }
    var lines = [
      "# TYPE osce_hub_requests_total counter"
    ]
    for (path, statuses) in state.requests.sorted(by: { $0.key < $1.key }) {
      for (status, count) in statuses.sorted(by: { $0.key < $1.key }) {
        lines.append("osce_hub_requests_total{path=\"\(path)\",status=\"\(status)\"} \(count)")
      }
    }
    lines += [
      "# TYPE osce_hub_operations_total counter", "osce_hub_operations_total \(state.operations)",
      "# TYPE osce_hub_failures_total counter", "osce_hub_failures_total \(state.failures)",
      "# TYPE osce_hub_waiting gauge", "osce_hub_waiting \(waiting)",
    ]
    return lines.joined(separator: "\n") + "\n"
  }
}
