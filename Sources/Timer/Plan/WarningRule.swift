/// A warning given when the time left in a phase comes down to a threshold.
public struct WarningRule: Hashable, Sendable {
  /// The phases to which the rule belongs.
  public var phaseType: PhaseType
  /// The threshold in milliseconds: the rule holds while the time left is at or below it.
  ///
  /// Milliseconds, because a default rule is cut to half of the phase, which may be half a second.
  public var leftMs: Int64
  /// What the rule raises; `none` announces without an alert.
  public var level: AlertLevel
  /// The text to announce.
  public var text: String

  /// A rule with a threshold in whole seconds.
  public init(phaseType: PhaseType, secondsLeft: Int, level: AlertLevel, text: String) {
    self.init(
      phaseType: phaseType, leftMs: Int64(secondsLeft).multipliedSaturated(by: 1000), level: level, text: text)
  }

  /// A rule with a threshold in milliseconds.
  public init(phaseType: PhaseType, leftMs: Int64, level: AlertLevel, text: String) {
    self.phaseType = phaseType
    self.leftMs = leftMs
    self.level = level
    self.text = text
  }

  /// The threshold in seconds, as the countdown shows it (a started second counts whole).
  public var secondsLeft: Int { Int(PhaseText.shownSeconds(leftMs)) }

  /// The preset `liftupp`: five minutes announced, amber at two minutes, the end announced. Rotations only.
  public static var liftupp: [WarningRule] {
    [
      WarningRule(phaseType: .rotation, secondsLeft: 300, level: .none, text: PhaseText.timeLeft(300_000)),
      WarningRule(phaseType: .rotation, secondsLeft: 120, level: .amber, text: PhaseText.timeLeft(120_000)),
      WarningRule(phaseType: .rotation, secondsLeft: 0, level: .red, text: PhaseText.timeLeft(0)),
    ]
  }

  /// The default rules for a phase: rotations have amber at 120 s and red at 30 s, each cut to half of the planned
  /// length where it exceeds that half; other phases have none.
  public static func defaults(for type: PhaseType, plannedMs: Int64) -> [WarningRule] {
    guard type == .rotation else { return [] }
    return [(Int64(120_000), AlertLevel.amber), (30_000, .red)].map { threshold, level in
      let leftMs = min(threshold, max(plannedMs, 0) / 2)
      return WarningRule(phaseType: type, leftMs: leftMs, level: level, text: PhaseText.timeLeft(leftMs))
    }
  }

  /// The rules in force for a phase: those of `rules` that name its type, as they stand, or the defaults if nil.
  static func effective(
    _ rules: [WarningRule]?, for type: PhaseType, plannedMs: Int64
  ) -> [WarningRule] {
    guard let rules else { return defaults(for: type, plannedMs: plannedMs) }
    return rules.filter { $0.phaseType.matches(type) }
  }
}

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
