/// What a person is in an exam, as rules and sessions know it. The raw values are those of the wire.
public enum PersonRole: String, CaseIterable, Sendable {
  /// Marks at a station.
  case assessor
  /// Leads a circuit through its session.
  case invigilator = "timekeeper"
  /// Answers for a circuit.
  case lead
  /// Plans the exam.
  case office
  /// Reads all and changes nothing.
  case auditor
  /// Only looks.
  case display
}
