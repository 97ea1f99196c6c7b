/// Carries requests to a hub.
public protocol Transport: Sendable {
  /// Sends a request and waits for the whole answer.
  /// - Parameter wait: how long the hub may hold the request back before its first byte, in seconds; 0 but for
  ///   `/v1/wait`.
  /// - Throws: `TransportFailure` when there is none; the hub may have acted anyway.
  func send(_ request: WireRequest, wait: Int64) async throws(TransportFailure) -> WireResponse
}

/// Why a request has no answer.
public enum TransportFailure: Error, Hashable, Sendable {
  /// The hub cannot be reached: no network, no name, nobody listens.
  case unreachable(String)
  /// The answer did not come in time.
  case timeout
  /// The connection broke, or what came is not a whole answer.
  case broken(String)
  /// The server does not hold the key that was pinned at enrolment.
  case otherKey
  /// The answer is larger than any that a hub gives.
  case tooLarge
  /// The request was given up on purpose.
  case cancelled
}
