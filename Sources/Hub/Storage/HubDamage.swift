/// That the hub's own database holds what the hub never wrote.
public struct HubDamage: Error, CustomStringConvertible, Sendable {
  let what: String

  /// One line.
  public var description: String { "the hub's database is damaged: \(what); run: osce-hub doctor" }
}
