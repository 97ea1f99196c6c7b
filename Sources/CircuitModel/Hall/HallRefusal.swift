import ExamStore
import Timer

/// Why nobody joins a session now.
public enum JoiningRefusal: RuleRefusal {
  /// The last round's rotation is over.
  case lastRoundOver
  /// The session's rounds are over.
  case roundsOver
  /// A re-run is on, which goes by its queue.
  case rerunOn
  /// The clock has gone past the round that was shown.
  case past(round: Int)
}

/// Why a message is not sent or taken down.
public enum MessageRefusal: RuleRefusal {
  /// It has no text.
  case empty
  /// It has more characters than there is room for.
  case tooLong(most: Int, count: Int)
  /// There is no such station, or not in that circuit.
  case unknownStation(Int, circuit: Int?)
  /// There is no such message.
  case unknown(String)
}

/// Why the assessors of a station are not released or called back. Stations are named by their codes.
public enum ClearanceRefusal: RuleRefusal {
  /// They were released before; by whom, where that is known.
  case released(String, by: String?, at: Instant)
  /// They are not released.
  case notReleased(String)
}

/// Why an incident is not recorded, amended or withdrawn.
public enum IncidentRefusal: RuleRefusal {
  /// The seconds lost are fewer than none, or too many.
  case secondsLost(Int, most: Int)
  /// The time is still to come.
  case future(Instant)
  /// There is no such incident.
  case unknown(String)
  /// It was withdrawn.
  case withdrawn
}

/// Why a help call is not answered or closed. Stations are named by their codes.
public enum HelpCallRefusal: RuleRefusal {
  /// It is not there any more.
  case gone
  /// Somebody else took it since.
  case taken(station: String, by: String?, at: Instant?)
  /// It was resolved since.
  case resolved(station: String, by: String?, at: Instant?)
}
