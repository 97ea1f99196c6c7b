import ExamStore

/// Why somebody does not act as a member of staff.
public enum StaffRefusal: RuleRefusal {
  /// No active member of staff has the username.
  case unknown(String)
  /// Several have it.
  case ambiguous(String, count: Int)
  /// The username, empty where none was written, is not that of an exam lead.
  case notLead(String)
  /// The passcode is not that of the person, by name.
  case wrongPasscode(String)
}
