/// Answers requests: a hub, whatever carries them.
public protocol Answering: Sendable {
  /// The answer to a request; what goes wrong is an answer too.
  func answer(_ request: WireRequest) async -> WireResponse
  /// The answer to a request that could not be read whole.
  func refuse(_ path: String, _ error: HubError) -> WireResponse
}

extension Answering {
  /// The error's own.
  public func refuse(_ path: String, _ error: HubError) -> WireResponse { error.response }
}
