import ExamStore

/// Why nothing of a file is imported.
public enum ImportRefusal: RuleRefusal {
  /// A clock is open, and a station of its session would be moved, cancelled or deleted. By the names of circuit and
  /// session and the station's code.
  case openStation(circuit: String, session: String, station: String)
  /// What is recorded for a candidate at a station would be another's. By the candidate's number and the station's code.
  case otherCandidate(number: String, station: String)
  /// What is recorded for a candidate at a station would come to another round than that in which it was recorded. By
  /// the candidate's number and the station's code.
  case otherRound(number: String, station: String, round: Int)
  /// Signed sheets would count no more, for their station would be withdrawn or a row above them deleted, and nobody has
  /// agreed to that. How many, and the codes of the stations.
  case losesSigned(sheets: Int, stations: [String])
}
