/// Why an event does not fit, in one line for a person.
public struct Refusal: Error, Hashable, Sendable, CustomStringConvertible {
  /// One line, without a full stop: "nothing to resume: the clock is running".
  public let reason: String

  /// A refusal with its reason.
  public init(_ reason: String) {
    self.reason = reason
  }

  /// The reason.
  public var description: String { reason }
}

/// What became of one event.
public struct Verdict: Hashable, Sendable {
  /// The event's id.
  public let eventID: String
  /// Whether it took effect.
  public let applied: Bool
  /// Why it did not; nil when it did.
  public let reason: String?
}
