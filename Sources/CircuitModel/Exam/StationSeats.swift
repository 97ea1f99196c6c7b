import ExamStore
import GRDB

extension StationSession {
  /// The seats that are to be filled at a station: the lead's, whether or not somebody is planned, and each
  /// co-marker's.
  package static func seats(of place: StationSession) -> [Seat] {
    [.lead] + place.assessors.filter { $0.role == .coMarker }.map(\.seat)
  }

  /// The station sessions that were cancelled: nothing is expected of them, but what they hold is still listed.
  package static func cancelled(in db: Database) throws -> [StationSession] {
    try Int.fetchAll(
      db, sql: "SELECT dsid FROM timetable WHERE cancelled = 1 AND dsDeleted = 0 ORDER BY date, startTime, dsid"
    ).compactMap { try? find($0, in: db) }
  }
}
