/// Why a candidate has no score, or no grade, at a station. The raw values are stable codes.
public enum Reason: String, CaseIterable, Sendable {
  /// The roster says so.
  case absent
  /// Nothing is held that counts.
  case noSheet
  /// A sheet is held that nobody signed.
  case unsigned
  /// A scored item is blank, and blanks make a sheet incomplete.
  case blankItem
  /// Nothing on the sheet could be assessed.
  case nothingScored
  /// One of several sheets is missing.
  case formMissing
  /// Two assessors differ too far, and nobody has ruled.
  case notAdjudicated
  /// The lead excused the candidate here, or the station's session was cancelled.
  case excused
  /// The candidate is left out of the exam.
  case candidateExcluded
  /// The global rating is blank.
  case gradeBlank
  /// The global rating could not be assessed.
  case gradeUnable
  /// The sheet has no global rating.
  case noGlobalItem
}
