/// Whose sheet it is at a station: the lead assessor and each second assessor have one of their own.
public struct Seat: Hashable, Sendable {
  /// The name under which it is stored.
  public let name: String

  /// The lead assessor's.
  public static let lead = Seat(name: "lead")

  /// - Parameter name: as stored.
  public init(name: String) { self.name = name }
}
