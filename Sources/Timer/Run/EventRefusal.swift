/// Why an event does not fit, in one line for a person.
public struct EventRefusal: Error, Hashable, Sendable, CustomStringConvertible {
  /// One line, without a full stop: "nothing to resume: the clock is running".
  public let reason: String

  /// A refusal with its reason.
  public init(_ reason: String) {
    self.reason = reason
  }

  /// The reason.
  public var description: String { reason }
}
