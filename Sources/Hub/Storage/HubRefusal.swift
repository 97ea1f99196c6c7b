/// Why the hub does not do what the person who runs it asks for: one line.
public struct HubRefusal: Error, CustomStringConvertible, Sendable {
  /// The line.
  public let description: String

  init(_ description: String) {
    self.description = description
  }
}
