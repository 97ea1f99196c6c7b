/// How urgent the time left is; each level is stricter than the one before it.
public enum AlertLevel: Int, Comparable, Hashable, Sendable, CaseIterable {
  /// Nothing to say, or a text to announce and no colour.
  case none
  /// The end is in view.
  case amber
  /// The end is near.
  case red

  /// The level with that name, `none`, `amber` or `red` in any letter case; nil for any other.
  public init?(name: String) {
    let wanted = name.lowercased()
    guard let level = Self.allCases.first(where: { $0.name == wanted }) else { return nil }
    self = level
  }

  /// The name used in exam files and in JSON.
  public var name: String {
    switch self {
    case .none: "none"
    case .amber: "amber"
    case .red: "red"
    }
  }

  /// Less strict comes first.
  public static func < (left: AlertLevel, right: AlertLevel) -> Bool {
    left.rawValue < right.rawValue
  }
}
