import Journal

/// An exam as a list names it.
public struct ExamSummary: Sendable {
  /// The exam.
  public let id: UUIDBytes
  /// What people call it.
  public let name: String
  /// How many entries its log has.
  public let head: Int64
  /// How many devices it has, the hub's own among them.
  public let devices: Int64
  /// Whether the hub is being filled from its devices.
  public let isFilling: Bool
  /// Whether its import did not get to the end, or is under way.
  public let isImporting: Bool
}
