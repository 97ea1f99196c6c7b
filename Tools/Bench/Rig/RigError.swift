/// Why a measurement or a fault test could not be made, or what it found.
public struct RigError: Error, CustomStringConvertible, Sendable {
  /// One line.
  public let description: String

  /// - Parameter description: one line.
  public init(_ description: String) { self.description = description }
}
