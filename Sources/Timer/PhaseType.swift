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
