/// One row of a circuit's list of phases, as its author wrote it.
public struct PhaseDuration: Hashable, Sendable {
  /// What the phase is for.
  public var type: PhaseType
  /// The planned length in milliseconds; positive in every imported exam.
  public var lengthMs: Int64
  /// Whether the phase waits for a person to start it.
  public var manualStart: Bool

  /// A row of the list.
  public init(type: PhaseType, lengthMs: Int64, manualStart: Bool = false) {
    self.type = type
    self.lengthMs = lengthMs
    self.manualStart = manualStart
  }
}

/// One phase of a run's expanded list, with the warnings in force for it.
public struct PlannedPhase: Hashable, Sendable {
  /// What the phase is for.
  public var type: PhaseType
  /// The planned length in milliseconds. A phase without a positive length ends as it begins.
  public var plannedMs: Int64
  /// Whether the phase waits for a person to start it.
  public var manualStart: Bool
  /// The warnings in force for this phase, defaults and cuts already worked out.
  public var warnings: [WarningRule]

  /// A planned phase.
  public init(type: PhaseType, plannedMs: Int64, manualStart: Bool = false, warnings: [WarningRule] = []) {
    self.type = type
    self.plannedMs = plannedMs
    self.manualStart = manualStart
    self.warnings = warnings
  }

  /// The level of the strictest warning whose threshold the time left has reached.
  public func alert(remainingMs: Int64) -> AlertLevel {
    var level = AlertLevel.none
    for rule in warnings where remainingMs <= rule.leftMs && rule.level > level {
      level = rule.level
    }
    return level
  }
}

/// What a phase of a circuit is for.
public enum PhaseType: Hashable, Sendable {
  /// Candidates are at their stations and are marked.
  case rotation
  /// Candidates read the instructions of the station that they are about to enter.
  case reading
  /// Assessors speak to the candidate, or write.
  case feedback
  /// Candidates walk to the next station.
  case changeover
  /// Nobody is examined.
  case breakTime
  /// A phase that the circuit's author named; the name is kept as written.
  case other(String)

  /// The type with that name. The five known names are found in any letter case; every other name is kept as it is.
  public init(name: String) {
    switch name.lowercased() {
    case "rotation": self = .rotation
    case "reading": self = .reading
    case "feedback": self = .feedback
    case "changeover": self = .changeover
    case "break": self = .breakTime
    default: self = .other(name)
    }
  }

  /// The name by which exam files and exports call the type.
  public var name: String {
    switch self {
    case .rotation: "rotation"
    case .reading: "reading"
    case .feedback: "feedback"
    case .changeover: "changeover"
    case .breakTime: "break"
    case .other(let name): name
    }
  }

  /// Whether two types mean the same phase, letter case aside.
  public func matches(_ other: PhaseType) -> Bool {
    self == other || name.lowercased() == other.name.lowercased()
  }
}
