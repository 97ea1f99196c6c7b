/// What became of one event.
public struct EventVerdict: Hashable, Sendable {
  /// The event's id.
  public let eventID: String
  /// Why it did not take effect; nil when it did.
  public let reason: String?

  /// Whether it took effect.
  public var applied: Bool { reason == nil }
}
