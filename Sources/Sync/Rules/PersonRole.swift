/// What a person is in an exam, as rules and sessions know it.
public enum PersonRole: String, CaseIterable, Sendable {
  /// Marks at a station.
  case assessor
  /// Leads a circuit through its session: the invigilator.
  case timekeeper
  /// Answers for a circuit.
  case lead
  /// Plans the exam.
  case office
  /// Reads all and changes nothing.
  case auditor
  /// Only looks.
  case display

  /// Reads the word of the exam's settings; nobody is named an assessor who is one.
  public init(settings word: String?) {
    self = word == "invigilator" ? .timekeeper : word.flatMap { PersonRole(rawValue: $0) } ?? .assessor
  }
}
