/// What became of one event.
public struct EventVerdict: Hashable, Sendable {
  /// The event's id.
  public let eventID: String
  /// Whether it took effect.
  public let applied: Bool
  /// Why it did not; nil when it did.
  public let reason: String?
}
