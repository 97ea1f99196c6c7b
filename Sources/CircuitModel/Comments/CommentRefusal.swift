import ExamStore

/// Why a comment is not written or changed.
public enum CommentRefusal: RuleRefusal {
  /// It has no text.
  case empty
  /// It is not there any more.
  case gone
  /// Somebody else wrote it.
  case ofAnother
  /// Only a comment on a candidate is shown to the candidate.
  case notOnCandidate
  /// There is no such person.
  case unknownPerson(Int)
  /// There is no such category.
  case unknownCategory(Int)
}

/// Why a private note is not written.
public enum JotRefusal: RuleRefusal {
  /// It has no text.
  case empty
}
