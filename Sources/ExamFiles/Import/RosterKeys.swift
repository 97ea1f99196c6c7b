import CircuitModel
import ExamStore

/// Keys of rows that have a UUID: UUIDv5 of their natural keys, so that every host that imports an exam makes the same.
enum RosterKeys {
  /// A roster entry.
  ///
  /// - Parameters:
  ///   - session: codes of circuit and station, date, start time.
  ///   - candidate: the candidate's number.
  static func entry(_ session: [String], candidate: String) -> String {
    key("TimetableAttendanceLog", session, candidate)
  }

  /// A co-marker of a station session.
  static func coMarker(_ session: [String], username: String) -> String { key("AdditionalStaff", session, username) }

  private static func key(_ entity: String, _ session: [String], _ person: String) -> String {
    DerivedKeys.key(entity, session[0], session[1], session[2], session[3], person)
  }
}
